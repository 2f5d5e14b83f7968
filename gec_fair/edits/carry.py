"""Carry a rewriting across a correction (Lund et al. 2023, end of §3.1).

source  ──correction───▶  target      apply(source′, correction′) == target′
  │ carried                 │ plan     no correction is gained, none is lost unsaid
  ▼                         ▼
source′ ──correction′──▶  target′
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gec_fair.edits.algebra import edit_words
from gec_fair.edits.edit import Edit, Edits


@dataclass(frozen=True, slots=True)
class Meeting:
    """A correction, and what of the plan falls inside it.

    `source` and `target` are the correction's words on both sides, beginning at `source_start` and
    `target_start` of their texts; `plan` holds the plan's edits with offsets in `target`, the words here.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    plan: tuple[Edit, ...]
    source_start: int
    target_start: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why a plan cannot be carried; `span` is in tokens of the target."""

    reason: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Square:
    """The closed square: `carried` rewrites the source, `correction` leads from there to the rewritten target.

    `lost` are the corrections that have nothing left to correct, with offsets in the original source;
    `len(correction) + len(lost)` is the number of corrections that there were.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    carried: Edits
    correction: Edits
    lost: tuple[Edit, ...] = ()


class ConflictRule(Protocol):
    """Decides where a rewriting falls inside a correction: edits with offsets in `meeting.source`, or a reason."""

    def __call__(self, meeting: Meeting) -> tuple[Edit, ...] | str:
        """The edits of the source in place of the conflict, or the reason why there are none."""
        ...


def carry(plan: Edits, correction: Edits, source: Sequence[str], *, conflicts: ConflictRule) -> Square | Conflict:
    """Close the square. `plan` is over the target, `correction` over the source.

    Outside the corrections, the plan's edits apply to the source too. `conflicts` decides each correction: it sees the
    words of both sides and returns edits of the source, or the reason why there are none. An empty plan changes
    nothing. Linear in words; never raises for any pair of texts.
    """
    carried: list[Edit] = []
    new_spans: list[tuple[int, int, int, int]] = []  # each correction's span in source′ and in target′
    waiting = list(reversed(plan.edits))
    shift = 0  # target offset minus source offset, before the correction at hand
    source_growth = target_growth = 0  # of everything carried so far
    for edit in correction:
        start = edit.start + shift
        end = start + len(edit.replacement)
        while waiting and _is_before(waiting[-1], start, end):
            carried.append(_move(waiting[-1], -shift))
            source_growth += waiting[-1].growth
            target_growth += waiting.pop().growth
        inside: list[Edit] = []
        while waiting and waiting[-1].start < max(start, end):
            if waiting[-1].start < start or waiting[-1].end > end:
                return Conflict("straddles_correction", (waiting[-1].start, waiting[-1].end))
            inside.append(_move(waiting.pop(), -start))
        words = tuple(source[edit.start : edit.end])
        answer = conflicts(Meeting(words, edit.replacement, tuple(inside), edit.start, start)) if plan else ()
        if isinstance(answer, str):
            return Conflict(answer, (start, end))
        left, target_left = edit.start + source_growth, start + target_growth
        source_growth += sum(a.growth for a in answer)
        target_growth += sum(i.growth for i in inside)
        new_spans.append((left, edit.end + source_growth, target_left, end + target_growth))
        carried += (_move(a, edit.start) for a in answer)
        shift += edit.growth
    carried += (_move(p, -shift) for p in reversed(waiting))
    target = edit_words(plan, edit_words(correction, source))
    return _close(Edits(tuple(carried), len(source)), correction, source, target, new_spans)


def _is_before(planned: Edit, start: int, end: int) -> bool:
    """Whether a planned edit lies left of a correction's target span; an insertion at its border does."""
    return planned.end <= start and (planned.start < start or planned.start == planned.end)


def _move(edit: Edit, by: int) -> Edit:
    return Edit(edit.start + by, edit.end + by, edit.replacement, edit.kind)


def _close(
    carried: Edits,
    correction: Edits,
    source: Sequence[str],
    target: tuple[str, ...],
    new_spans: Sequence[tuple[int, int, int, int]],
) -> Square:
    new_source = edit_words(carried, source)
    edits: list[Edit] = []
    lost: list[Edit] = []
    for edit, (a, b, c, d) in zip(correction, new_spans, strict=True):
        new = Edit(a, b, target[c:d], edit.kind)
        newly_empty = new.replacement == new_source[a:b] and tuple(source[edit.start : edit.end]) != edit.replacement
        if newly_empty:
            lost.append(edit)
        else:
            edits.append(new)
    return Square(new_source, target, carried, Edits(tuple(edits), len(new_source)), tuple(lost))
