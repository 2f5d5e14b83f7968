"""Words that name a subgroup, found in texts; their table is read by `identity_terms`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from gec_fair.english.labels import COMMON_NOUNS, NOUNS, PLURAL_NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.tables import term_tokens
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.people import people_in
from gec_fair.people.terms.axes import RACE
from gec_fair.people.terms.lexicon import Term
from gec_fair.people.terms.readings import Readings
from gec_fair.safety.counterfactuals.identity_terms import (
    NEVER_WRITTEN,
    RACE_CATEGORY,
    Said,
    TermRow,
    own_rows,
    shipped_rows,
    slur_rows,
)
from gec_fair.safety.data.groups import Groups, Slice, read_shipped

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from gec_fair.english.lexicons.names import Names

_OF_ANY_FAITH = frozenset("place places leader leaders sister sisters book feast fast rite".split())
"""Slots whose word may be another religion's, if that is named right before it: *a Hindu priest*."""
_OF_SOMEBODY = frozenset({"person", "woman"})
_OF_ONE = frozenset({"adjective", "person", "leader", "place"})
"""Slots whose word, with a capital and nothing before it, may be a name: *Christian plays bass, Pope wrote it*."""
_OF_ANIMALS_TOO = frozenset(["chick", "chicks", "male", "males", "female", "females"])
_AMBIGUOUS = word_list("ambiguous_identity_words")
_OF_NO_PEOPLE = word_list("behind_a_hyphen_and_no_people")
_COLOURS = word_list("colours_of_people_and_things")
_BODIES = word_list("bodies_of_people")
_BESIDE_A_HUE = word_list("after_a_hue") | {"be"}
_OF_A_LIFE = word_list("what_people_have")
_OF_A_PEOPLE = frozenset(["owned", "led", "run", "only", "majority", "born"])
_SINGULAR = word_list("singular_determiners")
_DETERMINERS = word_list("determiners_before_an_identity")
_TITLES = word_list("masculine_titles") | word_list("feminine_titles")
_BEFORE_ADJECTIVES = word_list("before_an_identity_adjective")
_ADVERBS = word_list("adverbs_behind_a_person")
_BEHIND_A_PERSON = frozenset({"VBZ", "VBD", "MD", "IN", "WP", "DT", "RB", "TO", ".", "PRP"})
_PLURAL_VERBS = word_list("plural_verbs_after_a_group")
_THEY = word_list("they_words")
_WORD = re.compile(r"[^\W_]+|-")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<!\w)@\w+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A term at tokens `start` to `end` (half-open). `shared`: other subgroups say so too, as Hindus and Buddhists of a
    temple."""

    start: int
    end: int
    said: Said
    shared: bool = False


def places_of(mentions: Iterable[Mention]) -> set[int]:
    """The tokens of some mentions."""
    return {at for mention in mentions for at in range(mention.start, mention.end)}


@dataclass(frozen=True)
class Identities:
    """`starting`: terms by first lower-case word, longest first; `first`: what is written for a subgroup's slot."""

    starting: Mapping[str, tuple[Said, ...]]
    first: Mapping[tuple[Slice, str], tuple[str, ...]]
    groups: Groups

    @cached_property
    def _readings(self) -> Readings:
        return Readings(lexicon.load())

    @cached_property
    def of_women(self) -> frozenset[str]:
        """Words that say a woman together with another group: *lesbian, Latinas*."""
        every = (said for terms in self.starting.values() for said in terms)
        return frozenset(said.words[0] for said in every if said.slot in ("woman", "women") and len(said.words) == 1)

    def find(self, doc: Doc, who: Slice) -> list[Mention]:
        """Those of a subgroup that the text is known to name, as far as another subgroup can be said so. Where the
        parse finds none, ambiguous words count (*what are some white accounts?*), but no hues (*white as a sheet*)."""
        for hues in (frozenset[str](), _BESIDE_A_HUE):
            mentions = [
                mention
                for mention in self.mentions(doc, who, loose=bool(hues))
                if mention.said.slice == who
                and mention.said.slot not in NEVER_WRITTEN
                and hues.isdisjoint(token.lemma_ for token in doc[max(0, mention.start - 1) : mention.end + 1])
            ]
            if mentions:
                return mentions
        return []

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
        slot = candidates[0].slot
        may_be_a_name = last == at and not loose and slot != "people"
        if may_be_a_name and _is_a_personal_name(doc, at, alone=slot in _OF_ONE):
            return None
        usable = [said for said in candidates if loose or self._is_about_people(doc, words, at, said)]
        slots = {said.slot: said for said in usable}
        if "adjective" in slots and not _OF_SOMEBODY.isdisjoint(slots):
            others = ("adjective",) if not _is_adjective(doc, at, last) else tuple(_OF_SOMEBODY)
            slots = {slot: said for slot, said in slots.items() if slot not in others}
        said = next(iter(slots.values()), None)
        if said is None or said.slot != "person" or said.slice.category != RACE_CATEGORY:
            return said
        return replace(said, slot="people") if _are_many(doc, at, last) else said

    def _is_about_people(self, doc: Doc, words: Sequence[str], at: int, said: Said) -> bool:
        term = said.reading
        if term is None and len(said.words) == 1 and said.words[0] in _AMBIGUOUS:
            reading = "person" if said.slot in ("person", "people") else "adjective"
            term = Term(said.words, "black", reading, said.slot == "people", RACE)  # an attribute of the axis race
        last = at + len(said.words) - 1
        if said.slot in ("feast", "fast") and doc[last].tag_ not in NOUNS:  # she lent him a book
            return False
        if said.words[0] in _OF_ANIMALS_TOO and self._is_of_an_animal(doc, last):  # a hen and her chicks
            return False
        if term is None or self._readings.counts(doc, words, at, term) or _stands_for_people(doc, at, last, said.slot):
            return True
        return said.slot == "adjective" and (_is_of_what_people_have(doc, last) or self._are_people(doc, last + 1))

    def _is_of_an_animal(self, doc: Doc, at: int) -> bool:
        after = doc[at + 1] if at + 1 < len(doc) else None
        return self._readings.is_of_animals(doc[at]) or (after is not None and people_in(doc).is_animal(after))

    def _are_people(self, doc: Doc, at: int) -> bool:
        """*Ethiopian Jews, a Tamil cleaner*: behind an adjective, a noun that may well be of people."""
        if at >= len(doc) or doc[at].tag_ not in NOUNS:
            return False
        noun, known = doc[at], self.starting.get(doc[at].lower_, ())
        if noun.lower_ in _BODIES or any(said.slot in ("person", "people") for said in known):
            return True
        is_common = noun.tag_ in COMMON_NOUNS and noun.lower_ not in _COLOURS
        return is_common and self._readings.is_person(noun) and not people_in(doc).is_animal(noun)


def find_determiner(doc: Doc, at: int) -> str:
    """The determiner that stands before it, or before the adjectives before it; "" where there is none."""
    before = at - 1
    while before >= 0 and doc[before].tag_.startswith(("JJ", "RB", "NNP")) and doc[before].lower_ not in _DETERMINERS:
        before -= 1
    return str(doc[before].lower_) if before >= 0 and doc[before].lower_ in _DETERMINERS else ""


def _is_adjective(doc: Doc, first: int, last: int) -> bool:
    """*a Muslim man, she is Muslim*; not *a devout Muslim, a Muslim's vote, a Muslim or Jew*."""
    token, determiner = doc[last], find_determiner(doc, first)
    after = doc[last + 1] if last + 1 < len(doc) else None
    is_before_a_noun = after is not None and after.tag_ in COMMON_NOUNS and after.dep_ != "conj"
    modifies = is_before_a_noun or (token.dep_ in ("amod", "compound") and token.head.i > last)
    if not determiner or after is None:
        return modifies or (not determiner and _is_said(doc, first, last, after))
    is_verb = is_before_a_noun and after.tag_ == "NNS" and determiner in _SINGULAR  # a Muslim prays
    return modifies and not is_verb and after.tag_ not in _BEHIND_A_PERSON and after.lower_ not in _ADVERBS


def _is_said(doc: Doc, first: int, last: int, after: Token | None) -> bool:
    """*she is Muslim, Jewish or Muslim*; not *Muslim's*: of a word without a determiner."""
    token = doc[last]
    if first and doc[first - 1].lemma_ in _BEFORE_ADJECTIVES and token.tag_ not in PLURAL_NOUNS:
        return True
    if after is not None and after.tag_ == "POS":
        return False
    if token.dep_ == "conj" and token.head.i < first:
        return _is_adjective(doc, token.head.i, token.head.i)
    is_predicate = token.dep_ in ("acomp", "attr", "oprd") or any(child.dep_ == "cop" for child in token.children)
    return is_predicate or token.tag_.startswith("JJ")


def _is_of_what_people_have(doc: Doc, last: int) -> bool:
    """*Black lives*, *her black throat*; *a Black-owned shop*: said of a thing, and of people by it."""
    after = [token.lower_ for token in doc[last + 1 : last + 3]]
    if after[:1] == ["-"]:
        return not _OF_A_PEOPLE.isdisjoint(after[1:])
    return bool(after) and (after[0] in _OF_A_LIFE or after[0].lstrip("-") in _OF_A_PEOPLE)


def _stands_for_people(doc: Doc, first: int, last: int, slot: str) -> bool:
    """*Hispanics vote, a Pakistani was elected*: a noun by its form and the words around, whatever its tag; not a
    colour."""
    if doc[last].lower_ in _COLOURS or slot not in ("person", "people"):
        return False
    if slot == "people":
        return doc[last].lower_.endswith("s")
    after = doc[last + 1] if last + 1 < len(doc) else None
    is_alone = after is None or not (after.tag_ in NOUNS or after.tag_.startswith("JJ") or after.text == "-")
    return is_alone and find_determiner(doc, first) in _SINGULAR


def _are_many(doc: Doc, first: int, last: int) -> bool:
    """*The Cherokee lost their land*: a people by its name, with *the* and a *they* or a verb of several."""
    if find_determiner(doc, first) != "the" or doc[last].lower_.endswith("s"):
        return False
    after = [token.lower_ for token in doc[last + 1 :]]
    return not _THEY.isdisjoint(after) or not _PLURAL_VERBS.isdisjoint(after[:1])


def _is_a_personal_name(doc: Doc, at: int, *, alone: bool) -> bool:
    """*Elizabeth Bishop, Mr Church, Christian Weber*: a capitalised word beside a first name, a title or a surname;
    `alone`: by itself as well, where it is likely somebody's name (*Christian plays bass*)."""
    token, names = doc[at], lexicon.load().names
    if not token.text.istitle() or token.tag_ not in PROPER_NOUNS:
        return False
    before = doc[at - 1] if at else None
    if before is not None and (before.lower_ in _TITLES or _is_a_first_name(before, names)):
        return True
    after = doc[at + 1] if at + 1 < len(doc) else None
    is_named = after is None or after.tag_ not in NOUNS or (after.text.istitle() and _is_a_first_name(token, names))
    may_be = _is_a_first_name(token, names) and at in people_in(doc).names_of_things
    return alone and not find_determiner(doc, at) and is_named and (may_be or at in people_in(doc).names_at([at]))


def _is_a_first_name(token: Token, names: Names) -> bool:
    return token.text.istitle() and token.tag_ in PROPER_NOUNS and names.is_name(token.text, proper=True)


def _belongs_to_another(mention: Mention, before: Mention | None) -> bool:
    """*a Hindu priest*, *the Sikh temple*: right behind an adjective of another religion."""
    if before is None or before.end != mention.start or mention.said.slot not in _OF_ANY_FAITH:
        return False
    named, usual = before.said.slice, mention.said.slice
    return before.said.slot == "adjective" and named.category == usual.category and named != usual


@cache
def load() -> Identities:
    """The shipped table, of the paper's subgroups."""
    groups = read_shipped()
    return _identities([*shipped_rows(), *slur_rows(groups)], groups)


def read(groups: Groups, path: Path | None = None) -> Identities:
    """For categories of one's own: what a table of theirs says, then the shipped one where it tells of subgroups that
    go by the same name. InputError for a row that has no place."""
    rows = own_rows(groups, path) if path is not None else []
    shared = (row for row in shipped_rows() if groups.has(row.category, row.subgroup))
    return _identities([*rows, *shared, *slur_rows(groups)], groups)


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
