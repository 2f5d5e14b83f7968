"""What the functions of the API return: values that are tables in a notebook, in pandas and as plain data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, TypeVar

from gec_fair.extras import require
from gec_fair.report.table import Table

Item = TypeVar("Item")
_MOST_ROWS = 20  # rows in a notebook
_MOST_TABLES = 2  # tables that print() shows
_STYLE = "<style>del{color:#b3261e}ins{color:#0b6b3a;text-decoration:none;font-weight:600}</style>"


class Result:
    """A result that can be looked at. `tables` says what there is to see."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """The tables of the result, the most important one first."""

    @abstractmethod
    def to_dict(self) -> Any:
        """The result as plain data (dicts, lists, strings, numbers), which `json.dumps` takes."""

    def to_pandas(self) -> Any:
        """The first table as a `pandas.DataFrame`. MissingResource where pandas is not installed."""
        require("to_pandas", "pandas", "pandas")
        import pandas

        return pandas.DataFrame(self.tables()[0].as_json())

    def __str__(self) -> str:
        tables = [table for table in self.tables() if table.records] or self.tables()
        if len(tables) == 1:
            return tables[0].explained(padded=True)
        drawn = [f"{table.title}\n\n{table.explained(padded=True)}" for table in tables[:_MOST_TABLES]]
        if rest := tables[_MOST_TABLES:]:
            drawn.append(f"{len(rest)} more in tables(): {'; '.join(table.title for table in rest)}")
        return "\n\n".join(drawn)

    def _repr_html_(self) -> str:
        return "".join(html_table(table) for table in self.tables() if table.records)


class Items(list[Item]):
    """A list of results, with a table of all of them. `_row` is one line of it."""

    def to_dict(self) -> list[dict[str, Any]]:
        """A list of dicts, one for each item."""
        return [item.to_dict() for item in self]  # type: ignore[attr-defined]

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a row for each item. MissingResource where pandas is not installed."""
        require("to_pandas", "pandas", "pandas")
        import pandas

        return pandas.DataFrame(self.to_dict())

    def _repr_html_(self) -> str:
        rows = [item.html_cells() for item in self[:_MOST_ROWS]]  # type: ignore[attr-defined]
        more = len(self) - len(rows)
        foot = f"<p>… and {more:,} more</p>" if more > 0 else ""
        return _STYLE + html_rows(list(rows[0]) if rows else [], [list(row.values()) for row in rows]) + foot


def html_table(table: Table) -> str:
    """A table as HTML, with its title above and its note below."""
    rows = [[escape(text) for text in row] for row in table.rows()]
    note = f"<p>{escape(table.note)}</p>" if table.has_spread() else ""
    return f"<p><b>{escape(table.title)}</b></p>{html_rows(table.header(), rows)}{note}"


def html_rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells that are HTML already."""
    head = "".join(f"<th>{escape(text)}</th>" for text in header)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
