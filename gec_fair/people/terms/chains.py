"""Who is one person in a text: the tokens that change together.

    Anna Smith lost her keys . Miss Smith , a nurse , found them .        Anna Smith her Miss Smith nurse

    coreference   of each mention its head and what is one with it (a name's parts, a title), not who possesses it
    predicates    he is an actor, who became a father, works as a waiter; her name is Ann
    reflexives    a gentleman fixed it himself
    beside        his wife , Michelle ,   the actress Meryl Streep   a young black man
    names         Anna Smith … Anna, not Mr. Smith … Mrs. Smith
    nouns         a man … the man, and a noun that each of two fields has once (A man plays. / A man is playing.)

Linked words need be no people: only what says a gender, race or age is ever changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, takewhile
from typing import TYPE_CHECKING

from gec_fair.english.labels import (
    COMMON_NOUNS,
    NOUNS,
    OBJECTS,
    PLURAL_NOUNS,
    POSSESSIVES,
    PROPER_NOUNS,
    SUBJECTS,
)
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.links.lexical import TITLES
from gec_fair.people.links.predicates import is_bare, of_kind, predicates, walk_list
from gec_fair.people.reader import SOMEBODY, places_of
from gec_fair.people.terms.axes import RACE
from gec_fair.people.terms.lexicon import PerturbableWord, load
from gec_fair.people.terms.names import proper_runs

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

    from gec_fair.people.links import Cluster

_SHORT = 120
"""Words of a text in which pronouns without a chain are one person's. Chosen by hand: a paragraph, not an article."""
_DESCRIBES = frozenset({"NN", "NNS", "JJ"})
_SAME = frozenset({"compound", "flat", "flat:name", "amod", "appos", "nn"})
_QUALIFIES = frozenset({"amod", "nummod"})
_RESTRICTS = frozenset({"acl:relcl", "relcl", "acl", "nmod", "prep"})
_MEASURES = frozenset({"obl:npmod", "nmod:npmod", "obl:unmarked", "npadvmod", "compound"})
_REFLEXIVES = word_list("singular_reflexives")
_LATINO = frozenset(["latino", "latina", "chicano", "chicana", "latinos", "latinas"])
_INFANTS = frozenset(["infant", "baby", "teen", "newborn", "toddler"])
_HONOURED = word_list("honorific_nouns")
_THE = word_list("determiners_of_a_known_person")


@dataclass(frozen=True)
class Chains:
    """The chains of one text. `borders`: the tokens at which its second and further fields begin."""

    doc: Doc
    clusters: Sequence[Cluster] = ()
    borders: Sequence[int] = ()
    gendered: Sequence[PerturbableWord] = ()
    """The words of gender, by which pronouns without a chain find their person."""

    def chain_of(self, word: PerturbableWord) -> frozenset[int]:
        """The tokens of a word's chain, its own among them."""
        return frozenset(_link(range(word.start, word.end), self._links))

    @cached_property
    def _links(self) -> Sequence[set[int]]:
        links = self._said
        for attribute in ("man", "woman"):
            lone = self._lone(attribute)
            links = [*links, lone] if lone else links
        return links

    def _lone(self, attribute: str) -> set[int]:
        """The pronouns of a gender that no name tells apart, and their person: *The nurse handed him the chart, and he
        signed it; I asked this guy. He left*; not *he saw him*. If there were two after all, both change, and the text
        stays consistent."""
        words = [word for word in self.gendered if word.attribute == attribute]
        pronouns = {word.start for word in words if word.kind == "pronoun"}
        verbs = [self.doc[i].head.i for i in pronouns if self.doc[i].dep_ in SUBJECTS | OBJECTS]
        if not pronouns or len(self.doc) > _SHORT or len(set(verbs)) < len(verbs):
            return set()
        singular = [
            word for word in words if word.kind != "pronoun" and self.doc[word.end - 1].tag_ not in PLURAL_NOUNS
        ]
        people = {frozenset(_link({word.start}, self._said)) for word in singular}
        meant = [person for person in people if person & pronouns]
        names = self._names_in(_link(pronouns, self._said) - set().union(*people), attribute)
        if len(meant) + len(names) > 1:
            return set()
        if not meant and not names and len(people) == 1:
            owners = {self.doc[i].head.i for i in pronouns if self.doc[i].dep_ in POSSESSIVES}  # his great-grandfather
            meant = [who for who in people if not ({self.doc[i].head.i for i in who} & {*verbs} or who & owners)]
        return pronouns.union(*meant)

    def _names_in(self, places: set[int], attribute: str) -> set[str]:
        """The last words of the names among the places that may be a person's, none of the other gender."""
        away = {word.start for word in self.gendered if word.attribute != attribute}
        runs = [[token.i for token in run] for run in proper_runs(self.doc)]
        lasts = [run[-1] for run in runs if places.intersection(run) and not away.intersection(run)]
        return {self.doc[i].lower_ for i in places_of(self.doc, lasts, *SOMEBODY)}

    @cached_property
    def _said(self) -> Sequence[set[int]]:
        mentions = [
            {i for mention in cluster for i in _one_with(self.doc[mention.start : mention.end], mention.head)}
            for cluster in self.clusters
        ]
        word_links = (link for token in self.doc for way in _WAYS for link in way(token))
        links = [*mentions, *word_links, *_names(self.doc), *_nouns(self.doc), *_across(self.doc, self.borders)]
        return [link for link in links if len(link) > 1]


def _link(places: Iterable[int], links: Sequence[set[int]]) -> set[int]:
    """The places, and all that the links lead to."""
    chain = set(places)
    while more := [link for link in links if link & chain and not link <= chain]:
        chain.update(*more)
    return chain


def _one_with(mention: Span, head: int) -> Iterator[int]:
    yield head
    for token in mention:
        above: Token = token
        while above.i != head and above.dep_ in _SAME and above.head != above:
            if not mention.start <= above.head.i < mention.end:
                break
            above = above.head
        if above.i == head:
            yield token.i


def _reflexives(token: Token) -> Iterator[set[int]]:
    """*she saw it herself, the king himself came*: a reflexive is whom its clause is about."""
    if token.lower_ not in _REFLEXIVES:
        return
    above = token.head
    if above.tag_ in NOUNS and above.i == token.i - 1:
        yield {above.i, token.i}
        return
    while not any(of_kind(above, SUBJECTS)) and above.head != above:
        above = above.head
    yield from ({subject.i, token.i} for subject in of_kind(above, SUBJECTS))


def _appositions(token: Token) -> Iterator[set[int]]:
    """A noun with its qualities, what it is called, and what else it is called."""
    if token.lower_ == "old" or token.lower_.endswith("-old"):
        yield set(_find_ages(token))
    if token.tag_ not in NOUNS:
        return
    yield {token.i, *(child.i for child in token.children if _qualifies(child))}
    if token.i and token.text[:1].isupper() and token.nbor(-1).tag_ == "NNP" and token.nbor(-1).head == token:
        yield {token.i - 1, token.i}  # Ann Grant, where the tagger sees a grant
    if token.lower_ in _HONOURED:
        yield {token.i, *(child.i for child in token.children if child.dep_ in POSSESSIVES)}
    for child in of_kind(token, frozenset({"appos"})):
        if _is_another_name(child):
            yield {token.i, *(name.i for name in walk_list(child))}
    if token.tag_ not in PROPER_NOUNS:
        yield from _before_a_name(token)


def _before_a_name(noun: Token) -> Iterator[set[int]]:
    """*the actress Ann Lee, actress Ann Lee, an actress and singer Ann Lee*."""
    doc = noun.doc
    name = list(takewhile(lambda following: following.tag_ == "NNP", doc[noun.i + 1 :]))
    if not name:
        return
    are_subjects = {noun.dep_, name[0].dep_} <= SUBJECTS and noun.head == name[0].head
    if noun.head in name or are_subjects or noun in [word.head for word in name]:
        yield {noun.i, name[0].i}
        first = doc[noun.i - 2] if noun.i > 1 and doc[noun.i - 1].dep_ == "cc" else None
        if first is not None and first.tag_ == "NN" and is_bare(noun):
            yield {first.i, noun.i}


def _numbers(token: Token) -> Iterator[set[int]]:
    """*a woman aged 40; the driver, 52, left; Rita (34); a girl of ten*: the age and whose it is."""
    if token.tag_ == "CD" and token.i > 1:
        is_of = token.dep_ == "nmod"
        noun = token.head if is_of else token.nbor(-2)
        if (is_of or token.nbor(-1).lower_ in (",", "(", "aged")) and noun.tag_ in NOUNS:
            yield {noun.i, token.i}


_WAYS = (predicates, _reflexives, _appositions, _numbers)


def _qualifies(child: Token) -> bool:
    if child.dep_ != "compound":
        return child.dep_ in _QUALIFIES
    is_people = any(term.axis == RACE and len(term.words) == 1 for term in load().terms.get(child.lower_, ()))
    return child.lower_ in _LATINO | _INFANTS or is_people  # a Lithuanian pianist, where the tagger sees a name


def _find_ages(old: Token) -> Iterator[int]:
    """*a 7-year-old child, he is seven years old*: the number, the years, and who is."""
    yield old.i
    for unit in old.children:
        if unit.dep_ in _MEASURES:
            yield from (unit.i, *(child.i for child in unit.children if child.dep_ == "nummod"))
    if old.i + 1 < len(old.doc) and old.nbor().tag_ in NOUNS:
        yield old.i + 1


def _is_another_name(token: Token) -> bool:
    """*his wife, Michelle, left; Ann, an actress and singer, left*; not of a list: *an uncle, a nephew and a
    grandfather*."""
    after = [child for child in token.head.children if child.i > token.head.i and child.dep_ in ("conj", "cc")]
    several = [child for child in token.children if child.dep_ == "conj" and not is_bare(child)]
    return not after and not several


def _names(doc: Doc) -> Iterator[set[int]]:
    """Each name with its title, and two that may be one person's: *Anna Smith … Anna*, *Mr. Smith … Smith*; not *Mr.
    Smith* and *Mr. Jones*, *Mr. Smith* and *Mrs. Smith*, *John Smith* and *Bob Smith*."""
    by_word: dict[str, list[_Name]] = {}
    for name in map(_Name.from_tokens, proper_runs(doc)):
        yield name.places
        if len(name.words) == 1 and min(name.words).lower() in load("").terms:  # one Latina is not the other
            continue
        for word in name.words:
            by_word.setdefault(word, []).append(name)
    for names in by_word.values():
        yield from (first.places | second.places for first, second in combinations(names, 2) if first.may_be(second))


@dataclass(frozen=True, slots=True)
class _Name:
    """Proper nouns beside each other."""

    places: set[int]
    words: frozenset[str]
    titles: frozenset[Gender]
    """The genders of the titles before it."""

    @classmethod
    def from_tokens(cls, tokens: Sequence[Token]) -> _Name:
        titles = [token for token in tokens[:-1] if token.lower_ in TITLES]
        words = frozenset(token.text for token in tokens if token not in titles)
        genders = frozenset(gender for token in titles if (gender := TITLES[token.lower_]) is not None)
        return cls({token.i for token in tokens}, words, genders)

    def may_be(self, theirs: _Name) -> bool:
        return len(self.titles | theirs.titles) < 2 and (self.words <= theirs.words or theirs.words <= self.words)


def _nouns(doc: Doc) -> Iterator[set[int]]:
    """*a man … the man*: a noun that is spoken of as known and the last one before it that may be meant, which has all
    the qualities that it is told apart by; *my brother … my brother*."""
    before: dict[tuple[str, str], list[Token]] = {}
    for token in doc:
        if token.lower_ in TITLES and token.tag_ in PROPER_NOUNS:  # Prince Aldric … the prince
            before.setdefault((token.lower_, ""), []).append(token)
        if token.tag_ not in COMMON_NOUNS:
            continue
        owner = next((child.lower_ for child in token.children if child.dep_ in POSSESSIVES), "")
        known = owner or any(child.lower_ in _THE and child.i < token.i for child in token.children)
        earlier = before.setdefault((token.lower_, owner), [])
        if known and not any(child.dep_ in _RESTRICTS for child in token.children):
            meant = next(
                (candidate for candidate in reversed(earlier) if _qualities(token) <= _qualities(candidate)), None
            )
            if meant is not None:
                yield {meant.i, token.i}
        earlier.append(token)


def _qualities(noun: Token) -> set[str]:
    return {child.lower_ for child in noun.children if child.dep_ in _QUALIFIES or child.dep_ == "compound"}


def _across(doc: Doc, borders: Sequence[int]) -> Iterator[set[int]]:
    """Words of two fields that say the same of one person, as two sentences about one picture do."""
    edges = [0, *borders, len(doc)]
    fields = [_once(doc[first:last]) for first, last in pairwise(edges)] if borders else []
    for left, right in combinations(fields, 2):
        yield from ({left[word], right[word]} for word in left.keys() & right.keys())


def _once(field: Iterable[Token]) -> dict[str, int]:
    """Nouns and adjectives that a field has once, and where."""
    places: dict[str, list[int]] = {}
    for token in field:
        if token.tag_ in _DESCRIBES:
            places.setdefault(token.lower_, []).append(token.i)
    return {word: places[0] for word, places in places.items() if len(places) == 1}
