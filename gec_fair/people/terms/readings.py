"""Whether a term of race or age is about a person where it stands: *a black man*, not a black cat, the black king of
chess or *black with soot*; *an old woman*, not an old friend, *old enough* or *older than me*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gec_fair.english.labels import COMMON_NOUNS, NOUN_MODIFIERS, NOUNS, OBJECTS, POSSESSIVES, PREDICATES, PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.possessives import is_possessed
from gec_fair.people.animals import AGES, is_of_animals
from gec_fair.people.kin import is_kin, is_of_goods
from gec_fair.people.links import lexical
from gec_fair.people.non_persons import is_animal
from gec_fair.people.terms.axes import AGE
from gec_fair.people.terms.lexicon import Term, is_of_a_state
from gec_fair.people.terms.sentences import ENDS, sentence_bounds

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BEFORE_A_CHILD = word_list("before_a_child_that_is_none")
_GROUPS = word_list("groups_of_a_people")
_DESCENT = word_list("words_of_descent")
_WITH_A_CAPITAL = word_list("peoples_with_a_capital")
_LANGUAGES = word_list("languages")
_TAUGHT = word_list("people_of_a_language")
_OF_A_NATION = word_list("dogs_of_a_nationality") | word_list("things_of_a_nationality")
_OFFICES = word_list("offices_of_a_state")
_BEFORE_DESCENT = word_list("before_words_of_descent")
_TREATIES = word_list("wars_and_treaties")
_CENSUS = word_list("words_of_a_census")
_BEFORE_A_LANGUAGE = frozenset(["from", "into", "in"])
_NEAR = 8  # words before *descent*, in which its people are named
_PERSON = 0.5  # of a noun's readings in WordNet
_PEOPLE = word_list("nouns_for_people")
_PRONOUNS = word_list("person_pronouns")
_COLOURS = word_list("colours_of_people_and_things")
_CHESSMEN = word_list("chessmen")
_AFTER_A_HUE = word_list("after_a_hue")
_HUES = word_list("hues")
_OCCUPIES = word_list("occupations_between_adjective_and_noun")
_BARE = frozenset(["old", "young", "aged"])
_STATES = word_list("linking_verbs_of_an_identity")
_SAID_OF = word_list("before_a_group_of_people")
_SUBJECT = frozenset({"nsubj", "nsubj:pass", "nsubjpass"})
_NAMED = frozenset({"flat", "flat:name", "compound", "nn"})
_LASTS = word_list("lasting_relations")
_KIN = word_list("kin_by_birth")
_COMPARED = word_list("compared_ages")
_DETERMINES = frozenset({"det", "nummod"}) | POSSESSIVES
_BEFORE_A_MEASURE = frozenset(["how", "too", "as", "-"])
_LENGTHS = word_list("units_of_time")
_CALLS = word_list("before_an_address")
_FEW = word_list("numbers_below_twenty") | frozenset(map(str, range(20)))
_GROWS = frozenset(["grow", "get", "become"])


@dataclass(frozen=True)
class Readings:
    """By the parse, and by what WordNet and the lexicon say of the words around."""

    lexicon: Lexicon

    def counts(self, doc: Doc, words: Sequence[str], at: int, term: Term) -> bool:
        """Whether a term that stands at a token is about a person."""
        first, last = doc[at], doc[at + len(term.words) - 1]
        if self.lexicon.nouns.is_fixed(words, at, len(term.words)):
            return False
        if self._is_of_another_age(last) if term.axis == AGE else self._is_of_many(last):
            return False
        before, after = doc[at - 1] if at else None, doc[last.i + 1] if last.i + 1 < len(doc) else None
        if self._is_of_a_name(first, after) or (first.lower_ in _WITH_A_CAPITAL and first.text.islower()):
            return False
        if term.reading == "person":
            return _is_alone(last, after) and _is_a_noun(term, last) and _is_one(term, last, before)
        if term.reading == "people":
            return _is_alone(last, after) and _is_a_group(before, after) and _are_people(last)
        return self._is_quality_of_a_person(term, first, last)

    def _is_of_a_name(self, first: Token, after: Token | None) -> bool:
        """*Christian Bale*"""
        return after is not None and after.tag_ == "NNP" and self.lexicon.names.is_name(first.text, proper=True)

    def _is_quality_of_a_person(self, term: Term, first: Token, last: Token) -> bool:
        if not (last.tag_.startswith(("JJ", "NN", "VBN", "VBG")) or last.dep_ == "amod"):
            return False
        described = self._find_described(last)
        if described is None:
            return term.axis != AGE and self._is_of_a_people(last)
        if term.axis != AGE and _is_of_a_nation(term, last, described):
            return False
        is_old, is_colour = term.reading == "old", not _COLOURS.isdisjoint(term.words)
        if (is_old or is_colour) and (described.lower_ == "they" or described.lower_ in _CHESSMEN):
            return False
        return not (is_colour and _is_a_hue(first)) and not (is_old and _says_no_age(first, described))

    def _is_of_another_age(self, word: Token) -> bool:
        """Whether somebody is addressed, or it is an animal's."""
        return _is_an_address(word) or (word.lower_ in AGES and self.is_of_animals(word))

    def _is_of_many(self, word: Token) -> bool:
        """*the war against the Turks, 12 % of them Black, 300 Poles, from the French*: war, census or language."""
        governor = word.head.head if word.dep_ == "conj" else word.head
        language = word.lower_ in _LANGUAGES and any(child.lower_ in _BEFORE_A_LANGUAGE for child in word.children)
        are_counted = any(child.tag_ == "CD" and child.lower_ not in _FEW for child in word.children)
        sentence = (token.lower_ for token in word.doc[slice(*sentence_bounds(word.doc, word.i))])
        return language or are_counted or governor.lower_ in _TREATIES or not _CENSUS.isdisjoint(sentence)

    def _find_described(self, word: Token) -> Token | None:
        """The person that an adjective is about: its noun, or the subject that it is said of; None for other things."""
        head = word.head
        while head.lower_ in _OCCUPIES and head.head.i > head.i and word.dep_ in NOUN_MODIFIERS:
            head = head.head  # an Irish jazz singer, a Polish-born poet
        if word.dep_ in NOUN_MODIFIERS and head.i > word.i:
            return head if self.is_person(head) and not self._has_another_sense(word, head) else None
        if word.dep_ == "conj" and head.tag_.startswith("JJ"):
            return self._find_described(head)
        is_predicative = word.dep_ in ("acomp", "attr", "xcomp") or any(child.lower_ == "as" for child in word.children)
        predicate = head if is_predicative else word
        if is_predicative and word.dep_ == "xcomp" and head.lemma_.lower() not in _STATES:  # wore white, start young
            return None
        subject = next((child for child in predicate.children if child.dep_ in _SUBJECT), None)
        is_person = subject is not None and (subject.lower_ in _PRONOUNS or self.is_someone(subject))
        return subject if is_person else None

    def _has_another_sense(self, word: Token, head: Token) -> bool:
        """*white wine drinkers, Chinese medicine doctors*: said of the noun between; *a black police officer* is."""
        nouns = [token for token in word.doc[word.i + 1 : head.i] if token.tag_ in COMMON_NOUNS]
        return any(noun.lower_ not in _OCCUPIES and not self.is_person(noun) for noun in nouns)

    def _is_of_a_people(self, word: Token) -> bool:
        """*the Navajo council, a man of Korean descent*; not a bag of African origin."""
        head = word.head
        if word.dep_ not in NOUN_MODIFIERS or head.i < word.i:
            return False
        if head.lower_ in _DESCENT:
            before = [token for token in word.doc[max(0, word.i - _NEAR) : word.i] if token.text not in ENDS]
            nominal = next((t for t in reversed(before) if t.tag_ in NOUNS or t.tag_ == "PRP"), None)
            someone = nominal is not None and (nominal.lower_ in _PRONOUNS or self.is_someone(nominal))
            return someone and any(token.lower_ in _BEFORE_DESCENT for token in before[-4:])
        return head.lower_ in _GROUPS and word.lower_ not in _COLOURS

    def is_of_animals(self, word: Token) -> bool:
        """Whether a word for an age, or a number, is an animal's: *move the babies to another tank*."""
        return is_of_animals(word, sentence_bounds(word.doc, word.i), self.is_person)

    @staticmethod
    def may_be_people(lower: str) -> bool:
        """Whether a lower-cased word may be a noun for people, in either number."""
        person, forms = lexical.load().person, (lower, lower.rstrip("s"), lower[:-2])
        return lower in _PEOPLE or any(person.get(form, 0.0) >= _PERSON for form in forms)

    def is_person(self, token: Token) -> bool:
        """Whether a nominal stands for people: by its word, or as the name of one."""
        lower = token.lower_
        if token.tag_ in PROPER_NOUNS:  # the National Union of Black Workers is nobody
            return self.lexicon.names.is_name(token.text, proper=True)
        if lower in _PEOPLE or lower in _PRONOUNS:
            return True
        return lexical.personhood(lexical.load(), token.lemma_.lower() or lower) >= _PERSON

    def is_someone(self, noun: Token) -> bool:
        """A noun for people, or a name of which a part is a first name or a title: *Anna Smith, Mr. Smith*."""
        first = noun
        while first.tag_ == "NNP" and first.i and first.nbor(-1).tag_ == "NNP":
            first = first.nbor(-1)
        name = noun.doc[first.i : noun.i + 1]
        return name[0].lower_ in lexical.TITLES or any(map(self.is_person, name))

    def may_be_aged(self, old: Token) -> bool:
        """Whether *old* is said of a person, or of nobody that is named: *an 11-year-old*; not *a 10-year-old car*."""
        if ahead := list(_nouns_behind(old)):
            return any(map(self.is_person, ahead))
        predicate = old if old.dep_ not in PREDICATES else old.head
        subject = next((child for child in predicate.children if child.dep_ in _SUBJECT), None)
        if subject is None:
            if old.tag_ in NOUNS or "-" in old.text or (old.i and old.nbor(-1).text == "-"):
                return True
            start, end = sentence_bounds(old.doc, old.i)
            return any(token.lower_ != "they" and self.is_person(token) for token in old.doc[start:end])
        parts = [subject, *(child for child in subject.children if child.dep_ in _NAMED)]
        return subject.lower_ in _PRONOUNS or any(map(self.is_person, parts))


def _nouns_behind(word: Token) -> Iterator[Token]:
    """Whether the noun phrase continues after a word: *an 11-year-old French car*."""
    for token in word.doc[word.i + 1 :]:
        if token.tag_.startswith("NN"):
            yield token
        elif not token.tag_.startswith("JJ"):
            return


def _is_alone(last: Token, after: Token | None) -> bool:
    """Whether no noun follows: *a Black voted*, not *a Black voter*."""
    return after is None or (after.dep_ == "conj" and after.head == last) or not after.tag_.startswith(("NN", "HYPH"))


def _is_a_group(before: Token | None, after: Token | None) -> bool:
    """Whether *the* stands before, and no adjective behind: *the elderly*; not *the elderly poor*."""
    return before is not None and before.lower_ == "the" and (after is None or not after.tag_.startswith("JJ"))


def _is_a_noun(term: Term, last: Token) -> bool:
    """By its tag, or, unless it is a colour, by its determiner: *an elderly, the Asian*."""
    if last.dep_ in ("amod", "compound"):
        return False
    has_determiner = any(child.dep_ == "det" for child in last.children)
    return last.tag_ in NOUNS or (has_determiner and _COLOURS.isdisjoint(term.words))


def _is_one(term: Term, last: Token, before: Token | None) -> bool:
    """A plural term as a plural; one of a race as *an Asian, this Hawaiian*: *black has lost a pawn*, *in the black* is
    not a person; nor is *youth* without a determiner: *children and youth; youth is short*."""
    if _is_of_a_relation(last, before) if term.axis == AGE else _is_part_of_a_noun(last, before):
        return False
    is_plural, is_colour = last.tag_.endswith("S"), last.lower_ in _COLOURS
    if term.plural and is_colour:
        return is_plural and _are_said_to_act(last)
    if term.plural:
        return is_plural or last.tag_ == "NNP" or term.words[-1] == "people"
    determiners = {child.lower_ for child in last.children if child.dep_ in _DETERMINES}
    determiners -= {"the"} if is_colour else set()
    return not is_plural and (bool(determiners) or (term.axis == AGE and last.lower_ != "youth"))


def _is_of_a_relation(last: Token, before: Token | None) -> bool:
    """*my children, a senior of mine, a flower child, he reached his teens*: whose they are, or when, not how old."""
    is_set = before is not None and before.lower_ in _BEFORE_A_CHILD
    return is_set or is_kin(last) or is_of_goods(last) or (last.lower_ == "teens" and is_possessed(last))


def _is_part_of_a_noun(last: Token, before: Token | None) -> bool:
    """*the Indo-Greeks, a Jeep Cherokee, egg whites*"""
    if before is None:
        return False
    is_joined = before.tag_ in ("HYPH", ":") and before.text in ("-", "–")
    is_a_make = before.tag_ == "NNP" and last in (before.head, *before.children)
    return is_joined or is_a_make or (before.tag_ in COMMON_NOUNS and before.head == last)


def _is_of_a_nation(term: Term, last: Token, described: Token) -> bool:
    """*a French teacher, the Saudi minister, a Persian cat*: of a language, a state or a breed."""
    language = last.lower_ in _LANGUAGES and described.lower_ in _TAUGHT and last.head == described
    state = is_of_a_state(term) and described.lower_ in _OFFICES
    return language or state or described.lower_ in _OF_A_NATION or is_animal(described)


def _says_no_age(old: Token, described: Token) -> bool:
    """*an old friend, my old boss, older than him, eleven years old*"""
    lasts = described.lower_ in _LASTS or (is_possessed(described) and described.lower_ not in _KIN)
    return lasts or _is_compared(old, described) or _is_measured(old)


def _are_said_to_act(colour: Token) -> bool:
    """*Blacks voted, rights of whites, blacks and Latinos*; not the whites of eggs, to be washed, or of a team."""
    if colour.i + 1 < len(colour.doc) and colour.nbor().lower_ == "of":
        return False
    others = [token for token in (*colour.children, colour.head) if "conj" in (token.dep_, colour.dep_)]
    if any(token.tag_ == "NNS" and token.text.islower() and token.lower_ not in _COLOURS for token in others):
        return False
    capital = any(child.tag_ in PROPER_NOUNS or child.lower_ == "all" for child in colour.children)
    return not capital and colour.dep_ not in OBJECTS


def _is_an_address(word: Token) -> bool:
    """*Hold on, boys; yes, old man; hey baby!*"""
    noun = word.head if word.dep_ in NOUN_MODIFIERS else word
    first = min(word.i, noun.i)
    around = [*noun.doc[max(0, first - 1) : first], *noun.doc[noun.i + 1 : noun.i + 2]]
    bare = noun.tag_ == "NN" and not any(child.dep_ in _DETERMINES for child in noun.children)
    is_apart = bare and len(around) > 1 and all(token.is_punct or token.lower_ in _CALLS for token in around)
    return is_apart or noun.dep_ in ("vocative", "discourse")


def _is_a_hue(colour: Token) -> bool:
    """Whether it is a colour alone: *white as a sheet, black with soot, black and blue*."""
    after = [token.lower_ for token in colour.doc[colour.i + 1 : colour.i + 3]]
    return any(word in _AFTER_A_HUE for word in after[:1]) or (after[:1] == ["and"] and not _HUES.isdisjoint(after[1:]))


def _are_people(word: Token) -> bool:
    """*The old are many, a home for the old*; what is more than an adjective (*the elderly*) anywhere."""
    if word.lower_ not in _BARE:
        return True
    if word.dep_ in _SUBJECT:
        return word.head.tag_ != "VBZ" and not any(child.tag_ == "VBZ" for child in word.head.children)
    return word.i > 1 and word.nbor(-2).lower_ in _SAID_OF


def _is_compared(word: Token, described: Token) -> bool:
    """*older than him, my older brother*: who was born first; *an older man* is old."""
    if word.lower_ not in _COMPARED:
        return False
    than = any(token.lower_ == "than" for token in word.doc[word.i + 1 : word.i + 5])
    than = than or word.head.lemma_.lower() in _GROWS
    return than or described.i < word.i or described.lower_ in _KIN


def _is_measured(word: Token) -> bool:
    """*eleven years old, how old, too old, old enough, as old as*: an age, not a quality."""
    before = word.nbor(-1).lower_ if word.i else ""
    after = word.nbor().lower_ if word.i + 1 < len(word.doc) else ""
    length = before.rpartition("-")[2]
    is_length = length in _LENGTHS or length.removesuffix("s") in _LENGTHS
    return is_length or before in _BEFORE_A_MEASURE or after == "enough"
