"""How new words are written where they stand: their case, *a* or *an* before them, the genitive mark behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gec_fair.edits import Edit
from gec_fair.english.articles import article
from gec_fair.english.letters import capitalise, like
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.once import lowers, once_a_text
from gec_fair.english.possessives import leaves_s_out, mark_behind, new_mark

if TYPE_CHECKING:
    from spacy.tokens import Doc

OPENS = frozenset([".", "!", "?", '"', "“", "``", "‘", "'", ":", "…", "\n"])
"""Behind these a sentence begins."""
_ARTICLES = word_list("indefinite_articles")
_QUOTES = frozenset(['"', "“", "‘", "'", "``", "`", "«", "("])


def match_case(doc: Doc, start: int, end: int, new: Sequence[str], *, noun: bool = False) -> tuple[str, ...]:
    """The new words with a capital where the old ones have one that a sentence's beginning gave them (or a title's:
    *Mr*; a `noun`'s anywhere: *Mother*), or all in capitals as they are. A word with a capital of its own (*Asian*)
    keeps it, and gives none away."""
    old = doc[start].text
    letters = "".join(token.text for token in doc[start:end] if token.text.isalpha())
    if len(letters) > 1 and letters.isupper():
        return tuple(word.upper() for word in new)
    begins = start == 0 or doc[start - 1].text in OPENS
    title = end < len(doc) and doc[end].tag_ == "NNP"
    return (capitalise(new[0]) if old[:1].isupper() and (noun or begins or title) else new[0], *new[1:])


def articles(doc: Doc, changed: Sequence[Edit]) -> Iterator[Edit]:
    """*a* or *an* before what has changed, or before its quotation mark: *a "black" man, an "Asian" man*."""
    for edit in changed:
        at = edit.start - 1
        if at > 0 and doc[at].text in _QUOTES:
            at -= 1
        before = doc[at] if at >= 0 else None
        after = doc[edit.end].text if edit.end < len(doc) else ""
        if before is None or before.lower_ not in _ARTICLES or not (edit.replacement or after):
            continue
        right = article((*edit.replacement, after)[0])
        if right != before.lower_ and article(doc[edit.start].text) == before.lower_:
            yield Edit(before.i, before.i + 1, (like(before.text, right),))


def genitives(doc: Doc, changed: Sequence[Edit]) -> Iterator[Edit]:
    """*the boys' room, the children's room*: the mark behind a new word, by its ending."""
    for edit in changed:
        is_plural = edit.end > edit.start and doc[edit.end - 1].tag_.endswith("S")
        mark = mark_behind(doc, edit.end, is_plural=is_plural) if edit.replacement and edit.end > edit.start else ""
        if mark:
            last, new = doc[edit.end - 1].text, edit.replacement[-1]
            right = new_mark(mark, last, new, is_plural=is_plural, is_bare=new.endswith("s") and leaves_s_out(doc))
            if right != mark:
                yield Edit(edit.end, edit.end + 1, (right,))


def as_low(doc: Doc, edit: Edit) -> Edit:
    """In a text that has no capitals the new words have none either: *an asian man* in lower-cased reviews."""
    if any(not token.is_lower and token.is_alpha for token in doc):
        return edit
    return replace(edit, replacement=tuple(word.lower() for word in edit.replacement))


@once_a_text
def lower_words(doc: Doc) -> frozenset[str]:
    """All words of a text, in lower case."""
    return frozenset(lowers(doc))
