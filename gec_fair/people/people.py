"""Who is meant in a text: the one place that the other rooms ask.

    people = people_in(doc)
    people.form_of(token)              her is him or his
    people.first_names(lexicon)        Ada is a woman's name here, Austin nobody's
    people.names_of_things             Austin
    people.non_persons(lexicon)        he is a dog

A text has one `People`, which reads it when it is first asked. Thresholds for people are set in this room alone.
Which words are one person, `links` says; whether a word for a race or an age is about a person, `terms`; how sure a
rewriting is, `sure`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gec_fair.english.labels import ADJECTIVES, NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Form, Gender
from gec_fair.english.once import lowers, once_a_text
from gec_fair.people import animals, forms, impersonal_names, reader
from gec_fair.people.citations import citations
from gec_fair.people.first_names import UNLISTED, first_names, who_go_by_they
from gec_fair.people.non_persons import NonPersons, find_non_persons, is_animal, words_of_keeping
from gec_fair.people.reader import IMPERSONAL, Kind, places_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

__all__ = ["NonPersons", "People", "people_in", "version"]

version = reader.version


@dataclass(frozen=True, eq=False)
class People:
    """Who is meant in a tagged text. Places are of its tokens."""

    doc: Doc

    def form_of(self, token: Token) -> Form | None:
        """The form of a he/she pronoun; None for every other word."""
        return forms.form_of(token)

    def first_names(self, lexicon: Lexicon, *, skip: Collection[int] = ()) -> dict[Token, Gender | None]:
        """The first names of people, with their gender; None for one that both have. One that the table does not list
        is there only if its text says a gender. The places in `skip` are something else."""
        return first_names(self.doc, lexicon, skip=skip)

    def goes_by_they(self, name: int) -> bool:
        """Whether a *they* behind this first name, or behind another place of it, can stand for nobody else."""
        return self.doc[name].text in who_go_by_they(self.doc)

    def first_names_at(self, places: Sequence[int]) -> frozenset[int]:
        """Those of the places that are first names, whether a table lists them or not."""
        return places_of(self.doc, places, Kind.FIRST_NAME)

    def unlisted_names_at(self, places: Sequence[int]) -> frozenset[int]:
        """Those of the places that are so surely first names that no table need say so."""
        return places_of(self.doc, places, Kind.FIRST_NAME, least=UNLISTED)

    def surnames_at(self, places: Sequence[int]) -> frozenset[int]:
        """Those of the places that are names of people, but not first names."""
        return places_of(self.doc, places, Kind.SURNAME)

    def names_at(self, places: Sequence[int]) -> frozenset[int]:
        """Those of the places that are names of people."""
        return places_of(self.doc, places, Kind.FIRST_NAME, Kind.SURNAME)

    def person_nouns_at(self, places: Sequence[int]) -> frozenset[int]:
        """Those of the places whose word is a title or noun for somebody: not *Earl Grey tea, the Sir Hotel, Neville
        Duke*. Of 338 rewritings with such a word that were read, 32 severe faults and 263 clean ones stay; without what
        is surely no person (0.05), 41 and 262."""
        return places_of(self.doc, places, Kind.PERSON, Kind.FIRST_NAME)

    @cached_property
    def names_of_things(self) -> frozenset[int]:
        """The words with a capital that stand for a group, a place or another thing: *the Rex Allen Museum*."""
        places = [token.i for token in self.doc if token.text[:1].isupper() and token.tag_ in NOUNS | ADJECTIVES]
        return places_of(self.doc, places, *IMPERSONAL)

    def non_persons(self, lexicon: Lexicon) -> NonPersons:
        """The *he* and *she* that are an animal, a ship or a country, and the names of animals."""
        return find_non_persons(self.doc, lexicon)

    def impersonal(self, names: Collection[int], is_person: animals.IsPerson) -> set[int]:
        """The places of first names that are of works, firms and families."""
        return impersonal_names.find_impersonal(self.doc, names, self.names_of_things, is_person)

    def rulers(self, names: Collection[int]) -> set[int]:
        """The places of first names that are of rulers: *Ivan the Terrible*."""
        return set(impersonal_names.find_rulers(self.doc, names))

    @cached_property
    def holy(self) -> Sequence[int]:
        """The places of deities and saints."""
        return [*impersonal_names.find_holy(self.doc)]

    @cached_property
    def cited(self) -> set[int]:
        """The places in bibliographic references."""
        return citations(self.doc)

    @cached_property
    def pets(self) -> frozenset[int]:
        """The places of words for people that are said of pets (*my baby*), in a text about keeping animals."""
        places = frozenset(at for at, word in enumerate(lowers(self.doc)) if word in animals.SAID_OF_PETS)
        return places if places and words_of_keeping(self.doc) else frozenset()

    def is_animal(self, token: Token) -> bool:
        """Whether a noun is one for an animal."""
        return is_animal(token)

    def may_be_an_animals(self, chain: Collection[int], is_person: animals.IsPerson) -> bool:
        """Whether the pronouns of a chain without a person may stand for an animal."""
        return animals.may_be_an_animals(self.doc, chain, is_person)


@once_a_text
def people_in(doc: Doc) -> People:
    """Who is meant in a text."""
    return People(doc)
