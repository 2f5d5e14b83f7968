"""Train each method on the same data, judge it on every test set (Yang et al. 2024, tables 1 and 2, figures 3 and 4 in
form)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers.protocol import predictions
from gec_fair.errors import InputError, UsageError
from gec_fair.razor.baselines.crossaug import Negater
from gec_fair.razor.baselines.linear import Linear
from gec_fair.razor.baselines.methods import METHODS, Backbone, Model, StepScores, Training, read
from gec_fair.razor.documents.documents import Document, has_evidence
from gec_fair.razor.documents.words import words
from gec_fair.razor.options import EvaluateOptions
from gec_fair.razor.scoring.term_counts import Terms, count_terms
from gec_fair.stats.bootstrap import estimate, resample_mean
from gec_fair.stats.estimate import Estimate, Kind
from gec_fair.stats.seeds import half_width

RESAMPLES = 2000
_TAILS = (0.025, 0.975)  # not `estimate.TAILS`, whose last bit differs: recorded results keep theirs
GRAM = 5
"""Words of a repeated n-gram: what two claims share of that length they hardly share by chance."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Means over seeds, in percent, of a test set after `step` updates (figure 4)."""

    step: int
    accuracy: float
    f1: float


@dataclass(frozen=True, slots=True)
class MethodResult:
    """A method on a test set: means over seeds in percent, their standard deviations (None of one seed), and the 95 %
    interval of the accuracy over test examples, by bootstrap (None of fewer than ten, and where it has no width).
    `against`: what it has more than the first method, and the interval of that. `curve`: what it was while it learned,
    where the backbone looked."""

    method: str
    test: str
    examples: int
    accuracy: float
    accuracy_sd: float | None
    low: float | None
    high: float | None
    f1: float
    f1_sd: float | None
    against: tuple[float, float | None, float | None] | None = None
    curve: tuple[CurvePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Surface:
    """What the training data show before anything is trained, as they were, `original`, and as they are rewritten,
    `razor`: `terms`, and by test set the share of claims that are `repeated`. `frequent`: the most frequent label, and
    the accuracy of always saying it, by test set."""

    documents: int
    labels: tuple[str, ...]
    frequent: tuple[str, Mapping[str, float]]
    terms: Mapping[str, Terms]
    repeated: Mapping[str, Mapping[str, float]]


def surface(
    train: Sequence[Document],
    tests: Mapping[str, Sequence[Document]],
    options: EvaluateOptions,
    rewritten: Sequence[Document] = (),
) -> Surface:
    """Figure 3's counts and the leak check of §4.2. Raises as `evaluate` does."""
    check(train, tests, options, rewritten)
    drawn = _draw(train, options, rewritten)
    versions = {"original": train, **({"razor": rewritten} if rewritten else {})}
    number = Counter(document.label for document in train)
    frequent = min(number, key=lambda label: (-number[label], label))
    return Surface(
        len(train),
        tuple(sorted(number)),
        (
            frequent,
            {
                test_name: 100 * fmean(document.label == frequent for document in documents)
                for test_name, documents in tests.items()
            },
        ),
        {
            name: count_terms([among(documents, names) for names in drawn], options.terms)
            for name, documents in versions.items()
        },
        {
            test_name: {name: measure_repeats(version_documents, test) for name, version_documents in versions.items()}
            for test_name, test in tests.items()
        },
    )


def evaluate(
    train: Sequence[Document],
    tests: Mapping[str, Sequence[Document]],
    options: EvaluateOptions,
    *,
    backbone: Backbone | None = None,
    rewritten: Sequence[Document] = (),
    negater: Negater | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[MethodResult]:
    """A row for each method and test set.

    UsageError for methods that these data do not allow, or more pairs than there are; InputError for a test set with a
    label that the training data do not have, or without evidence where these have some.
    """
    check(train, tests, options, rewritten)
    drawn = _draw(train, options, rewritten)
    judged: list[MethodResult] = []
    first: dict[str, NDArray[np.float64]] = {}
    for number, method in enumerate(options.methods):
        data = rewritten if method == "razor" else train
        models = _models(method, [among(data, names) for names in drawn], options, backbone or Linear(), negater)
        for name, test in tests.items():
            answers_by_seed = _answers(models, test, options)
            right = [document.label for document in test]
            hits = (np.array(answers_by_seed) == right).astype(np.float64)
            result = _judge(method, name, right, answers_by_seed, hits)
            curve = _curve([model.curve for model in models], name)
            judged.append(replace(result, against=_more(hits, first.get(name)), curve=curve))
            first.setdefault(name, hits)
        progress(number + 1, len(options.methods))
    return judged


def _draw(
    train: Sequence[Document], options: EvaluateOptions, rewritten: Sequence[Document]
) -> list[frozenset[str] | None]:
    """Draw for each seed the ids that it trains on; None is all."""
    seeds = range(options.seeds)
    return [choose_changed(train, rewritten, options.pairs, seed) if options.pairs else None for seed in seeds]


def _models(
    method: str,
    data: Sequence[Sequence[Document]],
    options: EvaluateOptions,
    backbone: Backbone,
    negater: Negater | None,
) -> list[Model]:
    """One of each seed; the same one for all where nothing of it is drawn."""
    trainer = METHODS[method]
    if not (trainer.draws or backbone.draws or options.pairs):
        return [trainer.train(data[0], Training(backbone, 0, options.claim_only, negater))] * options.seeds
    return [
        trainer.train(documents, Training(backbone, seed, options.claim_only, negater))
        for seed, documents in enumerate(data)
    ]


def _answers(models: Sequence[Model], test: Sequence[Document], options: EvaluateOptions) -> list[list[str]]:
    """What each model says; the same one is asked once."""
    texts = read(test, claim_only=options.claim_only)
    answers = {key: predictions(model, texts) for key, model in {id(model): model for model in models}.items()}
    return [answers[id(model)] for model in models]


def _judge(
    method: str, name: str, right: Sequence[str], answers_by_seed: Sequence[Sequence[str]], hits: NDArray[np.float64]
) -> MethodResult:
    """`hits`: (seeds, examples)."""
    figures = [100 * macro_f1(right, answers) for answers in answers_by_seed]
    accuracy = _mean(hits.mean(0))
    return MethodResult(
        method,
        name,
        len(right),
        100 * float(hits.mean()),
        _sd(100 * hits.mean(1)),
        accuracy.low,
        accuracy.high,
        fmean(figures),
        _sd(figures),
    )


def _more(
    hits: NDArray[np.float64], first: NDArray[np.float64] | None
) -> tuple[float, float | None, float | None] | None:
    """Than the first method has, and its interval; None of itself."""
    if first is None:
        return None
    more = hits.mean(0) - first.mean(0)
    interval = _mean(more)
    return 100 * float(more.mean()), interval.low, interval.high


def _curve(snapshots: Sequence[Sequence[StepScores]], name: str) -> tuple[CurvePoint, ...]:
    """The curve of all seeds together; () if they did not look after the same updates."""
    steps = {tuple(step for step, _ in curve) for curve in snapshots}
    if len(steps) != 1:
        return ()
    at = zip(*([figures[name] for _, figures in curve] for curve in snapshots), strict=True)
    return tuple(
        CurvePoint(step, fmean(figures["accuracy"] for figures in seeds), fmean(figures["f1"] for figures in seeds))
        for step, seeds in zip(steps.pop(), at, strict=True)
    )


def check(
    train: Sequence[Document],
    tests: Mapping[str, Sequence[Document]],
    options: EvaluateOptions,
    rewritten: Sequence[Document],
) -> None:
    """Before anything is trained; raises as `evaluate` does."""
    _check_options(options)
    if "razor" in options.methods and not rewritten:
        raise UsageError("razor trains on rewritten data; name them with --rewritten (razor run's rewritten.jsonl)")
    labels = {document.label for document in train}
    if len(labels) < 2:
        raise InputError(f"the training data have {len(labels)} label; give data with at least two")
    for method in options.methods:
        if missing := METHODS[method].lacks(train, options.claim_only):
            raise UsageError(f"{method} wants {missing}")
    is_paired = None if options.claim_only else has_evidence(train)
    for name, test in tests.items():
        _check_test(name, test, labels, is_paired)
    if rewritten and _labels_by_id(rewritten) != _labels_by_id(train):
        raise InputError("the rewritten data have other documents or labels than the training data; rewrite these")
    for seed, names in enumerate(_draw(train, options, rewritten)):
        sample = among(train, names)
        if len(seen := {document.label for document in sample}) < 2:
            raise UsageError(f"--pairs {options.pairs}: all that are drawn by seed {seed} are {seen.pop()}; draw more")
        if is_paired and not has_evidence(sample):
            raise UsageError(f"--pairs {options.pairs}: none that is drawn by seed {seed} has evidence; draw more")


def _check_options(options: EvaluateOptions) -> None:
    for method in options.methods:
        if method not in METHODS:
            raise UsageError(f"no method is called {method!r}; there are {', '.join(METHODS)}")
    for term in options.terms:
        if words(term) != [term]:
            raise UsageError(
                f"--count {term!r}: is not a single word in lower-case letters; words stand apart by commas"
            )


def _check_test(name: str, test: Sequence[Document], labels: Collection[str], is_paired: bool | None) -> None:
    """InputError where a test set has a label or, if it counts, evidence that the training data do not have."""
    if unseen := sorted({document.label for document in test} - {*labels}):
        raise InputError(
            f"{name}: has the label {unseen[0]!r}, and the training data have "
            f"{', '.join(sorted(labels))}; name the labels to be kept with --labels"
        )
    if is_paired is not None and has_evidence(test) != is_paired:
        raise InputError(
            f"{name}: has {'no ' if is_paired else ''}evidence, unlike the training data; judge it apart, "
            "or all with --claim-only"
        )


def _labels_by_id(documents: Sequence[Document]) -> list[tuple[str, str]]:
    return sorted((document.id, document.label) for document in documents)


def choose_changed(train: Sequence[Document], rewritten: Sequence[Document], number: int, seed: int) -> frozenset[str]:
    """The ids of `number` documents that read otherwise. UsageError where there are not so many."""
    new = {document.id: document.text for document in rewritten}
    changed = sorted(document.id for document in train if new.get(document.id, document.text) != document.text)
    if len(changed) < number:
        raise UsageError(f"--pairs {number}: {len(changed):,} documents read otherwise in --rewritten; ask for no more")
    return frozenset(Random(seed).sample(changed, number))


def among(documents: Sequence[Document], names: frozenset[str] | None) -> Sequence[Document]:
    """Those with these ids; all for None."""
    return documents if names is None else [document for document in documents if document.id in names]


def measure_repeats(train: Sequence[Document], test: Sequence[Document]) -> float:
    """The share of a test set's claims, in percent, that have an n-gram of five words in common with a training claim:
    the leak check of §4.2."""
    train_grams = {gram for document in train for gram in _grams(document.text)}
    return 100 * fmean(any(gram in train_grams for gram in _grams(document.text)) for document in test) if test else 0.0


def macro_f1(right: Sequence[str], answers: Sequence[str]) -> float:
    """The mean F1 of the labels that the test set has."""
    scores = []
    for label in sorted(set(right)):
        hits = sum(a == b == label for a, b in zip(right, answers, strict=True))
        scores.append(2 * hits / (right.count(label) + answers.count(label)))
    return fmean(scores)


def figures_of(right: Sequence[str], answers: Sequence[str]) -> dict[str, float]:
    """In percent."""
    hits = fmean(a == b for a, b in zip(right, answers, strict=True))
    return {"accuracy": 100 * hits, "f1": 100 * macro_f1(right, answers)}


def _grams(text: str) -> Iterator[tuple[str, ...]]:
    tokens = words(text)
    return (tuple(tokens[i : i + GRAM]) for i in range(len(tokens) - GRAM + 1))


def _mean(hits: NDArray[np.float64]) -> Estimate:
    """The mean of the examples' hits in percent, each the mean over seeds."""
    resampled = 100 * resample_mean(hits, resamples=RESAMPLES)
    return estimate(100 * float(hits.mean()), resampled, len(hits), tails=_TAILS)


def _sd(values: Any) -> float | None:
    return half_width([float(value) for value in values], Kind.ONE_SD)
