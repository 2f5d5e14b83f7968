"""Which edits meet which spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gec_fair.edits.edit import Edits


def touch(changes: Edits, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Pairs (edit number, span number) that share a token; an insertion meets a span when it lies strictly inside.

    Spans are half-open, in order of their starts; they may overlap. Linear when they do not.
    """
    first = 0
    for number, edit in enumerate(changes):
        while first < len(spans) and max(s[1] for s in spans[first : first + 1]) <= edit.start:
            first += 1
        for index in range(first, len(spans)):
            start, end = spans[index]
            if start >= max(edit.end, edit.start + 1):
                break
            if (edit.start < end and start < edit.end) or start < edit.start == edit.end < end:
                yield number, index
