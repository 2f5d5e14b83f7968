"""What flows through every corpus command: one pair, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gec_fair.edits import Edits


@dataclass(frozen=True, slots=True)
class Pair:
    """A source text and its correction, with the place it came from.

    `line` is 1-based: the line of a text file, the sentence of an M2 file, the row of JSONL or Parquet.
    `corrections` holds the M2 annotators' edits in the file's order (annotator id, edits over the source's
    tokens); it is empty for the other formats, where the correction is found by diffing. `target` is then the
    first annotator's text. `fields` are the other fields of a JSONL or Parquet row, carried through untouched.
    """

    file: str
    line: int
    source: str
    target: str
    corrections: tuple[tuple[str, Edits], ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Stable name of the pair, the key of every random choice made for it."""
        return f"{self.file}:{self.line}"
