"""FM-CDA (Lund et al. 2023, §3.1): swap feminine and masculine pronouns, nouns and first names, both ways.

She told her brother that Michael is an actor .
He  told his sister  that Kristyn is an actress .
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.name_swaps import Namer, name_swaps
from gec_fair.augmentation.planning.noun_swaps import find_nouns, half_swapped, is_glued_to_counterpart, noun_swaps
from gec_fair.augmentation.planning.swap import NameChange, PronounChange, Swap, Swaps, possessive_swaps
from gec_fair.corpus.outcome import Discarded, Left
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.english.once import texts
from gec_fair.english.possessives import unclear_mark
from gec_fair.english.pronouns import is_half, is_name, names_neutral_pronouns
from gec_fair.people.people import NonPersons, people_in

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def plan(
    doc: Doc,
    lexicon: Lexicon,
    namer: Namer,
    *,
    text_id: str,
    direction: Gender | None,
    non_persons: NonPersons,
    find_candidates: Callable[[Sequence[str]], Collection[int]],
) -> Swaps:
    """The swaps for one text; `direction` is the gender that is swapped away, None for both. A text in which nothing is
    swapped is left with the reason of one of its candidates, the places of words of the method; what would come out
    half swapped is discarded."""
    people = people_in(doc)
    planned = [
        swap
        for swap in swaps(doc, lexicon, namer, text_id=text_id, direction=direction)
        if not (isinstance(swap.change, NameChange) and people.goes_by_they(swap.start))
    ]
    if planned and people.holy:
        return Left("thing", doc[people.holy[0]].text)
    remaining = [swap for swap in planned if swap.start not in non_persons.places]
    edited = {at for swap in remaining for at in range(swap.start, swap.end)}
    half = half_swapped(doc, edited, lexicon, with_names=namer.mode != "keep")
    if half := half or unclear_mark(doc, (swap.end for swap in remaining)):
        return Discarded("counterpart_mismatch", half)
    if remaining:
        return sorted([*remaining, *possessive_swaps(doc, remaining)], key=lambda swap: swap.start)
    if planned:
        return Left("thing", f"{doc[planned[0].start].text} ~ {non_persons.word}")
    if direction is not None and (others := swaps(doc, lexicon, namer)):
        return Left("direction", doc[others[0].start].text)
    return _choose_reason(doc, find_candidates(texts(doc)), lexicon)


def _choose_reason(doc: Doc, candidates: Collection[int], lexicon: Lexicon) -> Swaps:
    """By the candidate whose reason is known best; the first one, if there are several."""
    reasons = [(_reason(doc, at, lexicon), at) for at in sorted(candidates)]
    if not reasons:
        return []
    reason, at = min(reasons, key=lambda row: row[0] == "doubt")
    return Left(reason, doc[at].text)


def _reason(doc: Doc, at: int, lexicon: Lexicon) -> str:
    words, people = texts(doc), people_in(doc)
    match = lexicon.nouns.swap_noun(words, at)
    is_glued = match is not None and is_glued_to_counterpart(words, match)
    if is_glued or _is_half_of_a_pair(words, at) or is_half(words, match.end - 1 if match is not None else at):
        return "pair"
    is_neutral = names_neutral_pronouns(words) or people.goes_by_they(at)
    if is_neutral and lexicon.names.is_name(words[at], proper=True):
        return "neutral"
    return "thing" if at in people.names_of_things else "doubt"


def swaps(
    doc: Doc,
    lexicon: Lexicon,
    namer: Namer,
    *,
    text_id: str = "",
    direction: Gender | None = None,
) -> list[Swap]:
    """The swaps for one text, whoever its words belong to; without the possessive marks behind them."""
    words = texts(doc)
    matches = find_nouns(doc, words, lexicon)
    skip = {at for match in matches for at in range(match.start, match.end)}
    planned = [
        swap
        for at, word in enumerate(words)
        if forms_of(word.lower()) and not (_is_half_of_a_pair(words, at) or is_half(words, at) or is_name(words, at))
        for swap in _pronoun(doc[at], direction)
    ]
    for match in matches:
        if direction in (None, match.term.gender):
            planned += noun_swaps(doc, match)
    if namer.mode != "keep" and not names_neutral_pronouns(words):
        names = people_in(doc).first_names(lexicon, skip=skip)
        swapped = {token: gender for token, gender in names.items() if direction in (None, gender)}
        planned += name_swaps(swapped, namer, text_id)
    return sorted(planned, key=lambda s: s.start)


def _is_half_of_a_pair(words: Sequence[str], at: int) -> bool:
    """*him- or herself*: the first half cannot be swapped, so both stay."""
    return at > 1 and words[at - 2].endswith("-") and bool(forms_of(words[at - 2][:-1].lower()))


def _pronoun(token: Token, direction: Gender | None) -> list[Swap]:
    form = people_in(token.doc).form_of(token)
    assert form is not None
    change = PronounChange(form, only=direction)
    new = change.realise(token.text)
    if new is None or (new == token.text and direction is not None):
        return []
    return [Swap(token.i, token.i + 1, (new,), change)]
