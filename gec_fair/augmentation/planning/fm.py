"""FM-CDA (Lund et al. 2023, §3.1): swap feminine and masculine pronouns, nouns and first names, both ways.

She told her brother that Michael is an actor .
He  told his sister  that Kristyn is an actress .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.name_swaps import Namer, name_swaps
from gec_fair.augmentation.planning.noun_swaps import find_nouns, noun_swaps
from gec_fair.augmentation.planning.referents import ALL_PERSONS, NonPersons
from gec_fair.augmentation.planning.swap import PronounChange, Swap
from gec_fair.corpus.outcome import Discarded
from gec_fair.english.first_names import first_names
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.paradigms import Gender, forms_of
from gec_fair.english.pronouns import form_of, is_half
from gec_fair.english.thing_names import is_in_a_title, thing_names
from gec_fair.english.unlisted_names import unlisted_names

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

DIRECTIONS: Mapping[str, Gender | None] = {"both": None, "m2f": Gender.MASCULINE, "f2m": Gender.FEMININE}


def plan(
    doc: Doc,
    lexicon: Lexicon,
    namer: Namer,
    *,
    text_id: str = "",
    direction: Gender | None = None,
    non_persons: NonPersons = ALL_PERSONS,
) -> list[Swap] | Discarded:
    """The swaps for one text; `direction` is the gender that is swapped away, None for both. `not_a_person` where all
    that would be swapped belongs to `non_persons`."""
    planned = swaps(doc, lexicon, namer, text_id=text_id, direction=direction)
    remaining = [swap for swap in planned if swap.start not in non_persons.places]
    return remaining if remaining or not planned else Discarded("not_a_person", non_persons.word)


def swaps(
    doc: Doc, lexicon: Lexicon, namer: Namer, *, text_id: str = "", direction: Gender | None = None
) -> list[Swap]:
    """The swaps for one text, whoever its words belong to."""
    words = [token.text for token in doc]
    impersonal = thing_names(doc, lexicon)
    matches = find_nouns(doc, words, lexicon, impersonal)
    skip = {*impersonal, *(at for match in matches for at in range(match.start, match.end))}
    planned = [
        swap
        for at, word in enumerate(words)
        if forms_of(word.lower())
        and not _is_half_of_a_pair(words, at)
        and not is_half(words, at)
        and at not in impersonal
        and not is_in_a_title(words, at, lexicon)
        for swap in _pronoun(doc[at], direction)
    ]
    for match in matches:
        if direction in (None, match.gender):
            planned += noun_swaps(doc, match)
    if namer.mode != "keep":
        names = {token: lexicon.names.gender(token.text) for token in first_names(doc, lexicon, skip=skip)}
        names |= unlisted_names(doc, lexicon, skip=skip)
        swapped = {token: gender for token, gender in names.items() if direction in (None, gender)}
        planned += name_swaps(swapped, namer, text_id)
    return sorted(planned, key=lambda s: s.start)


def _is_half_of_a_pair(words: Sequence[str], at: int) -> bool:
    """*him- or herself*: the first half is no word that can be swapped, so both stay."""
    return at > 1 and words[at - 2].endswith("-") and bool(forms_of(words[at - 2][:-1].lower()))


def _pronoun(token: Token, direction: Gender | None) -> list[Swap]:
    form = form_of(token)
    assert form is not None
    change = PronounChange(form, only=direction)
    new = change.realise(token.text)
    if new is None or (new == token.text and direction is not None):
        return []
    return [Swap(token.i, token.i + 1, (new,), change)]
