"""A chart as a picture: SVG or PNG, drawn here, without a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gec_fair.errors import UsageError
from gec_fair.runs.atomic import write_bytes, write_text

FORMS = (".svg", ".png")
_FONT = "sans-serif"
_SCALE = 2  # pixels of a PNG


def check(path: Path) -> None:
    """UsageError for another kind of file."""
    if path.suffix not in FORMS:
        raise UsageError(f"{path}: a plot is {' or '.join(FORMS)}")


def draw(path: Path, chart: Any) -> None:
    """An Altair chart, or its Vega-Lite, by the file's suffix. Raises as `check` does."""
    import vl_convert

    check(path)
    specification = _by_itself(chart if isinstance(chart, Mapping) else chart.to_dict())
    if path.suffix == ".svg":
        write_text(path, vl_convert.vegalite_to_svg(specification))
    else:
        write_bytes(path, [vl_convert.vegalite_to_png(specification, scale=_SCALE)])


def _by_itself(specification: Mapping[str, Any]) -> dict[str, Any]:
    """Without the page around it: nothing is inherited, and a ground is under it."""
    plain: dict[str, Any] = json.loads(json.dumps(specification).replace('"currentColor"', '"black"'))
    return {**plain, "background": "white", "config": {**plain.get("config", {}), "font": _FONT}}
