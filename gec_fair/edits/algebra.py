"""Apply, undo and chain edits.

apply(diff(a, b), a) == b        apply(invert(e, a), apply(e, a)) == a
apply(compose(e, f), a) == apply(f, apply(e, a))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from gec_fair.edits.edit import Edit, Edits
from gec_fair.edits.tokens import Tokens

Item = TypeVar("Item")


def edit_words(changes: Edits, words: Sequence[str]) -> tuple[str, ...]:
    """The words after the edits."""
    if len(words) != changes.length:
        raise ValueError(f"edits over {changes.length} tokens cannot rewrite {len(words)}")
    return tuple(_pieces(changes, words))


def apply(changes: Edits, text: Tokens) -> Tokens:
    """The text after the edits; untouched words keep their white space, and so does the end of a replaced span.

    Raises ValueError when an edit crosses a segment border or is meant for a text of another length.
    """
    words = edit_words(changes, text.words)
    after: list[str] = []
    at = 0
    for edit in changes:
        _refuse_crossing(edit, text.borders)
        after += text.after[at : edit.start]
        after += _spacing(edit, text, after)
        at = edit.end
    after += text.after[at:]
    return Tokens(words, tuple(after), text.lead, tuple(move(changes, b) for b in text.borders))


def invert(changes: Edits, before: Sequence[str]) -> Edits:
    """The edits that lead back; `before` are the words that `changes` apply to."""
    shift = 0
    undo: list[Edit] = []
    for edit in changes:
        start = edit.start + shift
        undo.append(Edit(start, start + len(edit.replacement), tuple(before[edit.start : edit.end]), edit.kind))
        shift += edit.growth
    return Edits(tuple(undo), changes.length + shift)


def compose(first: Edits, second: Edits) -> Edits:
    """One set of edits that does what `first` and then `second` do; edits that come to touch become one."""
    middle = _pieces(first, range(first.length))
    if len(middle) != second.length:
        raise ValueError(f"the first edits yield {len(middle)} tokens, the second expect {second.length}")
    return _collect(_pieces(second, middle), first.length)


def unchanged_positions(changes: Edits) -> dict[int, int]:
    """Place before → place after, of every word that the edits leave alone."""
    positions: dict[int, int] = {}
    at = shift = 0
    for edit in changes:
        positions.update((i, i + shift) for i in range(at, edit.start))
        at = edit.end
        shift += edit.growth
    positions.update((i, i + shift) for i in range(at, changes.length))
    return positions


def written_positions(changes: Edits) -> set[int]:
    """Places after the edits of every word that they wrote."""
    positions: set[int] = set()
    shift = 0
    for edit in changes:
        positions.update(range(edit.start + shift, edit.start + shift + len(edit.replacement)))
        shift += edit.growth
    return positions


def _pieces(changes: Edits, items: Sequence[Item]) -> list[Item | str]:
    """The items (words, or offsets into a first text) that stay and the words that are written, in order."""
    out: list[Item | str] = []
    at = 0
    for edit in changes:
        out += items[at : edit.start]
        out += edit.replacement
        at = edit.end
    out += items[at:]
    return out


def _collect(pieces: Sequence[int | str], length: int) -> Edits:
    edits: list[Edit] = []
    start = 0
    fresh: list[str] = []
    for piece in (*pieces, length):
        if isinstance(piece, str):
            fresh.append(piece)
            continue
        if fresh or piece > start:
            edits.append(Edit(start, piece, tuple(fresh)))
        start, fresh = piece + 1, []
    return Edits(tuple(edits), length)


def _spacing(edit: Edit, text: Tokens, done: list[str]) -> list[str]:
    """White space after each word of the replacement."""
    size = len(edit.replacement)
    old = text.after[edit.start : edit.end]
    if size == len(old):
        return list(old)
    last = old[-1] if old else (done[-1] if done and edit.start == len(text) else " ")
    if edit.start == len(text) and done and size:  # words appended to the end need a space before them
        done[-1] = done[-1] or " "
        last = "" if not old else last
    if not size:
        if edit.end == len(text) and done and old:
            done[-1] = old[-1]  # the text ends as it ended before
        return []
    return [" "] * (size - 1) + [last]


def move(changes: Edits, border: int) -> int:
    """Where the border before token `border` is after the edits; what is inserted there comes behind it."""
    return border + sum(edit.growth for edit in changes if edit.end <= border and edit.start < border)


def _refuse_crossing(edit: Edit, borders: tuple[int, ...]) -> None:
    for border in borders:
        if edit.start < border < edit.end:
            raise ValueError(f"edit {edit.start}:{edit.end} crosses the segment border at token {border}")
