"""What the functions of the API return: values that are tables in a notebook, in pandas and as plain data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import Any, Literal, TypeAlias, TypeVar

from gec_fair.extras import require
from gec_fair.report.layout import draw_columns
from gec_fair.report.table import Part, Table

Item = TypeVar("Item")
Style: TypeAlias = Literal["html", "line"]
"""How a cell marks edits; its other text is escaped for HTML."""
_MOST_ITEMS = 20  # of a list of results
_MOST_RECORDS = 50  # of a table
_MOST_TABLES = 2  # tables that print() shows
_STYLE = "<style>del{color:#b3261e}ins{color:#0b6b3a;text-decoration:none;font-weight:600}</style>"


class Result:
    """A result that can be looked at. `tables` says what there is to see; it is also what `repr` shows, so a dataclass
    of this kind is declared with `repr=False`."""

    __slots__ = ()

    @property
    def notes(self) -> Sequence[str]:
        """What a reader of the tables must know, a sentence each."""
        return ()

    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """The tables of the result, the most important one first."""

    def parts(self) -> Sequence[Part]:
        """What a command prints: the tables, then the notes, with an empty line between them."""
        parts: list[Part] = [*self.tables(), *self.notes]
        return [printed for part in parts for printed in ("", part)][1:]

    @abstractmethod
    def to_dict(self) -> Any:
        """The result as plain data (dicts, lists, strings, numbers), which `json.dumps` takes."""

    def to_pandas(self) -> Any:
        """The first table as a `pandas.DataFrame`. MissingResource where pandas is not installed."""
        return _to_pandas(self.tables()[0].as_json())

    def __str__(self) -> str:
        tables = [table for table in self.tables() if table.records] or self.tables()
        if len(tables) == 1:
            return "\n\n".join((_draw(tables[0]), *self.notes))
        drawn = [f"{table.title}\n\n{_draw(table)}" for table in tables[:_MOST_TABLES]]
        drawn += self.notes
        if rest := tables[_MOST_TABLES:]:
            drawn.append(f"{len(rest)} more in tables(): {'; '.join(table.title for table in rest)}")
        return "\n\n".join(drawn)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        drawn = [html_table(table) for table in self.tables() if table.records]
        return "".join((*drawn, *(f"<p>{escape(note)}</p>" for note in self.notes)))


class Items(list[Item]):
    """A list of results, which is shown as a table. Each item's `cells` are a row of it."""

    def to_dict(self) -> list[dict[str, Any]]:
        """A list of dicts, one for each item."""
        return [item.to_dict() for item in self]  # type: ignore[attr-defined]

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a row for each item. MissingResource where pandas is not installed."""
        return _to_pandas(self.to_dict())

    def __repr__(self) -> str:
        rows = self._rows("line")
        return draw_columns(*rows, ["left"] * len(rows[0])) + _more(len(self), _MOST_ITEMS) if rows[0] else "[]"

    def _repr_html_(self) -> str:
        foot = _more(len(self), _MOST_ITEMS).strip()
        return _STYLE + html_rows(*self._rows("html")) + (f"<p>{foot}</p>" if foot else "")

    def _rows(self, style: Style) -> tuple[list[str], list[list[str]]]:
        """The header and the cells of the first items."""
        rows = [item.cells(style) for item in self[:_MOST_ITEMS]]  # type: ignore[attr-defined]
        cells = [[text.replace("\n", " ") for text in row.values()] for row in rows]
        return list(rows[0]) if rows else [], cells


def _to_pandas(rows: list[dict[str, Any]]) -> Any:
    require("to_pandas", "pandas", "pandas")
    import pandas

    return pandas.DataFrame(rows)


def _draw(table: Table) -> str:
    """A table for a terminal. Of a long one the first records."""
    first = replace(table, records=table.records[:_MOST_RECORDS])
    return first.explain(padded=True) + _more(len(table.records), _MOST_RECORDS)


def _more(number: int, limit: int) -> str:
    return f"\n… and {number - limit:,} more" if number > limit else ""


def html_table(table: Table) -> str:
    """A table as HTML, with its title above and its note below. Of a long one the first records."""
    first = replace(table, records=table.records[:_MOST_RECORDS])
    rows = [[escape(text) for text in row] for row in first.rows()]
    notes = [table.note if table.has_spread() else "", _more(len(table.records), _MOST_RECORDS).strip()]
    note = "".join(f"<p>{escape(text)}</p>" for text in notes if text)
    return f"<p><b>{escape(table.title)}</b></p>{html_rows(table.header(), rows)}{note}"


def html_rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells that are HTML already."""
    head = "".join(f"<th>{escape(text)}</th>" for text in header)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
