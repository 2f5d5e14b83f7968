"""Every input line ends in exactly one of five outcomes; the ledger adds up to the input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from gec_fair.corpus.records import Pair
from gec_fair.edits import Rewriting


@dataclass(frozen=True, slots=True)
class Sure:
    """The probability that a reader finds a rewriting clean, and what lowers it most. `kind`: a first name changes
    (`name`), or else a noun (`noun`), or else pronouns alone (`pronoun`)."""

    probability: float
    doubt: str
    kind: str


@dataclass(frozen=True, slots=True)
class Augmented:
    """A new pair, and the rewriting of each side; plain text has no target. `kind`: of steps that rewrite in several
    ways, which one; `detail`: a remark for the ledger; `sure`: where the step says how sure it is."""

    pair: Pair
    source: Rewriting | None = None
    target: Rewriting | None = None
    kind: str = ""
    detail: str = ""
    sure: Sure | None = None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The text has no word that the step rewrites."""


@dataclass(frozen=True, slots=True)
class Left:
    """The text has a word that the step rewrites, and it stays by choice; `reason` is from a closed list, `detail` has
    the word."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Discarded:
    """A rewriting was planned and could not be carried out safely; `reason` is from a closed list."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that is not a pair; `reason` is from a closed list (`corpus.formats.malformed`), `remedy` says what to do,
    `detail` what is wrong with this very line."""

    reason: str
    remedy: str = ""
    detail: str = ""


Outcome: TypeAlias = Augmented | Left | Unchanged | Discarded | Malformed


def name_of(outcome: Outcome) -> str:
    """`augmented`, `left`, `unchanged`, `discarded` or `malformed`."""
    return type(outcome).__name__.lower()
