"""`gec_fair.lmbias.surprisal`: how surprising each word of a text is to a language model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gec_fair.data.columns import Texts, check_arguments, read_texts
from gec_fair.data.text_files import text_lines
from gec_fair.errors import InputError, UsageError
from gec_fair.models.locate import find_model
from gec_fair.progress import Progress
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Table, right
from gec_fair.version import __version__

if TYPE_CHECKING:
    from gec_fair.lmbias.scoring.surprisals import Surprisal, Text

_COLUMNS = ("line", "word", "start", "end", "text", "subwords", "bits")


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
        rows = [asdict(row) for row in self.rows]
        return {"model": self.model, "kind": self.kind, "unit": self.unit, "rows": rows, "signature": self.signature}

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


@check_arguments
def surprisal(
    model: str,
    texts: Texts | Path,
    *,
    unit: Literal["word", "subword"] = "word",
    kind: Literal["auto", "masked", "causal"] = "auto",
    scoring: Literal["original", "within-word-l2r"] = "original",
    progress: Progress | None = None,
) -> Surprisals:
    """Measure how surprising each word of each text is to a language model, in bits.

    Args:
        model: A masked or causal language model, by folder or hub name.
        texts: Texts, each read by itself; or the path of a file with a text a line.
        unit: "word" (what white space separates) or "subword".
        kind: What the model was trained as, where its configuration does not say it.
        scoring: Which sub-words a masked model does not see: the one asked for, or also those of its word that follow.
        progress: Hears (done, of how many) texts.

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
    from gec_fair.lmbias.scoring.likelihood import fits
    from gec_fair.lmbias.scoring.load import load
    from gec_fair.lmbias.scoring.surprisals import UNITS, subword_surprisals, word_surprisals

    if unit not in UNITS:
        raise UsageError(f"unit is {unit!r}; choose from {', '.join(UNITS)}")
    numbered = _read(texts)
    loaded = load(model, kind=kind)
    fits(loaded, scoring)
    rows = subword_surprisals(loaded, numbered, scoring=scoring, progress=progress)
    if unit == "word":
        rows = word_surprisals(rows, numbered)
    signature = f"surprisal|{loaded.signature}|scoring:{scoring}|unit:{unit}|version:{__version__}"
    return Surprisals(model, loaded.kind, unit, tuple(rows), signature)


def _read(texts: Texts | Path) -> list[Text]:
    """Those that are not empty. InputError for a file without any."""
    from gec_fair.lmbias.scoring.surprisals import Text

    if not isinstance(texts, Path):
        every = [Text(number, text, f"text {number}") for number, text in enumerate(read_texts(texts), 1)]
        return [text for text in every if text.text.strip()]
    lines = (line.decode("utf-8").rstrip("\r\n") for line in text_lines(texts))
    numbered = [Text(number, line, f"{texts}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise InputError(f"{texts}: holds no text; give a file with a text a line")
    return numbered
