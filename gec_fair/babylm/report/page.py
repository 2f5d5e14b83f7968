"""Tables, figures and the page of an experiment, from what lies in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gec_fair.babylm.corpora import build
from gec_fair.babylm.debiasing import agreement
from gec_fair.babylm.debiasing.methods import TITLES
from gec_fair.babylm.experiment import Snapshot
from gec_fair.babylm.options import BabyExperiment
from gec_fair.babylm.report import summary
from gec_fair.report import page
from gec_fair.report.table import Record, Table
from gec_fair.stats.seeds import list_seeds
from gec_fair.version import __version__

_FIRST = ("models", "changes")
"""Tables that are printed."""


def write(experiment: BabyExperiment, snapshots: Sequence[Snapshot], out: Path) -> tuple[list[Path], list[Table]]:
    """report.html, tables/ (Markdown, CSV, JSON, LaTeX) and figures/ (SVG, PNG); what was written, and the tables to
    print. MissingResource without the charting libraries."""
    corpora = build.make_all(experiment.original, experiment.interventions(), out / build.CORPORA)
    every = summary.tables(snapshots, corpora)
    seeds, training = len(list_seeds(experiment.seeds)), experiment.pretrain.training
    lead = [
        f"{len(corpora)} corpora, {seeds} seed{'s' * (seeds > 1)} each: {training.steps:,} updates of "
        f"{training.batch * training.accumulation} blocks of {experiment.pretrain.block} sub-words, compared at "
        "equal updates."
    ]
    foot = [*(f"{build.CORPORA}/{name}: {item.signature}" for name, item in corpora.items()), f"gec_fair {__version__}"]
    written = page.write_page(
        out,
        "Bias and performance over pretraining",
        every,
        summary.charts(snapshots),
        summary.CAPTIONS,
        finding=_finding(every, "changes", "corpus"),
        lead=lead,
        foot=foot,
    )
    return written, [table for table in every if table.name in _FIRST]


def shift_tables(folders: Sequence[Path]) -> list[Table]:
    """Make the tables of what each model's methods change; for several models also how far they agree. Raises as
    `agree.read` does."""
    return _tables(*_read(folders))


def _tables(models: Sequence[agreement.Shifted], names: Sequence[str]) -> list[Table]:
    if len(models) > 1:
        return agreement.tables(models, names)
    rows: list[Record] = [
        {"method": TITLES[name], "performance": performance, "bias": bias}
        for name, (performance, bias) in models[0].shifts.items()
    ]
    changes = [{**row, "method": TITLES[row["method"]]} for row in models[0].changes]
    figures = Table("figures", "Every figure before and after", changes, "After: means over seeds.")
    return [agreement.shifts_table(rows), figures] if rows else [figures]


def write_shifts(folders: Sequence[Path], out: Path) -> tuple[list[Path], list[Table]]:
    """The same in `out`, with a figure (3 and 4 in form) and a page. Raises as `write` and `agree.read` do."""
    from gec_fair.lmbias import charts as drawn

    models, names = _read(folders)
    every, rows = _tables(models, names), agreement.points(models, names)
    charts = {"changes": drawn.changes(rows).to_dict()} if rows else {}
    captions = {"changes": "Changes by debiasing: of composite performance and bias (figures 3 and 4 in form)."}
    foot = [*(f"{name}: {model.model}" for name, model in zip(names, models, strict=True)), f"gec_fair {__version__}"]
    finding = _finding(every, "shifts", "method")
    return page.write_page(out, "What debiasing changes", every, charts, captions, finding=finding, foot=foot), every


def _finding(tables: Sequence[Table], name: str, who: str) -> str:
    """The row of the table with the largest fall of bias, in words; "" where there is no such table."""
    records = [record for table in tables if table.name == name for record in table.records]
    keys = ("bias", "performance") if name == "shifts" else ("composite bias", "composite performance")
    known = (record for record in records if record.get(keys[0]) is not None)
    if (record := min(known, key=lambda record: record[keys[0]], default=None)) is None:
        return ""
    bias, performance = ("" if record.get(key) is None else f"{record[key]:+.2f}".replace("-", "−") for key in keys)
    cost = f", and composite performance by {performance}" if performance else ""
    return f"{record[who]} changes composite bias by {bias} points{cost}"


def _read(folders: Sequence[Path]) -> tuple[list[agreement.Shifted], list[str]]:
    """The models, and what they are called: the folders' names where they differ; else the models' names."""
    models, names = [agreement.read(folder) for folder in folders], [folder.resolve().name for folder in folders]
    return models, names if len(set(names)) == len(names) else [model.model for model in models]
