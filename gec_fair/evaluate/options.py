"""What the measuring commands and functions can be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from gec_fair.augmentation.options import Gate, Method
from gec_fair.config.corpora import PairReading
from gec_fair.config.corpora import Progress as LinesDone
from gec_fair.config.options import Option, check_fields
from gec_fair.config.work import Caching, Resampling
from gec_fair.errors import UsageError

HypText: TypeAlias = Literal["auto", "tokens", "prose"]
Bias: TypeAlias = Literal["gendered", "pluralised", "reflexive", "deleted", "wrong_gender", "neopronoun"]


_HIGHEST = 1_000_000
"""Of beta: there F is recall to the last digit."""


@dataclass(frozen=True, kw_only=True)
class Annotating(Caching):
    """How edits are found."""

    english: Annotated[str, Option("NAME|PATH")] = "embedded"
    """The spaCy pipeline that parses."""
    workers: Annotated[int, Option(least=1)] = 1
    """Processes. The figures are the same for any number."""


@dataclass(frozen=True, kw_only=True)
class Tokenising:
    """What corrected texts are."""

    tokenise: Annotated[HypText, Option(flags="--hyp-text")] = "auto"
    """Corrected texts: tokens, words between spaces; prose (*He goes home.*), which is tokenised by alignment to the
    source; auto: look which."""
    prose: Annotated[bool, Option(is_keyword=True)] = False
    """Give the system prose, and read its answers as prose."""


@dataclass(frozen=True, kw_only=True)
class Referring:
    """What is right."""

    reference: Literal["human", "errant"] = "human"
    """The M2's own edits, or ERRANT's, extracted anew from the corrected text: that moves F0.5 by 1.5 to 4 points."""
    annotators: Literal["all", "any"] = "all"
    """Refuse an M2 in which a sentence lacks an annotator, or score it by those that it has."""

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(Referring):
    """What is counted. Defaults are those of `errant_compare`."""

    measure: Literal["correction", "typed", "spans", "tokens"] = "correction"
    """Correction; typed: with types; or detection of spans or tokens."""
    beta: float = 0.5
    """The weight of recall."""

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0 < self.beta <= _HIGHEST:
            raise UsageError(f"--beta is a positive number up to {_HIGHEST:,}, not {self.beta}")


@dataclass(frozen=True, kw_only=True)
class ScoringOptions(Annotating, Resampling, Tokenising, ScoreOptions):
    """What `gec-fair score` does."""

    sources: Annotated[Any, Option("FILE", flags="--src")] = field(default=None, kw_only=False)
    """The uncorrected texts, or a file of them, one a line; checked against an M2 reference."""
    column: Annotated[str, Option("NAME")] = "hypothesis"
    """Tables: the corrected texts. A column of sources beside them puts the rows into the reference's order."""
    fields: Annotated[Sequence[str], Option("A,B", separator=",")] = ("source", "target")
    """Tables: the column of the sources, and in the reference one for each annotator."""
    cat: Literal[1, 2, 3] | None = None
    """By error type too: 1 operation (R), 2 category (NOUN), 3 both (R:NOUN)."""


@dataclass(frozen=True, kw_only=True)
class GapOptions(Annotating, Resampling, Tokenising, Referring):
    """What `gec-fair gap` does."""


@dataclass(frozen=True, kw_only=True)
class CompareOptions(GapOptions):
    """What `gec-fair compare` does."""

    evalsets: Annotated[Sequence[str | Path], Option("NAME|DIR", flags="--evalset")] = field(default=(), kw_only=False)
    """Only this evaluation set, by its name or folder; again for more. By default all that are here."""
    output: Annotated[str | Path | None, Option("DIR", flags="-o --output")] = None
    """Where the report goes; else RUNS or out/gaps. In Python, where what the systems wrote is kept."""
    full: Annotated[str | Path | None, Option("M2")] = None
    """A reference for SYSTEM/SEED/full.txt."""


@dataclass(frozen=True, kw_only=True)
class CounterfactualOptions(Caching, Resampling, Tokenising):
    """What `gec-fair counterfactual` does."""

    texts: Annotated[Any, Option(is_keyword=True)] = field(default=None, kw_only=False)
    """Tokenised texts, or a file with one a line."""
    evalset: Annotated[str | Path | None, Option("NAME|DIR")] = None
    """Instead of texts: the twins of an evaluation set, by its name or folder."""
    transform: Method = "st"
    """The texts' rewriting: singular they; the other gender; a neopronoun."""
    paradigm: Annotated[str, Option("NAME|FORMS")] = ""
    """neo: xe, ze, fae, …  [default: xe]"""
    gate: Gate = "coref"
    """st, neo: only where the text shows one person, or every he/she."""


@dataclass(frozen=True, kw_only=True)
class PairAuditOptions(PairReading):
    """What `gec-fair audit-pairs` does."""

    output: Annotated[str | Path | None, Option("DIR", flags="-o --output")] = field(default=None, kw_only=False)
    """Write the corpus without such pairs there, with the cases, the malformed lines and the counts."""
    drop: Sequence[Bias] = ("gendered", "pluralised", "reflexive", "neopronoun")
    """A kind to filter out; again for more."""
    strict: bool = False
    """Exit 2 (MalformedLine in Python) at the first malformed line."""
    overwrite: bool = False
    """Write into a folder that is in use."""
    progress: Annotated[LinesDone | None, Option(is_keyword=True)] = None
    """Called with the number of lines done, and None."""
