"""Whether models answer to debiasing alike (Table 6): the canonical correlation of their shifts over the methods, with
the p of a permutation test, for eight methods of two figures correlate by chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from gec_fair.babylm.debiasing.experiment import FIGURES, SHIFTS
from gec_fair.babylm.debiasing.methods import METHODS, PAPER_METHODS, TITLES
from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.agreement import Canonical, canonical
from gec_fair.report.papers import read_rows
from gec_fair.report.table import Record, Table
from gec_fair.runs.json_files import parse_json


@dataclass(frozen=True, slots=True)
class Shifted:
    """A model's shifts by method: (performance, bias) in points, means over seeds."""

    model: str
    shifts: Mapping[str, tuple[float, float]]
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the suites that it was judged by."""
    changes: Sequence[Record] = ()
    """Every figure of the suites, before and after each method."""


def read(folder: Path) -> Shifted:
    """InputError for a folder without shifts of ours."""
    path = folder / SHIFTS
    try:
        report = parse_json(path.read_text(encoding="utf-8"))
        shifts = {shift["method"]: (fmean(shift[FIGURES[0]]), fmean(shift[FIGURES[1]])) for shift in report["shifts"]}
        return Shifted(str(report["model"]), shifts, report["options"], report.get("changes", ()))
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise InputError(
            f"{path}: holds no shifts ({fault}); make it with gec-fair babylm debias -o {folder}"
        ) from fault


def pairs(models: Sequence[Shifted]) -> list[tuple[Shifted, Shifted, tuple[str, ...], Canonical]]:
    """Every two models, over those of the paper's methods that both have. UsageError for one model, InputError for too
    few methods."""
    if len(models) < 2:
        raise UsageError("one model agrees with itself; give the folders of two or more")
    for model in models[1:]:
        if model.options != models[0].options:
            raise UsageError(
                f"{model.model} was judged by other suites, or another sample of them, than "
                f"{models[0].model}; judge them alike"
            )
    shared = []
    for first, second in combinations(models, 2):
        common = tuple(name for name in PAPER_METHODS if name in first.shifts and name in second.shifts)
        sides = [np.array([model.shifts[name] for name in common]).reshape(-1, 2) for model in (first, second)]
        shared.append((first, second, common, canonical(*sides)))
    return shared


def tables(models: Sequence[Shifted], names: Sequence[str]) -> list[Table]:
    """Table 6 in form, theirs below; and all shifts. `names`: of the models, as the user gave them."""
    name_of = {id(model): name for model, name in zip(models, names, strict=True)}
    ours: list[Record] = [
        {
            "models": f"{name_of[id(first)]} ↔ {name_of[id(second)]}",
            "methods": len(common),
            "ρ₁": rho.rho,
            "p": rho.p,
            "by chance": rho.chance[0],
            "95th percentile": rho.chance[1],
        }
        for first, second, common, rho in pairs(models)
    ]
    theirs: list[Record] = [
        {"models": f"{' ↔ '.join(row['pair'])}, BabyLM bias dynamics", "methods": len(PAPER_METHODS), "ρ₁": row["rho1"]}
        for row in read_rows("babylm", "table_6")
    ]
    note = (
        "p: the share of orders of one model's methods in which ρ₁ is as high; by chance: its mean over these. "
        "With eight methods and two figures ρ₁ is 0.68 on average where nothing agrees, so the p decides; the "
        "paper prints none."
    )
    agreement = Table("agreement", "First canonical correlation of the shifts", (*ours, *theirs), note)
    rows: list[Record] = [
        {
            "method": TITLES[name],
            **{
                f"{name_of[id(model)]}, {figure}": model.shifts[name][at]
                for model in models
                if name in model.shifts
                for at, figure in enumerate(FIGURES)
            },
        }
        for name in METHODS
        if any(name in model.shifts for model in models)
    ]
    return [agreement, shifts_table(rows)]


def shifts_table(rows: Iterable[Record]) -> Table:
    """The table of the methods' shifts."""
    note = "Points of composite performance and composite bias, means over seeds."
    return Table("shifts", "What each method changes", tuple(rows), note)


def points(models: Sequence[Shifted], names: Sequence[str]) -> list[dict[str, Any]]:
    """For `lmbias.charts.changes`: of each model and method."""
    return [
        {
            "group": TITLES[method] if len(models) == 1 else f"{name}: {TITLES[method]}",
            "seed": None,
            "performance": shift[0],
            "bias": shift[1],
        }
        for model, name in zip(models, names, strict=True)
        for method, shift in model.shifts.items()
    ]
