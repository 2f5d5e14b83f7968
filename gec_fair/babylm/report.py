"""Tables, figures and the page of an experiment, from what lies in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gec_fair import __version__
from gec_fair.babylm import agree, summary
from gec_fair.babylm.experiment import CORPORA, Look, make_corpora
from gec_fair.babylm.methods import PAPER
from gec_fair.babylm.options import BabyExperiment
from gec_fair.corpus.atomic import write_text
from gec_fair.evaluate.report import page, tables
from gec_fair.evaluate.report.drawn import FORMS, draw
from gec_fair.evaluate.report.tables import Record, Table

PAGE, TABLES, FIGURES = page.PAGE, "tables", "figures"
_FIRST = ("models", "changes")
"""Tables that are printed."""


def write(experiment: BabyExperiment, looks: Sequence[Look], out: Path) -> tuple[list[Path], list[Table]]:
    """report.html, tables/ (Markdown, CSV, JSON, LaTeX) and figures/ (SVG, PNG); what was written, and the tables to
    print. MissingResource without the charting libraries."""
    page.check()
    made = make_corpora(experiment, out, workers=1)
    every = summary.tables(looks, made)
    charts = summary.charts(looks)
    written = tables.write(every, out / TABLES, write_text)
    for name, chart in charts.items():
        for form in FORMS:
            written.append(out / FIGURES / f"{name}{form}")
            draw(written[-1], chart)
    seeds = len(experiment.every_seed)
    lead = [f"{len(made)} corpora, {seeds} seed{'s' * (seeds > 1)} each: "
            f"{experiment.pretrain.training.steps:,} updates of "
            f"{experiment.pretrain.training.batch * experiment.pretrain.training.accumulation} blocks of "
            f"{experiment.pretrain.block} sub-words, compared at equal updates."]  # fmt: skip
    foot = [*(f"{CORPORA}/{name}: {one.signature}" for name, one in made.items()), f"gec_fair {__version__}"]
    html = page.plain("Bias and performance over pretraining", every, charts, summary.CAPTIONS, lead=lead, foot=foot)
    write_text(out / PAGE, html)
    return [out / PAGE, *written], [table for table in every if table.name in _FIRST]


def shift_tables(folders: Sequence[Path]) -> list[Table]:
    """Of one model what its methods change; of several how far they agree too. Raises as `agree.read` does."""
    models = [agree.read(folder) for folder in folders]
    names = _names(folders, models)
    if len(models) > 1:
        return agree.tables(models, names)
    rows: list[Record] = [{"method": PAPER[name], "performance": round(performance, 2), "bias": round(bias, 2)}
                          for name, (performance, bias) in models[0].shifts.items()]  # fmt: skip
    return [Table("shifts", "What each method changes", tuple(rows), "Points of composite performance and composite "
                  "bias, means over seeds.")]  # fmt: skip


def write_shifts(folders: Sequence[Path], out: Path) -> tuple[list[Path], list[Table]]:
    """The same in `out`, with a figure (3 and 4 in form) and a page. Raises as `write` and `agree.read` do."""
    from gec_fair.lmbias import charts as drawn

    page.check()
    models = [agree.read(folder) for folder in folders]
    names = _names(folders, models)
    every = shift_tables(folders)
    rows = agree.points(models, names)
    charts = {"changes": drawn.changes(rows).to_dict()} if rows else {}
    written = tables.write(every, out / TABLES, write_text)
    for name, chart in charts.items():
        for form in FORMS:
            written.append(out / FIGURES / f"{name}{form}")
            draw(written[-1], chart)
    captions = {
        "changes": "Changes by debiasing: of composite performance and composite bias (figures 3 and 4 in form)."
    }
    foot = [*(f"{name}: {model.model}" for name, model in zip(names, models, strict=True)), f"gec_fair {__version__}"]
    write_text(out / PAGE, page.plain("What debiasing changes", every, charts, captions, foot=foot))
    return [out / PAGE, *written], every


def _names(folders: Sequence[Path], models: Sequence[agree.Shifted]) -> list[str]:
    """Of the folders, where they differ; else the models'."""
    found = [folder.resolve().name for folder in folders]
    return found if len(set(found)) == len(found) else [model.model for model in models]
