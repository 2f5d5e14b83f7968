"""Counterfactuals by a chat model (§4, appendix A.2): a rewriting for every other subgroup, then the model's own
critique of each set, which mends grammar and flags what makes no sense of a group, for people to look at.

    text ─ few-shot prompt of its category ─ rewriting ─ critique of the set ─ fine | repaired | incongruous
                                             unchanged: says what the text says, or names its subgroup still
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from gec_fair.llm.answer import Answer, Outcome
from gec_fair.llm.ask import ChatModel
from gec_fair.llm.prompts import Data
from gec_fair.llm.request import Request
from gec_fair.safety.counterfactuals.by_rule import GENDERS, Counterfactual
from gec_fair.safety.counterfactuals.identities import Identities, load
from gec_fair.safety.data.groups import Slice

PROMPTS = Path(__file__).with_name("prompts")
FAMILIES: Mapping[str, str] = {
    "Religion": "religion",
    "Race/Ethnicity": "race",
    "Gender Identity": "gender",
    "Sexual Orientation": "orientation",
}
"""Of other categories it is OTHER's, which tells the category too."""
OTHER = "group"
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

    model: ChatModel
    critique: bool = True
    identities: Identities = field(default_factory=load)
    flagged: list[Flagged] = field(default_factory=list)

    def __call__(self, texts: Sequence[str], sources: Sequence[Slice]) -> Iterator[list[Counterfactual]]:
        """LLMFault where the server fails; what was answered is kept."""
        waiting = iter(zip(texts, sources, strict=True))
        while some := list(islice(waiting, _AT_ONCE)):
            yield from self._some(some)

    def _some(self, some: Sequence[tuple[str, Slice]]) -> list[list[Counterfactual]]:
        wanted = [(text, own, target) for text, own in some for target in self._targets(own)]
        outcomes = self.model.ask_all([self._rewriting(*request) for request in wanted])
        answers = iter(outcomes)
        sets = [[self._read(text, own, target, next(answers)) for target in self._targets(own)] for text, own in some]
        if not self.critique:
            return sets
        judged = [n for n, each in enumerate(sets) if any(one.text for one in each)]
        verdicts = self.model.ask_all([self._critique(*some[n], sets[n]) for n in judged])
        for n, outcome in zip(judged, verdicts, strict=True):
            sets[n] = self._judged(*some[n], sets[n], outcome)
        return sets

    def _rewriting(self, text: str, own: Slice, target: Slice) -> Request:
        family = FAMILIES.get(own.category, OTHER)
        seed, wanted = (self._called(each, family) for each in (own, target))
        fields = {"seed": seed, "target": wanted, "text": Data(text)}
        return self.model.request(self.model.prompt(family), fields, max_tokens=_LONGEST, schema=Rewriting)

    def _critique(self, text: str, own: Slice, found: Sequence[Counterfactual]) -> Request:
        numbered = "\n".join(
            f"{n}. of {each.target.subgroup}: {each.text}" for n, each in enumerate(found, 1) if each.text
        )
        fields = {"seed": own.subgroup, "text": Data(text), "rewritings": Data(numbered)}
        return self.model.request(
            self.model.prompt("critique"), fields, max_tokens=_LONGEST * len(found), schema=Critique
        )

    def _called(self, who: Slice, family: str) -> str:
        """As the prompt says it; *Others* tells a model nothing."""
        name = str(who) if family == OTHER else who.subgroup
        person = self.identities.first.get((who, "person"))
        return f"{name} (for example {' '.join(person)})" if who.subgroup == "Others" and person else name

    def _targets(self, own: Slice) -> list[Slice]:
        names = self.identities.groups.subgroups[own.category]
        return [Slice(own.category, name) for name in names if name != own.subgroup]

    def _read(self, text: str, own: Slice, target: Slice, outcome: Outcome) -> Counterfactual:
        if not isinstance(outcome, Answer) or not isinstance(outcome.value, Rewriting):
            return Counterfactual(target, None, "no answer")
        return self._checked(text, own, target, outcome.value.text.strip())

    def _checked(self, text: str, own: Slice, target: Slice, new: str) -> Counterfactual:
        """A counterfactual that still names whom the text names would count for a subgroup that it does not name. Of a
        gender there may be somebody else: *he saw a man*."""
        if not new:
            return Counterfactual(target, None, "no counterpart")
        named = own not in GENDERS and self.identities.plainly(text, own) and self.identities.plainly(new, own)
        if named or new.split() == text.split():
            return Counterfactual(target, None, "unchanged")
        return Counterfactual(target, new)

    def _judged(self, text: str, own: Slice, found: Sequence[Counterfactual], outcome: Outcome) -> list[Counterfactual]:
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
                kept.append(self._checked(text, own, each.target, verdict.text.strip() or each.text))
            else:
                self.flagged.append(Flagged(text, own, each.target, each.text, verdict.reason))
                kept.append(Counterfactual(each.target, None, "incongruous"))
        return kept


def review_rows(flagged: Sequence[Flagged]) -> list[dict[str, Any]]:
    """For `gec-fair review`: sentences.jsonl."""
    return [
        {"text": each.text, "group": f"{each.target}", "facts": f"of {each.source}: {each.original} ({each.reason})"}
        for each in flagged
    ]
