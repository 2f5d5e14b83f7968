"""A change to a text is a value: sorted, disjoint replacements of token spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace tokens `start:end` (half-open) by `replacement`; `kind` is a label such as an ERRANT type.

    An empty span inserts, an empty replacement deletes. `alternatives` are other replacements that are as right, as M2
    has them (`goes||went`); whatever writes a text takes `replacement`.
    """

    start: int
    end: int
    replacement: tuple[str, ...]
    kind: str = ""
    alternatives: tuple[tuple[str, ...], ...] = ()

    def variants(self) -> tuple[Edit, ...]:
        """The edit once for each replacement, `replacement` first; without alternatives."""
        return tuple(Edit(self.start, self.end, new, self.kind) for new in (self.replacement, *self.alternatives))

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

    def variants(self) -> Iterator[Edits]:
        """The edits with one alternative in its edit's place, once for each alternative."""
        for number, edit in enumerate(self.edits):
            for variant in edit.variants()[1:]:
                yield Edits((*self.edits[:number], variant, *self.edits[number + 1 :]), self.length)


def edits(items: Iterable[Edit], length: int) -> Edits:
    """Edits from items in any order (a stable sort by span)."""
    return Edits(tuple(sorted(items, key=lambda e: (e.start, e.end))), length)


def with_alternatives(variants: Sequence[Edits]) -> Edits:
    """The first edits; what the others write at the span of one of them becomes its alternative."""
    first, *others = variants
    if not others:
        return first
    replacements: dict[tuple[int, int, int], dict[tuple[str, ...], None]] = {}
    for edits in variants:
        for place, edit in _places(edits):
            replacements.setdefault(place, {})[edit.replacement] = None
    merged = (replace(edit, alternatives=tuple(replacements[place])[1:]) for place, edit in _places(first))
    return Edits(tuple(merged), first.length)


def _places(edits: Edits) -> Iterator[tuple[tuple[int, int, int], Edit]]:
    """Each edit behind its span, and how many edits of the same span (insertions) come before it."""
    before: Counter[tuple[int, int]] = Counter()
    for edit in edits:
        span = edit.start, edit.end
        yield (*span, before[span]), edit
        before[span] += 1


def edited_places(items: Iterable[Edit]) -> frozenset[int]:
    """The tokens that edits replace."""
    return frozenset(at for edit in items for at in range(edit.start, edit.end))
