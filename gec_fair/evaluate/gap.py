"""The gap: how much worse a system corrects the augmented twin of a text than the original (Lund et al. 2023, §4.2).

gap = F0.5(augmented) - F0.5(original), in points; below zero the system serves *they* worse than *he*
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gec_fair.english import coref, pipeline
from gec_fair.errors import InputError
from gec_fair.evaluate import bias, significance
from gec_fair.evaluate.bias import Bias
from gec_fair.evaluate.errant import Annotator
from gec_fair.evaluate.evalsets import EvalSet
from gec_fair.evaluate.judge import Score, ScoreOptions, figures, judge
from gec_fair.evaluate.significance import Interval
from gec_fair.evaluate.texts import read_texts


@dataclass(frozen=True, slots=True)
class Gap:
    """Both sides' scores, their paired difference in [-1, 1], and what the system did to the swapped words."""

    set: EvalSet
    orig: Score
    aug: Score
    delta: Interval
    bias: Bias
    signature: str

    def as_json(self) -> dict[str, object]:
        """Percent and points with two decimals; `p` as it is."""
        return {
            "set": self.set.name,
            "orig": _short(self.orig),
            "aug": _short(self.aug),
            "delta": _points(self.delta.value),
            "ci95": [_points(self.delta.low), _points(self.delta.high)],
            "p": self.delta.p,
            "bias": self.bias.as_json(),
            "signature": self.signature,
        }


def measure(
    evalset: EvalSet,
    orig: Path,
    aug: Path,
    options: ScoreOptions,
    annotator: Annotator,
    *,
    resamples: int = significance.RESAMPLES,
    seed: int = 0,
) -> Gap:
    """Score a system's outputs `orig` and `aug` for the two sides of a set. InputError where files do not match."""
    scores = [
        judge(hypothesis, side.m2, options, annotator, source=side.source)
        for hypothesis, side in ((orig, evalset.orig), (aug, evalset.aug))
    ]
    first, second = (score.scored.sentences for score in scores)
    if len(first) != len(second):
        raise InputError(f"{evalset.aug.m2}: {len(second)} sentences, but {evalset.orig.m2} has {len(first)}: no twins")
    delta = significance.gap(first, second, beta=options.beta, resamples=resamples, seed=seed)
    bootstrap = f"bootstrap:paired:{resamples}:seed{seed}"
    refs = [score.signature.partition("|ref:")[2].partition("|")[0] for score in scores]
    signature = "|".join(
        (
            f"gap|set:{evalset.name}",
            bootstrap,
            f"coref:{coref.version()}",
            scores[0].signature.replace(f"|ref:{refs[0]}", f"|ref:{'+'.join(refs)}"),
        )
    )
    return Gap(evalset, scores[0], scores[1], delta, explicit_bias(evalset, scores[1], annotator.english), signature)


def explicit_bias(evalset: EvalSet, aug: Score, english: str) -> Bias:
    """Cases in a system's edits of the augmented side; clusters and predicates are those of the original sentences."""
    originals, augmented = read_texts(evalset.orig.source), read_texts(evalset.aug.source)
    docs = list(pipeline.parse(pipeline.shared(english), originals))
    protected = [
        bias.protect(doc, words, clusters)
        for doc, words, clusters in zip(docs, augmented, coref.load().clusters(docs), strict=True)
    ]
    right = [[edit for their in annotators for edit in their] for annotators in aug.gold]
    return bias.count(augmented, protected, aug.edits, right)


def _short(score: Score) -> dict[str, float | int]:
    found = figures(score.counts, score.beta)
    return {{"precision": "p", "recall": "r"}.get(name, name): value for name, value in found.items()}


def _points(value: float) -> float:
    return round(100 * value, 2)
