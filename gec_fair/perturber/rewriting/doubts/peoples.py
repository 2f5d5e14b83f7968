"""Signs that a text would name two peoples of one person, or of a people something that is another's.

Polish activists and a Polish consciousness     activists of another people
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from gec_fair.edits import Edit, edited_places
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.words.axes import RACE, WITHOUT_A_STATE
from gec_fair.perturber.words.lexicon import COUNTRY_OF, is_of_a_race, is_of_a_state
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.sentences import sentence_around

if TYPE_CHECKING:
    from spacy.tokens import Token

    from gec_fair.perturber.words.lexicon import Demographics

_BORN = word_list("before_another_name")
_COLOURS = word_list("colours_of_people_and_things")
_BY_THEIR_NAMES = frozenset(["asian", "hispanic"])
"""Whose names few others bear: one in the same sentence is likely of the same person."""
_SHARED = 4
"""Letters that other peoples share with their country: *Swedish, Sweden*."""


def is_of_another_people(text: ParsedText, choice: Choice, changed: Sequence[Edit], tables: Demographics) -> bool:
    """Whether the text says the old race or ethnicity of the same people elsewhere (*Polish activists … a Polish
    consciousness; the Scotsman Billy Connolly*), or gives them another name (*Carl Laemmle, born Karl Lämmle*)."""
    doc = text.doc
    edited = edited_places(changed)
    alike = [word for word in text.words if word.axis == choice.word.axis and word.attribute == choice.word.attribute]
    near = {token.i for i in edited for token in sentence_around(doc, i)}
    if choice.word.term is not None:
        start = choice.word.start
        if start > 1 and doc[start - 1].text == "(" and doc[start - 2].lower_ in tables.terms:
            return True  # an Indian (Tamil, Bengali) population
        written = doc[start : choice.word.end]
        words = tuple({token.lower_.removesuffix("s") for token in written if token.is_alpha})
        names = (doc[i] for i in text.chains.chain_of(choice.word) - edited if doc[i].tag_ in PROPER_NOUNS)
        is_said_again = any(
            token.lower_.removesuffix("s") in words
            or (token.i in near and _is_the_country(token, words))
            or (token.lower_ in tables.terms and token.lower_.startswith(words))  # Kurds, Kurdish
            for token in doc
            if token.i not in edited
        )
        is_colour = any(doc[i].lower_ in _COLOURS for i in edited)  # a black man in a black coat
        if choice.target in WITHOUT_A_STATE and choice.word.term.plural and is_of_a_state(choice.word.term):
            return True  # the Belgians scored; not a Belgian girl
        if choice.word.attribute in _BY_THEIR_NAMES:
            names = (doc[i] for i in near - edited if doc[i].tag_ in PROPER_NOUNS)
        return (is_said_again and not is_colour) or any(
            (origin := tables.origin_of(name.lower_)) is not None and origin.attribute == choice.word.attribute
            for name in names
        )
    if any(word.kind == "term" and word.start not in edited and word.start in near for word in alike):
        return True
    tokens = [token.text for token in doc]
    if any(_says_a_people(tokens, i, choice.target, tables) for i in text.chains.chain_of(choice.word) - edited):
        return True
    return any(i and doc[i - 1].lower_ in _BORN for i in edited)


def _says_a_people(words: Sequence[str], at: int, target: str, tables: Demographics) -> bool:
    """*the Palestinian leader Mahmoud Abbas*: of a people that is not the new one."""
    terms = [term for term in tables.starting(words, at) if term.axis == RACE]
    return words[at][0].isupper() and any(term.attribute != target and not is_of_a_race(term) for term in terms)


def _is_the_country(token: Token, peoples: Collection[str]) -> bool:
    """*Sweden* of the Swedish, *Poland* of the Polish; not *Police*."""
    name = token.lower_
    return token.tag_ in PROPER_NOUNS and any(
        COUNTRY_OF.get(people) == name
        or (len(people) > _SHARED and name[:_SHARED] == people[:_SHARED] and not is_word(name))
        for people in peoples
    )
