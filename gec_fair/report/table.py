"""One table for every reader: Markdown for people, LaTeX for papers, CSV and JSON for programs.

    systems = Table(
        "systems",
        "F0.5 by system",
        ({"system": "ours", "f": 71.2345, "low": 69.87, "high": 72.51}, {"system": "copy", "f": None}),
        columns=(Column("system"), right("f", "{:.2f} [{low:.2f}, {high:.2f}]", header="F0.5", unknown="–")),
    )

    systems.markdown()    | system | F0.5 |                    systems.csv()    system,f,low,high
                          | --- | ---: |                                        ours,71.2345,69.87,72.51
                          | ours | 71.23 [69.87, 72.51] |                       copy,,,
                          | copy | – |

Records hold the values, in full precision. Columns say which of them people see, and how; CSV and JSON have them all.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, Literal, TypeAlias

from gec_fair.report.layout import draw_columns, draw_latex, draw_lines
from gec_fair.report.numbers import format_cell, is_part

Record: TypeAlias = dict[str, Any]
Part: TypeAlias = "Table | str"
"""A part of what a command prints: a table, or a line."""
Align: TypeAlias = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Column:
    """The value `key` of each record, as people read it.

    `text` is a template as for `str.format`: `{}` is the value itself, `{name}` another value of the record, with a
    format such as `{:.1f} %` or `{share:,}`. Of several templates the first whose values are all known is used. A
    function makes the text from the record instead.
    """

    key: str
    text: str | tuple[str, ...] | Callable[[Any], str | None] = "{}"
    header: str | None = None
    """By default the key."""
    align: Align = "left"
    unknown: str = ""
    """The text where the value is None."""

    def cell(self, record: Mapping[str, Any]) -> str | None:
        """The text, or None for a record without such a value."""
        if self.key not in record:
            return None
        if callable(self.text):
            text = self.text(record)
            return self.unknown if text is None else text
        templates = (self.text,) if isinstance(self.text, str) else self.text
        filled = (_fill(template, record, self.key) for template in templates)
        return next((text for text in filled if text is not None), self.unknown)


def join_parts(parts: Iterable[Part]) -> str:
    """Tables and lines as one text of Markdown."""
    return "\n".join(part if isinstance(part, str) else part.markdown() for part in parts)


def right(key: str, text: Any = "{}", header: str | None = None, unknown: str = "") -> Column:
    """A column of figures, which are aligned to the right."""
    return Column(key, text, header, "right", unknown)


@dataclass(frozen=True, slots=True)
class Table:
    """Records under a name (of its files) and a title.

    Without `columns` people see every value as `report.numbers` writes it: `digits` after the point (of all figures or
    by column), and `unknown` for None.
    """

    name: str
    title: str
    records: Sequence[Mapping[str, Any]]
    note: str = ""
    digits: int | Mapping[str, int] | None = None
    unknown: str = ""
    columns: tuple[Column, ...] = ()

    def visible(self) -> tuple[Column, ...]:
        """The columns that people see, in order."""
        return self.columns or tuple(self._column(key) for key in self._keys() if not is_part(key))

    def header(self) -> list[str]:
        """The headers of the visible columns."""
        return [column.key if column.header is None else column.header for column in self.visible()]

    def rows(self) -> list[list[str]]:
        """The texts of all cells."""
        return [[text or "" for text in cells] for cells in self._cells()]

    def alignments(self) -> list[Align]:
        """The alignments of the visible columns."""
        return [column.align for column in self.visible()]

    def markdown(self, *, padded: bool = False) -> str:
        """Without a line break at the end. `padded` cells stand below one another in plain text too."""
        if padded:
            return draw_columns(self.header(), self.rows(), self.alignments())
        return draw_lines([text or None for text in self.header()], self._cells(), self.alignments())

    def explain(self, *, padded: bool = False) -> str:
        """Markdown, and below a table with ± its note, which says what ± is."""
        drawn = self.markdown(padded=padded)
        return f"{drawn}\n\n{self.note}" if self.has_spread() else drawn

    def has_spread(self) -> bool:
        """Whether values are followed by ± (`x_pm` behind `x`)."""
        return any(key.endswith("_pm") for key in self._keys())

    def latex(self) -> str:
        """A floating table in the style of booktabs; needs `\\usepackage{booktabs}`."""
        caption = f"{self.title}. {self.note}" if self.has_spread() else self.title
        return draw_latex(self.header(), self.rows(), self.alignments(), caption=caption, label=f"tab:{self.name}")

    def as_json(self) -> list[dict[str, Any]]:
        """Every record with all keys of the table; None is unknown."""
        keys = self._keys()
        return [{key: _finite(record.get(key)) for key in keys} for record in self.records]

    def json(self) -> str:
        """The table as JSON, with a line break at the end."""
        return json.dumps(self.as_json(), ensure_ascii=False, indent=1, separators=(",", ":")) + "\n"

    def csv(self) -> str:
        """With a header; unknown values are empty."""
        file = io.StringIO()
        writer = csv.DictWriter(file, self._keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.as_json())
        return file.getvalue()

    def _cells(self) -> list[list[str | None]]:
        columns = self.visible()
        return [[column.cell(record) for column in columns] for record in self.records]

    def _keys(self) -> list[str]:
        return list(dict.fromkeys(key for record in self.records for key in record))

    def _column(self, key: str) -> Column:
        digits = self.digits.get(key, 1) if isinstance(self.digits, Mapping) else self.digits
        is_figure = any(isinstance(record.get(key), int | float) for record in self.records)
        align: Align = "right" if is_figure else "left"
        return Column(key, lambda record: format_cell(record, key, digits), align=align, unknown=self.unknown)


def _fill(template: str, record: Mapping[str, Any], key: str) -> str | None:
    """None where a value is unknown."""
    parts: list[str] = []
    for literal, name, form, _ in Formatter().parse(template):
        parts.append(literal)
        if name is not None:
            value = record.get(name or key)
            if value is None:
                return None
            parts.append(format(value, form or ""))
    return "".join(parts)


def _finite(value: Any) -> Any:
    """JSON has no infinite numbers and no NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
