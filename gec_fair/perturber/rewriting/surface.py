"""How new words are written where they stand: their case, *a* or *an* before them, the genitive mark behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gec_fair.edits import Edit
from gec_fair.english.articles import article
from gec_fair.english.letters import capitalised, like
from gec_fair.english.lexicons.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc

OPENS = frozenset([".", "!", "?", '"', "“", "``", "‘", "'", ":", "…", "\n"])
"""Behind these a sentence begins."""
_ARTICLES = word_list("indefinite_articles")
_QUOTES = frozenset(['"', "“", "‘", "'", "``", "`", "«", "("])


def cased(doc: Doc, start: int, end: int, new: Sequence[str], *, noun: bool = False) -> tuple[str, ...]:
    """The new words with a capital where the old ones have one that a sentence's beginning gave them (or a title's:
    *Mr*; a `noun`'s anywhere: *Mother*), or all in capitals as they are. A word with a capital of its own (*Asian*)
    keeps it, and gives none away."""
    old = doc[start].text
    letters = "".join(token.text for token in doc[start:end] if token.text.isalpha())
    if len(letters) > 1 and letters.isupper():
        return tuple(word.upper() for word in new)
    begins = start == 0 or doc[start - 1].text in OPENS
    title = end < len(doc) and doc[end].tag_ == "NNP"
    return (capitalised(new[0]) if old[:1].isupper() and (noun or begins or title) else new[0], *new[1:])


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
        mark = doc[edit.end] if edit.end < len(doc) else None
        if mark is None or mark.tag_ != "POS" or not edit.replacement:
            continue
        last = doc[edit.end - 1]
        bare = edit.replacement[-1].lower().endswith("s") and (last.tag_.endswith("S") or len(mark.text) == 1)
        new = mark.text[0] + ("" if bare else "S" if last.is_upper else "s")
        if new != mark.text:
            yield Edit(mark.i, mark.i + 1, (new,))


def as_low(doc: Doc, edit: Edit) -> Edit:
    """In a text that has no capitals the new words have none either: *an asian man* in lower-cased reviews."""
    if any(not token.is_lower and token.is_alpha for token in doc):
        return edit
    return replace(edit, replacement=tuple(word.lower() for word in edit.replacement))


def lower_words(doc: Doc) -> frozenset[str]:
    """All words of a text, in lower case."""
    return frozenset(token.lower_ for token in doc)
