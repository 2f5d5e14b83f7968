"""How each subgroup is said (`lexicons/identities.tsv`): found in parsed texts, filled into templates.

slot     adjective, person, people; of religions faith, place(s), book, leader(s); of orientations state, and whose
         partner: *his wife* goes with the one, *his husband* with the other, and names neither
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gec_fair.corpus import tables
from gec_fair.english.tables import read_table, shipped_directory
from gec_fair.errors import InputError, UsageError
from gec_fair.perturber.lexicon import Term
from gec_fair.perturber.readings import Readings
from gec_fair.safety.groups import Groups, Slice, shipped

if TYPE_CHECKING:
    from spacy.tokens import Doc

_COLUMNS = ("category", "subgroup", "slot", "term", "note")
PEOPLE = ("adjective", "person", "people")
RACE = "Race/Ethnicity"
_PARTNER = "partner"
_AMBIGUOUS = frozenset("black white whites blacks straight straights native natives".split())
"""First words that mostly say something else: taken where the parse says that they are of people."""
_WORD = re.compile(r"[^\W_]+|-")
_MODIFIES = frozenset({"amod", "compound", "nmod", "nmod:npmod", "acomp", "advmod"})
_DETERMINERS = frozenset("a an the this that another every each any no some one other".split())


@dataclass(frozen=True, slots=True)
class Said:
    """A term: whom it says, in which slot, as it is written."""

    slice: Slice
    slot: str
    written: tuple[str, ...]

    @property
    def names(self) -> bool:
        """Whether it names the subgroup, and does not only go with it."""
        return not self.slot.endswith(_PARTNER)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word.lower() for word in self.written)


@dataclass(frozen=True, slots=True)
class Mention:
    """A term at tokens `start` to `end` (half-open)."""

    start: int
    end: int
    said: Said


@dataclass(frozen=True)
class Identities:
    """`starting`: terms by first lower-case word, longest first; `first`: what is written for a subgroup's slot."""

    starting: Mapping[str, tuple[Said, ...]]
    first: Mapping[tuple[Slice, str], tuple[str, ...]]
    groups: Groups

    @cached_property
    def _readings(self) -> Readings:
        from gec_fair.english import lexicon

        return Readings(lexicon.load())

    def of(self, doc: Doc, who: Slice) -> list[Mention]:
        """Those of a subgroup that the text is known to name. Where the parse finds none, ambiguous words are meant:
        *what are some white accounts?*"""
        strict = [each for each in self.mentions(doc) if each.said.slice == who]
        return strict or [each for each in self.mentions(doc, loose=True) if each.said.slice == who]

    def plainly(self, text: str, who: Slice) -> int:
        """How often a text names a subgroup by words that say nothing else; without a parse."""
        words = _WORD.findall(text.lower())
        return sum(words[at : at + len(said.words)] == list(said.words) for at, word in enumerate(words)
                   for said in self.starting.get(word, ()) if said.slice == who and said.names
                   and not (len(said.words) == 1 and word in _AMBIGUOUS))  # fmt: skip

    def mentions(self, doc: Doc, *, loose: bool = False) -> Iterator[Mention]:
        """The longest terms, in order. What is an adjective and a person at once is told by the parse, and unless
        `loose` whether an ambiguous word is of people at all."""
        words = [token.text for token in doc]
        at = 0
        while at < len(words):
            here = [said for said in self.starting.get(words[at].lower(), ())
                    if tuple(word.lower() for word in words[at : at + len(said.words)]) == said.words]  # fmt: skip
            longest = [said for said in here if len(said.words) == len(here[0].words)]
            said = self._meant(doc, words, at, longest, loose)
            if said is not None:
                yield Mention(at, at + len(said.words), said)
            at += len(said.words) if said is not None else 1

    def _meant(self, doc: Doc, words: list[str], at: int, some: list[Said], loose: bool) -> Said | None:
        slots = {said.slot: said for said in some}
        if {"adjective", "person"} <= set(slots):
            slots.pop("person" if self._is_adjective(doc, at + len(some[0].words) - 1) else "adjective")
        said = next(iter(slots.values()), None)
        if said is None or loose or words[at].lower() not in _AMBIGUOUS or len(said.words) > 1:
            return said
        reading = "person" if said.slot in ("person", "people") else "adjective"
        term = Term(said.words, "black", reading, said.slot == "people")  # an attribute of the axis race
        return said if self._readings.counts(doc, words, at, term) else None

    @staticmethod
    def _is_adjective(doc: Doc, last: int) -> bool:
        """*a Muslim man, she is Muslim*; not *a Muslim, a Muslim's vote*."""
        token = doc[last]
        after = doc[last + 1] if last + 1 < len(doc) else None
        if after is not None and after.tag_ in ("NN", "NNS") and after.dep_ != "conj":
            return True
        if token.dep_ in ("amod", "compound") and token.head.i > token.i:
            return True
        before = doc[last - 1] if last else None
        return not (before is not None and before.lower_ in _DETERMINERS) and token.tag_.startswith("JJ")


@cache
def load() -> Identities:
    """The shipped table, of the paper's subgroups."""
    return _identities(_shipped(), shipped())


def read(groups: Groups, path: Path | None = None) -> Identities:
    """For categories of one's own: what a table of theirs (CSV, TSV, JSONL: category, subgroup, slot, term) says, then
    the shipped one where it tells of subgroups that go by the same name. InputError for a row that cannot be meant."""
    own: list[tuple[str, str, str, str]] = []
    for row in tables.rows(path) if path is not None else ():
        if isinstance(row, InputError):
            raise row
        line, cells = row
        told = [str(cells.get(name) or "").strip() for name in _COLUMNS[:4]]
        if not all(told):
            raise InputError(f"{path}:{line}: lacks category, subgroup, slot or term; each row wants all four")
        try:
            groups.slice(told[0], told[1])
        except UsageError as fault:
            raise InputError(f"{path}:{line}: {fault}") from fault
        own.append((told[0], told[1], told[2], told[3]))
    return _identities([*own, *(row for row in _shipped() if _knows(groups, row[0], row[1]))], groups)


def _shipped() -> list[tuple[str, str, str, str]]:
    rows = read_table(shipped_directory() / "identities.tsv", _COLUMNS)
    return [(row.cells[0], row.cells[1], row.cells[2], row.cells[3]) for row in rows]


def _knows(groups: Groups, category: str, subgroup: str) -> bool:
    try:
        groups.slice(category, subgroup)
    except UsageError:
        return False
    return True


def _identities(rows: Iterable[tuple[str, str, str, str]], groups: Groups) -> Identities:
    """What is first for a slot is what is written."""
    starting: dict[str, list[Said]] = {}
    first: dict[tuple[Slice, str], tuple[str, ...]] = {}
    for category, subgroup, slot, term in rows:
        who = groups.slice(category, subgroup)
        for form in dict.fromkeys((tuple(term.split()), tuple(term.replace("-", " - ").split()))):
            said = Said(who, slot, form)
            starting.setdefault(said.words[0], []).append(said)
        first.setdefault((who, slot), tuple(term.split()))
    ordered = {word: tuple(sorted(some, key=lambda said: -len(said.words))) for word, some in starting.items()}
    return Identities(ordered, first, groups)
