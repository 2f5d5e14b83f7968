"""`gec_fair.lmbias.surprisal`: how surprising each word and sub-word of a text is: −log2 p, in bits.

causal   given the start and the sub-words before it in the text (Hale 2001; Levy 2008)
masked   given all other sub-words of the text: pseudo-surprisal (Salazar et al. 2020)

A word's surprisal is the sum over its sub-words (the chain rule, for a causal model).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.data.columns import Texts, read_texts
from gec_fair.data.keywords import keywords
from gec_fair.data.text_files import read_lines
from gec_fair.errors import InputError
from gec_fair.lmbias.options import SurprisalOptions
from gec_fair.models.locate import find_model
from gec_fair.progress import Progress
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Table, right
from gec_fair.version import __version__

if TYPE_CHECKING:
    from gec_fair.lmbias.scoring.batching import Cut
    from gec_fair.lmbias.scoring.causal import Causal
    from gec_fair.lmbias.scoring.masked import Masked

_COLUMNS = ("line", "word", "start", "end", "text", "subwords", "bits")
_AT_ONCE = {"masked": 128, "causal": 512}  # texts whose questions, many or one each, are held at a time


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and where it stands for messages: `FILE:LINE`, or its number."""

    line: int
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Surprisal:
    """A word, or a sub-word, of a text. `line` and `word` count from 1; `start` and `end` are characters of the text,
    half-open; `subwords` are entries of the vocabulary. `bits` is None for the first sub-word of a causal model
    without a start, and for its word."""

    line: int
    word: int
    start: int
    end: int
    text: str
    subwords: tuple[str, ...]
    bits: float | None


@dataclass(frozen=True, slots=True, repr=False)
class Surprisals(Result):
    """A row for each word, or sub-word. `kind` is what the model was trained as: the rows of a causal model are
    surprisals, those of a masked one pseudo-surprisals."""

    model: str
    kind: str
    unit: str
    rows: tuple[Surprisal, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair lmbias surprisal --json` prints."""
        return asdict(self)

    def json(self) -> str:
        """The report as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)

    def tsv(self) -> str:
        """A header and a row a line, without quotation marks around cells. Unknown bits are empty; white space inside a
        cell is a space."""
        lines = [_COLUMNS, *(_cells(row) for row in self.rows)]
        return "".join("\t".join(cells) + "\n" for cells in lines)

    def tables(self) -> Sequence[Table]:
        """One table, a row for each word or sub-word."""
        columns = (
            *(right(name) for name in _COLUMNS[:4]),
            Column("text"),
            Column("subwords", lambda record: " ".join(record["subwords"])),
            right("bits", "{:.2f}", unknown="–"),
        )
        title = "Surprisal" if self.kind == "causal" else "Pseudo-surprisal"
        return [Table("surprisal", title, [asdict(row) for row in self.rows], columns=columns)]


def _cells(row: Surprisal) -> tuple[str, ...]:
    text, subwords = (" ".join(words.split()) for words in (row.text, " ".join(row.subwords)))
    bits = "" if row.bits is None else f"{row.bits:.4f}"
    return (*map(str, (row.line, row.word, row.start, row.end)), text, subwords, bits)


@keywords(SurprisalOptions)
def surprisal(model: str, texts: Texts | Path, options: SurprisalOptions) -> Surprisals:
    """Measure how surprising each word of each text is to a language model, in bits.

    Args:
        model: A masked or causal language model, by folder or hub name.
        texts: Texts, each read by itself; or the path of a file with a text a line.

    Returns:
        A row for each word or sub-word, in order. Empty texts have none.

    Raises:
        UsageError: For an unknown unit, and a scoring that is not for this model.
        InputError: For a file without text, a text that is longer than the model reads, and a tokenizer written in
            Python alone.
        MissingResource: For a model that is not here, and without the extra `[lm]`.

    Examples:
        >>> import gec_fair as gf
        >>> result = gf.lmbias.surprisal("out/encoder", ["She lost her keys ."])
        >>> [row.text for row in result.rows]
        ['She', 'lost', 'her', 'keys', '.']

    Source: Hale (2001) and Levy (2008); for masked models Salazar et al. (2020), Kauf & Ivanova (2023).
    """
    from gec_fair.extras import require

    require("lmbias surprisal", "lm", "torch", "transformers")
    find_model(model)
    from gec_fair.lmbias.scoring.load import load

    numbered = _read(texts)
    loaded = load(model, kind=options.kind)
    rows = subword_surprisals(loaded, numbered, scoring=options.scoring, progress=options.progress)
    if options.unit == "word":
        rows = word_surprisals(rows, numbered)
    choices = f"scoring:{options.scoring}|unit:{options.unit}"
    signature = f"surprisal|{loaded.signature}|{choices}|version:{__version__}"
    return Surprisals(model, loaded.kind, options.unit, tuple(rows), signature)


def _read(texts: Texts | Path) -> list[Text]:
    """Those that are not empty. InputError for a file without any."""
    lines = read_lines(texts) if isinstance(texts, Path) else read_texts(texts)
    where = f"{texts}:" if isinstance(texts, Path) else "text "
    numbered = [Text(number, line, f"{where}{number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered and isinstance(texts, Path):
        raise InputError(f"{texts}: holds no text; give a file with a text a line")
    return numbered


def subword_surprisals(
    model: Masked | Causal, texts: Sequence[Text], *, scoring: str = "original", progress: Progress | None = None
) -> list[Surprisal]:
    """Every sub-word of every text, in order; special sub-words are left out. InputError for a tokenizer written in
    Python alone, and for a text that the model cannot read at once; raises as `likelihood.fits` does."""
    from gec_fair.lmbias.scoring.batching import growing
    from gec_fair.lmbias.scoring.likelihood import fits, log_probs

    fits(model, scoring, needs_places=True)
    rows: list[Surprisal] = []
    for batch in growing(texts, _AT_ONCE[model.kind], progress):
        cuts = [_cut(model, text) for text in batch]
        for text, cut, values in zip(batch, cuts, log_probs(model, cuts, scoring), strict=True):
            rows += _rows(model, text, cut, values)
    return rows


def _cut(model: Masked | Causal, text: Text) -> Cut:
    """InputError with the text's place for one that is too long."""
    from gec_fair.lmbias.scoring.likelihood import read

    try:
        return read(model, [text.text])[0]
    except InputError as fault:
        raise InputError(f"{text.place}: {fault}, or break the line, for lines are read one by one") from fault


def _rows(model: Masked | Causal, text: Text, cut: Cut, values: Sequence[float | None]) -> Iterator[Surprisal]:
    """A sub-word belongs to the first word that reaches as far as it does, so that a space counts with the word that
    follows it."""
    entries = model.tokenizer.convert_ids_to_tokens([cut.ids[place] for place in cut.places])
    ends = [end for _, end in _words(text.text)]
    for place, entry, log_prob in zip(cut.places, entries, values, strict=True):
        start, end = cut.starts[place], cut.ends[place]
        word = min(bisect_left(ends, end), len(ends) - 1)
        bits = None if log_prob is None else -log_prob / log(2) + 0.0  # not -0.0 for what is certain
        yield Surprisal(text.line, word + 1, start, end, text.text[start:end], (entry,), bits)


def word_surprisals(rows: Sequence[Surprisal], texts: Sequence[Text]) -> list[Surprisal]:
    """The words of `subword_surprisals`, apart by white space. A word has no row where the tokenizer drops all of
    it."""
    text_of = {text.line: text.text for text in texts}
    words = []
    for (line, number), group in groupby(rows, key=lambda row: (row.line, row.word)):
        parts = list(group)
        start, end = _words(text_of[line])[number - 1]
        known = [part.bits for part in parts if part.bits is not None]
        bits = sum(known) if len(known) == len(parts) else None
        subwords = tuple(entry for part in parts for entry in part.subwords)
        words.append(Surprisal(line, number, start, end, text_of[line][start:end], subwords, bits))
    return words


def _words(text: str) -> list[tuple[int, int]]:
    """Start and end of what is between white space."""
    return [match.span() for match in re.finditer(r"\S+", text)]
