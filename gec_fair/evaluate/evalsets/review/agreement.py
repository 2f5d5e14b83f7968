"""How far two reviewers agree: Cohen's kappa on what they decided of the same items (statsmodels)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.decisions import VERDICTS, Decision
from gec_fair.extras import require
from gec_fair.stats.estimate import Estimate, Kind


@dataclass(frozen=True, slots=True)
class Agreement:
    """Over the `items` that both judged: `table[a][b]` counts verdicts of the first by those of the second; `kappa` has
    no value where one verdict is all there is; `same_texts`: both accepted with the same words."""

    first: str
    second: str
    items: int
    share: float
    kappa: Estimate
    table: tuple[tuple[int, ...], ...]
    accepted: int
    same_texts: int


def agreements(decisions: Mapping[str, Mapping[str, Decision]]) -> list[Agreement]:
    """Of every two reviewers. InputError where there is one only."""
    refuse_one_reviewer(decisions)
    return [_agreement(a, b, decisions[a], decisions[b]) for a, b in combinations(decisions, 2)]


def refuse_one_reviewer(decisions: Mapping[str, object]) -> None:
    """InputError where not two have reviewed."""
    if len(decisions) < 2:
        who = ", ".join(decisions) or "nobody"
        raise InputError(f"agreement needs two reviewers; so far {who}; a second one starts with --reviewer NAME")


def _agreement(first: str, second: str, ones: Mapping[str, Decision], twos: Mapping[str, Decision]) -> Agreement:
    pairs = [(ones[key], twos[key]) for key in ones if key in twos]
    table = tuple(tuple(sum(a.verdict == x and b.verdict == y for a, b in pairs) for y in VERDICTS) for x in VERDICTS)
    same = sum(a.verdict == b.verdict for a, b in pairs)
    accepted = [(a, b) for a, b in pairs if a.verdict == b.verdict == VERDICTS[0]]
    return Agreement(
        first,
        second,
        len(pairs),
        same / len(pairs) if pairs else 0.0,
        cohens_kappa(table, len(pairs)),
        table,
        len(accepted),
        sum(a.texts == b.texts for a, b in accepted),
    )


def cohens_kappa(table: tuple[tuple[int, ...], ...], items: int) -> Estimate:
    """Of a table that counts verdicts of the first reviewer by those of the second. No value where one verdict is all
    there is."""
    used = [n for n in range(len(table)) if sum(table[n]) or sum(row[n] for row in table)]
    if len(used) < 2:
        return Estimate(None, None, None, items, Kind.NORMAL)  # chance alone would agree always
    require("Cohen's kappa", "review", "statsmodels")
    from statsmodels.stats.inter_rater import cohens_kappa as measure

    with np.errstate(invalid="ignore"):  # of few items the variance may be below zero
        measured = measure([[table[a][b] for b in used] for a in used])
    low, high = (float(end) if np.isfinite(end) else None for end in (measured.kappa_low, measured.kappa_upp))
    return Estimate(float(measured.kappa), low, high, items, Kind.NORMAL)
