"""`gec_fair.lmbias.surprisal`: how surprising each word and sub-word of a text is: −log2 p, in bits.

causal   given the start and the sub-words before it in the text (Hale 2001; Levy 2008)
masked   given all other sub-words of the text: pseudo-surprisal (Salazar et al. 2020)

A word's surprisal is the sum over its sub-words (the chain rule, for a causal model).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import log
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.data.columns import Texts, read_texts
from gec_fair.data.keywords import keywords
from gec_fair.data.text_files import read_lines
from gec_fair.errors import InputError
from gec_fair.extras import require
from gec_fair.lmbias.options import SurprisalOptions
from gec_fair.models.locate import find_model
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Table, right
from gec_fair.version import __version__

if TYPE_CHECKING:
    from gec_fair.lmbias.scoring.causal import Causal
    from gec_fair.lmbias.scoring.masked import Masked

_COLUMNS = ("line", "word", "start", "end", "text")
_AT_ONCE = {"masked": 128, "causal": 512}  # texts whose questions, many or one each, are held at a time


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
        plain = attrgetter(*_COLUMNS)
        rows = [
            (*plain(row), " ".join(row.subwords), "" if row.bits is None else f"{row.bits:.4f}") for row in self.rows
        ]
        lines = [(*_COLUMNS, "subwords", "bits"), *rows]
        return "".join("\t".join(" ".join(str(cell).split()) for cell in cells) + "\n" for cells in lines)

    def tables(self) -> Sequence[Table]:
        """One table, a row for each word or sub-word."""
        subwords = Column("subwords", lambda record: " ".join(record["subwords"]))
        bits = right("bits", "{:.2f}", unknown="–")
        columns = (*map(right, _COLUMNS[:4]), Column("text"), subwords, bits)
        title = "Surprisal" if self.kind == "causal" else "Pseudo-surprisal"
        return [Table("surprisal", title, [asdict(row) for row in self.rows], columns=columns)]


@keywords(SurprisalOptions)
def surprisal(model: str, texts: Texts | Path, options: SurprisalOptions) -> Surprisals:
    """Measure how surprising each word of each text is to a language model, in bits.

    Args:
        model: A masked or causal language model, by folder or hub name.
        texts: Texts, each read by itself; or the `Path` of a file with a text a line.

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
    require("lmbias surprisal", "lm", "torch", "transformers")
    find_model(model)
    from gec_fair.lmbias.scoring.load import load

    lines = read_lines(texts) if isinstance(texts, Path) else read_texts(texts)
    numbered = {number: line for number, line in enumerate(lines, 1) if line.strip()}
    if not numbered and isinstance(texts, Path):
        raise InputError(f"{texts}: holds no text; give a file with a text a line")
    loaded = load(model, kind=options.kind)
    rows = tuple(measure(loaded, numbered, options, place=f"{texts}:" if isinstance(texts, Path) else "text "))
    signature = f"surprisal|{loaded.signature}|scoring:{options.scoring}|unit:{options.unit}|version:{__version__}"
    return Surprisals(model, loaded.kind, options.unit, rows, signature)


def measure(
    model: Masked | Causal, texts: Mapping[int, str], options: SurprisalOptions, *, place: str = "text "
) -> Iterator[Surprisal]:
    """Every word or sub-word of texts by number, in order; special sub-words are left out, and a word that the
    tokenizer drops. InputError behind `place` and number for a text that is too long; raises as `likelihood.fits`."""
    from gec_fair.lmbias.scoring.batching import growing
    from gec_fair.lmbias.scoring.likelihood import fits, log_probs, read

    fits(model, options.scoring, needs_places=True)
    for batch in growing(list(texts.items()), _AT_ONCE[model.kind], options.progress):
        cuts = []
        for line, text in batch:
            try:
                cuts += read(model, [text])
            except InputError as fault:
                raise InputError(f"{place}{line}: {fault}, or break the line, for lines are read one by one") from fault
        for (line, text), cut, values in zip(batch, cuts, log_probs(model, cuts, options.scoring), strict=True):
            entries = model.tokenizer.convert_ids_to_tokens([cut.ids[at] for at in cut.places])
            words = [match.span() for match in re.finditer(r"\S+", text)]
            spans = [(cut.starts[at], cut.ends[at]) for at in cut.places]
            # the first word that reaches as far as the sub-word does: a space counts with the word that follows it
            word_of = [min(bisect_left(words, end, key=itemgetter(1)), len(words) - 1) for _, end in spans]
            by_word = options.unit == "word"
            units = [(n, *words[n]) for n in word_of] if by_word else [(n, *span) for n, span in enumerate(spans)]
            for (_, start, end), group in groupby(range(len(units)), key=units.__getitem__):
                members = list(group)
                known = [value / -log(2) for n in members if (value := values[n]) is not None]
                bits = sum(known, 0.0) if len(known) == len(members) else None  # 0.0, not -0.0, for what is certain
                parts = tuple(entries[n] for n in members)
                yield Surprisal(line, word_of[members[0]] + 1, start, end, text[start:end], parts, bits)
