"""Other words for what is denied.

denied     is not able → is unable; did not obey → disobeyed        where a lexicon has the one word
never      Ann Lee did not act in films → … never acted in films     of what may happen in a life, at no named time
lack       has no trees, does not have trees → lacks trees
yet        has not yet been made → has yet to be made
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons.tables import read_table
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.razor.rewriting.items import NOT, Items, exchanged, folder, inflected, is_quantified, words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_DO = word_list("do_forms")
_MONTHS = word_list("months")
_TAGS: Mapping[str, str] = {"do": "VBP", "does": "VBZ", "did": "VBD"}


def denied(doc: Doc) -> Iterator[Items]:
    """*Not* and the word that it denies as one word, where a lexicon has it; not in a question, nor before *do you?*"""
    if any(word.text == "?" for word in doc):
        return
    for word in doc:
        if word.lower_ not in NOT or word.dep_ != "advmod":
            continue
        head = word.head
        adverbs = [child for child in head.children if child.dep_ == "advmod" and child.i != word.i]
        is_wider = any(child.dep_ == "conj" for child in head.children) or is_quantified([*doc[head.i + 1 :]])
        if adverbs or head.i < word.i or is_wider or is_quantified(_subject_of(head)):
            continue  # not legal in all states, not happy or rich
        before = doc[word.i - 1] if word.i else None
        if head.tag_ == "JJ" and before is not None and before.dep_ == "cop" and head.i == word.i + 1:
            new = _denials().get(("adjective", head.lower_))
            if new:
                yield exchanged(doc, {word.i: None, head.i: new})
        elif head.tag_ == "VB" and before is not None and before.lower_ in _DO:
            new = _denials().get(("verb", head.lower_))
            form = inflected(new, _TAGS[before.lower_]) if new else None
            if form and not _has_polar(doc[head.i :]) and head.i == word.i + 1 and before.dep_ == "aux":
                yield exchanged(doc, {before.i: None, word.i: None, head.i: form})


def never(doc: Doc) -> Iterator[Items]:
    """*Never* for *did not* and *has not*: of somebody or something with a name, and what may happen more than once."""
    for word in doc[2:-1]:
        helper, verb = doc[word.i - 1], doc[word.i + 1]
        if word.lower_ not in NOT or word.head.i != verb.i or not helper.whitespace_:
            continue
        if (
            verb.dep_ not in ("ROOT", "root")
            or verb.lemma_ not in words()["in a life"]
            or not _is_named(verb)
            or _has_time(verb)
        ):
            continue
        if helper.lower_ == "did" and verb.tag_ == "VB" and (past := inflected(verb.lemma_, "VBD")):
            yield exchanged(doc, {helper.i: None, word.i: "never", verb.i: past})
        elif helper.lower_ in ("has", "have") and verb.tag_ == "VBN":
            yield exchanged(doc, {word.i: "never"})


def lack(doc: Doc) -> Iterator[Items]:
    """*Lacks* for *has no* and *does not have*, of what is wanted by whoever lacks it."""
    for verb in doc[1:-1]:
        noun = next((child for child in verb.children if child.dep_ == "obj"), None)
        if (
            verb.lemma_ != "have"
            or noun is None
            or noun.lower_ not in words()["lacked"]
            or _has_polar(doc[noun.i + 1 :])
        ):
            continue
        following = doc[verb.i + 1]
        first = doc[verb.i - 2 : verb.i] if verb.i > 1 else doc[:0]
        if following.lower_ == "no" and following.head.i == noun.i and verb.tag_ in ("VBZ", "VBD", "VBP"):
            yield exchanged(doc, {verb.i: inflected("lack", verb.tag_), following.i: None})
        elif (
            verb.tag_ == "VB"
            and len(first) == 2
            and first[0].lower_ in _TAGS
            and first[1].lower_ in NOT
            and (following.i == noun.i or following.lower_ == "any")
        ):
            form = inflected("lack", _TAGS[first[0].lower_])
            yield exchanged(doc, {first[0].i: None, first[1].i: None, verb.i: form})


def yet(doc: Doc) -> Iterator[Items]:
    """*Has not yet been made*, *has yet to be made*."""
    for word in doc[1:-2]:
        helper, following, verb = doc[word.i - 1], doc[word.i + 1], doc[word.i + 2]
        if (
            word.lower_ == "not"
            and following.lower_ == "yet"
            and verb.tag_ == "VBN"
            and helper.lower_ in ("has", "have")
        ):
            lemma = "be" if verb.lower_ == "been" else inflected(verb.lemma_, "VB")
            has_been_to = lemma == "be" and verb.i + 1 < len(doc) and doc[verb.i + 1].lower_ == "to"
            if lemma and not has_been_to:
                yield exchanged(doc, {word.i: "yet", following.i: "to", verb.i: lemma})


def within(first: Items, second: Items, doc: Doc) -> Items | None:
    """Both, where what the one changed is moved or kept by the other."""
    gone = {word.i for word in doc} - {word.i for word in first if not isinstance(word, str)}
    new: dict[int | None, list[str]] = {}
    before: int | None = None
    for item in first:
        if isinstance(item, str):
            new.setdefault(before, []).append(item)
        else:
            before = item.i
    if not gone <= {word.i for word in second if not isinstance(word, str)} or len(new) != 1:
        return None
    anchor, replacement = next(iter(new.items()))
    items: Items = []
    for item in second:
        if isinstance(item, str) or item.i not in gone:
            items.append(item)
        if not isinstance(item, str) and item.i == anchor:
            items += replacement
    return items if replacement[0] in items else None


def _has_polar(span: Span) -> bool:
    """A word that needs a denial before it: *at all*, *ever*."""
    return any(
        word.lower_ in words()["polar"] or (word.lower_ == "all" and word.i and word.nbor(-1).lower_ == "at")
        for word in span
    )


def _is_named(verb: Token) -> bool:
    return any(child.dep_ == "nsubj" and child.tag_ in PROPER_NOUNS for child in verb.children)


def _has_time(verb: Token) -> bool:
    """A year, a date, or a word such as *ever* or *only*: *did not act in 1990* says nothing of other years."""
    return any(
        (child.dep_ in ("advmod", "advcl", "conj", "nmod:tmod", "obl:tmod") and child.lower_ not in NOT)
        or (child.dep_ == "obl" and any(word.tag_ == "CD" or word.lower_ in _MONTHS for word in child.subtree))
        for child in verb.children
    )


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
