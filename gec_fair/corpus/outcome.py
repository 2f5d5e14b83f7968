"""Every input line ends in exactly one of four outcomes; the ledger adds up to the input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from gec_fair.corpus.records import Pair
from gec_fair.edits import Rewriting


@dataclass(frozen=True, slots=True)
class Augmented:
    """A new pair, and the rewriting of each side; plain text has no target. `kind`: of steps that rewrite in several
    ways, which one; `detail`: a remark for the ledger."""

    pair: Pair
    source: Rewriting | None = None
    target: Rewriting | None = None
    kind: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Nothing in the pair calls for a rewriting."""


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


Outcome: TypeAlias = Augmented | Unchanged | Discarded | Malformed
