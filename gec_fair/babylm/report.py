"""Tables, figures and the page of an experiment, from what lies in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gec_fair import __version__
from gec_fair.babylm import summary
from gec_fair.babylm.experiment import CORPORA, Look, make_corpora
from gec_fair.babylm.options import BabyExperiment
from gec_fair.corpus.atomic import write_text
from gec_fair.evaluate.report import page, tables
from gec_fair.evaluate.report.drawn import FORMS, draw
from gec_fair.evaluate.report.tables import Table

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
