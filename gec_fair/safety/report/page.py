"""The pages of an audit and of a training: tables, and figures in the paper's form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gec_fair.report import page
from gec_fair.report.table import Table
from gec_fair.safety.auditing import audit
from gec_fair.safety.remedy.options import SafetyTraining
from gec_fair.safety.report import charts, figures, tables
from gec_fair.safety.report import examples as report_examples
from gec_fair.safety.report.figures import Results
from gec_fair.safety.report.finding import describe_audit, describe_changes
from gec_fair.version import __version__

_VISIBLE = ("changes", "models")
"""Tables that are printed."""


def write_audit(result: audit.Audit, out: Path, texts: Sequence[Path] = ()) -> list[Path]:
    """report.html, tables/ and figures/. `texts`: tables of texts, which are shown behind a click. MissingResource
    without the charting libraries."""
    rows = [
        {"scorer": harm.harm, **row.slice.cells(), "truth": row.truth, "SA": row.average.value, "texts": row.average.n}
        for harm in result.harms
        for row in harm.slices
        if row.average.value is not None
    ]
    drawn = {"sliced-averages": charts.averages(rows).to_dict()} if rows else {}
    return page.write_page(
        out,
        "Counterfactual fairness of the scores",
        audit.tables(result),
        drawn,
        {"sliced-averages": "Sliced averages: the mean score of the texts that name a subgroup (figure 3 in form)."},
        finding=describe_audit(result),
        foot=[result.signature],
        folded=_fold(report_examples.of_audit(result.swings), texts),
    )


def write_training(options: SafetyTraining, results: Results, out: Path) -> tuple[list[Path], list[Table]]:
    """The same of `train.run`, and the tables to print."""
    every = tables.tables(results)
    model = options.ensemble
    seeds = len(results)
    lead = [
        f"A forest of {model.trees} trees, {seeds} seed{'s' * (seeds > 1)}; "
        f"balance: {'yes' if options.balance else 'no'}; {options.rounds} rounds of reweighting, "
        f"{options.draws} draws.",
        *(warning for result in results for harm_results in result.harms.values() if (warning := harm_results.warning)),
    ]
    drawn = figures.draw(results)
    examples = _fold(report_examples.of_training(results), [Path(name) for name in options.texts])
    written = page.write_page(
        out,
        "A fairness-aware ensemble of safety classifiers",
        every,
        {name: figure for name, (figure, _) in drawn.items()},
        {name: caption for name, (_, caption) in drawn.items()},
        finding=describe_changes(every),
        lead=lead,
        foot=[f"gec_fair {__version__}"],
        folded=examples,
    )
    return written, [table for table in every if table.name in _VISIBLE]


def _fold(examples: Sequence[report_examples.Example], texts: Sequence[Path]) -> dict[str, list[tuple[str, list[str]]]]:
    notes = report_examples.with_texts(examples, texts)
    return {"Examples: harmful texts behind a click": notes} if notes else {}
