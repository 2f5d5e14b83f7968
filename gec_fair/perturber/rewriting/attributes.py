"""Race, age and the axes of a user's tables: every word of a chain that says the attribute, and the word itself.

the elderly Korean, 71, and his grandson      71 → young      the young Korean, 25, and his grandson
Mei Chen sang                                 Mei → hispanic  Lucia Perez sang
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_fair.edits import Edit, edited_places
from gec_fair.english.clauses import is_copula
from gec_fair.english.labels import COMMON_NOUNS, NOUN_MODIFIERS, PLURAL_NOUNS, PREDICATES, PROPER_NOUNS
from gec_fair.english.lexicons.paradigms import Gender
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import texts
from gec_fair.english.possessives import is_possessed
from gec_fair.people.people import people_in
from gec_fair.people.terms.axes import AGE, RACE, is_unstated
from gec_fair.people.terms.lexicon import PerturbableWord, Target, Term, is_of_a_race
from gec_fair.perturber.rewriting.full_names import FullNames
from gec_fair.perturber.rewriting.insertion import remove
from gec_fair.perturber.rewriting.sampling import Choice, pick
from gec_fair.perturber.rewriting.surface import lower_words, match_case
from gec_fair.perturber.words import ages
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import ATTRIBUTE, Finder

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CHILDREN = frozenset(["child", "children", "kid", "kids"])
_OTHER_AMERICANS = frozenset(["american", "americans", "latin", "central", "south", "north"])
_MAN = re.compile(r"(?:english|french|irish|scots|welsh|dutch)((?:wo)?m[ae]n)")
_COLOURS = word_list("colours_of_people_and_things")
_KNOWN = word_list("determiners_of_a_known_person")
_ADULTS = word_list("always_adults")


@dataclass(frozen=True)
class Attributes:
    """Plans the new words of a chain. `seed` decides which name or people stands for a race or ethnicity."""

    finder: Finder
    seed: int = 0

    def rewrite(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> list[Edit] | None:
        """Every word of the chain that says the same, and the word itself. One person has one age: all
        that tells it is told anew, and a boy has grown up. None where a number is to say *of age* and nothing more,
        for one of whom months are told, and for *kids under 5*."""
        doc, target = text.doc, choice.target
        said = [mention for mention in text.words if _says_the_same(doc, mention, choice.word, chain)]
        if not self._can_say(doc, chain, choice, said):
            return None
        names: list[PerturbableWord] = []
        if not is_unstated(target):
            names = [mention for mention in said if mention.kind in ("name", "surname")]
            names += self._unlisted_names(text, chain, choice)
        parts = [self._reword(doc, mention, choice, said, names) for mention in said]
        if names:
            parts.append(self._new_names(text, chain, choice, said, names) or None)
        edits = [edit for part in parts if part is not None for edit in part]
        if choice.word.axis == AGE:
            edits += self._rename_grown_ups(doc, chain - edited_places(edits), choice)
        return None if None in parts else edits

    def _can_say(self, doc: Doc, chain: frozenset[int], choice: Choice, said: Sequence[PerturbableWord]) -> bool:
        """Whether every word that is `said` of the person has one that says the new attribute, and one age is said."""
        if choice.word.axis == AGE and (ages.in_months(doc, chain) or ages.is_bounded(doc, choice.word.end)):
            return False
        if choice.target == "child" and any(doc[i].lower_ in _ADULTS for i in chain):
            return False
        numbers = {ages.number(mention.text(doc)) for mention in said if mention.kind == "age"}
        return len(numbers) < 2 and not any(self._is_unsayable(doc, mention, choice.target) for mention in said)

    def _reword(
        self,
        doc: Doc,
        mention: PerturbableWord,
        choice: Choice,
        said: Sequence[PerturbableWord],
        names: Sequence[PerturbableWord],
    ) -> Sequence[Edit] | None:
        """The edits of one word; None where it cannot be left out. Of names all parts change together, apart."""
        if is_unstated(choice.target) or (choice.target == "adult" and _is_quality(mention)):
            return remove(doc, mention)
        if mention.kind == "age":
            return list(self._age(doc, mention, choice))
        if mention.term is None:
            return ()
        target = self._target(doc, mention, choice, names)
        if doc[mention.end - 1].lower_ in self.finder.demographics.grown:
            return [self._grow_up(doc, mention, choice, said, target)]
        return [self._term(doc, mention, mention.term, choice, target)]

    def _is_unsayable(self, doc: Doc, mention: PerturbableWord, target: str) -> bool:
        """Whether a word for an age has no other that says the new one."""
        if mention.kind == "age" and (target == "adult" or is_unstated(target)):
            return True
        return mention.axis == AGE and self._is_an_odd_quality(doc, mention, target)

    def _new_names(
        self,
        text: ParsedText,
        chain: frozenset[int],
        choice: Choice,
        said: Sequence[PerturbableWord],
        names: Sequence[PerturbableWord],
    ) -> list[Edit]:
        """The names of a person, of the people that the text says; empty where there are none."""
        doc, lexicon = text.doc, self.finder.lexicon
        gender = _gender_said(text, chain) or lexicon.names.gender(doc[names[0].start].text)
        term = next((word for word in said if word.term is not None and not is_of_a_race(word.term)), None)
        country = "" if term is None else self._target(doc, term, choice, names).names
        tables = self.finder.demographics
        full = FullNames(tables, lexicon.names.entries, self.seed, with_surnames=term is not None)
        return full.rewrite(doc, names, choice, gender, country)

    def _unlisted_names(self, text: ParsedText, chain: frozenset[int], choice: Choice) -> Iterator[PerturbableWord]:
        """First names whose origin no table has, of the person whose people changes: *Matej Vogrin is a Slovenian
        artist*. None where a name says the new people already."""
        doc, term, tables = text.doc, choice.word.term, self.finder.demographics
        if choice.word.axis != RACE or term is None or is_of_a_race(term):
            return
        known = {word.start for word in text.gendered if word.kind == "name"}
        proper = [i for i in sorted(chain - people_in(doc).names_of_things) if doc[i].tag_ == "NNP" or i in known]
        origins = {i: tables.origin_of(doc[i].lower_) for i in proper}
        if any(origin is not None and origin.attribute == choice.target for origin in origins.values()):
            return
        proper = [i for i in proper if doc[i].lower_ not in tables.terms]  # his father is Italian, his mother Irish
        first = people_in(doc).first_names_at(proper) | known
        likely = [i for i in proper if origins[i] is None and i in first]
        yield from (
            PerturbableWord(i, i + 1, RACE, choice.word.attribute, "name") for i in likely if i - 1 not in likely
        )

    def _is_an_odd_quality(self, doc: Doc, mention: PerturbableWord, target: str) -> bool:
        """*a young lawyer → an underage lawyer, when I was young*: no adjective says the new age well."""
        word = doc[mention.end - 1]
        if not _is_quality(mention):
            return False
        if word.head == word or any(map(is_copula, word.children)):
            return True
        is_said = word.dep_ in PREDICATES or word.tag_ not in ("JJ", "JJR", "JJS", "VBN", "NN")
        young = self.finder.demographics.young
        if target == "child" and any(child.dep_ == "advmod" for child in word.children):
            return True  # a relatively young man
        becomes_a_child = mention.end < len(doc) and doc[mention.end].lower_ in young
        return is_said or (target == "child" and not becomes_a_child)

    def _term(self, doc: Doc, mention: PerturbableWord, term: Term, choice: Choice, target: Target) -> Edit:
        start, end, last = mention.start, mention.end, doc[mention.end - 1]
        young = self.finder.demographics.young.get(doc[end].lower_) if end < len(doc) else None
        is_listed = young is not None and any(child.dep_ in ("cc", "conj") for child in doc[end].children)
        if choice.target == "child" and term.reading != "person" and young is not None and not is_listed:
            return Edit(start, end + 1, match_case(doc, start, end, [young]))
        new = target.adjective if term.reading in ("adjective", "old") else _noun(last, term, target)
        if mention.attribute == "child" and term.reading == "person" and is_possessed(last):
            adjective = "young adult" if choice.target == "young" else target.adjective  # my teenager, her newborn
            new = f"{adjective} {'children' if term.plural else 'child'}"
        return Edit(start, end, match_case(doc, start, end, new.split()))

    def _grow_up(
        self, doc: Doc, mention: PerturbableWord, choice: Choice, said: Sequence[PerturbableWord], target: Target
    ) -> Edit:
        """*a girl … the girl* become *an elderly woman … the woman*, *an American girl* *an elderly American woman*:
        one of the words that are `said` of the person says the age, if no other does."""
        start, end, grown = mention.start, mention.end, self.finder.demographics.grown
        alone = all(doc[word.end - 1].lower_ in grown for word in said)
        is_known = mention != said[0] and start > 0 and doc[start - 1].lower_ in _KNOWN
        new = grown[doc[end - 1].lower_].split()
        if not alone or choice.target == "adult" or is_known:
            return Edit(start, end, match_case(doc, start, end, new, noun=True))
        first = self._before_its_people(doc, start)
        people = [token.text for token in doc[first:start]]
        new = [*target.adjective.split(), *people, *new]
        return Edit(first, end, match_case(doc, first, end, new, noun=not people))

    def _before_its_people(self, doc: Doc, at: int) -> int:
        """Where the nationality before a noun begins: an adjective of age stands before it."""
        while at and doc[at - 1].text[0].isupper() and doc[at - 1].lower_ not in _COLOURS:
            if not any(term.axis == RACE for term in self.finder.demographics.terms.get(doc[at - 1].lower_, ())):
                break
            at -= 1
        return at

    def _age(self, doc: Doc, mention: PerturbableWord, choice: Choice) -> Iterator[Edit]:
        if mention.attribute == choice.target:
            return
        words, glued = texts(doc), not doc[mention.start].whitespace_
        new = ages.rewrite_age(words, mention.start, mention.end, choice.target, glued=glued)
        yield Edit(mention.start, mention.end, new)
        if unit := ages.agreeing(words, mention.end, new[-1]):
            yield Edit(mention.end, mention.end + 1, (unit,))

    def _rename_grown_ups(self, doc: Doc, chain: Collection[int], choice: Choice) -> Iterator[Edit]:
        tables = self.finder.demographics
        table = tables.young if choice.target == "child" else tables.grown
        for at in sorted(chain):
            if (new := table.get(doc[at].lower_)) and doc[at].tag_ in COMMON_NOUNS:
                yield Edit(at, at + 1, match_case(doc, at, at + 1, [new], noun=True))

    def _target(self, doc: Doc, mention: PerturbableWord, choice: Choice, names: Sequence[PerturbableWord]) -> Target:
        """How the new attribute is said: a nationality becomes another, which the text has not, and if `names` change
        too, one whose names are at hand."""
        tables = self.finder.demographics
        plain = tables.targets[choice.target]
        if mention.axis != RACE or mention.term is None or is_of_a_race(mention.term):
            return plain
        used, peoples = lower_words(doc), tables.peoples.get(choice.target, ())
        free = [people for people in peoples if used.isdisjoint((people.noun.lower(), people.plural.lower()))]
        if names:
            free = [people for people in free if people.names] or free
        return pick(free, f"{self.seed}:{choice.word.text(doc).lower()}:{choice.target}") if free else plain


def _noun(last: Token, term: Term, target: Target) -> str:
    """*a Frenchman* becomes *an Asian man*, and *African Americans* become *Asian Americans*: their country stays."""
    if gendered := _MAN.fullmatch(last.lower_):
        return f"{target.adjective} {gendered[1]}"
    american = last.lower_.rpartition("-")[2]
    is_american = american in ("american", "americans") and term.words[0] not in _OTHER_AMERICANS
    if is_american and target.adjective != target.noun:
        return f"{target.adjective} {american.capitalize()}"
    return target.plural if term.plural else target.noun


def _says_the_same(doc: Doc, mention: PerturbableWord, word: PerturbableWord, chain: Collection[int]) -> bool:
    """Whether a word of the axis says the drawn word's attribute, or another age, of the same person, or once more."""
    if mention.axis != word.axis or (mention.axis != AGE and mention.attribute != word.attribute):
        return False
    if mention.start in chain or mention == word or _is_of_the_same_group(doc, mention, word):
        return True
    is_said_again = mention.kind == "age" and ages.number(mention.text(doc)) == ages.number(word.text(doc))
    return is_said_again and not (_follows_a_name(doc, mention) and _follows_a_name(doc, word))


def _follows_a_name(doc: Doc, age: PerturbableWord) -> bool:
    """*A, 21, and B, 21*: two people of one age."""
    return age.start > 1 and doc[age.start - 1].text in (",", "(") and doc[age.start - 2].tag_ in PROPER_NOUNS


def _is_quality(mention: PerturbableWord) -> bool:
    """*an elderly passenger*: of an adult of no stated age nothing is said (PANDA's *adult (unspecified)*)."""
    return mention.term is not None and mention.term.reading in ("adjective", "old")


def _gender_said(text: ParsedText, chain: Collection[int]) -> Gender | None:
    """A person's gender by pronouns and nouns; if nothing is said, the gender of all others in the text."""
    words = [word for word in text.gendered if word.kind != "name"]
    attributes = {word.attribute for word in words if word.start in chain} or {word.attribute for word in words}
    return next(gender for gender, name in ATTRIBUTE.items() if name in attributes) if len(attributes) == 1 else None


def _is_of_the_same_group(doc: Doc, mention: PerturbableWord, word: PerturbableWord) -> bool:
    """*Black voters … black voters, a baby … the baby, the kids … the children, girls and boys*: said again, or at
    once."""
    texts = [said.text(doc).lower() for said in (mention, word)]
    lasts = [doc[said.end - 1] for said in (mention, word)]
    is_listed = mention.attribute == word.attribute and _are_listed(*lasts)
    if word.axis == AGE and word.kind == "term":
        return texts[0] == texts[1] or {*texts} <= _CHILDREN or is_listed
    if texts[0] != texts[1]:
        return False
    if mention.term is not None and mention.term.reading == "people":
        return True  # the French or those who had dated the French
    return all({last.tag_, last.head.tag_ if last.dep_ in NOUN_MODIFIERS else ""} & PLURAL_NOUNS for last in lasts)


def _are_listed(first: Token, second: Token) -> bool:
    """*these girls and boys*: rewritten together, or one would be the others' parent."""
    return (second.dep_ == "conj" and second.head == first) or (first.dep_ == "conj" and first.head == second)
