"""What kinds of errors two references hold, side by side (Lund et al. 2023, appendix B)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gec_fair.evaluate.scoring.scores import at_level
from gec_fair.evaluate.scoring.texts import Reference


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of error: how many each reference has, and how many of a hundred edits that is."""

    kind: str
    counts: tuple[int, ...]
    shares: tuple[float, ...]


def kinds(reference: Reference, level: int) -> Counter[str]:
    """Edits of all annotators by operation (1), category (2) or both (3)."""
    counts: Counter[str] = Counter()
    for annotators in reference.annotators:
        for their in annotators:
            counts.update(at_level(edit.kind, level) for edit in their)
    return counts


def compare(references: Sequence[Reference], level: int) -> list[Row]:
    """One row a kind, the most frequent of the first reference first; shares in percent of each one's edits."""
    counted = [kinds(reference, level) for reference in references]
    names = sorted(set().union(*counted), key=lambda kind: (-counted[0][kind], kind))
    return [Row(name, *_row(counted, name)) for name in names]


def edits(reference: Reference) -> int:
    """The number of edits of all annotators."""
    return sum(len(their) for annotators in reference.annotators for their in annotators)


def _row(counted: Sequence[Mapping[str, int]], name: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    counts = tuple(counter.get(name, 0) for counter in counted)
    sums = [sum(counter.values()) for counter in counted]
    return counts, tuple(100 * n / total if total else 0.0 for n, total in zip(counts, sums, strict=True))
