"""One HTML file that holds everything: tables, plots with their library, every case. No network, no server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from gec_fair.errors import InputError
from gec_fair.evaluate.gap import results as stored
from gec_fair.evaluate.report import tables
from gec_fair.evaluate.report.tables import Results, Table
from gec_fair.extras import require
from gec_fair.report.pictures import FORMS, draw
from gec_fair.runs.atomic import write_text

PAGE = "report.html"
_TEMPLATES = Path(__file__).parent
Folded: TypeAlias = Mapping[str, Sequence[tuple[str, Sequence[str]]]]
"""By heading, lines with what a click on them shows."""


_ROW = frozenset({"system", "set", "seeds", "orig", "aug", "delta", "ci95", "p", "bias", "splits", "twins", "cases"})


def read(folder: Path) -> dict[str, Any]:
    """The results in a folder. InputError where there are none, or they are not ours."""
    path = folder / stored.NAME if folder.is_dir() else folder
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); make it with `gec-fair compare`") from fault
    except ValueError as fault:
        raise InputError(f"{path}: is no JSON ({fault}); make it anew with `gec-fair compare`") from fault
    missing = [key for key in ("rows", "sets", "differences", "full", "notes", "inputs") if key not in found]
    if missing:
        raise InputError(f"{path}: has no {', '.join(missing)}; make it anew with `gec-fair compare`")
    for n, row in enumerate(found["rows"]):
        lacking = _ROW - (row.keys() if isinstance(row, dict) else set())
        if lacking:
            raise InputError(
                f"{path}: row {n} has no {', '.join(sorted(lacking))}; make it anew with `gec-fair compare`"
            )
    return dict(found)


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
        for name, told in one["sets"].items():
            if merged["sets"].get(name, told)["sha256"] != told["sha256"]:
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
    made = tables.tables(results)
    paths = tables.write(made, out / "tables", write_text)
    write_text(out / PAGE, html(results, made))
    return [out / PAGE, *paths]


def check() -> None:
    """MissingResource where a report could not be made: to be asked before the work."""
    require("a report", "evaluate", "altair", "jinja2", "pandas", "statsmodels", "tabulate", "vl_convert")


def html(results: Results, made: Sequence[Table]) -> str:
    """The page. MissingResource without the charting libraries."""
    check()
    from gec_fair.evaluate.report.charts import charts

    return _rendered(
        "page.html.j2",
        made,
        charts(results),
        results=results,
        cases=[(row, case) for row in results["rows"] for case in row["cases"]],
        one_sided=[(row, each) for row in results["rows"] for each in row["one_sided"]],
        systems=list(dict.fromkeys(row["system"] for row in results["rows"])),
        kinds=list(dict.fromkeys(case["kind"] for row in results["rows"] for case in row["cases"])),
    )


def write_plain(
    out: Path,
    title: str,
    made: Sequence[Table],
    charts: Mapping[str, Mapping[str, Any]],
    captions: Mapping[str, str],
    *,
    lead: Sequence[str] = (),
    foot: Sequence[str] = (),
    folded: Folded | None = None,
) -> list[Path]:
    """`report.html`, every table in `tables/`, every chart (Vega-Lite by name, with a caption, `title: more`) in
    `figures/` as SVG and PNG. Raises as `html` does."""
    check()
    written = tables.write(made, out / "tables", write_text)
    for name, chart in charts.items():
        for form in FORMS:
            written.append(out / "figures" / f"{name}{form}")
            draw(written[-1], chart)
    text = _rendered(
        "plain.html.j2", made, charts, title=title, captions=captions, lead=lead, foot=foot, folded=folded or {}
    )
    write_text(out / PAGE, text)
    return [out / PAGE, *written]


def _rendered(name: str, made: Sequence[Table], specs: Mapping[str, Any], **more: Any) -> str:
    import jinja2
    import vl_convert

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template(name).render(
        tables=[(table, table.shown(), set(table.figures())) for table in made],
        specs={name: _script(spec) for name, spec in specs.items()},
        library=_library(vl_convert).replace("</script", "<\\/script") if specs else "",
        **more,
    )


def _library(vl_convert: Any) -> str:
    """Vega, Vega-Lite and vegaEmbed as one script."""
    return str(vl_convert.javascript_bundle())


def _script(value: object) -> str:
    """JSON that can stand in a script element."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
