"""Train each method on the same data, judge it on every test set (Yang et al. 2024, tables 1 and 2 in form)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers.protocol import predictions
from gec_fair.errors import InputError, UsageError
from gec_fair.razor.documents import Document
from gec_fair.razor.linear import Linear
from gec_fair.razor.methods import METHODS, Backbone, How, read
from gec_fair.razor.words import words

RESAMPLES = 2000
NEGATIONS = ("no", "not")
"""The paper's shortcut words (figure 3)."""
GRAM = 5
"""Words of a repeated n-gram: what two claims share of that length they hardly share by chance."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A method on a test set: means over seeds in percent, their standard deviations (None of one seed), and the 95 %
    interval of the accuracy over test examples, by bootstrap."""

    method: str
    test: str
    examples: int
    accuracy: float
    accuracy_sd: float | None
    low: float
    high: float
    f1: float
    f1_sd: float | None


def evaluate(
    train: Sequence[Document], tests: Mapping[str, Sequence[Document]], methods: Sequence[str], *,
    backbone: Backbone | None = None, rewritten: Sequence[Document] = (), seeds: int = 1, claim_only: bool = False,
    pairs: int = 0, progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[Judged]:  # fmt: skip
    """A row for each method and test set. `pairs`: in each training so many documents that the rewriting changed, drawn
    by its seed, the same for every method (figure 3); 0 is all documents.

    UsageError for a method that is none, `razor` without its data, or more pairs than there are; InputError for a test
    set with a label that the training data do not have.
    """
    check(train, tests, methods, rewritten)
    drawn = [changed(train, rewritten, pairs, seed) if pairs else None for seed in range(seeds)]
    made: list[Judged] = []
    for number, method in enumerate(methods):
        data = rewritten if method == "razor" else train
        models = [METHODS[method](among(data, names), How(backbone or Linear(), seed, claim_only))
                  for seed, names in enumerate(drawn)]  # fmt: skip
        for name, test in tests.items():
            right = [each.label for each in test]
            told = [predictions(model, read(test, claim_only=claim_only)) for model in models]
            hits = np.array([[a == b for a, b in zip(right, some, strict=True)] for some in told], dtype=np.float64)
            figures = [100 * macro_f1(right, some) for some in told]
            low, high = _interval(hits.mean(0))
            made.append(Judged(method, name, len(test), 100 * float(hits.mean()), _sd(100 * hits.mean(1)), low, high,
                               fmean(figures), _sd(figures)))  # fmt: skip
        progress(number + 1, len(methods))
    return made


def check(
    train: Sequence[Document], tests: Mapping[str, Sequence[Document]], methods: Sequence[str],
    rewritten: Sequence[Document],
) -> None:  # fmt: skip
    """Before anything is trained; raises as `evaluate` does."""
    for method in methods:
        if method not in METHODS:
            raise UsageError(f"no method is called {method!r}; there are {', '.join(METHODS)}")
    if "razor" in methods and not rewritten:
        raise UsageError("razor trains on rewritten data; name them with --rewritten (razor run's rewritten.jsonl)")
    labels = {each.label for each in train}
    if len(labels) < 2:
        raise InputError(f"the training data have {len(labels)} label; give data with at least two")
    for name, test in tests.items():
        if other := sorted({each.label for each in test} - labels):
            raise InputError(f"{name}: has the label {other[0]!r}, and the training data have "
                             f"{', '.join(sorted(labels))}; name the labels to be kept with --labels")  # fmt: skip
    if rewritten and sorted((each.id, each.label) for each in rewritten) != sorted(
        (each.id, each.label) for each in train
    ):
        raise InputError("the rewritten data have other documents or labels than the training data; rewrite these")


def changed(train: Sequence[Document], rewritten: Sequence[Document], number: int, seed: int) -> frozenset[str]:
    """The ids of `number` documents that read otherwise. UsageError where there are not so many."""
    new = {each.id: each.text for each in rewritten}
    other = sorted(each.id for each in train if new.get(each.id, each.text) != each.text)
    if len(other) < number:
        raise UsageError(f"--pairs {number}: {len(other):,} documents read otherwise in --rewritten; ask for no more")
    return frozenset(Random(seed).sample(other, number))


def among(documents: Sequence[Document], names: frozenset[str] | None) -> Sequence[Document]:
    """Those with these ids; all for None."""
    return documents if names is None else [each for each in documents if each.id in names]


def negations(documents: Sequence[Document]) -> dict[str, float]:
    """Of each label the share of documents with *no* or *not*, in percent."""
    labels = sorted({each.label for each in documents})
    holds = {each.id: bool(set(NEGATIONS) & set(words(each.text))) for each in documents}
    return {label: 100 * fmean(holds[each.id] for each in documents if each.label == label) for label in labels}


def repeated(train: Sequence[Document], test: Sequence[Document]) -> float:
    """The share of a test set's claims, in percent, that have an n-gram of five words in common with a training claim:
    the leak check of §4.2."""
    there = {gram for each in train for gram in _grams(each.text)}
    return 100 * fmean(any(gram in there for gram in _grams(each.text)) for each in test) if test else 0.0


def macro_f1(right: Sequence[str], told: Sequence[str]) -> float:
    """The mean F1 of the labels that the test set has."""
    found = []
    for label in sorted(set(right)):
        hits = sum(a == b == label for a, b in zip(right, told, strict=True))
        found.append(2 * hits / (right.count(label) + told.count(label)))
    return fmean(found)


def as_json(rows: Sequence[Judged]) -> list[dict[str, Any]]:
    return [{name: getattr(row, name) for name in row.__dataclass_fields__} for row in rows]


def _grams(text: str) -> Iterator[tuple[str, ...]]:
    some = words(text)
    return (tuple(some[i : i + GRAM]) for i in range(len(some) - GRAM + 1))


def _interval(hits: NDArray[np.float64]) -> tuple[float, float]:
    """Of the mean of the examples' hits, each the mean over seeds."""
    chance = np.random.Generator(np.random.PCG64(0))
    means = np.array([hits[chance.integers(len(hits), size=len(hits))].mean() for _ in range(RESAMPLES)])
    low, high = np.percentile(100 * means, (2.5, 97.5))
    return float(low), float(high)


def _sd(values: Any) -> float | None:
    return stdev(map(float, values)) if len(values) > 1 else None
