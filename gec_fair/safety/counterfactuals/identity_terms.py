"""How each subgroup is said (`lexicons/identities.tsv`, `demographics.tsv`), read from tables.

slot     adjective, person, people; of races woman, women; of religions faith, place(s), book, leader(s), sister(s),
         hatred, prejudice, feast, fast, dress(es), food-law; of orientations state, pairing, parents, and whose
         partner: *his husband* names an orientation, *his wife* only goes with one
         rite, symbol     name their religion, and are never written
         figure, custom   go with a group, do not name it, and are never written
         role             names a woman or a man by a state or a work, and is never written: a maid, a mother-to-be
         other-meaning    the words mean something else: *Easter Island*
         slur             of `slurs.tsv`: names whom it is said of, and is never written
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gec_fair.data import user_tables
from gec_fair.english.lexicons import slurs
from gec_fair.english.lexicons.tables import read_table, shipped_directory
from gec_fair.errors import InputError
from gec_fair.people.terms import lexicon as demographics
from gec_fair.people.terms.axes import RACE
from gec_fair.people.terms.lexicon import Term
from gec_fair.safety.data.cells import name_row
from gec_fair.safety.data.groups import Groups, Slice, plain

_COLUMNS = ("category", "subgroup", "slot", "term", "note")
_PARTNER = "partner"
SLUR = "slur"
_ONLY_GO_WITH = frozenset({"figure", "custom"})
NEVER_WRITTEN = _ONLY_GO_WITH | {"rite", "symbol", "role", "other-meaning", SLUR}
_EXPECTED = Slice("Sexual Orientation", "Heterosexual")
"""Whose partners name nobody: *his wife* tells nothing of an orientation."""
RACE_CATEGORY = "Race/Ethnicity"
_CENSUS = {
    "black": "Black",
    "asian": "Asian",
    "hispanic": "LatinX",
    "native-american": "Indigenous",
    "pacific-islander": "Indigenous",
}
"""The subgroups whose terms the perturber has. The census's White are left out: *Germans* names no race here."""


class TermRow(NamedTuple):
    """A row of a table of terms; `reading`: what it must be in its text to be about people, None for wherever it is."""

    category: str
    subgroup: str
    slot: str
    term: str
    reading: Term | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A term: whom it says, in which slot, as it is written; `reading` as in `TermRow`."""

    slice: Slice
    slot: str
    written: tuple[str, ...]
    reading: Term | None = None

    @property
    def names(self) -> bool:
        """Whether it names the subgroup, and does not only go with it."""
        return not (self.slot in _ONLY_GO_WITH or (self.for_partner and self.slice == _EXPECTED))

    @property
    def for_partner(self) -> bool:
        """Whether the term is for a person's partner, as *his wife* is."""
        return self.slot.endswith(_PARTNER)

    @property
    def words(self) -> tuple[str, ...]:
        """The term's words in lower case."""
        return tuple(word.lower() for word in self.written)


def own_rows(groups: Groups, path: Path) -> list[TermRow]:
    """The rows of a table (CSV, TSV, JSONL) of category, subgroup, slot and term. InputError for one that has no
    place."""
    rows = []
    for line, cells in user_tables.valid_rows(path):
        values = [str(cells.get(name) or "").strip() for name in _COLUMNS[:4]]
        if not all(values):
            raise InputError(f"{path}:{line}: lacks category, subgroup, slot or term; each row wants all four")
        with name_row(f"{path}:{line}"):
            groups.slice(*values[:2])
        rows.append(TermRow(values[0], values[1], values[2], values[3]))
    return rows


def shipped_rows() -> list[TermRow]:
    """The rows of the table of identities, then the perturber's terms of the same subgroups."""
    known = demographics.load().terms
    rows = []
    for row in read_table(shipped_directory() / "identities.tsv", _COLUMNS):
        category, subgroup, slot, term, _ = row.cells
        reading = _reading(known, slot, term) if category == RACE_CATEGORY else None
        rows.append(TermRow(category, subgroup, slot, term, reading))
    women = {row.term.lower() for row in rows if row.slot in ("woman", "women")}
    return rows + [
        TermRow(
            RACE_CATEGORY, _CENSUS[term.attribute], _slot(term), _write(term), None if _is_always_people(term) else term
        )
        for terms in known.values()
        for term in terms
        if term.attribute in _CENSUS and (term.reading == "adjective" or " ".join(term.words) not in women)
    ]


def _is_always_people(term: Term) -> bool:
    """*African American, Asian Americans*: a name of people alone."""
    return len(term.words) > 1 and term.words[-1].rstrip("s") == "american"


def _write(term: Term) -> str:
    """The perturber's terms are lower-case: *nigerian*; as they are written, *Nigerian*, but *dark-skinned*."""
    return " ".join(word if word.endswith("-skinned") else word.title() for word in term.words)


def slur_rows(groups: Groups) -> list[TermRow]:
    """The slurs of every subgroup that has the name of a slur's group."""
    return [
        TermRow(category, subgroup, SLUR, " ".join(slur.words))
        for slur in slurs.load()
        for category in groups.subgroups
        if (subgroup := groups.names.get((category, plain(slur.group)))) is not None
    ]


def _slot(term: Term) -> str:
    return "adjective" if term.reading == "adjective" else "people" if term.plural else "person"


def _reading(known: Mapping[str, Sequence[Term]], slot: str, term: str) -> Term | None:
    """The perturber's reading of a term; a reading like it for another word; None for several that say *people*."""
    words = tuple(term.lower().split())
    same = [alike for alike in known.get(words[0], ()) if alike.words == words and _slot(alike) == slot]
    if same or len(words) > 1:
        return None if not same or _is_always_people(same[0]) else same[0]
    return Term(words, "another-race", "adjective" if slot == "adjective" else "person", slot == "people", RACE)
