"""`gec_fair.razor.score`: which documents give their label away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.data.columns import Rows, read_rows
from gec_fair.data.keywords import keywords
from gec_fair.extras import require
from gec_fair.razor.options import ShortcutOptions
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Record, Table, right

if TYPE_CHECKING:
    from gec_fair.razor.scoring.ranking import Ranked, Ranking

DOCUMENTS = (right("score", "{:.4f}"), Column("label"), Column("id"), Column("text"))
WORDS = (
    Column("label"),
    Column("word"),
    right("documents", "{:,}"),
    right("total", "{:.3f}", "added to all"),
    right("mean", "{:.4f}", "to each"),
)


@dataclass(frozen=True, slots=True, repr=False)
class Shortcuts(Result):
    """Documents ranked by how much they give their label away, the highest first, and the words that do it.

    `documents` have `id`, `label`, `text` and `score`; `words` have what a word adds to the scores of a label's
    documents: `total`, and `mean` for those that hold it.
    """

    documents: Sequence[Mapping[str, Any]]
    words: Sequence[Mapping[str, Any]]
    measures: Mapping[str, float | None]
    signature: str
    ranking: Ranking
    dropped: int = 0
    """Rows without a text or a label that were left out."""

    def to_dict(self) -> dict[str, Any]:
        """Documents, words, measures over all documents, signature."""
        documents, words = list(map(dict, self.documents)), list(map(dict, self.words))
        measures = dict(self.measures)
        names = {"documents": documents, "words": words, "measures": measures, "dropped": self.dropped}
        return {**names, "signature": self.signature}

    def tables(self) -> Sequence[Table]:
        """The documents and the words."""
        return [
            Table("documents", "Documents", self.documents, columns=DOCUMENTS),
            Table("words", "Words", self.words, columns=WORDS),
        ]


@keywords(ShortcutOptions)
def score(documents: Rows | str | Path, options: ShortcutOptions) -> Shortcuts:
    """Rank documents, and words, by how much they give their label away.

    Args:
        documents: Dicts, a `DataFrame`, an Arrow `Table`, a 🤗 `Dataset`, or a file (JSONL, CSV, TSV).

    Returns:
        The ranking.

    Raises:
        UsageError: For a text that is empty or not a string, with its row.
        InputError: For a row that is not a document, and where all have one label.
        MissingResource: Without the extra `[razor]`.

    Examples:
        >>> import gec_fair as gf
        >>> rows = [{"text": "never seen it", "label": "REFUTES"}, {"text": "not this one", "label": "REFUTES"},
        ...         {"text": "it was never here", "label": "REFUTES"}, {"text": "seen it twice", "label": "SUPPORTS"},
        ...         {"text": "this one was here", "label": "SUPPORTS"}, {"text": "it was seen", "label": "SUPPORTS"}]
        >>> gf.razor.score(rows).documents[0]["label"]
        'REFUTES'

    Source: Yang, Prenkaj and Kasneci (2024), §3.2, equation 12.
    """
    require("razor score", "razor", "scipy")
    from gec_fair.razor.documents.documents import from_rows, read, report_left_out
    from gec_fair.razor.scoring import ranking

    if isinstance(documents, str | Path):
        read_documents, left = read(Path(documents), options)
        report_left_out(left)
        dropped = len(left)
    else:
        read_documents, dropped = from_rows(read_rows(documents, "documents"), options, missing=options.missing)
    ranked = ranking.score(read_documents, options)
    words = [asdict(word) | {"mean": word.mean} for word in ranked.words]
    return Shortcuts(list(map(_row, ranked.ranked)), words, ranked.measures, ranked.signature, ranked, dropped)


def _row(ranked: Ranked) -> Record:
    document = ranked.document
    return {"id": document.id, "label": document.label, "score": ranked.score, "text": document.text}
