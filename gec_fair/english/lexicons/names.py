"""A first name has a gender and one fixed counterpart of the other gender; mapping twice gives the name back.

The table (`lexicons/names.tsv`) is sorted by frequency within each gender and made by `training/names/build.py`.
A name's `reading` says how much evidence it takes to believe that it is one:

    any      Michael   a name wherever it stands capitalised
    proper   Will      also a word: counts only where the caller's tagger says proper noun
    shared   Paris     also a place, month or brand: a proper noun, and still not sure to be a person
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from gec_fair.english.letters import like_name
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.lexicons.tables import Row, read_table
from gec_fair.errors import InputError

COLUMNS = ("name", "gender", "share", "other_share", "reading", "counterpart", "surname")
READINGS = ("any", "proper", "shared")
ACRONYM = 4
"""Upper-case words of so few letters are acronyms, not rare names. Chosen by hand: *ANAS*, *ECE*, but not *FREYA*."""
RARE = 0.005
"""Percent of a gender; smaller shares, and names that no one counted, are rare. Chosen by hand: *Abe*, not *Liz*."""
BANDS = (100, 300, 1000)
"""Ranks that end a frequency band: the hundred most frequent names of a gender, the next two hundred, and so on."""
_GENDERS = {gender.value: gender for gender in Gender}


class Name(NamedTuple):
    """One row (a named tuple like `Row`, for speed). `share`: of a hundred people of that gender, how many bear it
    (None: not counted, so rarer than all that are); `other_share`: of a hundred bearers, how many are of the other
    gender; `counterpart`: "" if it has none; `surname`: a common one too (*Johnson, Scott*)."""

    name: str
    gender: Gender
    share: float | None
    other_share: float | None
    reading: str
    counterpart: str
    surname: bool = False


@dataclass(frozen=True, slots=True)
class Pools:
    """Names to draw from, by gender, frequency band and lower-case initial ("" for all), and each name's band."""

    names: Mapping[tuple[Gender, int, str], Sequence[str]]
    bands: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """First names by their lower-cased form. Build with `Names.of`."""

    entries: Mapping[str, Name]

    @staticmethod
    def from_rows(rows: Iterable[Name]) -> Names:
        """Later rows replace earlier ones of the same name."""
        return Names({name.name.lower(): name for name in rows})

    @property
    def tokens(self) -> frozenset[str]:
        """Every lower-cased name."""
        return frozenset(self.entries)

    def gender(self, name: str) -> Gender | None:
        """The gender of a first name, in any case; None for other words."""
        entry = self.entries.get(name.lower())
        return entry.gender if entry else None

    def reading(self, name: str) -> str | None:
        """`any`, `proper` or `shared`; None for a word that is not a name of the table."""
        entry = self.entries.get(name.lower())
        return entry.reading if entry else None

    def is_surname(self, name: str) -> bool:
        """Whether the name is a common surname too: behind a first name it is one (*Dwayne Johnson*)."""
        entry = self.entries.get(name.lower())
        return entry is not None and entry.surname

    def is_name(self, word: str, *, proper: bool = False) -> bool:
        """Whether `word`, as it is written here, counts as a first name; `proper`: the tagger says proper noun.

        Capitalised (*Michael*, *MICHAEL*): yes, but names that are also words or places (*Will, Paris*) need `proper`.
        Lower-case, as learners write (*michael*): only with `proper`, and never those that are also words or places.
        """
        entry = self.entries.get(word.lower())
        if entry is None or ((entry.share or 0.0) < RARE and word.isupper() and len(word) <= ACRONYM):
            return False
        if word[0].islower():
            return proper and entry.reading == "any"
        return proper or entry.reading == "any"

    def counterpart(self, name: str, *, proper: bool = False) -> str | None:
        """The fixed name of the other gender, in the same case; None where `is_name` says no, or unmapped."""
        entry = self.entries.get(name.lower())
        if entry is None or not entry.counterpart or not self.is_name(name, proper=proper):
            return None
        return like_name(name, entry.counterpart)

    def draw(
        self, name: str, rng: Random, *, gender: Gender | None = None, proper: bool = False, used: Collection[str] = ()
    ) -> str | None:
        """Another name of the other gender, same initial and frequency band where there is one, in the same case. One
        that is not listed needs its `gender`, and gets a frequent name.

        `used` are lower-cased names to avoid: those that the text has already or that were drawn for it before.
        """
        entry = self.entries.get(name.lower())
        if gender is None and (entry is None or not self.is_name(name, proper=proper)):
            return None
        for pool in self._candidates(entry) if entry is not None else self._frequent(name[0].lower(), gender):
            free = [candidate for candidate in pool if candidate.lower() not in used]
            if free:
                return like_name(name, rng.choice(free))
        return None

    def _frequent(self, initial: str, gender: Gender | None) -> Iterable[Sequence[str]]:
        """Pools for a name that is not listed: that initial first, and only names that are nothing else."""
        pools = _pools(self)
        for start in (initial, ""):
            for band in range(1, len(BANDS) + 1):
                pool = pools.names.get((gender.opposite, band, start), ()) if gender is not None else ()
                yield [name for name in pool if self.reading(name) == "any"]

    def _candidates(self, entry: Name) -> Iterable[Sequence[str]]:
        """Pools in order of preference: own band and initial, nearer bands with that initial, own band, the others."""
        pools = _pools(self)
        own_band = pools.bands[entry.name.lower()]
        nearest = sorted(range(len(BANDS) + 1), key=lambda band: (abs(band - own_band), band))
        for initial in (entry.name[0].lower(), ""):
            for band in nearest:
                yield pools.names.get((entry.gender.opposite, band, initial), ())


def read_names(path: Path) -> list[Name]:
    """The rows of one table; InputError with file:line for a row that is not a name."""
    return [parse_name(row) for row in read_table(path, COLUMNS)]


def parse_name(row: Row) -> Name:
    """One row; InputError with file:line if it is not a name."""
    name, gender, share, other_share, reading, counterpart, surname = row.cells
    if not name or gender not in _GENDERS:
        raise InputError(f"{row.where}: a row needs a name and a gender, feminine or masculine; correct the cells")
    if surname not in ("", "yes"):
        raise InputError(f"{row.where}: surname is yes or empty, not {surname!r}; correct the cell")
    if reading not in READINGS:
        known = ", ".join(READINGS)
        raise InputError(f"{row.where}: reading is {known}, not {reading!r}; correct the cell")
    try:
        return Name(
            name,
            _GENDERS[gender],
            float(share) if share else None,
            float(other_share) if other_share else None,
            reading,
            counterpart,
            surname == "yes",
        )
    except ValueError as error:
        raise InputError(f"{row.where}: share and other_share are numbers or empty ({error}); correct them") from error


@cache
def _pools(names: Names) -> Pools:
    bands: dict[str, int] = {}
    for gender in Gender:
        side = [key for key, name in names.entries.items() if name.gender is gender]
        ranked = sorted(side, key=lambda key: -(names.entries[key].share or 0.0))
        bands |= {key: sum(rank >= cut for cut in BANDS) for rank, key in enumerate(ranked)}
    pools: dict[tuple[Gender, int, str], list[str]] = {}
    for key, name in names.entries.items():
        for initial in (key[0], ""):
            pools.setdefault((name.gender, bands[key], initial), []).append(name.name)
    return Pools(pools, bands)
