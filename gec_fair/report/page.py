"""One HTML file that holds everything: tables, charts with their library, examples. No network, no server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from gec_fair.extras import require
from gec_fair.report.pictures import FORMS, draw
from gec_fair.report.table import Table
from gec_fair.runs.atomic import write_text

PAGE = "report.html"
_TEMPLATES = Path(__file__).parent
Folded: TypeAlias = Mapping[str, Sequence[tuple[str, Sequence[str]]]]
"""By heading, lines with what a click on them shows."""


def check() -> None:
    """MissingResource where a page cannot be made. Call it before the work."""
    require("a report", "evaluate", "altair", "jinja2", "vl_convert")


def write_page(
    out: Path,
    title: str,
    tables: Sequence[Table],
    charts: Mapping[str, Mapping[str, Any]],
    captions: Mapping[str, str],
    *,
    finding: str = "",
    lead: Sequence[str] = (),
    foot: Sequence[str] = (),
    folded: Folded | None = None,
    sentences: Mapping[str, str] | None = None,
) -> list[Path]:
    """`report.html`, every table in `tables/`, every chart (Vega-Lite by name, with a caption, `title: more`) in
    `figures/` as SVG and PNG.

    `finding` is the headline, one sentence with the result. The first chart is shown below it; any other chart whose
    name or title is a table's is shown above that table. `sentences` are shown instead of charts that would be empty.
    Raises as `check` does.
    """
    check()
    written = write_tables(tables, out / "tables")
    for name, chart in charts.items():
        for form in FORMS:
            written.append(out / "figures" / f"{name}{form}")
            draw(written[-1], chart)
    empty = sentences or {}
    later = list(charts)[1:]  # the first chart is shown with the headline
    charts_of_tables = {
        table.name: [
            name for name in (*later, *empty) if table.name == name or captions[name].partition(":")[0] == table.title
        ]
        for table in tables
    }
    text = render(
        "plain.html.j2",
        tables,
        charts,
        title=title,
        finding=finding,
        captions=captions,
        lead=lead,
        foot=foot,
        folded=folded or {},
        charts_of_tables=charts_of_tables,
        alone=[name for name in charts if not any(name in names for names in charts_of_tables.values())],
        sentences=empty,
    )
    write_text(out / PAGE, text)
    return [out / PAGE, *written]


def write_tables(tables: Sequence[Table], folder: Path) -> list[Path]:
    """Every table as `.md`, `.csv`, `.json` and `.tex`."""
    written = []
    for table in tables:
        texts = {
            "md": table.explain(padded=True) + "\n",
            "csv": table.csv(),
            "tex": table.latex(),
            "json": table.json(),
        }
        for ending, text in texts.items():
            written.append(folder / f"{table.name}.{ending}")
            write_text(written[-1], text)
    return written


def render(
    template: str, tables: Sequence[Table], charts: Mapping[str, Any], *, folder: Path = _TEMPLATES, **values: Any
) -> str:
    """The page of a template in `folder`, which may extend `base.html.j2` and include `tables.html.j2`."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, _TEMPLATES]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template(template).render(
        tables=tables,
        specs={name: json.dumps(chart, ensure_ascii=False).replace("<", "\\u003c") for name, chart in charts.items()},
        library=_library().replace("</script", "<\\/script") if charts else "",
        **values,
    )


def _library() -> str:
    """Vega, Vega-Lite and vegaEmbed as one script."""
    vl_convert: Any = import_module("vl_convert")
    return str(vl_convert.javascript_bundle())
