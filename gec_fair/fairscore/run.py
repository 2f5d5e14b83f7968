"""Measure a classifier: perturb the examples, ask about both versions, count the flips.

The perturber is anything that maps texts to rewritten texts with what was changed (`Rewriter`), the classifier anything
with scores (`classifiers.Classifier`); neither knows of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gec_fair.classifiers.protocol import Classifier, Text, predictions
from gec_fair.fairscore.labels import contrast_lost
from gec_fair.fairscore.measures import MEASURES
from gec_fair.fairscore.score import Fairscore, Judged, by, fairscore, pair
from gec_fair.fairscore.tasks import Example


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An example's fields afterwards, the axis that was perturbed and from what to what; `axis` "" where nothing was.
    `misaligned`: the rewriter lost the border between fields, so that nobody knows which text is whose."""

    fields: Text
    axis: str = ""
    source: str = ""
    target: str = ""
    misaligned: bool = False


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
            "signature": self.signature,
        }


def measure(
    examples: Sequence[Example], classifier: Classifier, rewriter: Rewriter, *, metric: str = "accuracy",
    check_labels: bool = False, resamples: int = 10_000, seed: int = 0,
) -> Measured:  # fmt: skip
    """The fairscore of a classifier on examples. `check_labels` leaves out those in which a contrast between fields
    vanished with the rewriting (appendix J); they are counted either way."""
    texts = [example.fields for example in examples]
    rewritten = rewriter(texts, [example.id for example in examples])
    before = predictions(classifier, texts)
    counts: Counter[str] = Counter(examples=len(examples))
    chosen: list[int] = []
    for n, (example, new) in enumerate(zip(examples, rewritten, strict=True)):
        how = _how(example, new, check_labels)
        counts[how] += 1
        if how == "changed":
            chosen.append(n)
    after = predictions(classifier, [rewritten[n].fields for n in chosen])
    judged = tuple(
        Judged(examples[n].id, texts[n], rewritten[n].fields, rewritten[n].axis, rewritten[n].source,
               rewritten[n].target, before[n], new, examples[n].label)
        for n, new in zip(chosen, after, strict=True)
    )  # fmt: skip
    signature = "|".join(["fairscore", f"classifier:{classifier.version}", f"perturber:{rewriter.version}",
                          f"check-labels:{'yes' if check_labels else 'no'}", f"n:{len(judged)}-of-{len(examples)}",
                          f"bootstrap:{resamples}:seed:{seed}"])  # fmt: skip
    return Measured(
        fairscore(judged, resamples=resamples, seed=seed), by(judged, lambda each: each.axis), by(judged, pair), metric,
        MEASURES[metric]([example.label for example in examples], before), counts, judged, signature,
    )  # fmt: skip


def _how(example: Example, new: Rewritten, check_labels: bool) -> str:
    if new.misaligned:
        return "misaligned"
    if not new.axis or new.fields == example.fields:
        return "unchanged"
    return "label_unsure" if check_labels and contrast_lost(example.fields, new.fields) else "changed"


def _row(each: Judged) -> dict[str, Any]:
    names = ("id", "axis", "source", "target", "label", "before", "after")
    return {**{name: getattr(each, name) for name in names}, "original": list(each.original),
            "perturbed": list(each.perturbed)}  # fmt: skip
