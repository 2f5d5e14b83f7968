"""How far two reviewers agree: Cohen's kappa on what they decided of the same items (statsmodels)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.decisions import Decision
from gec_fair.extras import require
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.stats.estimate import Estimate, Kind

_COLUMNS = (
    Column("first", "{}, {second}", "reviewers"),
    right("items"),
    right("same_verdict", "{:.1f} %", "same verdict"),
    right("kappa", "{:.2f} [{low:.2f}, {high:.2f}]", unknown="–"),
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
    share: float
    kappa: Estimate
    table: tuple[tuple[int, ...], ...]
    accepted: int
    same_texts: int


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
        same / len(pairs) if pairs else 0.0,
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
    return Estimate(float(measured.kappa), low, high, items, Kind.NORMAL)


def parts(agreements: Sequence[Agreement], verdicts: Sequence[str]) -> list[Part]:
    """A table with a row for each two reviewers, and their verdicts crossed."""
    records = records_of(agreements, verdicts)
    lines: list[Part] = [Table("agreement", "Agreement of reviewers", records, columns=_COLUMNS)]
    for pair in agreements:
        lines += ["", f"{pair.first} ↓ {pair.second} →  " + "  ".join(verdicts)]
        lines += [
            f"{name:8} " + "  ".join(f"{n:{len(v)}}" for n, v in zip(row, verdicts, strict=True))
            for name, row in zip(verdicts, pair.table, strict=True)
        ]
    return lines


def records_of(agreements: Sequence[Agreement], verdicts: Sequence[str]) -> list[Record]:
    """A row for each two reviewers; `verdicts`: how often the first said one thing and the second another."""
    return [
        {
            "first": pair.first,
            "second": pair.second,
            "items": pair.items,
            "same_verdict": 100 * pair.share,
            "kappa": pair.kappa.value,
            "low": pair.kappa.low,
            "high": pair.kappa.high,
            "accepted": pair.accepted,
            "same_texts": pair.same_texts,
            "verdicts": {
                name: dict(zip(verdicts, row, strict=True)) for name, row in zip(verdicts, pair.table, strict=True)
            },
        }
        for pair in agreements
    ]
