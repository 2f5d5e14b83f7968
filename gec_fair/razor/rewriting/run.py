"""A rewriting's folder: what it was made from first, a file a pass, and the data set last.

OUT/begun.json        what decides the result, until it is there
OUT/passes/0001.json  what a pass tried, chose and cost; a run that was killed continues behind the last
OUT/rewritten.jsonl   the documents in their order, the new text in the old one's field, the old one beside it
OUT/ledger.jsonl      who rewrote and who judged (models and digests of prompts), rows that are no document, documents
                      that are never rewritten, all that were tried, with candidates, verdicts, scores and costs, and
                      what became of each: its edits over all passes, or why it stays as it was
OUT/manifest.json     options, inputs, versions, counts, measures, signature
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from heapq import merge
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

from gec_fair.corpus.ledger import changes
from gec_fair.corpus.outcome import Augmented
from gec_fair.corpus.records import Pair
from gec_fair.errors import InputError, ResumeError
from gec_fair.llm.answer import Tokens
from gec_fair.llm.bill import OverBudget, Prices
from gec_fair.razor.documents.documents import Document, LeftOut
from gec_fair.razor.options import Fields, RewriteOptions
from gec_fair.razor.rewriting.candidates import NONE, Rewriter, Verifier
from gec_fair.razor.rewriting.layout import LEDGER, ORIGINAL, OUTPUT, PASSES
from gec_fair.razor.rewriting.loop import Pass, RewritingLoop
from gec_fair.razor.scoring.ranking import weights_of
from gec_fair.razor.scoring.term_counts import TermRanks, rank_terms
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Table, right
from gec_fair.runs.atomic import write_bytes, write_text
from gec_fair.runs.digests import file_digest, short_digest
from gec_fair.runs.identity import Identity
from gec_fair.runs.json_files import json_line
from gec_fair.runs.lock import lock
from gec_fair.runs.record import Record, read_record
from gec_fair.version import __version__

_PASSES = (
    right("pass"),
    Column("label"),
    right("tried"),
    right("replaced"),
    Column("cosine_before", "{:.6g} → {cosine_after:.6g}", "mean cosine"),
    Column("distance_before", "{:.6g} → {distance_after:.6g}", "squared distance"),
)
_WORDS = (
    Column("label"),
    Column("word", header="word that adds most"),
    right("before", "{:,}", "documents before"),
    right("after", "{:,}"),
)
_MEASURES = (("cosine", "likeness"), ("distance", "mmd"))
"""Names in the table, and those of the manifest."""


@dataclass(frozen=True, slots=True, repr=False)
class Rewritten(Result):
    """`why` the run stopped; `words` that gave labels away; `tokens` of all that was asked for it, whenever that
    was."""

    out: Path
    passes: tuple[Pass, ...]
    changed: int
    documents: int
    why: str
    signature: str
    words: tuple[TermRanks, ...]

    @property
    def tokens(self) -> Tokens:
        """The tokens of all passes together."""
        return sum((one_pass.tokens for one_pass in self.passes), NONE)

    def to_dict(self) -> dict[str, Any]:
        """The rows of the tables."""
        return {table.name: table.as_json() for table in self.tables()}

    def tables(self) -> Sequence[Table]:
        """What each pass did; the words that added most, before and after."""
        passes = [
            {
                **{name: value for name, value in row.items() if name not in ("before", "after")},
                **{f"{name}_{when}": row[when][key] for name, key in _MEASURES for when in ("before", "after")},
            }
            for row in measures(self.passes)
        ]
        return [
            Table("passes", "Passes", passes, columns=_PASSES),
            Table("words", "Words that add most", [asdict(word) for word in self.words], columns=_WORDS),
        ]

    @property
    def notes(self) -> Sequence[str]:
        """How many documents changed and why the run stopped, what became of the candidates, the signature."""
        totals = ", ".join(f"{name} {number:,}" for name, number in counts(self.passes).items())
        changed = f"{self.changed:,} of {self.documents:,} documents read otherwise; {self.why}"
        return ["\n".join((changed, totals, self.signature))]


def run(
    documents: Sequence[Document],
    out: Path,
    options: RewriteOptions,
    rewriter: Rewriter,
    verifier: Verifier,
    *,
    fields: Fields | None = None,
    left_out: Sequence[LeftOut] = (),
    source: Path | None = None,
    prices: Prices | None = None,
    progress: Callable[[Pass], None] = lambda finished_pass: None,
) -> Rewritten:
    """Rewrite, or go on where a killed run was. `left_out`: rows of the input that are no document; those that can be
    read stay in their places, as they are. `source`: the file of the documents, for the manifest. `prices`: what tokens
    cost, for the ledger.

    ResumeError where `out` holds a run on other data or with other options; InputError for documents that have the
    field of the old text already, or labels that are none."""
    models = {"rewriter": rewriter.version, "verifier": verifier.version}
    encoder = {role: {"sha256": digest} for role, digest in weights_of(options).items()}
    identity = Identity(
        "razor", options.as_record(), {"data": {"sha256": _digest(documents)}, **encoder}, sections=models
    )
    if clash := next((document for document in documents if ORIGINAL in document.row), None):
        raise InputError(f"{clash.where}: has a field {ORIGINAL!r}, which the old text is kept in; rename it")
    fields = fields or Fields()
    out.mkdir(parents=True, exist_ok=True)
    with lock(out):
        record = Record(out, identity)
        record.begin()
        rewriting = RewritingLoop(documents, options, rewriter, verifier, list(_read_passes(out, documents)))

        def keep(finished_pass: Pass) -> None:
            folder = out / PASSES
            folder.mkdir(exist_ok=True)
            write_text(
                folder / f"{finished_pass.number + 1:04}.json",
                json.dumps(asdict(finished_pass), ensure_ascii=False) + "\n",
            )
            progress(finished_pass)

        try:
            why = rewriting.make(keep)
        except OverBudget as over:
            why = f"the budget is spent: {over}"
        write_bytes(out / OUTPUT, _rows(rewriting, fields, left_out))
        first = {"outcome": "run", "rewriter": rewriter.version, "verifier": verifier.version}
        rows = _ledger(rewriting.passes, rewriting.left, left_out, prices)
        write_bytes(out / LEDGER, map(_line, chain([first], rows, _outcomes(rewriting))))
        changed = sum(text != document.text for text, document in zip(rewriting.texts, documents, strict=True))
        words, signature = tuple(rank_terms(documents, rewriting.texts)), _signature(identity, len(documents))
        rewritten = Rewritten(out, tuple(rewriting.passes), changed, len(documents), why, signature, words)
        result = {
            "signature": rewritten.signature,
            "version": __version__,
            **({} if source is None else {"file": file_digest(source), "fields": asdict(fields)}),
            "documents": rewritten.documents,
            "malformed": len(left_out),
            "empty": len(rewriting.left),
            "changed": rewritten.changed,
            "stopped": why,
            "counts": counts(rewritten.passes),
            "words": [asdict(word) for word in rewritten.words],
            "measures": measures(rewritten.passes),
            "tokens": asdict(rewritten.tokens),
            **({} if prices is None else {"cost": prices.cost(rewritten.tokens)}),
        }
        record.finish(result)
    return rewritten


def counts(passes: Sequence[Pass]) -> dict[str, int]:
    """Documents that were tried, those that were replaced, and candidates by what became of them."""
    counts: Counter[str] = Counter()
    for row in (row for one_pass in passes for row in one_pass.rows):
        counts["tried"] += 1
        counts["replaced"] += row["chosen"] is not None
        counts.update(f"candidates: {candidate['reason'] or 'lower'}" for candidate in row["candidates"])
    return dict(sorted(counts.items()))


def measures(passes: Sequence[Pass]) -> list[dict[str, Any]]:
    """The measures of each pass."""
    return [
        {
            "pass": one_pass.number + 1,
            "label": one_pass.label,
            "tried": len(one_pass.rows),
            "replaced": len(one_pass.replacements),
            "before": one_pass.before,
            "after": one_pass.after,
        }
        for one_pass in passes
    ]


def _read_passes(out: Path, documents: Sequence[Document]) -> Iterator[Pass]:
    """ResumeError for what is not a pass of these documents."""
    names, ids = sorted({document.label for document in documents}), {document.id for document in documents}
    paths = sorted((out / PASSES).glob("*.json"), key=lambda path: (len(path.name), path.name))
    for number, path in enumerate(paths):
        record = read_record(path)
        try:
            stored = Pass(record["number"], record["label"], tuple(record["rows"]), record["before"], record["after"])
            fits = (
                stored.number == number and stored.label == names[number % len(names)] and ids >= {*stored.replacements}
            )
        except (KeyError, TypeError, IndexError) as fault:
            raise ResumeError(f"{path}: is not a pass ({fault!r}); remove it and those after it") from fault
        if not fits:
            raise ResumeError(f"{path}: is a pass of another run; choose another --output")
        yield stored


def _digest(documents: Sequence[Document]) -> str:
    digest = sha256()
    for document in documents:
        digest.update(json.dumps([document.id, document.label, document.text, document.evidence]).encode())
    return digest.hexdigest()


def _rows(rewriting: RewritingLoop, fields: Fields, left_out: Sequence[LeftOut]) -> Iterator[bytes]:
    """Each document's row; before it, as they are, those that were left out there."""
    skipped = [(row.after, row.row) for row in left_out if row.row is not None]
    rows = merge(sorted(skipped, key=itemgetter(0)), enumerate(_rewritten_rows(rewriting, fields)), key=itemgetter(0))
    return (_line(row) for _, row in rows)


def _rewritten_rows(rewriting: RewritingLoop, fields: Fields) -> Iterator[Mapping[str, Any]]:
    for document, text in zip(rewriting.documents, rewriting.texts, strict=True):
        row = dict(document.row) or {"id": document.id, "label": document.label}
        document_id = fields.read("id", row)
        if document_id is None:
            row = {"id": document.id, **row}
        elif not row[document_id] and row[document_id] != 0:
            row[document_id] = document.id
        yield row | {fields.read("text", document.row) or "text": text, ORIGINAL: document.text}


def _line(row: Mapping[str, Any]) -> bytes:
    return json_line(row).encode()


def _ledger(
    passes: Sequence[Pass], left: Sequence[str], left_out: Sequence[LeftOut], prices: Prices | None
) -> Iterator[Mapping[str, Any]]:
    for left_row in left_out:
        yield {"outcome": "malformed", "detail": str(left_row.fault)}
    for name in left:
        yield {"outcome": "left", "id": name, "reason": "empty"}
    for one_pass in passes:
        for row in one_pass.rows:
            cost = {} if prices is None else {"cost": prices.cost(Tokens(*row["tokens"]))}
            yield {"pass": one_pass.number + 1, **row, **cost}


def _outcomes(rewriting: RewritingLoop) -> Iterator[Mapping[str, Any]]:
    """The outcome of every document that was tried."""
    tries = {row["id"]: row for one_pass in rewriting.passes for row in one_pass.rows}
    for n, document in enumerate(rewriting.documents):
        if document.id not in tries:
            continue
        file, _, line = document.where.rpartition(":")
        place = {"file": Path(file).name, "line": int(line) if line else n + 1, "id": document.id}
        if n in rewriting.rewritings:
            change = changes(Augmented(Pair(file, n + 1, document.text, ""), rewriting.rewritings[n]))
            yield {**place, "outcome": "augmented", "reason": document.label, **change}
        else:
            reasons = [row["reason"] or "higher" for row in tries[document.id]["candidates"]]
            yield {**place, "outcome": "discarded", "reason": ", ".join(dict.fromkeys(reasons)) or "no candidate"}


def _signature(identity: Identity, documents: int) -> str:
    record = identity.as_json()
    parts = {
        "mode": record["options"]["score"]["mode"],
        "documents": documents,
        "data": record["inputs"]["data"]["sha256"][:8],
        "rewriter": record["rewriter"],
        "verifier": record["verifier"],
        "options": short_digest(record["options"]),
        "version": __version__,
    }
    return "|".join(["razor", *(f"{name}:{value}" for name, value in parts.items())])
