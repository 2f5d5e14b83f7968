"""The page of a comparison, and of several as one: the paper's tables, charts, every case of explicit bias."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError
from gec_fair.evaluate import RESULTS
from gec_fair.evaluate.report.finding import describe_gaps
from gec_fair.evaluate.report.tables import Results
from gec_fair.evaluate.report.tables import tables as tables_of
from gec_fair.extras import require
from gec_fair.report.page import PAGE, render, write_tables
from gec_fair.report.table import Table
from gec_fair.runs.atomic import write_text
from gec_fair.runs.json_files import parse_json

_ROW = frozenset({"system", "set", "seeds", "orig", "aug", "delta", "ci95", "p", "bias", "splits", "twins", "cases"})


def read(folder: Path) -> dict[str, Any]:
    """The results in a folder. InputError where there are none, or they are not ours."""
    path = folder / RESULTS if folder.is_dir() else folder
    try:
        results = parse_json(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); make it with `gec-fair compare`") from fault
    except ValueError as fault:
        raise InputError(f"{path}: is not valid JSON ({fault}); make it anew with `gec-fair compare`") from fault
    missing = [key for key in ("rows", "sets", "differences", "full", "notes", "inputs") if key not in results]
    if missing:
        raise InputError(f"{path}: has no {', '.join(missing)}; make it anew with `gec-fair compare`")
    for n, row in enumerate(results["rows"]):
        absent = _ROW - (row.keys() if isinstance(row, dict) else set())
        if absent:
            raise InputError(
                f"{path}: row {n} has no {', '.join(sorted(absent))}; make it anew with `gec-fair compare`"
            )
    return dict(results)


def merge(every: Sequence[Results]) -> dict[str, Any]:
    """Several comparisons as one; a later row replaces an earlier one of the same system and set.

    InputError where two of them mean different files by one set's name.
    """
    merged: dict[str, Any] = {
        "gec-fair": every[0]["gec-fair"],
        "runs": ", ".join(str(r["runs"]) for r in every),
        "sets": {},
        "full": {},
        "inputs": {},
        "trained_on": {},
    }
    rows: dict[tuple[str, str], Any] = {}
    for one in every:
        for name, set_results in one["sets"].items():
            if merged["sets"].get(name, set_results)["sha256"] != set_results["sha256"]:
                raise InputError(
                    f"{one['runs']}: its {name} is another set than that of {merged['runs']}; report apart"
                )
        for key in ("sets", "full", "inputs", "trained_on"):
            merged[key].update(one.get(key, {}))
        rows.update({(row["set"], row["system"]): row for row in one["rows"]})
    merged["rows"] = list(rows.values())
    merged["differences"] = [d for one in every for d in one["differences"]]
    merged["notes"] = list(dict.fromkeys(note for one in every for note in one["notes"]))
    return merged


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
