"""A text as words of the parsed one and new ones, and how it is written again: spaces, capitals, *a* and *an*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gec_fair.english.articles import article
from gec_fair.english.labels import NOUNS, PROPER_NOUNS
from gec_fair.english.letters import capitalised, like
from gec_fair.english.lexicons.tables import shipped_directory
from gec_fair.english.lexicons.word_lists import read_word_lists, word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Items: TypeAlias = "list[Token | str]"
"""A text: words of the parsed one, and new ones."""
NOT = word_list("negations_that_are_removed")
_ARTICLES = word_list("indefinite_articles")
UPOS = {"noun": "NOUN", "verb": "VERB", "adjective": "ADJ", "adverb": "ADV"}


def folder() -> Path:
    """Where the tables of the rules lie."""
    return shipped_directory() / "razor"


@cache
def words() -> Mapping[str, frozenset[str]]:
    """The closed sets of words.tsv, each of which says there what goes wrong without it."""
    lists = read_word_lists(folder() / "words.tsv", ("use", "words", "without it"))
    return {use: frozenset(words) for use, words in lists.items()}


def exchanged(doc: Doc, new: Mapping[int, str | None]) -> Items:
    """With other words in these places, None for none; *a* and *an* follow."""
    items: Items = []
    for word in doc:
        if word.i not in new:
            items.append(word)
        elif (replacement := new[word.i]) is not None:
            before = items[-1] if items else None
            text = _cased(word, replacement)
            if before is not None and not isinstance(before, str) and before.i == word.i - 1 and not before.whitespace_:
                items[-1] = before.text + text  # *"it's* as *"it is*
                continue
            if before is not None and not isinstance(before, str) and before.lower_ in _ARTICLES:
                items[-1] = like(before.text, article(replacement))
            items.append(text)
    return items


def _cased(word: Token, replacement: str) -> str:
    """An acronym's letters say nothing of another word's."""
    is_acronym = len(word.text) > 1 and word.text.isupper() and not word.doc.text.isupper()
    return replacement if is_acronym else like(word.text, replacement)


def without_capital(word: Token) -> str | None:
    """The first word of a text as it is written in another place; None where it may be a name."""
    text = word.text
    if text.lower() in words()["lower"]:
        return None if may_be_in_title(word) else text.lower()
    if text[:1].islower() or word.tag_ in PROPER_NOUNS or word.tag_ == "PRP" or text.isupper():
        return text
    following = word.doc[word.i + 1] if word.i + 1 < len(word.doc) else None
    before_noun = following is not None and following.text.islower() and following.tag_ in ("NN", "NNS", "JJ")
    sure = (word.tag_ == "NNS" and _is_known(text)) or (word.tag_ in ("VBG", "VBN", "CD") and before_noun)
    return text.lower() if sure and word.lemma_.islower() else None


def may_be_in_title(word: Token) -> bool:
    """*The* of *The Kite Runner*, which keeps its capital, or of *The Alps*, which does not; *a Danish man* is sure."""
    following = word.doc[word.i + 1 : word.i + 3]
    is_name = bool(following) and following[0].text[:1].isupper()
    if not is_name or (word.dep_ == "det" and word.head.text.islower()):
        return False  # the Danish kings
    return not (following[0].tag_ == "JJ" and len(following) > 1 and following[1].text.islower())


def _is_known(noun: str) -> bool:
    """Whether a plural is a word's: *trollhunters* is none."""
    from lemminflect import getLemma

    return bool(getLemma(noun.lower(), "NOUN", lemmatize_oov=False))


def join_items(items: Items, doc: Doc) -> str | None:
    """As a text: words that stood together stay so, with the space between them or without; a capital at the beginning,
    and none on a word that came from there. None where that word may be a name."""
    rewritten = ""
    before: Token | str | None = None
    for item in items:
        text = item if isinstance(item, str) else item.text
        if before is None and doc[0].text[:1].isupper():
            text = capitalised(text)
        elif before is not None and not isinstance(item, str) and item.i == 0:
            lower = without_capital(item)
            if lower is None:
                return None
            text = lower
        if text != "." or not rewritten.endswith("."):  # *the song was sung by Ann B.*
            rewritten += text if before is None or _is_glued(before, item, doc) else f" {text}"
        before = item
    ends = doc.text.rstrip().endswith(".") and rewritten[-1:].isalnum()
    return f"{rewritten}." if ends else rewritten


def lemma_of(word: Token, part: str) -> str:
    """The first lemma that the tables have of a word as a noun, verb, adjective or adverb."""
    from lemminflect import getLemma

    lemmas: Any = getLemma(word.lower_, UPOS[part], lemmatize_oov=False)
    return str(lemmas[0]) if lemmas else word.lower_


def inflected(lemma: str, tag: str) -> str | None:
    """The first word of a lemma in another form; None for one that the tables do not know; adjectives and adverbs as
    they are."""
    from lemminflect import getInflection

    if tag in ("JJ", "RB", "IN"):
        return lemma
    first, _, rest = lemma.partition(" ")
    forms: Any = getInflection(first, tag, inflect_oov=False)
    return f"{forms[0]} {rest}".strip() if forms else None


def root_of(doc: Doc) -> Token:
    """The root of the only sentence."""
    return next(iter(doc.sents)).root


def is_full_phrase(words: Sequence[Token]) -> bool:
    """Without a gap."""
    return words[-1].i - words[0].i + 1 == len(words)


def is_end(doc: Doc, end: int) -> bool:
    """Whether only marks follow."""
    return all(word.is_punct for word in doc[end + 1 :])


def is_plural(head: Token) -> bool:
    """By its tag and its form, or because there are several."""
    is_several = head.tag_ == "NNPS" or (head.tag_ == "NNS" and lemma_of(head, "noun") != head.lower_)
    return is_several or any(child.dep_ == "conj" for child in head.children)


def is_quantified(phrase: Sequence[Token]) -> bool:
    """Said of some or of none: what it says depends on what stands first, or on what a denial is said of."""
    return any(word.lower_ in words()["quantified"] for word in phrase)


def is_behind_noun(verb: Token) -> bool:
    """Whether its clause says something of a noun before it: *the time they have to answer*, which none must."""
    subject = [word for child in verb.children if child.dep_.startswith("nsubj") for word in child.subtree]
    start = min((word.i for word in subject), default=verb.i)
    before = verb.doc[start - 1] if start else None
    return verb.dep_ == "acl:relcl" or (before is not None and before.tag_ in NOUNS)


def has_pronoun(phrase: Sequence[Token]) -> bool:
    """Whose case would change, or who would come before the one that it stands for."""
    return any(word.tag_ in ("PRP", "PRP$", "WP", "WP$", "WDT") for word in phrase)


def _is_glued(before: Token | str, item: Token | str, doc: Doc) -> bool:
    if isinstance(item, str):
        return item == "," and not doc[len(doc) - 2].whitespace_  # as the mark at the end
    if not isinstance(before, str) and before.i == item.i - 1:
        return not before.whitespace_
    return item.i > 0 and not doc[item.i - 1].whitespace_ and not item.text[0].isalnum()
