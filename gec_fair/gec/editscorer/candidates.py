"""A candidate is one edit of one sentence and what its generator thinks of it; here is what one does with them.

overlap   which two cannot both be applied        move              one candidate after another has been applied
tidy      each edit once, in order                join_neighbours   touching edits as one edit
Path      a generator's own corrections, round after round, as edits of the source
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, TypeAlias

from gec_fair.edits import Edit, Edits, edit_words

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
    def version(self) -> str:
        """What decides the candidates."""
        ...

    def __call__(self, texts: Sequence[Words]) -> list[tuple[Candidate, ...] | None]:
        """The candidate edits of each text; None for a text that is too long."""
        ...


def overlap(first: Edit, second: Edit) -> bool:
    """Whether two edits want the same place. An insertion at the border of a replaced span does not; two insertions
    at one place do."""
    both_insert = first.start == first.end == second.start == second.end
    return both_insert or (first.start < second.end and second.start < first.end)


def move(edit: Edit, applied: Edit) -> Edit | None:
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


def join_neighbours(neighbours: Sequence[Candidate]) -> Iterator[Candidate]:
    """Every run of two or more touching edits as one edit; ratios add. `neighbours` are disjoint and in order."""
    for first in range(len(neighbours)):
        run = neighbours[first]
        for left, right in pairwise(neighbours[first:]):
            if left.edit.end != right.edit.start:
                break
            run = _in_one(run, right)
            yield run


def transpose(words: Sequence[str], candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Where a word is inserted before a word and deleted behind it: the two words change places; ratios add."""
    ratios = {candidate.edit: candidate.ratio or 0.0 for candidate in candidates}
    for at in range(len(words) - 1):
        insertion, deletion = Edit(at, at, (words[at + 1],)), Edit(at + 1, at + 2, ())
        if insertion in ratios and deletion in ratios:
            yield Candidate(Edit(at, at + 2, (words[at + 1], words[at])), ratios[insertion] + ratios[deletion])


@dataclass(frozen=True, slots=True)
class Path:
    """How a generator has corrected a text so far.

    `done` leads from the source to `words`: disjoint edits of the source, in order. What one round made of a word that
    an earlier one had made is one edit with it, and has the ratios of both, added; edits that only touch stay apart.
    """

    source: Words
    done: tuple[Candidate, ...] = ()

    @property
    def words(self) -> Words:
        """The words after the edits so far."""
        return edit_words(Edits(tuple(candidate.edit for candidate in self.done), len(self.source)), self.source)

    def then(self, step: Sequence[Candidate]) -> Path:
        """One round more. `step` are disjoint edits of `words`, in order."""
        path, by = self, 0
        for candidate in step:
            edit = Edit(candidate.edit.start + by, candidate.edit.end + by, candidate.edit.replacement)
            path = path._with(Candidate(edit, candidate.ratio))
            by += edit.growth
        return path

    def candidates(self) -> Iterator[Candidate]:
        """What has become of the source, edit by edit, and every run of those that touch as one."""
        yield from self.done
        yield from join_neighbours(self.done)

    def _with(self, new: Candidate) -> Path:
        """`new` is an edit of `words`."""
        before, overlapping, after, shift = self._around(new.edit)
        merged = _in_source(new, overlapping, shift, self.words)
        # two insertions at one place of the source are one: nothing else says which comes first
        if before and merged.edit.start == merged.edit.end and overlap(before[-1].edit, merged.edit):
            merged = _in_one(before.pop(), merged)
        if after and merged.edit.start == merged.edit.end and overlap(after[0].edit, merged.edit):
            merged = _in_one(merged, after.pop(0))
        return Path(self.source, (*before, *([merged] if changes(merged.edit, self.source) else []), *after))

    def _around(self, new: Edit) -> tuple[list[Candidate], list[Candidate], list[Candidate], int]:
        """What is done before `new`, what it meets, what is done behind it; and by how many words the text has grown
        before it."""
        before, overlapping, after = [], [], []
        shift = grown = 0
        for candidate in self.done:
            start = candidate.edit.start + grown
            end = start + len(candidate.edit.replacement)
            grown += candidate.edit.growth
            if start < new.end and new.start < end:
                overlapping.append(candidate)
            elif end <= new.start:
                before.append(candidate)
                shift = grown
            else:
                after.append(candidate)
        return before, overlapping, after, shift


def _in_source(new: Candidate, overlapping: Sequence[Candidate], shift: int, words: Words) -> Candidate:
    """An edit of `words` as one of the source, with the earlier edits that it meets; `shift` is by how many words the
    text has grown before all of these."""
    edit, grown = new.edit, shift + sum(candidate.edit.growth for candidate in overlapping)
    start = min([edit.start - shift, *(candidate.edit.start for candidate in overlapping)])
    end = max([edit.end - grown, *(candidate.edit.end for candidate in overlapping)])
    left, right = words[start + shift : edit.start], words[edit.end : end + grown]
    ratio = (new.ratio or 0.0) + sum(candidate.ratio or 0.0 for candidate in overlapping)
    return Candidate(Edit(start, end, (*left, *edit.replacement, *right)), ratio)


def _in_one(left: Candidate, right: Candidate) -> Candidate:
    """Two edits that touch, as one."""
    words = left.edit.replacement + right.edit.replacement
    return Candidate(Edit(left.edit.start, right.edit.end, words), (left.ratio or 0.0) + (right.ratio or 0.0))
