"""The page of a comparison: the paper's tables, the forest of gaps, every case of explicit bias."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gec_fair.evaluate.report.finding import describe_gaps
from gec_fair.evaluate.report.tables import Results
from gec_fair.evaluate.report.tables import tables as tables_of
from gec_fair.extras import require
from gec_fair.report.page import PAGE, render, write_tables
from gec_fair.report.table import Table
from gec_fair.runs.atomic import write_text


def write(results: Results, out: Path) -> list[Path]:
    """`report.html`, and every table in `tables/` as Markdown, CSV, JSON and LaTeX; each file whole or not at all."""
    tables = tables_of(results)
    paths = write_tables(tables, out / "tables")
    write_text(out / PAGE, html(results, tables))
    return [out / PAGE, *paths]


def check() -> None:
    """MissingResource where a comparison cannot be reported. Call it before the work."""
    require("a report", "evaluate", "altair", "jinja2", "statsmodels", "vl_convert")


def html(results: Results, tables: Sequence[Table]) -> str:
    """The page. MissingResource without the charting libraries."""
    check()
    from gec_fair.evaluate.report.charts import charts

    return render(
        "comparison.html.j2",
        tables,
        charts(results),
        folder=Path(__file__).parent,
        finding=describe_gaps(results),
        charts_of_tables={},
        captions={},
        results=results,
        cases=[(row, case) for row in results["rows"] for case in row["cases"]],
        one_sided=[(row, twin) for row in results["rows"] for twin in row["one_sided"]],
        systems=list(dict.fromkeys(row["system"] for row in results["rows"])),
        kinds=list(dict.fromkeys(case["kind"] for row in results["rows"] for case in row["cases"])),
    )
