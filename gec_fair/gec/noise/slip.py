"""A slip is one error that could be made at one place, with its rate; a family finds those of one sort."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from gec_fair.gec.noise.rates import Kind, Rate
from gec_fair.gec.noise.words import Text, Word


class Slip(NamedTuple):
    """Tokens `start:end` (half-open) of the correct text become `words`; several slips of one place exclude each
    other."""

    rate: float
    kind: Kind
    start: int
    end: int
    words: tuple[str, ...]


class Option(NamedTuple):
    """One cell of a table of rates: what is written, the kind of error, how often (the kind's weight is in it)."""

    written: str
    kind: Kind
    rate: Rate


@dataclass(frozen=True, eq=False)
class Row:
    """The options of one place; together they are never likelier than `most`, whatever its neighbours are."""

    options: tuple[Option, ...] = ()

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def __bool__(self) -> bool:
        return bool(self.options)

    @cached_property
    def most(self) -> float:
        """An upper bound of the probability that the row changes its word, in any group."""
        groups = {group for option in self.options for group in option.rate.by}
        return max((sum(option.rate.near(group) for option in self.options) for group in groups | {""}), default=0.0)


_NONE = Row()


@dataclass(frozen=True, eq=False)
class Rows:
    """One table: what stood → its options. The same only if it is one object, so that caches may go by it."""

    by_key: Mapping[str, Row]

    def get(self, old: str) -> Row:
        """The row of a word; one that changes nothing for an unknown word."""
        return self.by_key.get(old, _NONE)


Tables: TypeAlias = Mapping[str, Rows]


class Family(NamedTuple):
    """`slips` at one place of a text; `most` bounds the sum of their rates by the word alone, wherever it stands (a
    test holds it), so that most places need no look."""

    most: Callable[[Tables, Word], float]
    slips: Callable[[Tables, Text, int], Iterator[Slip]]
