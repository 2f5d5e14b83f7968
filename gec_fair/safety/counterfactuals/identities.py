"""How each subgroup is said (`lexicons/identities.tsv`, `demographics.tsv`): found in texts, filled into templates.

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

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gec_fair.augmentation.planning.referents import is_animal
from gec_fair.data import user_tables
from gec_fair.english.labels import NOUNS
from gec_fair.english.lexicons import slurs
from gec_fair.english.lexicons.tables import read_table, shipped_directory, term_tokens
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.errors import InputError, UsageError
from gec_fair.perturber.words import lexicon as demographics
from gec_fair.perturber.words.axes import RACE
from gec_fair.perturber.words.lexicon import Term
from gec_fair.perturber.words.readings import Readings
from gec_fair.safety.counterfactuals.occurrences import (
    are_many,
    has_object,
    is_a_hue,
    is_a_personal_name,
    is_adjective,
    is_of_what_people_have,
    may_be_a_person,
    stands_for_people,
)
from gec_fair.safety.data.groups import Groups, Slice, plain, shipped

if TYPE_CHECKING:
    from spacy.tokens import Doc

_COLUMNS = ("category", "subgroup", "slot", "term", "note")
_PARTNER = "partner"
SLUR = "slur"
_ONLY_GO_WITH = frozenset({"figure", "custom"})
NEVER_WRITTEN = _ONLY_GO_WITH | {"rite", "symbol", "role", "other-meaning", SLUR}
_OF_ANY_FAITH = frozenset(
    {"place", "places", "leader", "leaders", "sister", "sisters", "book", "feast", "fast", "rite"}
)
"""Slots whose word may be another religion's, if that is named right before it: *a Hindu priest*."""
_EXPECTED = Slice("Sexual Orientation", "Heterosexual")
"""Whose partners name nobody: *his wife* tells nothing of an orientation."""
_OF_SOMEBODY = frozenset({"person", "woman"})
_OF_ONE = frozenset({"adjective", "person", "leader", "place"})
"""Slots whose word, with a capital and nothing before it, may be a name: *Christian plays bass, Pope wrote it*."""
_RACE = "Race/Ethnicity"
_CENSUS = {
    "black": "Black",
    "asian": "Asian",
    "hispanic": "LatinX",
    "native-american": "Indigenous",
    "pacific-islander": "Indigenous",
}
"""The subgroups whose terms the perturber has. The census's White are left out: *Germans* names no race here."""
_OF_ANIMALS_TOO = word_list("identity_words_of_animals_too")
_AMBIGUOUS = word_list("ambiguous_identity_words")
_OF_NO_PEOPLE = word_list("behind_a_hyphen_and_no_people")
_WORD = re.compile(r"[^\W_]+|-")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<!\w)@\w+")


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


@dataclass(frozen=True, slots=True)
class Mention:
    """A term at tokens `start` to `end` (half-open). `shared`: other subgroups say so too, as Hindus and Buddhists of a
    temple."""

    start: int
    end: int
    said: Said
    shared: bool = False


@dataclass(frozen=True)
class Identities:
    """`starting`: terms by first lower-case word, longest first; `first`: what is written for a subgroup's slot."""

    starting: Mapping[str, tuple[Said, ...]]
    first: Mapping[tuple[Slice, str], tuple[str, ...]]
    groups: Groups

    @cached_property
    def _readings(self) -> Readings:
        from gec_fair.english.lexicons import lexicon

        return Readings(lexicon.load())

    @cached_property
    def of_women(self) -> frozenset[str]:
        """Words that say a woman together with another group: *lesbian, Latinas*."""
        every = (said for terms in self.starting.values() for said in terms)
        return frozenset(said.words[0] for said in every if said.slot in ("woman", "women") and len(said.words) == 1)

    def find(self, doc: Doc, who: Slice) -> list[Mention]:
        """Those of a subgroup that the text is known to name, as far as another subgroup can be said so. Where the
        parse finds none, ambiguous words count (*what are some white accounts?*), unless they are of a colour."""
        strict = [mention for mention in self.mentions(doc, who) if _is_writable(mention, who)]
        if strict:
            return strict
        return [
            mention
            for mention in self.mentions(doc, who, loose=True)
            if _is_writable(mention, who) and not (self.is_colour(mention.said) and is_a_hue(doc, mention.end - 1))
        ]

    def is_colour(self, said: Said) -> bool:
        """Whether a term may be a colour, or another quality of things: *black, straight, native*."""
        return len(said.words) == 1 and said.words[0] in _AMBIGUOUS

    def plainly(self, text: str, who: Slice) -> int:
        """How often a text names a subgroup by words that say nothing else; without a parse."""
        words = _WORD.findall(text.lower())
        return sum(
            words[at : at + len(said.words)] == list(said.words)
            for at, word in enumerate(words)
            for said in self.starting.get(word, ())
            if said.slice == who and said.names and not (len(said.words) == 1 and word in _AMBIGUOUS)
        )

    def mentions(self, doc: Doc, who: Slice | None = None, *, loose: bool = False) -> Iterator[Mention]:
        """The longest terms, in order, none in an address or a name of the web; a shared one is said of `who`. What is
        an adjective and a person at once is reported by the parse, and unless `loose` whether an ambiguous word is of
        people at all."""
        words = [token.text for token in doc]
        addresses = [match.span() for match in _ADDRESS.finditer(doc.text)]
        last: Mention | None = None
        at = 0
        while at < len(words):
            mention = self._mention(doc, words, at, who, loose)
            if mention is None or any(start <= doc[at].idx < end for start, end in addresses):
                at += 1
                continue
            at = mention.end
            if mention.said.slot != "other-meaning" and not _belongs_to_another(mention, last):
                yield mention
                last = mention

    def _mention(self, doc: Doc, words: Sequence[str], at: int, who: Slice | None, loose: bool) -> Mention | None:
        """The longest term at a token that is meant there."""
        candidates = [
            said
            for said in self.starting.get(words[at].lower(), ())
            if tuple(word.lower() for word in words[at : at + len(said.words)]) == said.words
        ]
        for length, terms in groupby(candidates, key=lambda said: len(said.words)):
            longest = list(terms)
            own_terms = [said for said in longest if said.slice == who]
            said = self._meant(doc, words, at, own_terms or longest, loose)
            if said is not None:
                return Mention(at, at + length, said, len({said.slice for said in longest}) > 1)
        return None

    def _meant(self, doc: Doc, words: Sequence[str], at: int, candidates: list[Said], loose: bool) -> Said | None:
        last = at + len(candidates[0].words) - 1
        after = [token.lower_ for token in doc[last + 1 : last + 3]]
        if after[:1] == ["-"] and not _OF_NO_PEOPLE.isdisjoint(after[1:]):
            return None
        if (
            last == at
            and not loose
            and candidates[0].slot != "people"
            and is_a_personal_name(doc, at, alone=candidates[0].slot in _OF_ONE)
        ):
            return None
        usable = [said for said in candidates if loose or self._is_about_people(doc, words, at, said)]
        slots = {said.slot: said for said in usable}
        if "adjective" in slots and not _OF_SOMEBODY.isdisjoint(slots):
            others = ("adjective",) if not is_adjective(doc, at, last) else tuple(_OF_SOMEBODY)
            slots = {slot: said for slot, said in slots.items() if slot not in others}
        said = next(iter(slots.values()), None)
        if said is not None and said.slot == "person" and said.slice.category == _RACE and are_many(doc, at, last):
            return replace(said, slot="people")
        return said

    def _is_about_people(self, doc: Doc, words: Sequence[str], at: int, said: Said) -> bool:
        term = said.reading
        if term is None and len(said.words) == 1 and said.words[0] in _AMBIGUOUS:
            reading = "person" if said.slot in ("person", "people") else "adjective"
            term = Term(said.words, "black", reading, said.slot == "people", RACE)  # an attribute of the axis race
        last = at + len(said.words) - 1
        if said.slot == SLUR and doc[last].tag_.startswith("VB") and has_object(doc[last]):
            return False
        if said.slot in ("feast", "fast") and doc[last].tag_ not in NOUNS:  # she lent him a book
            return False
        if said.words[0] in _OF_ANIMALS_TOO and self._is_of_an_animal(doc, last):  # a hen and her chicks
            return False
        if term is None or self._readings.counts(doc, words, at, term) or stands_for_people(doc, at, last, said.slot):
            return True
        return said.slot == "adjective" and (is_of_what_people_have(doc, last) or self._are_people(doc, last + 1))

    def _is_of_an_animal(self, doc: Doc, at: int) -> bool:
        after = doc[at + 1] if at + 1 < len(doc) else None
        return self._readings.is_of_animals(doc[at]) or (after is not None and is_animal(after))

    def _are_people(self, doc: Doc, at: int) -> bool:
        """*Ethiopian Jews, a Tamil cleaner*: behind an adjective, a noun that may well be of people."""
        if at >= len(doc) or doc[at].tag_ not in NOUNS:
            return False
        known = self.starting.get(doc[at].lower_, ())
        return any(said.slot in ("person", "people") for said in known) or may_be_a_person(doc[at])


def _is_writable(mention: Mention, who: Slice) -> bool:
    return mention.said.slice == who and mention.said.slot not in NEVER_WRITTEN


def _belongs_to_another(mention: Mention, before: Mention | None) -> bool:
    """*a Hindu priest*, *the Sikh temple*: right behind an adjective of another religion."""
    if before is None or before.end != mention.start or mention.said.slot not in _OF_ANY_FAITH:
        return False
    named, usual = before.said.slice, mention.said.slice
    return before.said.slot == "adjective" and named.category == usual.category and named != usual


@cache
def load() -> Identities:
    """The shipped table, of the paper's subgroups."""
    return _identities([*_shipped(), *_slurs(shipped())], shipped())


def read(groups: Groups, path: Path | None = None) -> Identities:
    """For categories of one's own: what a table of theirs (CSV, TSV, JSONL: category, subgroup, slot, term) says, then
    the shipped one where it tells of subgroups that go by the same name. InputError for a row that cannot be meant."""
    rows: list[TermRow] = []
    for line, cells in user_tables.valid_rows(path) if path is not None else ():
        values = [str(cells.get(name) or "").strip() for name in _COLUMNS[:4]]
        if not all(values):
            raise InputError(f"{path}:{line}: lacks category, subgroup, slot or term; each row wants all four")
        try:
            groups.slice(values[0], values[1])
        except UsageError as fault:
            raise InputError(f"{path}:{line}: {fault}") from fault
        rows.append(TermRow(values[0], values[1], values[2], values[3]))
    return _identities(
        [*rows, *(row for row in _shipped() if _knows(groups, row.category, row.subgroup)), *_slurs(groups)], groups
    )


def _shipped() -> list[TermRow]:
    """The rows of the table of identities, then the perturber's terms of the same subgroups."""
    known = demographics.load().terms
    rows = []
    for row in read_table(shipped_directory() / "identities.tsv", _COLUMNS):
        category, subgroup, slot, term, _ = row.cells
        reading = _reading(known, slot, term) if category == _RACE else None
        rows.append(TermRow(category, subgroup, slot, term, reading))
    women = {row.term.lower() for row in rows if row.slot in ("woman", "women")}
    return rows + [
        TermRow(_RACE, _CENSUS[term.attribute], _slot(term), _written(term), None if _is_always_people(term) else term)
        for terms in known.values()
        for term in terms
        if term.attribute in _CENSUS and (term.reading == "adjective" or " ".join(term.words) not in women)
    ]


def _is_always_people(term: Term) -> bool:
    """*African American, Asian Americans*: a name of people alone."""
    return len(term.words) > 1 and term.words[-1].rstrip("s") == "american"


def _written(term: Term) -> str:
    """The perturber's terms are lower-case: *nigerian*; as they are written, *Nigerian*, but *dark-skinned*."""
    return " ".join(word if word.endswith("-skinned") else word.title() for word in term.words)


def _slurs(groups: Groups) -> list[TermRow]:
    """Of every subgroup that goes by the name of a slur's group."""
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
    same = [one for one in known.get(words[0], ()) if one.words == words and _slot(one) == slot]
    if same or len(words) > 1:
        return None if not same or _is_always_people(same[0]) else same[0]
    return Term(words, "another-race", "adjective" if slot == "adjective" else "person", slot == "people", RACE)


def _knows(groups: Groups, category: str, subgroup: str) -> bool:
    try:
        groups.slice(category, subgroup)
    except UsageError:
        return False
    return True


def _identities(rows: Iterable[TermRow], groups: Groups) -> Identities:
    """What is first for a slot is what is written."""
    starting: dict[str, list[Said]] = {}
    first: dict[tuple[Slice, str], tuple[str, ...]] = {}
    for category, subgroup, slot, term, reading in rows:
        who = groups.slice(category, subgroup)
        for form in dict.fromkeys(term_tokens(term)):
            said = Said(who, slot, form, reading)
            if said not in starting.setdefault(said.words[0], []):
                starting[said.words[0]].append(said)
        if slot not in NEVER_WRITTEN:
            first.setdefault((who, slot), tuple(term.split()))
    ordered = {word: tuple(sorted(terms, key=lambda said: -len(said.words))) for word, terms in starting.items()}
    return Identities(ordered, first, groups)
