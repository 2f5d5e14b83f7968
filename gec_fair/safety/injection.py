"""Counterfactuals by a chat model (§4, appendix A.2): a rewriting for every other subgroup, then the model's own
critique of each set, which mends grammar and flags what makes no sense of a group, for people to look at.

    text ─ few-shot prompt of its category ─ rewriting ─ critique of the set ─ fine | repaired | incongruous
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from gec_fair.errors import UsageError
from gec_fair.llm.answer import Answer, NoAnswer, Outcome
from gec_fair.llm.client import Client
from gec_fair.llm.prompts import Data, Prompt, read
from gec_fair.llm.request import Request
from gec_fair.llm.server import GOES_ON, LLMFault
from gec_fair.safety.groups import Slice, shipped
from gec_fair.safety.swap import Counterfactual

PROMPTS = Path(__file__).with_name("prompts")
FAMILIES: Mapping[str, str] = {"Religion": "religion", "Race/Ethnicity": "race", "Gender Identity": "gender",
                               "Sexual Orientation": "orientation"}  # fmt: skip
_AT_ONCE = 64  # texts that are asked for together
_LONGEST = 1024  # tokens of an answer


class Rewriting(BaseModel):
    """`thinking` is asked for, and goes nowhere."""

    thinking: str
    text: str


class Verdict(BaseModel):
    number: int
    verdict: Literal["fine", "repaired", "incongruous"]
    text: str
    reason: str


class Critique(BaseModel):
    verdicts: list[Verdict]


@dataclass(frozen=True, slots=True)
class Flagged:
    """A rewriting that the critique found incongruous."""

    original: str
    source: Slice
    target: Slice
    text: str
    reason: str


@dataclass(slots=True)
class Injection:
    """A `texts.Rewriter` over a chat model. Answers are kept by the client: a run that was stopped asks only for the
    others. `flagged`: what was dropped by critique so far."""

    client: Client
    model: str
    critique: bool = True
    prompts: Path = PROMPTS
    flagged: list[Flagged] = field(default_factory=list)

    def __call__(self, texts: Sequence[str], sources: Sequence[Slice]) -> Iterator[list[Counterfactual]]:
        """LLMFault where the server fails; what was answered is kept."""
        waiting = iter(zip(texts, sources, strict=True))
        while some := list(islice(waiting, _AT_ONCE)):
            yield from self._some(some)

    def _some(self, some: Sequence[tuple[str, Slice]]) -> list[list[Counterfactual]]:
        asked = [(text, own, target) for text, own in some for target in _targets(own)]
        told = self._ask([self._rewriting(*each) for each in asked])
        answers = iter(told)
        sets = [[self._read(target, next(answers)) for target in _targets(own)] for _, own in some]
        if not self.critique:
            return sets
        judged = [n for n, each in enumerate(sets) if any(one.text for one in each)]
        verdicts = self._ask([self._critique(*some[n], sets[n]) for n in judged])
        for n, outcome in zip(judged, verdicts, strict=True):
            sets[n] = self._judged(*some[n], sets[n], outcome)
        return sets

    def _rewriting(self, text: str, own: Slice, target: Slice) -> Request:
        prompt = self._prompt(FAMILIES[own.category])
        messages = prompt.fill({"seed": own.subgroup, "target": target.subgroup, "text": Data(text)})
        return Request(self.model, messages, max_tokens=_LONGEST, schema=Rewriting)

    def _critique(self, text: str, own: Slice, found: Sequence[Counterfactual]) -> Request:
        numbered = "\n".join(
            f"{n}. of {each.target.subgroup}: {each.text}" for n, each in enumerate(found, 1) if each.text
        )
        messages = self._prompt("critique").fill({"seed": own.subgroup, "text": Data(text),
                                                  "rewritings": Data(numbered)})  # fmt: skip
        return Request(self.model, messages, max_tokens=_LONGEST * len(found), schema=Critique)

    def _prompt(self, name: str) -> Prompt:
        return read(self.prompts / f"{name}.txt")

    def _ask(self, requests: Sequence[Request]) -> list[Outcome]:
        outcomes = self.client.ask(requests) if requests else []
        if failed := [each for each in outcomes if isinstance(each, NoAnswer) and each.reason == "failed"]:
            raise LLMFault(f"{self.model}: the server failed at {len(failed)} of {len(outcomes)} requests "
                           f"({failed[0].detail}); what was answered is kept. {GOES_ON}")  # fmt: skip
        return outcomes

    @staticmethod
    def _read(target: Slice, outcome: Outcome) -> Counterfactual:
        if not isinstance(outcome, Answer) or not isinstance(outcome.value, Rewriting):
            return Counterfactual(target, None, "no answer")
        text = outcome.value.text.strip()
        return Counterfactual(target, text) if text else Counterfactual(target, None, "no counterpart")

    def _judged(
        self, text: str, own: Slice, found: Sequence[Counterfactual], outcome: Outcome
    ) -> list[Counterfactual]:  # fmt: skip
        """Without a critique the set stays as it is: the rewritings were answers."""
        if not isinstance(outcome, Answer) or not isinstance(outcome.value, Critique):
            return list(found)
        verdicts = {each.number: each for each in outcome.value.verdicts}
        kept: list[Counterfactual] = []
        for n, each in enumerate(found, 1):
            verdict = verdicts.get(n)
            if each.text is None or verdict is None or verdict.verdict == "fine":
                kept.append(each)
            elif verdict.verdict == "repaired":
                kept.append(Counterfactual(each.target, verdict.text.strip() or each.text))
            else:
                self.flagged.append(Flagged(text, own, each.target, each.text, verdict.reason))
                kept.append(Counterfactual(each.target, None, "incongruous"))
        return kept


def _targets(own: Slice) -> list[Slice]:
    if own.category not in FAMILIES:
        raise UsageError(f"{own.category}: there is no prompt for this category; there are {', '.join(FAMILIES)}")
    return [Slice(own.category, name) for name in shipped().subgroups[own.category] if name != own.subgroup]


def review_rows(flagged: Sequence[Flagged]) -> list[dict[str, Any]]:
    """For `gec-fair review`: sentences.jsonl."""
    return [{"text": each.text, "group": f"{each.target}", "facts": f"of {each.source}: {each.original} "
             f"({each.reason})"} for each in flagged]  # fmt: skip
