"""Counterfactual data substitution (Bartl, Nissim & Gatt 2020): every gendered mention of a gender-balanced corpus,
GAP's texts (Webster et al. 2018), replaced by its opposite; a model is trained on these texts alone."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from gec_fair.augmentation.options import Names, Options
from gec_fair.augmentation.run import rewrite_corpus, versions
from gec_fair.babylm.corpora.build import Original, Workplace
from gec_fair.config.corpora import Running
from gec_fair.corpus.writers import TEXT
from gec_fair.data.compression import plain_path
from gec_fair.data.user_tables import open_text
from gec_fair.english.running_text.sentences import read_lines
from gec_fair.errors import InputError, UsageError
from gec_fair.runs.atomic import write_bytes
from gec_fair.runs.digests import file_digest

_COLUMN = "Text"


@dataclass(frozen=True, slots=True)
class Cds:
    """Training on it is short: three passes (Bartl et al.'s code)."""

    name: ClassVar[str] = "cds"
    needs: ClassVar[tuple[str, ...]] = ()

    texts: tuple[str, ...] = ()
    """GAP's TSV files, or plain text, a paragraph a line. `$GEC_FAIR_DATA` is filled in."""
    names: Names = "keep"
    """First names stay, or are swapped too (`fixed`)."""
    epochs: float = 3.0
    """Passes over the texts."""
    batch: int = 16
    """Blocks an update; Bartl et al.'s are sentences."""
    block: int = 128
    """Sub-words in a block."""
    learning_rate: float = 2e-5
    """Falls linearly to 0."""

    def __post_init__(self) -> None:
        if self.epochs <= 0 or self.batch < 1 or self.block < 8 or self.learning_rate <= 0:
            raise UsageError("epochs, batch and learning_rate are more than 0, block is 8 or more")
        _ = self._options

    @property
    def _options(self) -> Options:
        return Options("fm", names=self.names)

    def versions(self) -> Mapping[str, str]:
        """The rewriter's versions and the digests of the text files. UsageError for no files."""
        paths = Original(self.texts).paths()
        if not paths:
            raise UsageError("cds.texts names no file; give GAP's gap-development.tsv, or a gender-balanced text")
        digests = {f"texts {n}": file_digest(path)["sha256"] for n, path in enumerate(paths)}
        return {**versions(self._options), **digests}

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Swap the gender in every paragraph; returns the rewritten text's path and the counts."""
        before = site.folder / "texts.txt"
        paragraphs = [text for path in Original(self.texts).paths() for text in _paragraphs(path)]
        write_bytes(before, (f"{text}\n".encode() for text in paragraphs))
        done = rewrite_corpus([before], site.folder / "swapped", self._options, Running(workers=site.workers))
        counts = done.manifest.counts
        return done.directory / TEXT, {"texts": counts["lines"], "swapped": counts["augmented"]}


def _paragraphs(path: Path) -> Iterator[str]:
    """InputError for a table without GAP's column."""
    if plain_path(path).suffix != ".tsv":
        yield from (line for line in read_lines(path) if line)
        return
    with open_text(path) as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if _COLUMN not in (rows.fieldnames or ()):
            raise InputError(f"{path}: has no column {_COLUMN}; give GAP's TSV files, or plain text")
        for row in rows:
            if row[_COLUMN] is None:
                raise InputError(f"{path}:{rows.line_num}: has no {_COLUMN}; mend the row, or leave it out")
            yield " ".join(row[_COLUMN].split())
