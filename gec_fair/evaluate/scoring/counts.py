"""True positives, false positives, false negatives: all scores are functions of summed counts, so resampling is cheap.

P = TP / (TP + FP)        R = TP / (TP + FN)        F_β = (1 + β²) P R / (β² P + R)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

BETA = 0.5
"""Precision weighs twice as much as recall, as in every GEC shared task since CoNLL-2014."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Edits found rightly, found wrongly, and missed."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, more: Counts) -> Counts:
        return Counts(self.tp + more.tp, self.fp + more.fp, self.fn + more.fn)

    @property
    def precision(self) -> float:
        """1 if nothing was proposed wrongly, as ERRANT has it; so an unchanged text has precision 1, recall 0."""
        return self.tp / (self.tp + self.fp) if self.fp else 1.0

    @property
    def recall(self) -> float:
        """1 if nothing was missed."""
        return self.tp / (self.tp + self.fn) if self.fn else 1.0

    def f(self, beta: float = BETA) -> float:
        """F_β in [0, 1]; 0 where precision and recall both are."""
        p, r = self.precision, self.recall
        return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def total(counts: Iterable[Counts]) -> Counts:
    """The sum of the counts."""
    tp = fp = fn = 0
    for count in counts:
        tp, fp, fn = tp + count.tp, fp + count.fp, fn + count.fn
    return Counts(tp, fp, fn)
