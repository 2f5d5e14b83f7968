"""The embedded rewriter, offline: a baseline that changes the surface and refuses where it is not sure.

    denied      is not able → is unable; did not obey → disobeyed        where a lexicon knows the one word
    fronted     … was released in 2011 . → In 2011 , … was released .
    passive     Tim Burton directed Batman . → Batman was directed by Tim Burton .
    active      Batman was directed by Tim Burton . → Tim Burton directed Batman .
    synonym     a film → a movie                                         in its most frequent sense

Each changes one thing; *denied* goes together with each of the others. Texts of one sentence alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gec_fair.english import pipeline
from gec_fair.english.articles import article
from gec_fair.english.labels import NOUNS
from gec_fair.english.letters import capitalised, like
from gec_fair.english.lexicons.tables import read_table, shipped_directory
from gec_fair.english.lexicons.word_lists import read_word_lists, word_list
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.candidates import Candidate

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Items: TypeAlias = "list[Token | str]"
"""A text: words of the parsed one, and new ones."""
TABLES = ("antonyms.tsv", "complements.tsv", "synonyms.tsv", "words.tsv")
PARTS = {
    "JJ": "adjective",
    "RB": "adverb",
    "NN": "noun",
    "NNS": "noun",
    "VB": "verb",
    "VBD": "verb",
    "VBG": "verb",
    "VBN": "verb",
    "VBP": "verb",
    "VBZ": "verb",
}
UPOS = {"noun": "NOUN", "verb": "VERB", "adjective": "ADJ", "adverb": "ADV"}
_ARTICLES = word_list("indefinite_articles")
_BEFORE_A_TIME = word_list("before_a_time")
_DO = word_list("do_forms")
_PRESENT = word_list("present_be_forms")
NOT = word_list("negations_that_are_removed")
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_MANY = 24
"""Candidates at most."""


class Rules:
    """Proposes the same for a text however often it is asked."""

    draws = False

    @property
    def version(self) -> str:
        """The version of the parser and a digest of the tables."""
        tables = b"".join((_folder() / name).read_bytes() for name in TABLES)
        return f"rules:{pipeline.version_of()}:tables:{sha256(tables).hexdigest()[:8]}"

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        """What the rules make of each document's text; tries change nothing."""
        docs = pipeline.shared().pipe(document.text for document in documents)
        return [[Candidate(text) for text in self.rewritings(doc)] for doc in docs]

    def rewritings(self, doc: Doc) -> list[str]:
        """All that the rules make of a text, each once."""
        if len(list(doc.sents)) != 1:
            return []
        denied = list(self._denied(doc))
        others = list(chain(_fronted(doc), _passive(doc), _active(doc), self._synonyms(doc)))
        both = (_within(first, second, doc) for first in denied for second in others)
        rewritten = (_join_items(items, doc) for items in chain(denied, others, filter(None, both)))
        return list(dict.fromkeys(rewritten))[:_MANY]

    @cached_property
    def _denials(self) -> Mapping[tuple[str, str], str]:
        """By part of speech and word."""
        folder = _folder()
        rows = chain(
            read_table(folder / "antonyms.tsv", ("part", "word", "antonym")),
            read_table(folder / "complements.tsv", ("part", "word", "complement")),
        )
        return {(row.cells[0], row.cells[1]): row.cells[2] for row in rows}

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], str]:
        """By part of speech and word the first synonym."""
        rows = read_table(_folder() / "synonyms.tsv", ("part", "word", "synonyms"))
        return {(row.cells[0], row.cells[1]): row.cells[2].split()[0] for row in rows}

    def _denied(self, doc: Doc) -> Iterator[Items]:
        for word in doc:
            if word.lower_ not in NOT or word.dep_ != "advmod":
                continue
            head = word.head
            adverbs = [child for child in head.children if child.dep_ == "advmod" and child.i != word.i]
            if adverbs or head.i < word.i or _is_quantified(_subject_of(head)):
                continue
            before = doc[word.i - 1] if word.i else None
            if head.tag_ == "JJ" and before is not None and before.dep_ == "cop" and head.i == word.i + 1:
                new = self._denials.get(("adjective", head.lower_))
                if new:
                    yield _exchanged(doc, {word.i: None, head.i: new})
            elif head.tag_ == "VB" and before is not None and before.lower_ in _DO:
                new = self._denials.get(("verb", head.lower_))
                form = _inflected(new, {"do": "VBP", "does": "VBZ", "did": "VBD"}[before.lower_]) if new else None
                if form and head.i == word.i + 1 and before.dep_ == "aux":
                    yield _exchanged(doc, {before.i: None, word.i: None, head.i: form})

    def _synonyms(self, doc: Doc) -> Iterator[Items]:
        for word in doc:
            part = PARTS.get(word.tag_)
            if (
                part is None
                or word.dep_ in ("compound", "fixed", "flat", "aux", "cop")
                or word.text[:1].isupper()
                or word.lower_ in NOT
            ):
                continue  # a capital may be a name's
            if word.i and not doc[word.i - 1].whitespace_:
                continue  # a part of something, as in *sloop-of-war*
            if part == "verb" and word.i + 1 < len(doc) and doc[word.i + 1].tag_ in ("IN", "RP", "TO"):
                continue  # *die out*, *refer to*: together they mean another thing
            lemma = _lemma(word, part)
            new = self._alike.get((part, lemma)) if lemma not in _words()["light"] else None
            form = _inflected(new, word.tag_) if new else None
            if form:
                yield _exchanged(doc, {word.i: form})


def _fronted(doc: Doc) -> Iterator[Items]:
    """A time at the end of a sentence that begins with its subject."""
    root = _root(doc)
    for word in root.children:
        time = list(word.subtree)
        start, end = time[0].i, time[-1].i
        if (
            word.dep_ == "obl"
            and time[0].lower_ in _BEFORE_A_TIME
            and _is_time(word)
            and _is_full_phrase(time)
            and _is_end(doc, end)
            and start > root.i
            and _subject(root, doc)
            and doc[start - 1].text != ","
        ):
            yield [*time, ",", *doc[:start], *doc[end + 1 :]]


def _passive(doc: Doc) -> Iterator[Items]:
    root = _root(doc)
    subject = _subject(root, doc)
    objects = [child for child in root.children if child.dep_ == "obj"]
    still = _words()["stative"] | _words()["light"]
    stray = {"aux", "aux:pass", "iobj", "ccomp", "xcomp", "conj", "expl", "advmod", "compound:prt", "parataxis"}
    if (
        subject is None
        or len(objects) != 1
        or root.tag_ not in ("VBD", "VBZ", "VBP")
        or root.lemma_ in still
        or any(child.dep_ in stray for child in root.children)
    ):
        return
    patient = list(objects[0].subtree)
    participle = _inflected(_lemma(root, "verb"), "VBN")
    if (
        participle is None
        or not _is_full_phrase(patient)
        or patient[0].i != root.i + 1
        or subject[-1].i != root.i - 1
        or _has_pronoun([*subject, *patient])
        or _is_quantified([*subject, *patient])
    ):
        return
    be = {"VBD": ("was", "were")}.get(root.tag_, ("is", "are"))[_is_plural(objects[0])]
    yield [*patient, be, participle, "by", *subject, *doc[patient[-1].i + 1 :]]


def _active(doc: Doc) -> Iterator[Items]:
    root = _root(doc)
    subject = _subject(root, doc, passive=True)
    agents = [child for child in root.children if child.dep_ == "obl:agent"]
    helpers = [child for child in root.children if child.dep_ in ("aux", "aux:pass")]
    if subject is None or len(agents) != 1 or len(helpers) != 1 or root.tag_ != "VBN":
        return
    be, by = helpers[0], [child for child in agents[0].children if child.dep_ == "case"]
    agent = [word for word in agents[0].subtree if word not in by]
    if (
        len(by) != 1
        or by[0].lower_ != "by"
        or by[0].i != root.i + 1
        or be.i != root.i - 1
        or subject[-1].i != be.i - 1
        or not _is_full_phrase([by[0], *agent])
        or _has_pronoun([*subject, *agent])
        or _is_quantified([*subject, *agent])
        or _lemma(root, "verb") in _words()["stative"]
        or any(child.dep_ in ("advmod", "conj", "xcomp", "ccomp", "obj") for child in root.children)
        or agents[0].tag_ not in NOUNS
    ):
        return
    tag = {"was": "VBD", "were": "VBD"}.get(be.lower_)
    if tag is None and be.lower_ in _PRESENT:
        tag = "VBP" if _is_plural(agents[0]) else "VBZ"
    form = _inflected(_lemma(root, "verb"), tag) if tag else None
    if form:
        yield [*agent, form, *subject, *doc[agent[-1].i + 1 :]]


def _within(first: Items, second: Items, doc: Doc) -> Items | None:
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


def _exchanged(doc: Doc, new: Mapping[int, str | None]) -> Items:
    """With other words in these places, None for none; *a* and *an* follow."""
    items: Items = []
    for word in doc:
        if word.i not in new:
            items.append(word)
        elif (replacement := new[word.i]) is not None:
            if items and not isinstance(items[-1], str) and items[-1].lower_ in _ARTICLES:
                items[-1] = like(items[-1].text, article(replacement))
            items.append(like(word.text, replacement))
    return items


def _join_items(items: Items, doc: Doc) -> str:
    """As a text: words that stood together stay so, with the space between them or without; a capital at the
    beginning, and none on an article that came from there."""
    rewritten = ""
    before: Token | str | None = None
    for item in items:
        text = item if isinstance(item, str) else item.text
        if before is None and doc[0].text[:1].isupper():
            text = capitalised(text)
        elif before is not None and not isinstance(item, str) and item.i == 0 and text.lower() in _words()["lower"]:
            text = text.lower()
        rewritten += text if before is None or _is_glued(before, item, doc) else f" {text}"
        before = item
    return rewritten


def _is_glued(before: Token | str, item: Token | str, doc: Doc) -> bool:
    if isinstance(item, str):
        return item == "," and not doc[len(doc) - 2].whitespace_  # as the mark at the end
    if not isinstance(before, str) and before.i == item.i - 1:
        return not before.whitespace_
    return item.i > 0 and not doc[item.i - 1].whitespace_ and not item.text[0].isalnum()


def _folder() -> Path:
    return shipped_directory() / "razor"


@cache
def _words() -> Mapping[str, frozenset[str]]:
    """stative: verbs without a good passive; light: words that mean little by themselves, and hardly ever their most
    frequent sense; quantified: see `_is_quantified`; lower: words with which a sentence begins, and no title of a work
    stands without its capital."""
    lists = read_word_lists(_folder() / "words.tsv", ("use", "words", "without it"))
    return {use: frozenset(words) for use, words in lists.items()}


def _root(doc: Doc) -> Token:
    return next(iter(doc.sents)).root


def _subject(root: Token, doc: Doc, *, passive: bool = False) -> list[Token] | None:
    """The subject's words, where they are what the text begins with."""
    wanted = "nsubj:pass" if passive else "nsubj"
    matches = [
        child for child in root.children if child.dep_ == wanted or (wanted == "nsubj" and child.dep_ == "nsubj:pass")
    ]
    if len(matches) != 1:
        return None
    words = list(matches[0].subtree)
    return words if words[0].i == 0 and _is_full_phrase(words) and words[-1].i < root.i else None


def _subject_of(head: Token) -> list[Token]:
    return [word for child in head.children if child.dep_.startswith("nsubj") for word in child.subtree]


def _is_time(word: Token) -> bool:
    return bool(_YEAR.fullmatch(word.text)) or word.text in _words()["month"]


def _is_end(doc: Doc, end: int) -> bool:
    return all(word.is_punct for word in doc[end + 1 :])


def _is_full_phrase(words: Sequence[Token]) -> bool:
    """Without a gap."""
    return words[-1].i - words[0].i + 1 == len(words)


def _has_pronoun(words: Sequence[Token]) -> bool:
    """Whose case would change, or who would come before the one that it stands for."""
    return any(word.tag_ in ("PRP", "PRP$", "WP", "WP$", "WDT") for word in words)


def _is_quantified(words: Sequence[Token]) -> bool:
    """Said of some or of none: what it says depends on what stands first, or on what a denial is said of."""
    return any(word.lower_ in _words()["quantified"] for word in words)


def _is_plural(head: Token) -> bool:
    return head.tag_ in ("NNS", "NNPS") or any(child.dep_ == "conj" for child in head.children)


def _lemma(word: Token, part: str) -> str:
    from lemminflect import getLemma

    lemmas: Any = getLemma(word.lower_, UPOS[part], lemmatize_oov=False)
    return str(lemmas[0]) if lemmas else word.lower_


def _inflected(lemma: str, tag: str) -> str | None:
    """None for a word that the tables do not know; adjectives and adverbs as they are."""
    from lemminflect import getInflection

    if tag in ("JJ", "RB"):
        return lemma
    forms: Any = getInflection(lemma, tag, inflect_oov=False)
    return str(forms[0]) if forms else None
