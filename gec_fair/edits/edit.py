"""A change to a text is a value: sorted, disjoint replacements of token spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace tokens `start:end` (half-open) by `replacement`; `kind` is a label such as an ERRANT type.

    An empty span inserts, an empty replacement deletes.
    """

    start: int
    end: int
    replacement: tuple[str, ...]
    kind: str = ""

    @property
    def growth(self) -> int:
        """By how many words the text grows."""
        return len(self.replacement) - (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits over a text of `length` tokens, in order, none overlapping another.

    Several insertions at one place are allowed and happen in the order given. Raises ValueError for edits that
    are out of order, overlap or leave the text.
    """

    edits: tuple[Edit, ...]
    length: int

    def __post_init__(self) -> None:
        at = 0
        for edit in self.edits:
            if not at <= edit.start <= edit.end <= self.length:
                raise ValueError(f"edit {edit.start}:{edit.end} after token {at} in a text of {self.length} tokens")
            at = edit.end

    def __len__(self) -> int:
        return len(self.edits)

    def __iter__(self) -> Iterator[Edit]:
        return iter(self.edits)

    def __bool__(self) -> bool:
        return bool(self.edits)


def edits(items: Iterable[Edit], length: int) -> Edits:
    """Edits from items in any order (a stable sort by span)."""
    return Edits(tuple(sorted(items, key=lambda e: (e.start, e.end))), length)


def edited_places(items: Iterable[Edit]) -> frozenset[int]:
    """The tokens that edits replace."""
    return frozenset(at for edit in items for at in range(edit.start, edit.end))
