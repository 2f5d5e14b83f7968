"""First names of other things than the people of a text: of works, firms and families, and of rulers.

    a Buddy Bear , Jack Off Jill                   things
    the Molly Maguires , the Bronx                 a group, a place
    James Bond style                               what a person is known for
    Catherine the Great , Emperor Constantine      rulers of one country: no other people's

Such a name stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from gec_fair.english.inflect import is_word
from gec_fair.english.labels import FINITE_VERBS, NOUN_MODIFIERS, NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.people.links.lexical import PARTICLES
from gec_fair.people.reader import Kind, places_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_INDEFINITE = word_list("indefinite_articles")
_SMALL = word_list("never_after_a_possessive") | {"off", "down", "over", "under"}
_SAINTS, _DEITIES = word_list("titles_of_saints"), word_list("deities")
_RULERS = word_list("titles_of_rulers") | _SAINTS | _DEITIES
_WISHES = frozenset(["bless", "blesses", "forbid", "help", "helps", "knows"])
_AND = frozenset(["and", "&"])
_FIRMS = frozenset(
    f"{joint} {word}" for joint in ("&", "and") for word in ("Co", "Company", "Sons", "Brothers", "Bros")
)


def find_impersonal(
    doc: Doc, places: Collection[int], of_things: Collection[int], is_person: Callable[[Token], bool]
) -> set[int]:
    """The places of first names that are of things. `of_things`: where names of things are."""

    def is_impersonal(at: int) -> bool:
        name = _run(doc, at)
        return (
            (name.start > 0 and doc[name.start - 1].lower_ in _INDEFINITE)
            or (name.start == at and _is_called_the(name))
            or doc[name.end : name.end + 2].text in _FIRMS
            or any(doc[i].lower_ in _SMALL for i in range(at + 1, name.end - 1))
            or _describes(name, is_person)
            or _is_a_chapter(name)
            or (name.end + 1 < len(doc) and doc[name.end].lower_ in _AND and name.end + 1 in of_things)
        )

    no_persons = {doc[at].text for at in places if is_impersonal(at)}
    return {at for at in places if doc[at].text in no_persons}


def find_rulers(doc: Doc, places: Collection[int]) -> Iterator[int]:
    """*Emperor Constantine, Ivan the Terrible, Jesus*; not *Peter the plumber*."""
    for at in places:
        name = _run(doc, at)
        is_styled = any(doc[i].lower_ in _RULERS for i in range(name.start, at + 1))
        after = doc[name.end : name.end + 2]
        has_epithet = len(after) == 2 and after[0].lower_ == "the" and after[1].text.istitle()
        has_epithet = has_epithet and after[1].tag_ != "NNPS"  # I told Jose the Americans came
        if is_styled or (has_epithet and len(name) == 1):
            yield at


def find_holy(doc: Doc) -> Iterator[int]:
    """Deities, and names behind *Saint*: *Zeus, Saint Peter, God sent his son*; not *Jesus
    College*, nor *thank God he came*."""
    for token in (token for token in doc if token.tag_ in PROPER_NOUNS and token.text.istitle()):
        before, after = doc[max(0, token.i - 1) : token.i].text.lower(), doc[token.i + 1 : token.i + 2].text
        is_part = after.istitle() and is_word(after.lower())
        is_saint = before in _SAINTS and bool(places_of(doc, [token.i], Kind.FIRST_NAME))
        is_saint = is_saint or f"{before} {token.lower_}" in _DEITIES
        if not is_part and (is_saint or token.lower_ in _DEITIES or _acts_as_god(token)):
            yield token.i


def _acts_as_god(token: Token) -> bool:
    """*God sent his son*; not *God knows he tried*."""
    after = token.doc[token.i + 1 :]
    acts = token.text == "God" and len(after) and after[0].tag_ in FINITE_VERBS and after[0].lower_ not in _WISHES
    return bool(acts) and any(gender is Gender.MASCULINE for word in after for gender, _ in forms_of(word.lower_))


def _run(doc: Doc, at: int) -> Span:
    """The run of words around a name that are written as it is: with a capital, if it has one."""

    def is_part(token: Token) -> bool:
        return (token.tag_ in PROPER_NOUNS and token.text.islower() == doc[at].text.islower()) or (
            token.text.istitle() and token.is_alpha and not token.is_sent_start
        )

    first, last = at, at + 1
    while first and is_part(doc[first - 1]):
        first -= 1
    while last < len(doc) and is_part(doc[last]):
        last += 1
    return doc[first:last]


def _is_called_the(name: Span) -> bool:
    """*the Molly Maguires, the Bronx, the Bruce Campbell Way*; not *the Smith boy*, nor *the Reverend John King*."""
    if not name.start or name[0].nbor(-1).lower_ != "the":
        return False
    end = name[-1]
    if len(name) == 1:
        return end.dep_ not in NOUN_MODIFIERS
    is_many = end.tag_ == "NNPS" or (end.tag_ == "NNS" and end.text.istitle())
    return is_many or (len(name) > 2 and is_word(end.lower_))


def _describes(name: Span, is_person: Callable[[Token], bool]) -> bool:
    """*James Bond style, the John Smith persona*; not *James Bond fans*."""
    noun = name.doc[name.end] if name.end < len(name.doc) else None
    if noun is None or not noun.text.islower() or noun.tag_ not in ("NN", "NNP") or is_person(noun):
        return False
    if noun.lower_ in PARTICLES:
        return False
    is_joined = noun.head in name and noun.dep_ in ("flat", "flat:name") and is_word(noun.lower_)
    return is_joined or any(
        part.dep_ == "compound" and part.head.i >= name.end and not is_person(part.head) for part in name
    )


def _is_a_chapter(name: Span) -> bool:
    """*Suetonius, Julius Caesar, 23, 24.1*; not *Susan Smith, 34, 5 feet tall*."""
    after = name.doc[name.end : name.end + 5]
    texts = [token.text for token in after[:4]]
    if len(texts) < 4 or texts[::2] != [",", ","] or not all(word[:1].isdigit() for word in texts[1::2]):
        return False
    return len(after) == 4 or after[4].tag_ not in NOUNS | {"HYPH", "CD"}
