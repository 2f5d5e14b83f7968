"""A candidate is one edit of one sentence and what its generator thinks of it; here is what one does with them.

overlap   which two cannot both be applied        moved   one candidate after another has been applied
tidy      each edit once, in order                joined  neighbours as one edit
Path      a generator's own corrections, round after round, as edits of the source
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, TypeAlias

from gec_fair.edits import Edit, Edits, compose, rewritten

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """`ratio` is log p(edit) − log p(no edit) by the generator; None where it gives none."""

    edit: Edit
    ratio: float | None = None


class Generator(Protocol):
    """`version` names everything that decides the candidates; the call answers those of each text, in order, or None
    for a text that the generator cannot read for its length."""

    @property
    def version(self) -> str: ...

    def __call__(self, texts: Sequence[Words]) -> list[tuple[Candidate, ...] | None]: ...


def overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits want the same place. An insertion at the border of a replaced span does not; two insertions
    at one place do."""
    both_insert = one.start == one.end == other.start == other.end
    return both_insert or (one.start < other.end and other.start < one.end)


def moved(edit: Edit, applied: Edit) -> Edit | None:
    """The edit in the text after `applied`; None where they overlap."""
    if overlap(edit, applied):
        return None
    by = applied.growth if edit.start >= applied.end else 0
    return Edit(edit.start + by, edit.end + by, edit.replacement)


def changes(edit: Edit, words: Sequence[str]) -> bool:
    """Whether the edit makes other words of these."""
    return tuple(words[edit.start : edit.end]) != edit.replacement


def tidy(words: Sequence[str], candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each edit that changes something once, with its highest ratio, in the order of spans and words."""
    best: dict[Edit, float | None] = {}
    for candidate in candidates:
        edit = Edit(candidate.edit.start, candidate.edit.end, candidate.edit.replacement)
        if changes(edit, words):
            best[edit] = max(best.get(edit), candidate.ratio, key=lambda ratio: -math.inf if ratio is None else ratio)
    return tuple(Candidate(edit, best[edit]) for edit in sorted(best))


def joined(neighbours: Sequence[Candidate]) -> Iterator[Candidate]:
    """Every run of two or more touching edits as one edit; ratios add. `neighbours` are disjoint and in order."""
    for first in range(len(neighbours)):
        run = [neighbours[first]]
        for one, other in pairwise(neighbours[first:]):
            if one.edit.end != other.edit.start:
                break
            run.append(other)
            words = tuple(word for each in run for word in each.edit.replacement)
            yield Candidate(Edit(run[0].edit.start, other.edit.end, words), sum(each.ratio or 0.0 for each in run))


def transposed(words: Sequence[str], candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Where a word is inserted before a word and deleted behind it: the two words change places; ratios add."""
    ratios = {candidate.edit: candidate.ratio or 0.0 for candidate in candidates}
    for at in range(len(words) - 1):
        there, gone = Edit(at, at, (words[at + 1],)), Edit(at + 1, at + 2, ())
        if there in ratios and gone in ratios:
            yield Candidate(Edit(at, at + 2, (words[at + 1], words[at])), ratios[there] + ratios[gone])


@dataclass(frozen=True, slots=True)
class Path:
    """How a generator has corrected a text so far.

    `edits` leads from the source to `words`; `origin` holds, for each border between two words of the text now, a
    border of the source; `weights` the source span and ratio of every edit on the way.
    """

    words: Words
    edits: Edits
    origin: tuple[int, ...]
    weights: tuple[tuple[int, int, float], ...] = ()

    @classmethod
    def of(cls, words: Words) -> Path:
        return cls(words, Edits((), len(words)), tuple(range(len(words) + 1)))

    def then(self, step: Sequence[Candidate]) -> Path:
        """One round more. `step` are disjoint edits of `words`, in order."""
        new = Edits(tuple(each.edit for each in step), len(self.words))
        origin: list[int] = []
        at = 0
        for edit in new:
            origin += self.origin[at : edit.start]
            origin += [self.origin[edit.start]] * len(edit.replacement)
            at = edit.end
        origin += self.origin[at:]
        spans = ((self.origin[e.edit.start], self.origin[e.edit.end], e.ratio or 0.0) for e in step)
        return Path(rewritten(new, self.words), compose(self.edits, new), tuple(origin), (*self.weights, *spans))

    def candidates(self) -> Iterator[Candidate]:
        """What has become of the source, edit by edit; each has the ratios of all that made it, added."""
        for edit in self.edits:
            inside = (ratio for a, b, ratio in self.weights if edit.start <= a and b <= edit.end)
            yield Candidate(edit, sum(inside))
