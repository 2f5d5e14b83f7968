"""What every run over a corpus can be told: how inputs are read, and what decides only its time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from gec_fair.config.options import Option, check_range
from gec_fair.errors import UsageError

PairFormat: TypeAlias = Literal["tsv", "csv", "parallel", "m2", "jsonl", "parquet"]
Format: TypeAlias = PairFormat | Literal["text"]
Engine: TypeAlias = Literal["local", "ray"]
Progress: TypeAlias = Callable[[int, int | None], None]
"""Told after each block: lines done, and lines in all where they are known."""
FORMATS: tuple[PairFormat, ...] = get_args(PairFormat)
"""Those of pairs; plain text is asked for by the commands that take it."""


@dataclass(frozen=True, kw_only=True)
class PairReading:
    """How files of pairs are read; all of it decides the bytes that come out."""

    fields: Annotated[tuple[str, str] | None, Option("A,B", separator=",")] = None
    """Names of the source and target columns or fields, or 1-based columns of a TSV or CSV file without a header."""
    format: PairFormat | None = None
    """Say what the input is, where its name does not."""
    limit: Annotated[int | None, Option("N")] = None
    """Stop after so many lines, of all inputs together."""
    max_words: Annotated[int, Option("N")] = 10_000
    """A text of more words is not a sentence pair: malformed."""

    def __post_init__(self) -> None:
        if self.fields is not None and (len(self.fields) != 2 or not all(self.fields)):
            raise UsageError("--fields wants two names, source and target: --fields original,corrected")
        if self.format is not None and self.format not in (*FORMATS, "text"):
            raise UsageError(f"unknown format {self.format!r}; choose one of {', '.join(FORMATS)}")
        check_range(self, "limit", "max_words", least=1)


@dataclass(frozen=True, kw_only=True)
class Reading(PairReading):
    """How inputs of any kind are read."""

    format: Format | None = None  # type: ignore[assignment]  # plain text too
    """What the input is, where its name does not say it."""
    tokens: int | None = None
    """Plain text comes in chunks of so many words, across its lines; None is a line each."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self, "tokens", least=1)


@dataclass(frozen=True, kw_only=True)
class Running:
    """What decides nothing but the time that a run takes, and when it stops."""

    workers: int = 1
    """Processes. The bytes are the same for any number."""
    engine: Engine = "local"
    """local: processes here; ray: Ray Data, where gec-fair[ray] is installed."""
    chunk: Annotated[int, Option("N")] = 512
    """Lines a block; decides only time."""
    strict: bool = False
    """Exit 2 (MalformedLine in Python) at the first malformed line."""
    overwrite: bool = False
    """Replace another run in the output's folder; a stopped run of the same command continues, and other files stay."""
    progress: Annotated[Progress | None, Option(is_keyword=True)] = None
    """Called with the number of lines done, and of all where it is known; by default a bar on stderr."""

    def __post_init__(self) -> None:
        if self.engine not in get_args(Engine):
            raise UsageError(f"unknown engine {self.engine!r}; choose one of {', '.join(get_args(Engine))}")
        check_range(self, "workers", "chunk", least=1)
