"""From outcomes to bytes, in the worker, so that the parent only has to join them.

`pairs.tsv` holds the augmented pairs of every input. An M2 input also gets `augmented.m2`; CSV, JSONL and Parquet
inputs get `augmented.jsonl`, with all other fields. Plain text comes back whole in `rewritten.txt`, changed or not, and
has no pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gec_fair.config.corpora import Format
from gec_fair.corpus import ledger
from gec_fair.corpus.formats.readers import Block
from gec_fair.corpus.outcome import Augmented, Malformed, Outcome, Unchanged, name_of
from gec_fair.corpus.records import Pair
from gec_fair.edits import m2, split_spaces
from gec_fair.errors import UsageError
from gec_fair.runs.json_files import json_line

PAIRS = "pairs.tsv"
M2 = "augmented.m2"
JSONL = "augmented.jsonl"
TEXT = "rewritten.txt"
KNOWN = (PAIRS, M2, JSONL, TEXT, ledger.NAME)
"""Every file that a run may write, besides its manifest."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of a block: bytes for each output, and counts.

    `counts` has the keys `unchanged`, `augmented`, `left/REASON`, `discarded/REASON` and `malformed/REASON`; `noticed`
    counts what was tolerated (`crlf`, `bom`; in a target file `target crlf`, `target bom`), and the `bytes` of
    plain text in the lines `measured`. `fault` is the first malformed line, for strict runs.
    """

    source: int
    lines: int
    outputs: dict[str, bytes]
    counts: Counter[str]
    noticed: Counter[str] = field(default_factory=Counter)
    fault: tuple[int, Malformed] | None = None


def output_names(formats: Iterable[Format]) -> tuple[str, ...]:
    """The files that a run over inputs of these formats writes."""
    kinds = set(formats)
    if kinds == {"text"}:
        return (TEXT, ledger.NAME)
    if "text" in kinds:
        raise UsageError("plain text and pairs do not go through one run; give them apart")
    extra = [M2] * ("m2" in kinds) + [JSONL] * bool(kinds & {"csv", "jsonl", "parquet"})
    return (PAIRS, *extra, ledger.NAME)


def render(block: Block, records: Sequence[Pair | Malformed], outcomes: Sequence[Outcome]) -> Rendered:
    """`outcomes` are those of the pairs among the records, in order."""
    if block.layout.format == "text":
        return _render_text(block, records, outcomes)
    pending = iter(outcomes)
    counts: Counter[str] = Counter()
    pairs: list[bytes] = []
    extra: list[bytes] = []
    entries: list[bytes] = []
    fault: tuple[int, Malformed] | None = None
    unchanged = 0
    extra_name, render_extra = _EXTRA.get(block.layout.format, ("", lambda *_: b""))
    for line, record in enumerate(records, block.first):
        outcome = next(pending) if isinstance(record, Pair) else record
        if isinstance(outcome, Unchanged):
            unchanged += 1
            continue
        counts[_key(outcome)] += 1
        entries.append(ledger.entry(block.file, line, outcome))
        if isinstance(outcome, Augmented) and isinstance(record, Pair):
            pairs.append(_tsv(outcome.pair))
            extra.append(render_extra(record, outcome.pair, block))
        elif isinstance(outcome, Malformed) and fault is None:
            fault = (line, outcome)
    counts["unchanged"] += unchanged
    outputs = {PAIRS: b"".join(pairs), ledger.NAME: b"".join(entries)}
    if extra_name:
        outputs[extra_name] = b"".join(extra)
    return Rendered(block.source, len(records), outputs, counts, _count_notices(block), fault)


def _render_text(block: Block, records: Sequence[Pair | Malformed], outcomes: Sequence[Outcome]) -> Rendered:
    """Every row, new or as it was, one after the other: the same number of texts, nothing lost."""
    pending = iter(outcomes)
    counts: Counter[str] = Counter()
    texts: list[bytes] = []
    entries: list[bytes] = []
    fault: tuple[int, Malformed] | None = None
    for line, (row, record) in enumerate(zip(block.rows, records, strict=True), block.first):
        outcome = next(pending) if isinstance(record, Pair) else record
        counts[_key(outcome)] += 1
        if isinstance(outcome, Augmented):
            texts.append(outcome.pair.source.encode())
        elif isinstance(row, bytes):
            texts.append(row)
        if not isinstance(outcome, Unchanged):
            entries.append(ledger.entry(block.file, line, outcome))
        if isinstance(outcome, Malformed) and fault is None:
            fault = (line, outcome)
    outputs = {TEXT: b"".join(texts), ledger.NAME: b"".join(entries)}
    size = sum(len(row) for row in block.rows if isinstance(row, bytes))
    noticed = _count_notices(block) + Counter(bytes=size, measured=len(records))
    return Rendered(block.source, len(records), outputs, counts, noticed, fault)


def _key(outcome: Outcome) -> str:
    reason = getattr(outcome, "reason", None) or getattr(outcome, "kind", None)
    return f"{name_of(outcome)}/{reason}" if reason else name_of(outcome)


def _tsv(pair: Pair) -> bytes:
    row = f"{pair.source}\t{pair.target}\n"
    if row.count("\t") != 1 or row.count("\n") != 1:
        raise ValueError(f"the step put a tab or a line break into the pair of {pair.id}")
    return row.encode()


def _m2(before: Pair, after: Pair, block: Block) -> bytes:
    return m2.render(split_spaces(after.source), after.corrections).encode()


def _jsonl(before: Pair, after: Pair, block: Block) -> bytes:
    source, target = block.layout.fields
    row = {source: after.source, target: after.target, **before.fields}
    return json_line(row, is_ascii=True).encode()


_EXTRA = {"m2": (M2, _m2), **dict.fromkeys(("csv", "jsonl", "parquet"), (JSONL, _jsonl))}


def _count_notices(block: Block) -> Counter[str]:
    sides: dict[str, Iterable[object]] = {"crlf": block.rows}
    if block.layout.format == "parallel":
        sides = dict(zip(("crlf", "target crlf"), zip(*block.rows, strict=True), strict=True))
    lines = {name: [row for row in rows if isinstance(row, bytes)] for name, rows in sides.items()}
    return Counter(block.notes) + Counter({name: b"".join(rows).count(b"\r\n") for name, rows in lines.items()})
