"""Signs that a rewriting leaves a person half rewritten, or says what is not said of the new person. They are inputs of
`people.sure`: how much each counts was fitted on rewritings that were read.

gender   men met a guy , and he left           guy → women, and *he* stays
race     Polish activists , a Polish school    activists of another people
age      children , the little ones            children → seniors
         when she was born , at seven          seven → 72
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.noun_swaps import half_swapped
from gec_fair.english.inflect import is_word
from gec_fair.english.labels import PLURAL_NOUNS, POSSESSIVES, PROPER_NOUNS
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import texts
from gec_fair.people.people import people_in
from gec_fair.people.terms.axes import AGE, GENDER, RACE, WITHOUT_A_STATE
from gec_fair.people.terms.lexicon import COUNTRY_OF, Demographics, is_of_a_race, is_of_a_state
from gec_fair.people.terms.names import without_accents
from gec_fair.perturber.rewriting import signs_of_age
from gec_fair.perturber.rewriting.sampling import Draft
from gec_fair.perturber.rewriting.signs_of_age import Sign

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_BODILY = word_list("bound_to_a_gender")
_TITLES = word_list("titles_of_one_gender_alone")
_RANKS = word_list("masculine_titles") | word_list("feminine_titles") | {"earl"}
_REFLEXIVES = word_list("singular_reflexives")
_BORN = word_list("before_another_name")
_COLOURS = word_list("colours_of_people_and_things")
_BY_THEIR_NAMES = frozenset(["asian", "hispanic"])
"""Whose names few others bear: one in the same sentence is likely of the same person."""
_NEAR = 40
"""Words before a pronoun in which its person is looked for. Chosen by hand: two or three sentences, not a page."""
_SHARED = 4
"""Letters that other peoples share with their country. Chosen by hand: *Swedish, Sweden*; *Polish, Poland* is a row."""
_UNISEX = word_list("unisex_names")


def _leaves_a_name(draft: Draft) -> bool:
    """*Adnan El Shukrijumah … her nickname*: a first name that no table has stays beside what has changed. What follows
    a first name that has changed is a middle name, an initial or a surname (*Wendy B. Davidson*)."""
    doc, chain = draft.text.doc, draft.text.chains.chain_of(draft.choice.word)
    names = [
        i
        for i in chain - draft.edited
        if doc[i].tag_ == "NNP" and doc[i].lower_ not in _UNISEX and draft.edited.isdisjoint(_name_before(doc, i))
    ]
    return bool(people_in(doc).unlisted_names_at(names))


def _name_before(doc: Doc, at: int) -> range:
    """The parts of a name that stand before one of its parts."""
    first = at
    while first and doc[first - 1].tag_ in PROPER_NOUNS:
        first -= 1
    return range(first, at)


def _is_half_swapped(draft: Draft) -> bool:
    with_names = draft.choice.target != "non-binary"
    return bool(half_swapped(draft.text.doc, draft.edited, draft.text.finder.lexicon, with_names=with_names))


def _changes_a_reflexive_alone(draft: Draft) -> bool:
    """Whom *himself* is about has not changed."""
    return bool(draft.edited) and all(draft.text.doc[i].lower_ in _REFLEXIVES for i in draft.edited)


def _renames_a_surname(draft: Draft) -> bool:
    """*Clinton had signed a treaty*: whether a word that may be a first name is more likely a surname."""
    doc, changed = draft.text.doc, [word for word in draft.alike if word.start in draft.edited]
    if any(word.kind == "pronoun" for word in changed):
        return False
    names = [word.start for word in changed if word.kind == "name"]
    alone = [i for i in names if sum(token.tag_ in PROPER_NOUNS for token in doc[max(0, i - 1) : i + 2]) < 2]
    return bool(people_in(doc).surnames_at(alone))


def _leaves_its_person(draft: Draft) -> bool:
    """Pronouns alone change, and a person that may be theirs does not: *Emme went on. She lost.*"""
    changed = [word for word in draft.alike if word.start in draft.edited]
    if not changed or any(word.kind != "pronoun" for word in changed):
        return False
    doc, first = draft.text.doc, changed[0].start
    away = {word.start for word in draft.text.gendered} - {word.start for word in draft.alike}
    before = [token for token in doc[max(0, first - _NEAR) : first] if token.i not in away]
    proper = [token.i for token in before if token.tag_ in PROPER_NOUNS]
    names = people_in(doc).first_names_at(proper)
    nouns = {word.start for word in draft.alike if word.kind != "pronoun" and _is_one(doc[word.end - 1])}
    return any(
        token.i in nouns
        or token.i in names
        or (token.i in proper and without_accents(token.lower_) in draft.text.finder.demographics.origins)
        for token in before
    )


def _is_one(noun: Token) -> bool:
    """*A lady, one of the ladies*"""
    if noun.tag_ not in PLURAL_NOUNS:
        return True
    before = [token.lower_ for token in noun.doc[max(0, noun.i - 5) : noun.i]]
    return ("one", "of") in pairwise(before)


def _leaves_a_noun(draft: Draft) -> bool:
    """*an Australian woman … an Australian woman, fathers … a father*: the noun stands elsewhere as it was, and nothing
    tells the two apart (*the tall man met the short man*)."""
    nouns = [draft.text.doc[word.end - 1] for word in draft.alike if word.kind == "noun"]
    changed = [noun for noun in nouns if noun.i in draft.edited]
    left = [noun for noun in nouns if noun.i not in draft.edited]
    return any(
        new.lemma_.lower() == old.lemma_.lower() and not _are_told_apart(new, old) for new in changed for old in left
    )


def _are_told_apart(new: Token, old: Token) -> bool:
    if (new.tag_ in PLURAL_NOUNS) != (old.tag_ in PLURAL_NOUNS):
        return False
    names = any(token.tag_ in PROPER_NOUNS for token in (new, old))
    return names or new.head == old.head or _qualities(new) != _qualities(old)


def _qualities(noun: Token) -> set[str]:
    return {child.lower_ for child in noun.children if child.dep_ in {"amod", "compound", "nummod"} | POSSESSIVES}


def _leaves_a_title(draft: Draft) -> bool:
    """*Sheikh Hassan; his stepfather, the Earl of Leicester; the Baron Strathcona*"""
    doc, edited = draft.text.doc, draft.edited
    titles = (doc[i - 1] for i in edited if i)
    apposed = (word for i in edited for word in (doc[i].head, *doc[i].children) if "appos" in (word.dep_, doc[i].dep_))
    ranks = (doc[word.start] for word in draft.alike if word.kind == "noun" and word.start)
    return (
        any(title.i not in edited and title.lower_ in _TITLES for title in titles)
        or any(rank.i not in edited and rank.lower_ in _RANKS for rank in apposed)
        or any(
            rank.i not in edited and rank.lower_ in _RANKS and rank.text.istitle() and rank.nbor(-1).lower_ == "the"
            for rank in ranks
        )
    )


def _is_bodily(draft: Draft) -> bool:
    """A word of the same sentence that only one gender is spoken of with."""
    return any(token.lower_ in _BODILY for token in draft.near)


def _is_an_animals(draft: Draft) -> bool:
    """*he* in a text about dogs, in which no man is named."""
    text, word = draft.text, draft.choice.word
    is_named = any(mention.kind != "pronoun" and mention.attribute == word.attribute for mention in text.gendered)
    is_person = text.finder.readings.is_person
    is_lone = word.kind == "pronoun" and not is_named
    return is_lone and people_in(text.doc).may_be_an_animals(text.chains.chain_of(word), is_person)


def _is_of_another_people(draft: Draft) -> bool:
    """Whether the text says the old race or ethnicity of the same people elsewhere (*Polish activists … a Polish
    consciousness*)."""
    doc, word, term, tables = draft.text.doc, draft.choice.word, draft.choice.word.term, draft.text.finder.demographics
    near = {token.i for token in draft.near}
    others = draft.text.chains.chain_of(word) - draft.edited
    if term is None:
        return any(kin.kind == "term" and kin.start not in draft.edited and kin.start in near for kin in draft.alike)
    start = word.start
    if start > 1 and doc[start - 1].text == "(" and doc[start - 2].lower_ in tables.terms:
        return True  # an Indian (Tamil, Bengali) population
    words_of_term = tuple({token.lower_.removesuffix("s") for token in doc[start : word.end] if token.is_alpha})
    is_said_again = any(
        token.lower_.removesuffix("s") in words_of_term
        or (token.i in near and _is_the_country(token, words_of_term))
        or (token.lower_ in tables.terms and token.lower_.startswith(words_of_term))  # Kurds, Kurdish
        for token in draft.left
    )
    is_colour = any(doc[i].lower_ in _COLOURS for i in draft.edited)  # a black man in a black coat
    names = near - draft.edited if word.attribute in _BY_THEIR_NAMES else others
    origins = (tables.origin_of(doc[i].lower_) for i in names if doc[i].tag_ in PROPER_NOUNS)
    return (is_said_again and not is_colour) or any(
        origin is not None and origin.attribute == word.attribute for origin in origins
    )


def _loses_a_state(draft: Draft) -> bool:
    """*the Belgians scored*; not *a Belgian girl*"""
    term = draft.choice.word.term
    return term is not None and term.plural and draft.choice.target in WITHOUT_A_STATE and is_of_a_state(term)


def contradicts_a_name(draft: Draft) -> bool:
    """Whether a name of another origin stands against the text: *the Palestinian leader Mahmoud Abbas* is of a people
    that is not the new one, and *Carl Laemmle, born Karl Lämmle* has two names."""
    if draft.choice.word.axis != RACE or draft.choice.word.term is not None:
        return False
    words, tables = texts(draft.text.doc), draft.text.finder.demographics
    others = draft.text.chains.chain_of(draft.choice.word) - draft.edited
    return any(_says_a_people(words, i, draft.choice.target, tables) for i in others) or any(
        i and words[i - 1].lower() in _BORN for i in draft.edited
    )


def _says_a_people(words: Sequence[str], at: int, target: str, tables: Demographics) -> bool:
    """A nationality, in the name of a person or beside it."""
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


SIGNS: Mapping[str, Mapping[str, Sign]] = {
    GENDER: {
        "he or she may be an animal": _is_an_animals,
        "a reflexive changes alone": _changes_a_reflexive_alone,
        "half of a name changes": _is_half_swapped,
        "the noun stands elsewhere as it was": _leaves_a_noun,
        "a title stays": _leaves_a_title,
        "a pronoun changes whose person may stay": _leaves_its_person,
        "a name stays that may be the person's": _leaves_a_name,
        "a surname may change": _renames_a_surname,
        "only one gender is spoken of so": _is_bodily,
    },
    RACE: {
        "the text says the old race or ethnicity elsewhere": _is_of_another_people,
        "a state becomes a people without one": _loses_a_state,
    },
    AGE: signs_of_age.SIGNS,
}


def signs_of(draft: Draft) -> list[str]:
    """The signs of its axis that are against a draft, and of an age, from which to which: some are said more easily."""
    word, target = draft.choice.word, draft.choice.target
    signs = [name for name, is_against in SIGNS.get(word.axis, {}).items() if is_against(draft)]
    return signs + ([f"it says {word.attribute}", f"it is to say {target}"] if word.axis == AGE else [])
