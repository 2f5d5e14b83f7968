"""How far two reviewers agree: Cohen's kappa on what they decided of the same items (statsmodels)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.decisions import Decision, read_decisions
from gec_fair.evaluate.evalsets.review.items import read_items
from gec_fair.extras import require
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.stats.estimate import Estimate, Kind

_COLUMNS = (
    Column("first", "{}, {second}", "reviewers"),
    right("items"),
    right("same_verdict", "{:.1f} %", "same verdict", unknown="–"),
    right("kappa", ("{:.2f} [{low:.2f}, {high:.2f}]", "{:.2f}"), unknown="–"),
    right("accepted", header="accepted by both"),
    right("same_texts", header="with the same words"),
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Over the `items` that both judged: `table[a][b]` counts verdicts of the first by those of the second; `kappa` has
    no value where one verdict is all there is; `accepted`: both gave the first verdict; `same_texts`: with the same
    words and the same answer."""

    first: str
    second: str
    items: int
    share: float | None
    kappa: Estimate
    table: tuple[tuple[int, ...], ...]
    accepted: int
    same_texts: int


@dataclass(frozen=True, slots=True, repr=False)
class Agreements(Result):
    """How far every two reviewers agree. `verdicts` are those of the task."""

    pairs: Sequence[Agreement]
    verdicts: Sequence[str]

    def to_dict(self) -> list[Record]:
        """A row for each two reviewers; `verdicts`: how often the first said one thing and the second another."""
        return [
            {
                "first": pair.first,
                "second": pair.second,
                "items": pair.items,
                "same_verdict": None if pair.share is None else 100 * pair.share,
                "kappa": pair.kappa.value,
                "low": pair.kappa.low,
                "high": pair.kappa.high,
                "accepted": pair.accepted,
                "same_texts": pair.same_texts,
                "verdicts": {name: dict(zip(self.verdicts, row, strict=True)) for name, row in self._rows(pair)},
            }
            for pair in self.pairs
        ]

    def tables(self) -> Sequence[Table]:
        """A row for each two reviewers."""
        return [Table("agreement", "Agreement of reviewers", self.to_dict(), columns=_COLUMNS)]

    def parts(self) -> Sequence[Part]:
        """The table, and the verdicts of every two reviewers crossed."""
        lines: list[Part] = [*self.tables()]
        for pair in self.pairs:
            lines += ["", f"{pair.first} ↓ {pair.second} →  " + "  ".join(self.verdicts)]
            for name, row in self._rows(pair):
                counts = (f"{n:{len(verdict)}}" for n, verdict in zip(row, self.verdicts, strict=True))
                lines.append(f"{name:8} " + "  ".join(counts))
        return lines

    def _rows(self, pair: Agreement) -> Iterator[tuple[str, Sequence[int]]]:
        return zip(self.verdicts, pair.table, strict=True)


def read_agreements(folder: Path) -> Agreements:
    """How far the reviewers of a folder agree so far. InputError if there is one reviewer only."""
    items = read_items(folder)
    keys, verdicts = {item.key for item in items}, items[0].task.verdicts if items else ()
    now = {who: {k: d for k, d in their.items() if k in keys} for who, their in read_decisions(folder).items()}
    return Agreements(agreements(now, verdicts), verdicts)


def agreements(decisions: Mapping[str, Mapping[str, Decision]], verdicts: Sequence[str]) -> list[Agreement]:
    """Measure every two reviewers over these verdicts. InputError if there is one reviewer only."""
    if len(decisions) < 2:
        who = ", ".join(decisions) or "nobody"
        raise InputError(f"agreement needs two reviewers; so far {who}; a second one starts with --reviewer NAME")
    return [_agreement(a, b, decisions[a], decisions[b], verdicts) for a, b in combinations(decisions, 2)]


def _agreement(
    first: str, second: str, ones: Mapping[str, Decision], twos: Mapping[str, Decision], verdicts: Sequence[str]
) -> Agreement:
    pairs = [(ones[key], twos[key]) for key in ones if key in twos]
    table = tuple(tuple(sum(a.verdict == x and b.verdict == y for a, b in pairs) for y in verdicts) for x in verdicts)
    same = sum(a.verdict == b.verdict for a, b in pairs)
    accepted = [(a, b) for a, b in pairs if a.verdict == b.verdict == verdicts[0]]
    return Agreement(
        first,
        second,
        len(pairs),
        same / len(pairs) if pairs else None,
        _cohens_kappa(table, len(pairs)),
        table,
        len(accepted),
        sum((a.texts, a.answer) == (b.texts, b.answer) for a, b in accepted),
    )


def _cohens_kappa(table: tuple[tuple[int, ...], ...], items: int) -> Estimate:
    """Cohen's kappa of a table that counts verdicts of the first reviewer by those of the second. No value where one
    verdict is all there is."""
    used = [n for n in range(len(table)) if sum(table[n]) or sum(row[n] for row in table)]
    if len(used) < 2:
        return Estimate(None, None, None, items, Kind.NORMAL)  # chance alone would agree always
    require("Cohen's kappa", "review", "statsmodels")
    from statsmodels.stats.inter_rater import cohens_kappa as measure

    with np.errstate(invalid="ignore"):  # of few items the variance may be below zero
        measured = measure([[table[a][b] for b in used] for a in used])
    low, high = (float(end) if np.isfinite(end) else None for end in (measured.kappa_low, measured.kappa_upp))
    low, high = (end if end is None else min(max(end, -1.0), 1.0) for end in (low, high))
    return Estimate(float(measured.kappa), low, high, items, Kind.NORMAL).without_vain_interval()
