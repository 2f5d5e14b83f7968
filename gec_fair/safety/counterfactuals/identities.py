"""How each subgroup is said (`lexicons/identities.tsv`): found in parsed texts, filled into templates.

slot     adjective, person, people; of religions faith, place(s), book, leader(s), hatred, prejudice, feast, dress(es);
         of orientations state, and whose partner: *his wife* goes with the one, *his husband* with the other, and names
         neither, as feasts and dress do not
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gec_fair.data import user_tables
from gec_fair.english.labels import COMMON_NOUNS
from gec_fair.english.lexicons.tables import read_table, shipped_directory, term_tokens
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.errors import InputError, UsageError
from gec_fair.perturber.words.axes import RACE
from gec_fair.perturber.words.lexicon import Term
from gec_fair.perturber.words.readings import Readings
from gec_fair.safety.data.groups import Groups, Slice, shipped

if TYPE_CHECKING:
    from spacy.tokens import Doc

_COLUMNS = ("category", "subgroup", "slot", "term", "note")
_PARTNER = "partner"
_GOES_WITH = frozenset({"feast", "dress", "dresses"})
_AMBIGUOUS = word_list("ambiguous_identity_words")
_WORD = re.compile(r"[^\W_]+|-")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<!\w)@\w+")
_SINGULAR = word_list("singular_determiners")
_DETERMINERS = word_list("determiners_before_an_identity")


@dataclass(frozen=True, slots=True)
class Said:
    """A term: whom it says, in which slot, as it is written."""

    slice: Slice
    slot: str
    written: tuple[str, ...]

    @property
    def names(self) -> bool:
        """Whether it names the subgroup, and does not only go with it."""
        return not (self.slot in _GOES_WITH or self.for_partner)

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

    def find(self, doc: Doc, who: Slice) -> list[Mention]:
        """Those of a subgroup that the text is known to name. Where the parse finds none, ambiguous words
        count (*what are some white accounts?*)."""
        strict = [mention for mention in self.mentions(doc, who) if mention.said.slice == who]
        return strict or [mention for mention in self.mentions(doc, who, loose=True) if mention.said.slice == who]

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
        at = 0
        while at < len(words):
            candidates = [
                said
                for said in self.starting.get(words[at].lower(), ())
                if tuple(word.lower() for word in words[at : at + len(said.words)]) == said.words
            ]
            longest = [said for said in candidates if len(said.words) == len(candidates[0].words)]
            shared = len({said.slice for said in longest}) > 1
            own_terms = [said for said in longest if said.slice == who]
            said = self._meant(doc, words, at, own_terms or longest, loose)
            if any(start <= doc[at].idx < end for start, end in addresses):
                said = None
            if said is not None:
                yield Mention(at, at + len(said.words), said, shared)
            at += len(said.words) if said is not None else 1

    def _meant(self, doc: Doc, words: list[str], at: int, candidates: list[Said], loose: bool) -> Said | None:
        slots = {said.slot: said for said in candidates}
        if {"adjective", "person"} <= set(slots):
            slots.pop("person" if is_adjective(doc, at, at + len(candidates[0].words) - 1) else "adjective")
        said = next(iter(slots.values()), None)
        if said is not None and set(slots) == {"adjective"} and _is_one(doc, at):
            said = Said(said.slice, "person", said.written)
        if said is None or loose or words[at].lower() not in _AMBIGUOUS or len(said.words) > 1:
            return said
        reading = "person" if said.slot in ("person", "people") else "adjective"
        term = Term(said.words, "black", reading, said.slot == "people", RACE)  # an attribute of the axis race
        return said if self._readings.counts(doc, words, at, term) else None


def is_adjective(doc: Doc, first: int, last: int) -> bool:
    """*a Muslim man, she is Muslim*; not *a devout Muslim, a Muslim's vote, a Muslim or Jew*."""
    token = doc[last]
    after = doc[last + 1] if last + 1 < len(doc) else None
    determiner = determined(doc, first)
    if after is not None and after.tag_ in COMMON_NOUNS and after.dep_ != "conj":
        return not (after.tag_ == "NNS" and determiner in _SINGULAR)  # a verb that was taken for a noun: a Muslim prays
    if token.dep_ in ("amod", "compound") and token.head.i > token.i:
        return True
    if determiner or (after is not None and after.tag_ == "POS"):
        return False
    if token.dep_ == "conj" and token.head.i < first:
        return is_adjective(doc, token.head.i, token.head.i)
    said_of = token.dep_ in ("acomp", "attr", "oprd") or any(child.dep_ == "cop" for child in token.children)
    return token.tag_.startswith("JJ") or said_of


def _is_one(doc: Doc, at: int) -> bool:
    """*I am a proud Black*, where the table has an adjective alone."""
    return doc[at].tag_.startswith("NN") and determined(doc, at) in _SINGULAR and not is_adjective(doc, at, at)


def determined(doc: Doc, at: int) -> str:
    """The determiner that stands before it, or before the adjectives before it; "" where there is none."""
    before = at - 1
    while before >= 0 and doc[before].tag_.startswith(("JJ", "RB")) and doc[before].lower_ not in _DETERMINERS:
        before -= 1
    return str(doc[before].lower_) if before >= 0 and doc[before].lower_ in _DETERMINERS else ""


@cache
def load() -> Identities:
    """The shipped table, of the paper's subgroups."""
    return _identities(_shipped(), shipped())


def read(groups: Groups, path: Path | None = None) -> Identities:
    """For categories of one's own: what a table of theirs (CSV, TSV, JSONL: category, subgroup, slot, term) says, then
    the shipped one where it tells of subgroups that go by the same name. InputError for a row that cannot be meant."""
    rows: list[tuple[str, str, str, str]] = []
    for row in user_tables.rows(path) if path is not None else ():
        if isinstance(row, InputError):
            raise row
        line, cells = row
        values = [str(cells.get(name) or "").strip() for name in _COLUMNS[:4]]
        if not all(values):
            raise InputError(f"{path}:{line}: lacks category, subgroup, slot or term; each row wants all four")
        try:
            groups.slice(values[0], values[1])
        except UsageError as fault:
            raise InputError(f"{path}:{line}: {fault}") from fault
        rows.append((values[0], values[1], values[2], values[3]))
    return _identities([*rows, *(row for row in _shipped() if _knows(groups, row[0], row[1]))], groups)


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
        for form in dict.fromkeys(term_tokens(term)):
            said = Said(who, slot, form)
            starting.setdefault(said.words[0], []).append(said)
        first.setdefault((who, slot), tuple(term.split()))
    ordered = {word: tuple(sorted(terms, key=lambda said: -len(said.words))) for word, terms in starting.items()}
    return Identities(ordered, first, groups)
