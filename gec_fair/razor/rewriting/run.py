"""A rewriting's folder: what it was made from first, a file a pass, and the data set last.

OUT/begun.json        what decides the result, until it is there
OUT/passes/0001.json  what a pass tried, chose and cost; a run that was killed goes on behind the last
OUT/rewritten.jsonl   the documents in their order, the new text in the old one's field, the old one beside it
OUT/ledger.jsonl      who rewrote and who judged (models and digests of prompts), rows that are no document, documents
                      that are never rewritten, and all that were tried, with candidates, verdicts, scores and costs
OUT/manifest.json     options, inputs, versions, counts, measures, signature
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from gec_fair import __version__
from gec_fair.errors import InputError, ResumeError
from gec_fair.llm.answer import Tokens
from gec_fair.llm.bill import OverBudget, Prices
from gec_fair.razor.documents.documents import Document, Fields, LeftOut
from gec_fair.razor.evaluation.term_counts import Standing, standing
from gec_fair.razor.rewriting.candidates import NONE, Rewriter, Verifier
from gec_fair.razor.rewriting.loop import Pass, RewriteOptions, Rewriting
from gec_fair.razor.scoring.ranking import weights_of
from gec_fair.runs.atomic import write_bytes, write_text
from gec_fair.runs.digests import short_digest
from gec_fair.runs.identity import Identity
from gec_fair.runs.lock import lock
from gec_fair.runs.record import Record, read_record

LEDGER, OUTPUT, PASSES = "ledger.jsonl", "rewritten.jsonl", "passes"
ORIGINAL = "original"
"""The field that the old text is kept in."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """`why` the run stopped; `words` that gave labels away; `tokens` of all that was asked for it, whenever that
    was."""

    out: Path
    passes: tuple[Pass, ...]
    changed: int
    documents: int
    why: str
    signature: str
    words: tuple[Standing, ...]

    @property
    def tokens(self) -> Tokens:
        return sum((each.tokens for each in self.passes), NONE)


def run(
    documents: Sequence[Document],
    out: Path,
    options: RewriteOptions,
    rewriter: Rewriter,
    verifier: Verifier,
    *,
    fields: Fields | None = None,
    left_out: Sequence[LeftOut] = (),
    prices: Prices | None = None,
    progress: Callable[[Pass], None] = lambda made: None,
) -> Rewritten:
    """Rewrite, or go on where a killed run was. `left_out`: rows of the input that are no document; those that can be
    read stay in their places, as they are. `prices`: what tokens cost, for the ledger.

    ResumeError where `out` holds a run on other data or with other options; InputError for documents that have the
    field of the old text already, or labels that are none."""
    models = {"rewriter": rewriter.version, "verifier": verifier.version}
    encoder = {role: {"sha256": digest} for role, digest in weights_of(options.score).items()}
    identity = Identity("razor", asdict(options), {"data": {"sha256": _digest(documents)}, **encoder}, sections=models)
    names = [_text_field(each, fields or Fields()) for each in documents]
    out.mkdir(parents=True, exist_ok=True)
    with lock(out):
        record = Record(out, identity)
        record.begin()
        rewriting = Rewriting(documents, options, rewriter, verifier, list(_done(out, documents)))

        def keep(made: Pass) -> None:
            folder = out / PASSES
            folder.mkdir(exist_ok=True)
            write_text(folder / f"{made.number + 1:04}.json", json.dumps(asdict(made), ensure_ascii=False) + "\n")
            progress(made)

        try:
            why = rewriting.make(keep)
        except OverBudget as over:
            why = f"the budget is spent: {over}"
        write_bytes(out / OUTPUT, _rows(rewriting, names, fields or Fields(), left_out))
        first = {"outcome": "run", "rewriter": rewriter.version, "verifier": verifier.version}
        rows = _ledger(rewriting.passes, rewriting.left, left_out, prices)
        write_bytes(out / LEDGER, map(_line, chain([first], rows)))
        made = _made(out, rewriting, why, _signature(identity, len(documents)))
        result = {
            "signature": made.signature,
            "version": __version__,
            "documents": made.documents,
            "malformed": len(left_out),
            "empty": len(rewriting.left),
            "changed": made.changed,
            "stopped": why,
            "counts": counts(made.passes),
            "words": [asdict(each) for each in made.words],
            "measures": measures(made.passes),
            "tokens": asdict(made.tokens),
            **({} if prices is None else {"cost": prices.of(made.tokens)}),
        }
        record.finish(result)
    return made


def _made(out: Path, rewriting: Rewriting, why: str, signature: str) -> Rewritten:
    changed = sum(text != each.text for text, each in zip(rewriting.texts, rewriting.documents, strict=True))
    words = tuple(standing(rewriting.documents, rewriting.texts))
    return Rewritten(out, tuple(rewriting.passes), changed, len(rewriting.documents), why, signature, words)


def counts(passes: Sequence[Pass]) -> dict[str, int]:
    """Documents that were tried, those that were replaced, and candidates by what became of them."""
    told: Counter[str] = Counter()
    for row in (row for each in passes for row in each.rows):
        told["tried"] += 1
        told["replaced"] += row["chosen"] is not None
        told.update(f"candidates: {each['reason'] or 'lower'}" for each in row["candidates"])
    return dict(sorted(told.items()))


def measures(passes: Sequence[Pass]) -> list[dict[str, Any]]:
    """Of each pass."""
    return [
        {
            "pass": each.number + 1,
            "label": each.label,
            "tried": len(each.rows),
            "replaced": len(each.replaced),
            "before": each.before,
            "after": each.after,
        }
        for each in passes
    ]


def _done(out: Path, documents: Sequence[Document]) -> Iterator[Pass]:
    """ResumeError for what is no pass of these documents."""
    names, ids = sorted({each.label for each in documents}), {each.id for each in documents}
    paths = sorted((out / PASSES).glob("*.json"), key=lambda path: (len(path.name), path.name))
    for number, path in enumerate(paths):
        told = read_record(path)
        try:
            made = Pass(told["number"], told["label"], tuple(told["rows"]), told["before"], told["after"])
            fits = made.number == number and made.label == names[number % len(names)] and set(made.replaced) <= ids
        except (KeyError, TypeError, IndexError) as fault:
            raise ResumeError(f"{path}: is no pass ({fault!r}); remove it and those after it") from fault
        if not fits:
            raise ResumeError(f"{path}: is a pass of another run; choose another --output")
        yield made


def _digest(documents: Sequence[Document]) -> str:
    digest = sha256()
    for each in documents:
        digest.update(json.dumps([each.id, each.label, each.text, each.evidence]).encode())
    return digest.hexdigest()


def _text_field(document: Document, fields: Fields) -> str:
    name = fields.of("text", document.row) or "text"
    if ORIGINAL in document.row:
        raise InputError(f"{document.where}: has a field {ORIGINAL!r}, which the old text is kept in; rename it")
    return name


def _rows(rewriting: Rewriting, names: Sequence[str], fields: Fields, left_out: Sequence[LeftOut]) -> Iterator[bytes]:
    waiting = iter(sorted((each for each in left_out if each.row is not None), key=lambda each: each.behind))
    other = next(waiting, None)
    for n, (each, text, name) in enumerate(zip(rewriting.documents, rewriting.texts, names, strict=True)):
        while other is not None and other.behind <= n:
            yield _line(other.row or {})
            other = next(waiting, None)
        row = dict(each.row) or {"id": each.id, "label": each.label}
        called = fields.of("id", row)
        if called is None:
            row = {"id": each.id, **row}
        elif not row[called]:
            row[called] = each.id
        row.update({name: text, ORIGINAL: each.text})
        yield _line(row)
    while other is not None:
        yield _line(other.row or {})
        other = next(waiting, None)


def _line(row: Mapping[str, Any]) -> bytes:
    """Half a surrogate pair, which a row that is no document may hold, stays escaped."""
    try:
        return json.dumps(row, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(row).encode() + b"\n"


def _ledger(
    passes: Sequence[Pass], left: Sequence[str], left_out: Sequence[LeftOut], prices: Prices | None
) -> Iterator[Mapping[str, Any]]:
    for each in left_out:
        yield {"outcome": "malformed", "detail": str(each.fault)}
    for name in left:
        yield {"outcome": "left", "id": name, "reason": "empty"}
    for made in passes:
        for row in made.rows:
            cost = {} if prices is None else {"cost": prices.of(Tokens(*row["tokens"]))}
            yield {"pass": made.number + 1, **row, **cost}


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
