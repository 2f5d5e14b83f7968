"""The views of a sentence for Sent-Debias of race and religion: the same sentence with the words of each group.

    jewish     A rabbi greeted the Jews.
    christian  A priest greeted the Christians.
    muslim     An imam greeted the Muslims.

Sentences that name two groups are left out: rewritten, they would name one twice. So are those in which the word is
part of a name: *Christian Bale, the Church of England, the All Blacks*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from gec_fair.edits import Edit
from gec_fair.english import pipeline
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.letters import capitalised
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.group_words import GROUPS, GroupWord, GroupWords, load
from gec_fair.people.terms.readings import Readings
from gec_fair.perturber.rewriting.surface import OPENS, articles, as_low

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_INSIDE = ("JJ", "CD", "VBN", "VBG")
"""Tags of what stands between an adjective and its noun."""
_DETERMINERS = ("det", "poss", "nummod")


@dataclass(frozen=True, slots=True)
class Place:
    """A word of a group, and where it stands: tokens, half-open."""

    start: int
    end: int
    word: GroupWord


def may_hold(words: Sequence[str], axis: str) -> bool:
    """Whether a sentence of lower-cased tokens may name a group; cheap, and never wrong when it says no."""
    return not load(axis).by_first.keys().isdisjoint(words)


def views(sentences: Sequence[str], axis: str) -> list[tuple[str, ...]]:
    """A view for each group of the axis, of every sentence that names exactly one of them, and in no name. Case, and
    *a* or *an*, follow the new words."""
    table = load(axis)
    rows = []
    for doc in pipeline.shared().pipe(sentences):
        places = list(find(doc, table))
        if len({place.word.group for place in places}) == 1 and not any(_is_in_a_name(doc, place) for place in places):
            rows.append(tuple(_view(doc, places, group) for group in GROUPS[axis]))
    return rows


def find(doc: Doc, table: GroupWords) -> Iterator[Place]:
    """The words of groups that have their reading, from left to right, the longest at each token."""
    words = [token.lower_ for token in doc]
    at = 0
    while at < len(doc):
        word = next((word for word in table.starting(words, at) if _has_reading(doc, at, word)), None)
        if word is not None:
            yield Place(at, at + len(word.words), word)
        at += 1 if word is None else len(word.words)


def _has_reading(doc: Doc, at: int, word: GroupWord) -> bool:
    last = doc[at + len(word.words) - 1]
    if word.reading == "any":
        return not last.tag_.startswith("VB")  # she blacks my boots
    noun = _noun_behind(last)
    if word.reading == "of-people":
        return noun is not None and _readings().is_person(noun)
    has_determiner = any(token.dep_ in _DETERMINERS for token in (*last.lefts, *doc[at].lefts))
    is_noun = noun is None and has_determiner
    return is_noun == (word.reading == "noun")


@cache
def _readings() -> Readings:
    return Readings(lexicon.load())


def _is_in_a_name(doc: Doc, place: Place) -> bool:
    """Beside a word of a name, or with a capital that only a name gives: *the Church*; a *Black actor* is none."""
    if all(not token.is_lower for token in doc if token.is_alpha):
        return False
    neighbours = [doc[at] for at in (place.start - 1, place.end) if 0 <= at < len(doc)]
    has_capital = doc[place.start].text[:1].isupper() and place.word.words[0][:1].islower()
    begins = place.start == 0 or doc[place.start - 1].text in OPENS
    return (has_capital and not begins and place.word.reading == "any") or any(
        token.tag_ in PROPER_NOUNS and token.text[:1].isupper() for token in neighbours
    )


def _noun_behind(word: Token) -> Token | None:
    """The last noun of what follows directly: *a black American jazz singer*."""
    following = [*takewhile(lambda token: token.tag_.startswith(_INSIDE), _after(word))]
    nouns = [*takewhile(lambda token: token.tag_.startswith("NN"), _after(following[-1] if following else word))]
    return nouns[-1] if nouns else None


def _after(word: Token) -> Iterator[Token]:
    return iter(word.doc[word.i + 1 :])


def _view(doc: Doc, places: Sequence[Place], group: str) -> str:
    new = [_edit(doc, place, group) for place in places if place.word.group != group]
    texts = [token.text_with_ws for token in doc]
    for edit in [*new, *articles(doc, new)]:
        spaces = [token.whitespace_ for token in doc[edit.start : edit.end]]
        if len(spaces) != len(edit.replacement):  # else as the old words have them: African-American
            spaces = [*[" "] * (len(edit.replacement) - 1), spaces[-1]]
        written = "".join(word + space for word, space in zip(edit.replacement, spaces, strict=True))
        texts[edit.start : edit.end] = [written, *[""] * (edit.end - edit.start - 1)]
    return "".join(texts)


def _edit(doc: Doc, place: Place, group: str) -> Edit:
    new = as_low(doc, Edit(place.start, place.end, place.word.forms[group]))
    return Edit(new.start, new.end, _cased(doc, place, new.replacement))


def _cased(doc: Doc, place: Place, new: Sequence[str]) -> tuple[str, ...]:
    """In capitals where the old word is; with a capital where the old one has one that its group's form has not, or
    where a sentence begins."""
    old = doc[place.start]
    if len(old.text) > 1 and old.is_upper:
        return tuple(word.upper() for word in new)
    begins = place.start == 0 or doc[place.start - 1].text in OPENS
    has_more = old.text[:1].isupper() and (begins or place.word.words[0][:1].islower())
    return (capitalised(new[0]) if has_more else new[0], *new[1:])
