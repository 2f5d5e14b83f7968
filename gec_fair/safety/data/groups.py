"""Identity categories and their subgroups (Table 2), or a user's own, under whatever names a table gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gec_fair.config.suggest import closest
from gec_fair.data import user_tables
from gec_fair.english.lexicons.tables import read_table, shipped_directory
from gec_fair.errors import InputError, UsageError

_COLUMNS = ("category", "subgroup", "also")
_BETWEEN = "|"


class Slice(NamedTuple):
    """A subgroup of an identity category."""

    category: str
    name: str

    def __str__(self) -> str:
        return f"{self.category}: {self.name}"

    def cells(self) -> dict[str, str]:
        """The columns that a table has of it."""
        return {"category": self.category, "subgroup": self.name}


@dataclass(frozen=True, slots=True)
class Groups:
    """`subgroups`: of each category, in order; `categories`, `names`: what every known name stands for."""

    subgroups: Mapping[str, tuple[str, ...]]
    categories: Mapping[str, str]
    names: Mapping[tuple[str, str], str]

    def category(self, name: str) -> str:
        """By our name. UsageError for one that is not known, with those that are."""
        category = self.categories.get(plain(name))
        if category is None:
            raise UsageError(
                f"no identity category is called {name!r}{closest(name, self.subgroups)}; there are "
                f"{', '.join(self.subgroups)}; name your own with --groups FILE"
            )
        return category

    def slice(self, category: str, subgroup: str) -> Slice:
        """UsageError for a name that is not known, with those that are."""
        terms = self.category(category)
        named = self.names.get((terms, plain(subgroup)))
        if named is None:
            known = self.subgroups[terms]
            raise UsageError(
                f"no subgroup of {terms} is called {subgroup!r}{closest(subgroup, known)}; there are "
                f"{', '.join(known)}; name your own with --groups FILE"
            )
        return Slice(terms, named)

    def counterparts(self, source: Slice) -> list[Slice]:
        """The other subgroups of its category."""
        names = self.subgroups[source.category]
        return [Slice(source.category, name) for name in names if name != source.name]

    def has(self, category: str, subgroup: str) -> bool:
        """Whether `slice` knows it."""
        return (self.categories.get(plain(category)), plain(subgroup)) in self.names


@cache
def read_shipped() -> Groups:
    """The paper's."""
    rows = read_table(shipped_directory() / "subgroups.tsv", _COLUMNS)
    return _groups((row.where, row.cells[0], row.cells[1], row.cells[2]) for row in rows)


def read(path: Path) -> Groups:
    """A table of one's own, CSV, TSV or JSONL: category, subgroup and, if wanted, `also`: other names, separated by |.
    InputError for a row without one of the first two."""
    slices = []
    for line, cells in user_tables.valid_rows(path):
        category, subgroup = (str(cells.get(name) or "").strip() for name in _COLUMNS[:2])
        if not category or not subgroup:
            raise InputError(f"{path}:{line}: lacks category or subgroup; each row wants both")
        slices.append((f"{path}:{line}", category, "" if subgroup == "-" else subgroup, str(cells.get("also") or "")))
    if not any(subgroup for _, _, subgroup, _ in slices):
        raise InputError(f"{path}: names no subgroup; write category,subgroup and a row for each")
    return _groups(slices)


def _groups(rows: Iterable[tuple[str, str, str, str]]) -> Groups:
    """The groups that rows of place, category, subgroup and also name. InputError for a name of two subgroups."""
    subgroups: dict[str, dict[str, str]] = {}
    categories: dict[str, str] = {}
    names: dict[tuple[str, str], str] = {}
    for where, category_name, subgroup, also in rows:
        category = categories.setdefault(plain(category_name), category_name)
        others = [plain(name) for name in also.split(_BETWEEN) if name.strip()]
        known = subgroups.setdefault(category, {})
        if not subgroup:
            categories.update(dict.fromkeys(others, category))
            continue
        first = known.setdefault(plain(subgroup), subgroup)
        for name in (plain(subgroup), *others):
            if (whose := names.setdefault((category, name), first)) != first:
                raise InputError(f"{where}: {name!r} is a name of {whose} and of {first}; leave it out of one row")
    return Groups({name: tuple(members.values()) for name, members in subgroups.items()}, categories, names)


def plain(name: str) -> str:
    """A name in small letters and digits alone, as names are compared; one without any is itself."""
    return "".join(sign for sign in name.casefold() if sign.isalnum()) or name
