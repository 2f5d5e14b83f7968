"""Many language models by the same suites: whether bias rises with performance (BabyLM bias dynamics, Table 1,
figures 2, 8 and 9).

    OUT/models/NAME-….json   what was found of each; a model that cannot be read is reported, and the others go on
    OUT/report.html  tables/  figures/
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.data.text_files import read_lines
from gec_fair.errors import DiskFull, GecFairError, InputError, ResumeError
from gec_fair.lmbias import charts
from gec_fair.lmbias.agreement import pearson
from gec_fair.lmbias.composite import BIAS, PERFORMANCE, Composite, composite
from gec_fair.lmbias.evaluations import Evaluations
from gec_fair.lmbias.options import Suites
from gec_fair.report import page
from gec_fair.report.papers import read_printed, read_rows
from gec_fair.report.table import Record, Table
from gec_fair.runs.atomic import write_text
from gec_fair.runs.digests import model_digests
from gec_fair.runs.grid import Say
from gec_fair.runs.isolated import run_isolated
from gec_fair.stats.estimate import Estimate
from gec_fair.version import __version__

PAPER = "BabyLM bias dynamics"
MODELS, FAULTS = "models", "faults.json"
_GROUPS = {"BabyLM": "table_7", "standard": "table_8"}
_THEIRS = {"BabyLM": "BabyLM", "standard": "Standard"}
_BOTH = ("performance", "bias")


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A model by a short name, of a group within which it is compared."""

    name: str
    model: str
    group: str

    @property
    def file(self) -> str:
        """The name, as a file is called."""
        return _as_file(self.name)


def _as_file(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "-", name)


@dataclass(frozen=True, slots=True)
class Row:
    """`fault`: why a model has no figures."""

    surveyed: Surveyed
    scores: Composite | None
    fault: str = ""

    def value(self, name: str) -> float | None:
        """A composite (`performance`, `bias`) or a part by name; None where the model has none."""
        if self.scores is None:
            return None
        return getattr(self.scores, name) if name in _BOTH else self.scores.parts.get(name)


def papers() -> list[Surveyed]:
    """The twenty-five models of the paper (Tables 7 and 8)."""
    return [
        Surveyed(name, model, group)
        for group, table in _GROUPS.items()
        for name, model in read_printed("babylm")[table]["models"].items()
    ]


def read(path: Path) -> list[Surveyed]:
    """A table of your own: `name<TAB>model<TAB>group` a line. InputError with the line for another."""
    surveyed: list[Surveyed] = []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 3 or not all(cells):
            raise InputError(
                f"{path}:{number}: expected name, model and group, apart by tabs, found {len(cells)} columns"
            )
        model = Surveyed(*cells)
        if any(model.file == before.file for before in surveyed):
            raise InputError(
                f"{path}:{number}: {model.name} is named twice, or its file would be; each model wants its own name"
            )
        surveyed.append(model)
    if not surveyed:
        raise InputError(f"{path}: names no model; write name, model and group, apart by tabs")
    return surveyed


def run(models: Sequence[Surveyed], options: Suites, out: Path, *, say: Say = print) -> list[Row]:
    """Every model that is not judged yet, each in its own process. Raises for the suites' data that are not here,
    before any model is loaded."""
    evaluations = Evaluations.prepare(options)
    faults: dict[str, str] = {}
    for model in models:
        if evaluations.read(out / MODELS, model.file) is not None:
            continue
        say(f"{model.name} …")
        more = {"surveyed": model.model, "files": model_digests(model.model)}
        try:
            run_isolated(partial(evaluations.judge, model.model, out / MODELS, model.file, **more))
        except DiskFull:
            raise
        except GecFairError as fault:
            faults[model.name] = str(fault).splitlines()[-1]
            say(f"{model.name}: {faults[model.name]}")
    write_text(out / FAULTS, json.dumps(faults, ensure_ascii=False, indent=1) + "\n")
    return [_row(model, out / MODELS, evaluations, faults) for model in models]


def _row(model: Surveyed, folder: Path, evaluations: Evaluations, faults: Mapping[str, str]) -> Row:
    record = evaluations.read(folder, model.file)
    if record is None:
        return Row(model, None, faults.get(model.name, "not judged"))
    if (record.get("surveyed"), record.get("files")) != (model.model, model_digests(model.model)):
        raise ResumeError(
            f"{evaluations.path(folder, model.file)}: is of {record.get('surveyed')}, and not of "
            f"{model.model} as it is now; give each model its own name, or another --output"
        )
    return Row(model, composite(record["figures"]))


def correlation(rows: Sequence[Row], first: str, second: str) -> Estimate:
    """The correlation of two figures over the models that have both."""
    both = [(a, b) for row in rows if (a := row.value(first)) is not None and (b := row.value(second)) is not None]
    return pearson(*(np.array(side, dtype=np.float64) for side in (zip(*both, strict=True) if both else ((), ()))))


def every(rows: Sequence[Row]) -> list[Table]:
    """Table 1 in form, theirs beside ours; and all figures of all models."""
    theirs = {row["model_class"]: row for row in read_rows("babylm", "table_1")}
    correlations: list[Record] = []
    for group, members in _by_group(rows).items():
        estimate, paper = correlation(members, *_BOTH), theirs.get(_THEIRS.get(group, ""), {})
        correlations.append(
            {
                "models": group,
                "n": estimate.n,
                "r": _round(estimate.value),
                "95 % interval": estimate.brackets(signed=True) or None,
                "p": estimate.p,
                f"r, {PAPER}": paper.get("r"),
                f"n, {PAPER}": paper.get("n"),
            }
        )
    names = [name for name in (*PERFORMANCE, *BIAS) if any(row.value(name) is not None for row in rows)]
    models: list[Record] = [
        {
            "models": row.surveyed.group,
            "name": row.surveyed.name,
            "model": row.surveyed.model,
            **{name: _round(row.value(name)) for name in (*_BOTH, *names)},
            "fault": row.fault or None,
        }
        for row in rows
    ]
    parts = Composite(dict.fromkeys(names, 0.0))
    performance, bias = (parts.list_parts(axis) or "nothing" for axis in (PERFORMANCE, BIAS))
    note = f"Composite performance is the mean of {performance}, composite bias of {bias}; percent."
    about_r = f"Over the models of a group; the interval is Fisher's. {note}"
    return [
        Table("correlation", "Performance and bias: Pearson's r", correlations, about_r, digits=3),
        Table("models", "Models", models, note),
    ]


def _by_group(rows: Sequence[Row]) -> dict[str, list[Row]]:
    groups = dict.fromkeys(row.surveyed.group for row in rows)
    return {group: [row for row in rows if row.surveyed.group == group] for group in groups}


def write(rows: Sequence[Row], out: Path) -> tuple[list[Path], list[Table]]:
    """report.html, tables/ and figures/; what was written, and the tables. MissingResource without the charting
    libraries."""
    all_tables = every(rows)
    drawn = {name: chart.to_dict() for name, chart in _charts(rows).items()}
    captions = {
        name: f"Correlations, {name.removeprefix('correlations-')}: Pearson's r (figures 8 and 9 in form)."
        for name in drawn
    } | {"models": "Models by performance and bias: a line of least squares for each group (figure 2 in form)."}
    foot = [*(f"{row.surveyed.name}: {row.surveyed.model}" for row in rows), f"gec_fair {__version__}"]
    title = "Performance and bias of language models"
    return page.write_page(out, title, all_tables, drawn, captions, finding=_finding(rows), foot=foot), all_tables


def _finding(rows: Sequence[Row]) -> str:
    """Whether bias rises with performance, over the group with most models."""
    figures = {group: correlation(members, *_BOTH) for group, members in _by_group(rows).items()}
    group, estimate = max(figures.items(), key=lambda item: item[1].n, default=("", None))
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    relation = "rises with" if estimate.value > 0 else "falls with"
    if estimate.low * estimate.high <= 0:
        relation = "has no clear relation to"
    interval = estimate.brackets(signed=True)
    return f"Bias {relation} performance over {estimate.n} {group} models: r = {estimate.value:+.2f} {interval}"


def _charts(rows: Sequence[Row]) -> dict[str, Any]:
    points = [
        {"model": row.surveyed.name, "group": row.surveyed.group, **values}
        for row in rows
        if None not in (values := {name: row.value(name) for name in _BOTH}).values()
    ]
    figures: dict[str, Any] = {"models": charts.models(points)} if points else {}
    for group, members in _by_group(rows).items():
        names = [name for name in (*PERFORMANCE, *BIAS, *_BOTH) if correlation(members, name, name).value is not None]
        judged = sum(row.scores is not None for row in members)
        cells = [{"one": a, "other": b, "r": correlation(members, a, b).value} for a, b in product(names, names)]
        if cells:
            figures[f"correlations-{_as_file(group)}"] = charts.correlations(cells, names, f"{group}, n = {judged}")
    return figures


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
