"""Measure a classifier: perturb the examples, ask about both versions, count the flips.

The perturber is anything that maps texts to rewritten texts with what was changed (`Rewriter`), the classifier anything
with scores (`classifiers.Classifier`); neither knows of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Protocol

from gec_fair.classifiers.protocol import Classifier, Text, predictions, values
from gec_fair.fairscore.labels import contrast_lost
from gec_fair.fairscore.measures import MEASURES
from gec_fair.fairscore.score import Fairscore, Judged, by, fairscore, pair
from gec_fair.fairscore.tasks import Example


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An example's fields afterwards, the axis that was perturbed and from what to what; `axis` "" where nothing was.
    `refused`: why a rewriting was not taken, in a word: `misaligned` where the border between fields was lost, so that
    nobody knows which text is whose."""

    fields: Text
    axis: str = ""
    source: str = ""
    target: str = ""
    refused: str | None = None


UNSURE = "label_unsure"


class Rewriter(Protocol):
    """`version` names all that decides its answers."""

    @property
    def version(self) -> str: ...

    def __call__(self, texts: Sequence[Text], ids: Sequence[str]) -> Sequence[Rewritten]: ...


@dataclass(frozen=True, slots=True)
class Measured:
    """The fairscore over all changed examples, by axis and by pair of attributes; what the classifier reaches on the
    original examples and on the perturbed ones that changed; how the examples fell out."""

    whole: Fairscore
    axes: Mapping[str, Fairscore]
    pairs: Mapping[str, Fairscore]
    metric: str
    original: float
    counts: Mapping[str, int]
    judged: tuple[Judged, ...]
    signature: str
    unsure: tuple[tuple[str, Text, Text], ...] = ()
    """Examples whose contrast vanished: id, and the fields before and after."""

    @property
    def flipped(self) -> list[Judged]:
        return [each for each in self.judged if each.flipped]

    def as_json(self) -> dict[str, Any]:
        return {
            **self.whole.as_json(),
            "axes": {name: each.as_json() for name, each in self.axes.items()},
            "pairs": {name: each.as_json() for name, each in self.pairs.items()},
            self.metric: self.original,
            "examples": dict(self.counts),
            "flipped": [_row(each) for each in self.flipped],
            "label_unsure": [
                {"id": name, "original": list(before), "perturbed": list(after)} for name, before, after in self.unsure
            ],
            "signature": self.signature,
        }


def measure(
    examples: Sequence[Example], classifier: Classifier, rewriter: Rewriter, *, metric: str = "accuracy",
    check_labels: bool = False, resamples: int = 10_000, seed: int = 0,
) -> Measured:  # fmt: skip
    """The fairscore of a classifier on examples. `check_labels` leaves out those in which a contrast between fields
    vanished with the rewriting (appendix J); they are counted either way. Of a regression (a classifier without labels)
    no prediction flips: it has its measure alone."""
    texts = [example.fields for example in examples]
    if not classifier.labels:
        figure = MEASURES[metric]([float(example.label) for example in examples], values(classifier, texts))
        signature = f"fairscore|data:{digest(examples)}|classifier:{classifier.version}|n:{len(examples)}|a regression"
        return Measured(fairscore(()), {}, {}, metric, figure, Counter(examples=len(examples)), (), signature)
    rewritten = rewriter(texts, [example.id for example in examples])
    before = predictions(classifier, texts)
    counts: Counter[str] = Counter(examples=len(examples))
    chosen: list[int] = []
    unsure: list[tuple[str, Text, Text]] = []
    for n, (example, new) in enumerate(zip(examples, rewritten, strict=True)):
        how = _how(example, new, check_labels)
        counts[how] += 1
        if how == "changed":
            chosen.append(n)
        if how == UNSURE:
            unsure.append((example.id, example.fields, new.fields))
    after = predictions(classifier, [rewritten[n].fields for n in chosen])
    judged = tuple(
        Judged(examples[n].id, texts[n], rewritten[n].fields, rewritten[n].axis, rewritten[n].source,
               rewritten[n].target, before[n], new, examples[n].label)
        for n, new in zip(chosen, after, strict=True)
    )  # fmt: skip
    grouped = partial(by, judged, resamples=resamples, seed=seed)
    if cut := int(getattr(classifier, "cut", 0)):
        counts["texts_cut"] = cut
    signature = "|".join(
        ["fairscore", f"data:{digest(examples)}", f"classifier:{classifier.version}", f"perturber:{rewriter.version}",
         f"check-labels:{'yes' if check_labels else 'no'}", f"n:{len(judged)}-of-{len(examples)}",
         f"bootstrap:{resamples}:seed:{seed}"]
    )  # fmt: skip
    return Measured(
        fairscore(judged, resamples=resamples, seed=seed), grouped(lambda each: each.axis), grouped(pair), metric,
        MEASURES[metric]([example.label for example in examples], before), counts, judged, signature, tuple(unsure),
    )  # fmt: skip


def digest(examples: Sequence[Example]) -> str:
    """A name for texts and labels."""
    rows = "\n".join("\x1f".join((*example.fields, example.label)) for example in examples)
    return sha256(rows.encode()).hexdigest()[:16]


def _how(example: Example, new: Rewritten, check_labels: bool) -> str:
    if new.refused:
        return new.refused
    if not new.axis or new.fields == example.fields:
        return "unchanged"
    return UNSURE if check_labels and contrast_lost(example.fields, new.fields) else "changed"


def _row(each: Judged) -> dict[str, Any]:
    names = ("id", "axis", "source", "target", "label", "before", "after")
    return {**{name: getattr(each, name) for name in names}, "original": list(each.original),
            "perturbed": list(each.perturbed)}  # fmt: skip
