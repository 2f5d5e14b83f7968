"""WEAT and SEAT (Caliskan et al. 2017; May et al. 2019): whether one group's texts lie nearer to one set of attributes.

    s(w) = mean over A of cos(w, a) − mean over B of cos(w, b)
    d    = (mean over X of s − mean over Y of s) / s.d. of s over X and Y (n − 1)
    p    = share of ways to divide X and Y into halves whose Σ over the first of s is at least that of X (one-sided)

All ways are counted where there are at most `SPLITS`, else so many drawn ones, the one that is there among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.model import Floats, Reader
from gec_fair.lmbias.suites.figures import Figure
from gec_fair.lmbias.suites.items import read_list, read_text, reading
from gec_fair.models.inference import Pool
from gec_fair.progress import Progress
from gec_fair.runs.json_files import parse_json
from gec_fair.stats.p_values import of_permutations

SPLITS = 100_000
ALPHA = 0.05  # the usual level
_EQUAL = 1e-9  # sums that differ by less are the same: which order they were added in must not decide
_AT_ONCE = 5_000  # drawn divisions at a time
_SETS = ("targ1", "targ2", "attr1", "attr2")
_WEAT = tuple(f"weat{number}" for number in (1, 2, 3, "3b", 4, 5, "5b", 6, "6b", 7, "7b", 8, "8b", 9, 10))
GROUPS: Mapping[str, tuple[str, ...]] = {
    "gender": ("sent-weat6", "sent-weat6b", "sent-weat7", "sent-weat7b", "sent-weat8", "sent-weat8b"),
    "race": (
        "sent-angry_black_woman_stereotype",
        "sent-angry_black_woman_stereotype_b",
        "sent-weat3",
        "sent-weat3b",
        "sent-weat4",
        "sent-weat5",
        "sent-weat5b",
    ),
    "religion": ("sent-religion1", "sent-religion1b", "sent-religion2", "sent-religion2b"),
    "WEAT/SEAT": (*_WEAT, *(f"sent-{name}" for name in _WEAT)),
}
"""The tests that are run: those whose mean |d| Meade et al. (2022) report, and the thirty whose share of significant
ones fits the figures of Qian et al. (2022, Table 3), who name none."""


@dataclass(frozen=True, slots=True)
class Test:
    """Targets X and Y, attributes A and B."""

    name: str
    x: tuple[str, ...]
    y: tuple[str, ...]
    a: tuple[str, ...]
    b: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """`d` and `p` of one test; `exact`: whether all divisions were counted."""

    name: str
    d: float
    p: float
    exact: bool


def read(path: Path) -> Test:
    """A test of May et al.'s JSON. InputError for a file that lacks a set, or whose X and Y differ in size."""
    with reading(path, "a WEAT or SEAT test", f"give {', '.join(_SETS)}, each with examples"):
        payload = parse_json(path.read_text(encoding="utf-8"))
        sets = [tuple(dict.fromkeys(_texts(payload[name], name))) for name in _SETS]
    if len(sets[0]) != len(sets[1]) or not all(sets):
        raise InputError(
            f"{path}: X has {len(sets[0])} texts and Y {len(sets[1])}; they want to be as many, and no set may be empty"
        )
    return Test(path.name.removesuffix(".jsonl"), *sets)


def _texts(payload: Any, name: str) -> list[str]:
    label = f"an example of {name}"
    return [read_text({label: text}, label) for text in read_list(payload, "examples")]


def effects(
    model: Reader,
    tests: Sequence[Test],
    *,
    pool: Pool = "mean",
    splits: int = SPLITS,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Effect]:
    """Every test; each distinct text is read once, when the first test asks for it."""
    vectors: dict[str, Floats] = {}
    effects = []
    for n, test in enumerate(tests):
        sets = (test.x, test.y, test.a, test.b)
        if new := [text for text in dict.fromkeys(chain.from_iterable(sets)) if text not in vectors]:
            vectors.update(zip(new, model.vectors(new, pool=pool), strict=True))
        stacked = (np.stack([vectors[text] for text in texts]) for texts in sets)
        effects.append(effect(test.name, *stacked, splits=splits, seed=seed))
        if progress is not None:
            progress(n + 1, len(tests))
    return effects


def effect(name: str, x: Floats, y: Floats, a: Floats, b: Floats, *, splits: int = SPLITS, seed: int = 0) -> Effect:
    """One test of unit vectors (texts, hidden). Where all of X and Y are as near, d is 0 and p is 1."""
    s = np.concatenate([x, y]) @ (a.mean(0) - b.mean(0))
    half = len(x)
    spread = float(s.std(ddof=1)) if len(s) > 1 else 0.0
    if spread < _EQUAL:
        return Effect(name, 0.0, 1.0, exact=True)
    d = float(s[:half].mean() - s[half:].mean()) / spread
    exact = comb(2 * half, half) <= splits
    p = _all(s, half) if exact else _draw(s, half, splits, seed, name)
    return Effect(name, d, p, exact)


def _all(s: Floats, half: int) -> float:
    sums = s[np.array(list(combinations(range(2 * half), half)))].sum(1)
    return of_permutations(float(s[:half].sum()), sums, tolerance=_EQUAL)


def _draw(s: Floats, half: int, splits: int, seed: int, name: str) -> float:
    chance = np.random.Generator(np.random.PCG64([seed, int.from_bytes(sha256(name.encode()).digest()[:8], "big")]))
    observed = s[:half].sum()
    sums = [np.array([observed])]
    for first in range(1, splits, _AT_ONCE):
        order = chance.random((min(_AT_ONCE, splits - first), 2 * half))
        chosen = np.argpartition(order, half, axis=1)[:, :half]
        sums.append(s[chosen].sum(1))
    return of_permutations(float(observed), np.concatenate(sums), tolerance=_EQUAL)


def figures(effects: Sequence[Effect], *, groups: Mapping[str, Sequence[str]] = GROUPS) -> list[Figure]:
    """The figures of each group: the share of tests with p < 0.05, in percent, and the mean of |d|; every test is in
    `more`."""
    by_name = {effect.name: effect for effect in effects}
    rows = []
    for group, names in groups.items():
        present = [by_name[name] for name in names if name in by_name]
        if not present:
            continue
        tests = {effect.name: {"d": effect.d, "p": effect.p, "exact": effect.exact} for effect in present}
        significant = 100 * sum(effect.p < ALPHA for effect in present) / len(present)
        size = sum(abs(effect.d) for effect in present) / len(present)
        rows.append(Figure("seat", group, "% significant", significant, len(present), fair=0.0, more={"tests": tests}))
        rows.append(Figure("seat", group, "mean abs(d)", size, len(present), fair=0.0))
    return rows
