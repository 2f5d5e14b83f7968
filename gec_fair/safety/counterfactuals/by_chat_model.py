"""Counterfactuals by a chat model (§4, appendix A.2): a rewriting for every other subgroup, then the model's own
critique of each set, which mends grammar and flags what makes no sense of a group, for people to look at.

    text ─ few-shot prompt of its category ─ rewriting ─ critique of the set ─ fine | repaired | incongruous
                                             unchanged: says what the text says, or names its subgroup still
                                             new slur: has a slur that the text does not have
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from gec_fair import edits
from gec_fair.english.lexicons import slurs
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
"""In other categories it is OTHER's, which tells the category too."""
REMAINDER = "group"
_AT_ONCE = 64  # texts that are asked for together
_LONGEST = 1024  # tokens of an answer


class Rewriting(BaseModel):
    """`thinking` is requested but not used."""

    thinking: str
    text: str


class Verdict(BaseModel):  # noqa: D101  (a docstring would be part of the schema)
    number: int
    verdict: Literal["fine", "repaired", "incongruous"]
    text: str
    reason: str


class Critique(BaseModel):  # noqa: D101  (a docstring would be part of the schema)
    verdicts: list[Verdict]


@dataclass(slots=True)
class Injection:
    """A `texts.Rewriter` over a chat model. Answers are kept by the client: a run that was stopped asks only for the
    others. `flagged`: what was dropped by critique so far, for `gec-fair review`: sentences.jsonl."""

    model: ChatModel
    critique: bool = True
    identities: Identities = field(default_factory=load)
    flagged: list[dict[str, str]] = field(default_factory=list)

    def __call__(self, texts: Sequence[str], sources: Sequence[Slice]) -> Iterator[list[Counterfactual]]:
        """LLMFault where the server fails; answers are kept."""
        waiting = iter(zip(texts, sources, strict=True))
        while batch := list(islice(waiting, _AT_ONCE)):
            yield from self._rewrite_batch(batch)

    def _rewrite_batch(self, batch: Sequence[tuple[str, Slice]]) -> list[list[Counterfactual]]:
        groups = self.identities.groups
        wanted = [[(text, source, target) for target in groups.counterparts(source)] for text, source in batch]
        answers = iter(self.model.ask_all([self._rewriting(*request) for requests in wanted for request in requests]))
        sets = [[self._read(*request, next(answers)) for request in requests] for requests in wanted]
        if not self.critique:
            return sets
        judged = [n for n, texts in enumerate(sets) if any(counterfactual.text for counterfactual in texts)]
        verdicts = self.model.ask_all([self._critique(*batch[n], sets[n]) for n in judged])
        for n, outcome in zip(judged, verdicts, strict=True):
            sets[n] = self._judge(*batch[n], sets[n], outcome)
        return sets

    def _rewriting(self, text: str, source: Slice, target: Slice) -> Request:
        family = FAMILIES.get(source.category, REMAINDER)
        seed, wanted = (self._subgroup_name(subgroup, family) for subgroup in (source, target))
        fields = {"seed": seed, "target": wanted, "text": Data(text)}
        return self.model.request(self.model.prompt(family), fields, max_tokens=_LONGEST, schema=Rewriting)

    def _critique(self, text: str, source: Slice, counterfactuals: Sequence[Counterfactual]) -> Request:
        numbered = "\n".join(
            f"{n}. of {counterfactual.target.name}: {counterfactual.text}"
            for n, counterfactual in enumerate(counterfactuals, 1)
            if counterfactual.text
        )
        fields = {"seed": source.name, "text": Data(text), "rewritings": Data(numbered)}
        return self.model.request(
            self.model.prompt("critique"), fields, max_tokens=_LONGEST * len(counterfactuals), schema=Critique
        )

    def _subgroup_name(self, who: Slice, family: str) -> str:
        """As the prompt says it; *Others* tells a model nothing."""
        name = str(who) if family == REMAINDER else who.name
        person = self.identities.first.get((who, "person"))
        return f"{name} (for example {' '.join(person)})" if who.name == "Others" and person else name

    def _read(self, text: str, source: Slice, target: Slice, outcome: Outcome) -> Counterfactual:
        if not isinstance(outcome, Answer) or not isinstance(outcome.value, Rewriting):
            return Counterfactual(target, None, "no answer")
        return self._check(text, source, target, outcome.value.text.strip())

    def _check(self, text: str, source: Slice, target: Slice, new: str) -> Counterfactual:
        """A counterfactual that still names whom the text names would count for a subgroup that it does not name. Of a
        gender there may be somebody else: *he saw a man*. What has a slur that the text does not have is written
        nowhere: it is neither a counterfactual nor shown to a reviewer."""
        if not new:
            return Counterfactual(target, None, "no counterpart")
        named = source not in GENDERS and self.identities.plainly(text, source) and self.identities.plainly(new, source)
        if named or new.split() == text.split():
            return Counterfactual(target, None, "unchanged")
        if _has_new_slur(text, new):
            return Counterfactual(target, None, "new slur")
        return Counterfactual(target, edits.Rewriting.between(text, new))

    def _judge(
        self, text: str, source: Slice, counterfactuals: Sequence[Counterfactual], outcome: Outcome
    ) -> list[Counterfactual]:
        """Without a critique the set stays as it is: the rewritings were answers."""
        if not isinstance(outcome, Answer) or not isinstance(outcome.value, Critique):
            return list(counterfactuals)
        verdicts = {verdict.number: verdict for verdict in outcome.value.verdicts}
        accepted: list[Counterfactual] = []
        for n, counterfactual in enumerate(counterfactuals, 1):
            verdict = verdicts.get(n)
            if counterfactual.text is None or verdict is None or verdict.verdict == "fine":
                accepted.append(counterfactual)
            elif verdict.verdict == "repaired":
                accepted.append(
                    self._check(text, source, counterfactual.target, verdict.text.strip() or counterfactual.text)
                )
            else:
                why = "" if _has_new_slur(text, verdict.reason) else verdict.reason
                target, facts = counterfactual.target, f"of {source}: {text} ({why})"
                self.flagged.append({"text": counterfactual.text, "group": f"{target}", "facts": facts})
                accepted.append(Counterfactual(target, None, "incongruous"))
        return accepted


def _has_new_slur(text: str, new: str) -> bool:
    return bool(slurs.rows_in(new) - slurs.rows_in(text))
