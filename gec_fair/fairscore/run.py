"""Measure a classifier: perturb the examples, ask about both versions, count the flips.

The perturber is anything that maps texts to rewritten texts with what was changed (`Rewriter`), the classifier anything
with scores (`classifiers.Classifier`); neither knows of the other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, Protocol

from gec_fair.classifiers.protocol import Classifier, Text, predictions, values
from gec_fair.fairscore.labels import may_change
from gec_fair.fairscore.measures import MEASURES
from gec_fair.fairscore.score import Fairscore, Judged, by, fairscore, pair
from gec_fair.fairscore.tasks import Example
from gec_fair.perturber.rewriting.perturb import Drawn, Perturbed
from gec_fair.progress import Progress

AT_ONCE = 256
"""Texts that are rewritten between two strokes of a progress bar."""
UNSURE = "label_unsure"
"""Left out, because a contrast between fields is gone or new; `_KEPT` where they are judged like the others."""
_LABEL_UNSURE = "changed_with_label_unsure"


class Rewriter(Protocol):
    """`version` names all that decides its answers, beside texts and `ids`, which seed what is drawn for each."""

    @property
    def version(self) -> str:
        """What decides the answers, beside texts and `ids`."""
        ...

    def __call__(self, texts: Sequence[Text], ids: Sequence[str]) -> Sequence[Perturbed]:
        """The rewritten texts, in order."""
        ...


def rewrite_examples(
    rewriter: Rewriter, examples: Sequence[Example], progress: Callable[[int], None] = lambda done: None
) -> list[Perturbed]:
    """Rewrite each example. What the rewriter draws is seeded by what is in the example, not by where it lies: the
    same rows of another file, or of the hub, are rewritten alike. `progress` hears how many are done."""
    seeds, rewritings = _seeds(examples), list[Perturbed]()
    for first in range(0, len(examples), AT_ONCE):
        block = slice(first, first + AT_ONCE)
        rewritings += rewriter([example.fields for example in examples[block]], seeds[block])
        progress(len(rewritings))
    return rewritings


def _seeds(examples: Sequence[Example]) -> list[str]:
    """A digest of the fields, without the label, and how many before have the same: duplicates draw for themselves."""
    before = Counter[Text]()
    seeds = []
    for example in examples:
        content = sha256(json.dumps(example.fields).encode()).hexdigest()[:16]
        seeds.append(f"{content}:{before[example.fields]}")
        before[example.fields] += 1
    return seeds


@dataclass(frozen=True, slots=True)
class Once:
    """A rewriter that rewrites each example once, however often it is asked: many classifiers are judged on one."""

    rewriter: Rewriter
    _known: dict[tuple[str, Text], Perturbed] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """The version of the rewriter behind it."""
        return self.rewriter.version

    def __call__(self, texts: Sequence[Text], ids: Sequence[str]) -> list[Perturbed]:
        """The rewritten texts, in order; only new (id, text) pairs reach the rewriter."""
        requests = list(zip(ids, texts, strict=True))
        new = [request for request in dict.fromkeys(requests) if request not in self._known]
        if new:
            answers = self.rewriter([text for _, text in new], [name for name, _ in new])
            self._known.update(zip(new, answers, strict=True))
        return [self._known[request] for request in requests]


@dataclass(frozen=True, slots=True)
class Measured:
    """The fairscore over all changed examples, by axis and by pair of attributes; what the classifier reaches on the
    original examples and on the perturbed ones that changed; how the examples fell out."""

    overall: Fairscore
    axes: Mapping[str, Fairscore]
    pairs: Mapping[str, Fairscore]
    metric: str
    original: float
    counts: Mapping[str, int]
    judged: tuple[Judged, ...]
    signature: str
    unsure: tuple[tuple[str, Text, Text], ...] = ()
    """Changed examples whose label may have changed, judged or left out: id, and the fields before and after."""

    @property
    def flipped(self) -> list[Judged]:
        """The changed examples whose prediction changed."""
        return [example for example in self.judged if example.flipped]

    def as_json(self) -> dict[str, Any]:
        """Scores, counts, and the flipped and the unsure examples, as plain JSON."""
        return {
            **self.overall.as_json(),
            "axes": {name: score.as_json() for name, score in self.axes.items()},
            "pairs": {name: score.as_json() for name, score in self.pairs.items()},
            self.metric: self.original,
            "examples": dict(self.counts),
            "flipped": [_row(score) for score in self.flipped],
            "label_unsure": [
                {"id": name, "original": list(before), "perturbed": list(after)} for name, before, after in self.unsure
            ],
            "signature": self.signature,
        }


def measure(
    examples: Sequence[Example],
    classifier: Classifier,
    rewriter: Rewriter,
    *,
    metric: str = "accuracy",
    check_labels: bool = False,
    resamples: int = 10_000,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> Measured:
    """The fairscore of a classifier on examples. `check_labels` leaves out those in which a contrast between fields
    is gone or new with the rewriting (appendix J); they are counted and named either way. Of a regression (a classifier
    without labels) no prediction flips: it has its measure alone."""
    texts, number = [example.fields for example in examples], len(examples)
    if not classifier.labels:
        predicted = values(classifier, texts, lambda done: progress(done, number))
        figure = MEASURES[metric]([float(example.label) for example in examples], predicted)
        signature = f"fairscore|data:{digest(examples)}|classifier:{classifier.version}|n:{number}|a regression"
        return Measured(fairscore(()), {}, {}, metric, figure, Counter(examples=number), (), signature)
    new_texts = rewrite_examples(rewriter, examples, lambda done: progress(done, 3 * number))
    before = predictions(classifier, texts, lambda done: progress(number + done, 3 * number))
    counts: Counter[str] = Counter(examples=number)
    chosen: dict[int, Drawn] = {}
    unsure: list[tuple[str, Text, Text]] = []
    for n, (example, new) in enumerate(zip(examples, new_texts, strict=True)):
        kind = _kind(example, new)
        lost = kind == "changed" and may_change(example.fields, new.fields)
        if lost:
            unsure.append((example.id, example.fields, new.fields))
        if lost and check_labels:
            kind = UNSURE
        counts[kind] += 1
        if kind == "changed" and new.drawn:
            chosen[n] = new.drawn
    after = predictions(
        classifier,
        [new_texts[n].fields for n in chosen],
        lambda done: progress(2 * number + done, 2 * number + len(chosen)),
    )
    judged = tuple(
        Judged(
            examples[n].id,
            texts[n],
            new_texts[n].fields,
            drawn.axis,
            drawn.source,
            drawn.target,
            before[n],
            new,
            examples[n].label,
        )
        for (n, drawn), new in zip(chosen.items(), after, strict=True)
    )
    grouped = partial(by, judged, resamples=resamples, seed=seed)
    if unsure and not check_labels:
        counts[_LABEL_UNSURE] = len(unsure)
    if cut := int(getattr(classifier, "cut", 0)):
        counts["texts_cut"] = cut
    signature = "|".join(
        [
            "fairscore",
            f"data:{digest(examples)}",
            f"classifier:{classifier.version}",
            f"perturber:{rewriter.version}",
            f"check-labels:{'yes' if check_labels else 'no'}",
            f"n:{len(judged)}-of-{number}",
            f"bootstrap:{resamples}:seed:{seed}",
        ]
    )
    return Measured(
        fairscore(judged, resamples=resamples, seed=seed),
        grouped(lambda example: example.axis),
        grouped(pair),
        metric,
        MEASURES[metric]([example.label for example in examples], before),
        counts,
        judged,
        signature,
        tuple(unsure),
    )


def digest(examples: Sequence[Example]) -> str:
    """A name for texts and labels."""
    rows = "\n".join("\x1f".join((*example.fields, example.label)) for example in examples)
    return sha256(rows.encode()).hexdigest()[:16]


def _kind(example: Example, new: Perturbed) -> str:
    if new.refused:
        return new.refused
    return "changed" if new.drawn and new.fields != example.fields else "unchanged"


def _row(example: Judged) -> dict[str, Any]:
    names = ("id", "axis", "source", "target", "label", "before", "after")
    return {
        **{name: getattr(example, name) for name in names},
        "original": list(example.original),
        "perturbed": list(example.perturbed),
    }
