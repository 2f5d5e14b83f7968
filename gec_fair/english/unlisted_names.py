"""First names that no table lists (*Oberon*), with the gender that the text gives.

    Oberon uses his magic .                    masculine: the first pronoun behind the only person of the text
    her aunt Philippina                        feminine: the noun before it
    She is Azucena .  a boy called Guido       feminine, masculine: of whom it is said
    Oberon and Titania love their daughter .   no gender: the text does not say

Only the reader of persons tells a first name from a surname here, so with another pipeline than ours there are none.
Where the text does not say a gender for sure, the name stays; so does one that both genders bear (*Mel*).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from gec_fair.english import persons
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Gender, forms_of
from gec_fair.english.persons import Kind
from gec_fair.english.thing_names import is_word

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

LIKELY = 0.7
"""Mean probability of a first name over the places of a word: rather none than *Motorola* or *Attorney*."""
LIKELY_IF_SAID = 0.4
"""The same where a noun or verb says that a person is called so: *my sister Novalie, his name is Brahim*."""
_JUNIOR = frozenset(["jr", "jr.", "sr", "sr."])
SHORTEST = 3
FARTHEST = 25
"""Words between a name and the pronoun that stands for it."""
_GIVES_A_NAME = word_list("before_a_given_name")
UNISEX = word_list("unisex_names")
_QUOTES = frozenset(['"', "“", "”", "''", "``", "'", "‘", "’"])
_ENDS = frozenset([".", "!", "?", ";"])


def unlisted_names(doc: Doc, lexicon: Lexicon, *, skip: Collection[int] = ()) -> dict[Token, Gender]:
    """The first names of a text that the table does not have, and whose gender the text says, in order."""
    words = [token.text for token in doc]
    written_small = {word for word in words if word.islower()}
    places = [
        at
        for at, word in enumerate(words)
        if at not in skip and word.lower() not in written_small and _may_be_a_name(doc[at], word, lexicon)
        if not lexicon.nouns.is_fixed(words, at)  # Mother Nature
    ]
    if not places or not any(_says_a_gender(word.lower(), lexicon) for word in words):
        return {}
    likely = persons.probabilities(doc, places, Kind.FIRST_NAME) or {}
    people = people_of(doc, lexicon)
    by_word: dict[str, list[int]] = {}
    for at in likely:
        by_word.setdefault(words[at], []).append(at)
    names: set[str] = set()
    for word, ats in by_word.items():
        is_said = any(_gender_said(words, at, people) is not None for at in ats)
        is_described = any(at and doc[at - 1].tag_.startswith("JJ") for at in ats)
        if is_word(word.lower()) and (not is_said or not written_small or is_described):
            continue  # the first female Honorary Fellow; Local Grandmother Wins Lottery
        if sum(likely[at] for at in ats) / len(ats) >= (LIKELY_IF_SAID if is_said else LIKELY):
            names.add(word)
    places = [at for at in places if words[at] in names]
    genders = genders_by_text(words, places, people)
    return {doc[at]: genders[words[at]] for at in places if words[at] in genders}


def genders_by_text(
    words: Sequence[str], places: Collection[int], people: Mapping[int, Gender | None]
) -> dict[str, Gender]:
    """Word at one of the places → its gender, for words of which the text says one and no other."""
    said: dict[str, set[Gender]] = {}
    for at in places:
        gender = _gender_said(words, at, people) or _gender_of_pronoun(words, at, people)
        if gender is not None:
            said.setdefault(words[at], set()).add(gender)
    return {word: next(iter(genders)) for word, genders in said.items() if len(genders) == 1}


def _may_be_a_name(token: Token, word: str, lexicon: Lexicon) -> bool:
    lower = word.lower()
    return (
        len(word) >= SHORTEST
        and word.istitle()
        and token.tag_ == "NNP"
        and lower not in lexicon.names.entries
        and lower not in UNISEX
        and (lower,) not in lexicon.nouns.terms
        and (lower,) not in lexicon.nouns.titles
        and not _is_before_a_first_name(token, lexicon)
        and not _is_within_a_name(token, lexicon)
    )


def _is_before_a_first_name(token: Token, lexicon: Lexicon) -> bool:
    """*Attorney Peter Barrett, Motorola Founder Paul Galvin*: what stands before a listed first name is a title or the
    name of something; before *Jr* a surname."""
    for after in token.doc[token.i + 1 :]:
        if not after.text[:1].isupper():
            return False
        if after.lower_ in _JUNIOR or lexicon.names.is_name(after.text, proper=True):
            return True
    return False


def _is_within_a_name(token: Token, lexicon: Lexicon) -> bool:
    """*Ralph Dale Earnhardt*: behind another capital that is not a title for a woman or man."""
    before = token.doc[token.i - 1] if token.i else None
    if before is None or not before.text[:1].isupper() or before.tag_ not in PROPER_NOUNS:
        return False
    return (before.lower_,) not in lexicon.nouns.terms and (before.lower_,) not in lexicon.nouns.titles


def _says_a_gender(word: str, lexicon: Lexicon) -> bool:
    return bool(forms_of(word)) or (word,) in lexicon.nouns.terms or (word,) in lexicon.nouns.titles


def people_of(doc: Doc, lexicon: Lexicon) -> dict[int, Gender | None]:
    """Where the text names somebody, by noun or name; None: of a gender that is not known."""
    people: dict[int, Gender | None] = {}
    for token in doc:
        lower = token.lower_
        term = lexicon.nouns.terms.get((lower,)) or lexicon.nouns.titles.get((lower,))
        if term is not None and not forms_of(lower):
            people[token.i] = None if term.plural else term.gender
        elif token.text[:1].isupper() and token.tag_ in PROPER_NOUNS:
            people[token.i] = lexicon.names.gender(token.text)
    return people


def _gender_said(words: Sequence[str], at: int, people: Mapping[int, Gender | None]) -> Gender | None:
    """The gender of the noun right before the name, or of whom it is said that this is the name."""
    if people.get(at - 1) is not None and _is_free(words, at - 1):
        return people[at - 1]  # her aunt Philippina, Miss Fanny
    if at < 2 or words[at - 1].lower() not in _GIVES_A_NAME:
        return None
    if people.get(at - 2) is not None:
        return people[at - 2]  # a boy called Guido
    owner = at - 3 if words[at - 2].lower() in ("name", "not") else at - 2
    return _gender_of(words, owner)


def _is_free(words: Sequence[str], at: int) -> bool:
    """Whether a noun is not the second of a pair: *Mr. and Mrs. Godfrey*."""
    return at == 0 or words[at - 1] not in ("and", "or", "&", "/")


def _gender_of_pronoun(words: Sequence[str], at: int, people: Mapping[int, Gender | None]) -> Gender | None:
    """The gender of all pronouns of the text, where the first one follows the name and nobody else of that gender, or
    of an unknown one, comes before it. A *him* in the clause of its subject is somebody else, and so may be a pronoun
    behind a quotation mark."""
    pronouns = {i: gender for i in range(len(words)) if (gender := _gender_of(words, i)) is not None}
    if len(set(pronouns.values())) != 1:
        return None
    first, gender = next(iter(pronouns.items()))
    between = words[at:first]
    if not at < first <= at + FARTHEST or not _QUOTES.isdisjoint(between):
        return None
    if words[first].lower() == "him" and _ENDS.isdisjoint(between):
        return None
    rivals = [i for i, theirs in people.items() if i < first and (theirs is gender or (theirs is None and i > at))]
    return gender if all(words[i] == words[at] or _is_one_name(words, at, i) for i in rivals) else None


def _is_one_name(words: Sequence[str], at: int, end: int) -> bool:
    """*Oberon Weiss*: the word at `end` belongs to the same run of capitals."""
    return end > at and all(word[:1].isupper() for word in words[at : end + 1])


def _gender_of(words: Sequence[str], at: int) -> Gender | None:
    forms = forms_of(words[at].lower()) if 0 <= at < len(words) else frozenset()
    return next(iter(forms))[0] if forms else None
