"""One word that says what a negated one says: *is not able*, *is unable*; *did not obey*, *disobeyed*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from gec_fair.english.lexicons.tables import read_table
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.razor.rewriting.items import NOT, Items, exchanged, folder, inflected, is_quantified

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_DO = word_list("do_forms")
_TAGS: Mapping[str, str] = {"do": "VBP", "does": "VBZ", "did": "VBD"}


def denied(doc: Doc) -> Iterator[Items]:
    """*Not* and the word that it denies as one word, where a lexicon has it."""
    for word in doc:
        if word.lower_ not in NOT or word.dep_ != "advmod":
            continue
        head = word.head
        adverbs = [child for child in head.children if child.dep_ == "advmod" and child.i != word.i]
        if adverbs or head.i < word.i or is_quantified(_subject_of(head)):
            continue
        before = doc[word.i - 1] if word.i else None
        if head.tag_ == "JJ" and before is not None and before.dep_ == "cop" and head.i == word.i + 1:
            new = _denials().get(("adjective", head.lower_))
            if new:
                yield exchanged(doc, {word.i: None, head.i: new})
        elif head.tag_ == "VB" and before is not None and before.lower_ in _DO:
            new = _denials().get(("verb", head.lower_))
            form = inflected(new, _TAGS[before.lower_]) if new else None
            if form and head.i == word.i + 1 and before.dep_ == "aux":
                yield exchanged(doc, {before.i: None, word.i: None, head.i: form})


def within(first: Items, second: Items, doc: Doc) -> Items | None:
    """Both, where what the one changed is moved or kept by the other."""
    gone = {word.i for word in doc} - {word.i for word in first if not isinstance(word, str)}
    new = {}
    before: int | None = None
    for item in first:
        if isinstance(item, str):
            new[before] = item
        else:
            before = item.i
    if not gone <= {word.i for word in second if not isinstance(word, str)} or len(new) != 1:
        return None
    anchor, word = next(iter(new.items()))
    items: Items = []
    for item in second:
        if isinstance(item, str) or item.i not in gone:
            items.append(item)
        if not isinstance(item, str) and item.i == anchor:
            items.append(word)
    return items if word in items else None


def _subject_of(head: Token) -> Sequence[Token]:
    return [word for child in head.children if child.dep_.startswith("nsubj") for word in child.subtree]


@cache
def _denials() -> Mapping[tuple[str, str], str]:
    """By part of speech and word."""
    rows = chain(
        read_table(folder() / "antonyms.tsv", ("part", "word", "antonym")),
        read_table(folder() / "complements.tsv", ("part", "word", "complement")),
    )
    return {(row.cells[0], row.cells[1]): row.cells[2] for row in rows}
