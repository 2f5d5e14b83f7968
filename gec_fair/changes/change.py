"""One text of a run, and what became of it.

Change("c.txt", 7, "augmented", "she → he", "gender", sides=(Side("text", (("she", "he"), (" sings", " sings"))),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from gec_fair.edits import Rewriting

AUGMENTED, LEFT, UNCHANGED = "augmented", "left", "unchanged"
Pieces: TypeAlias = tuple[tuple[str, str], ...]
"""A text in pieces, before and after (`Rewriting.pieces`)."""


@dataclass(frozen=True, slots=True)
class Side:
    """A rewritten text. `name` is empty for plain text; `replacements` are the old and new words of each edit."""

    name: str
    pieces: Pieces
    replacements: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, rewriting: Rewriting, name: str = "") -> Side:
        """The side that a rewriting is."""
        return cls(name, tuple(rewriting.pieces()), tuple(rewriting.replacements()))


@dataclass(frozen=True, slots=True)
class Change:
    """`line` is 1-based. `outcome`: augmented, left, unchanged, discarded or malformed; `reason`, `axis` and `detail`
    are empty if there is none. `part` is the corpus or set of a folder that holds several. `sure`: the probability that
    the rewriting is clean, where the run notes it."""

    file: str
    line: int
    outcome: str
    reason: str = ""
    axis: str = ""
    detail: str = ""
    sides: tuple[Side, ...] = ()
    part: str = ""
    sure: float | None = None

    @property
    def replacements(self) -> Iterator[tuple[str, str]]:
        """Old and new words of every edit, side by side."""
        for side in self.sides:
            yield from side.replacements

    def has_word(self, word: str) -> bool:
        """Whether the word was replaced or is a replacement; case does not count."""
        wanted = word.lower()
        return any(wanted in text.lower().split() for change in self.replacements for text in change)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A run that can be looked at. `read` gives its changes from the first, lazily; `unchanged` is how many texts it
    left alone, besides those that `read` gives. `about` has its signature."""

    title: str
    read: Callable[[], Iterator[Change]]
    unchanged: int = 0
    total: int = 0
    """How many changes `read` gives, if that is known."""
    about: tuple[str, ...] = ()
