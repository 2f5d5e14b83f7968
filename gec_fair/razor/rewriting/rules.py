"""The embedded rewriter, offline: a stand-in for a chat model that keeps to what hardly ever goes wrong.

    numbers    50% → 50 percent, 3 albums → three albums         antonyms   is not able → is unable
    dates      May 4, 1998 → 4 May 1998, in 1998 → in the year 1998    synonyms   a film → a movie

Each candidate has one change; the last one has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.english import pipeline
from gec_fair.english.articles import article
from gec_fair.english.letters import capitalise, like
from gec_fair.english.lexicons.tables import read_table, shipped_directory
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.candidates import Candidate
from gec_fair.version import __version__

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

TABLES = ("antonyms.tsv", "synonyms.tsv")
_MANY = 24
"""Candidates at most; chosen by hand."""
_ARTICLES = word_list("indefinite_articles")
_NOT = frozenset(["not", "n't", "n’t"])
_MONTHS = word_list("months")
_DIGITS = {str(number): word for number, word in enumerate(ordered_words("numbers_below_twenty")) if 1 < number < 13}
_WORDS = {word: digits for digits, word in _DIGITS.items()}
_BESIDE_A_NUMBER = frozenset("- – — / or and to by the these those its his her their my our your all other".split())
"""*two or three*, *the two women*, *all three*: a number in figures would look odd."""
_BE = frozenset("is are was were am".split())
_SCOPE = frozenset(
    "all any anybody anyone anything anywhere as because both but by each either enough ever every everybody "
    "everyone everything few half less many more most much neither never no nobody none nor nothing only several so "
    "some that than too until very yet ?".split()
)
"""A denial in a sentence with one of these may be said of less, or more, than the adjective: *not all are able*."""
_STAYS = frozenset("compound fixed flat aux cop aux:pass compound:prt".split())
_DETERMINED = frozenset("det amod nummod nmod:poss".split())
_PARTICLES = ("IN", "RP", "TO")
_PARTS: Mapping[str, tuple[str, str]] = {
    "NN": ("noun", "NOUN"),
    "NNS": ("noun", "NOUN"),
    "JJ": ("adjective", "ADJ"),
    "RB": ("adverb", "ADV"),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), ("verb", "VERB")),
}
"""The tables' part of speech, and lemminflect's, by tag."""


@dataclass(frozen=True, slots=True)
class Change:
    """Words `start` to `end` (half-open) of a parsed text give way to `new`."""

    start: int
    end: int
    new: str


class Rules:
    """Proposes the same for a text however often it is asked."""

    draws = False

    @property
    def version(self) -> str:
        """The versions of the package and the parser, and a digest of the tables."""
        tables = b"".join((_folder() / name).read_bytes() for name in TABLES)
        return f"rules:{__version__}:{pipeline.version_of()}:tables:{sha256(tables).hexdigest()[:8]}"

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        """What the rules make of each document's text; tries change nothing."""
        docs = pipeline.parse_texts(pipeline.load_shared(), (document.text for document in documents))
        return [[Candidate(text) for text in rewritings(doc)] for doc in docs]


def rewritings(doc: Doc) -> list[str]:
    """The text with each change alone, and with all that do not overlap."""
    changes = list(chain.from_iterable(rule(doc) for rule in RULES))
    together: list[Change] = []
    for change in sorted(changes, key=lambda change: change.start):
        if not together or change.start > together[-1].end:  # a word between, or the article is written twice
            together.append(change)
    texts = [write(doc, [change]) for change in changes[: _MANY - 1]]
    return list(dict.fromkeys([*texts, write(doc, together)] if changes else []))


def write(doc: Doc, changes: Sequence[Change]) -> str:
    """The text with changes that are in order; spaces and capitals stay, and *a* becomes *an* where it must."""
    text, at = "", 0
    for change in changes:
        first, before = doc[change.start], doc[change.start - 1] if change.start else None
        if before is not None and before.lower_ in _ARTICLES:
            text += f"{doc[at : before.i].text_with_ws}{like(before.text, article(change.new))}{before.whitespace_}"
        else:
            text += doc[at : change.start].text_with_ws
        begins = first.is_sent_start and first.text[:1].isupper()
        text += capitalise(change.new) if begins else change.new
        text += doc[change.end - 1].whitespace_
        at = change.end
    return text + doc[at:].text


def numbers(doc: Doc) -> Iterator[Change]:
    """Percent, and numbers from two to twelve in words or figures, where the text has no other number."""
    if sum(word.text[0].isdigit() or word.tag_ == "CD" for word in doc) != 1:
        return
    for word, following in pairwise(doc):
        if word.text[0].isdigit() and following.text == "%":
            yield Change(word.i, word.i + 2, f"{word.text} percent")
        elif word.text[0].isdigit() and following.lower_ == "percent":
            yield Change(word.i, word.i + 2, f"{word.text}%")
        elif word.dep_ == "nummod" and following.tag_ == "NNS" and following.is_lower and word.whitespace_:
            numeral = _DIGITS.get(word.text) or (not word.is_sent_start and _WORDS.get(word.text))
            before = doc[word.i - 1] if word.i else word
            is_named = before.i > 0 and before.text[:1].isupper()  # *Pitch Perfect 2 centers on a group*
            if numeral and not is_named and before.lower_ not in _BESIDE_A_NUMBER:
                yield Change(word.i, word.i + 1, numeral)


def dates(doc: Doc) -> Iterator[Change]:
    """The month before the day or behind it, *in the year* before a year, and *of* between month and year."""
    if sum(map(_is_month, doc)) > 1:
        return
    for word in doc:
        before, i = _lower(doc, word.i - 1), word.i
        if _is_month(word):
            yield from _days(word)
            if before == "in" and _is_year(doc, i + 1) and _is_over(doc, i + 2):
                yield Change(i, i + 2, f"{word.text} of {doc[i + 1].text}")
            elif before == "in" and _lower(doc, i + 1) == "of" and _is_year(doc, i + 2):
                yield Change(i, i + 3, f"{word.text} {doc[i + 2].text}")
        elif before == "in" and _is_year(doc, i) and _is_over(doc, i + 1):
            yield Change(i, i + 1, f"the year {word.text}")
        elif before == "in" and word.lower_ == "the" and _lower(doc, i + 1) == "year" and _is_year(doc, i + 2):
            yield Change(i, i + 3, doc[i + 2].text)


def _days(month: Token) -> Iterator[Change]:
    """*May 4, 1998*, *4 May 1998*, both with the year or without."""
    doc, i = month.doc, month.i
    if _is_day(doc, i + 1):
        comma = _lower(doc, i + 2) == ","
        if _is_year(doc, i + 2 + comma):
            yield Change(i, i + 3 + comma, f"{doc[i + 1].text} {month.text} {doc[i + 2 + comma].text}")
        elif _lower(doc, i - 1) == "on" and _is_over(doc, i + 2):
            yield Change(i, i + 2, f"{doc[i + 1].text} {month.text}")
    elif _is_day(doc, i - 1):
        if _is_year(doc, i + 1) and _is_over(doc, i + 2):
            yield Change(i - 1, i + 2, f"{month.text} {doc[i - 1].text}, {doc[i + 1].text}")
        elif _lower(doc, i - 2) == "on" and _is_over(doc, i + 1):
            yield Change(i - 1, i + 1, f"{month.text} {doc[i - 1].text}")


def antonyms(doc: Doc) -> Iterator[Change]:
    """*Is not able* as *is unable* and back, where nothing in the sentence narrows or widens the denial."""
    for sentence in doc.sents:
        words = {word.lower_ for word in sentence}
        denials = [word for word in sentence if word.lower_ in _NOT]
        if words & _SCOPE or len(denials) > 1:
            continue
        for word in sentence:
            antonym = _antonyms().get(word.lower_) if word.is_lower and word.tag_ == "JJ" else None
            if antonym is None or word.pos_ != "ADJ" or any(child.dep_ == "conj" for child in word.children):
                continue
            before, earlier = _lower(doc, word.i - 1), _lower(doc, word.i - 2)
            if before in _NOT and earlier in _BE:
                space = "" if doc[word.i - 2].whitespace_ else " "
                yield Change(word.i - 1, word.i + 1, f"{space}{antonym}")
            elif before in _BE and not denials and word.text.endswith(antonym):  # *is able* is not *is not unable*
                yield Change(word.i, word.i + 1, f"not {antonym}")


def synonyms(doc: Doc) -> Iterator[Change]:
    """A word or an expression of the table."""
    for word in doc:
        is_inner = word.i > 0 and not doc[word.i - 1].whitespace_  # *sloop-of-war*
        if is_inner or (word.text[:1].isupper() and not (word.is_sent_start or word.text == "TV")):
            continue
        for words, synonym in _synonyms().get(("phrase", word.lower_), ()):
            end = word.i + len(words)
            if [later.text for later in doc[word.i + 1 : end]] == words[1:] and not _goes_on(doc, end):
                yield Change(word.i, end, synonym)
        if word.is_lower and word.tag_ in _PARTS and _is_plain(word) and not _goes_on(doc, word.i + 1):
            yield from _inflect(word, *_PARTS[word.tag_])


def _is_plain(word: Token) -> bool:
    """Whether neither a word around it nor its place in the sentence may give it another meaning."""
    following = word.doc[word.i + 1] if word.i + 1 < len(word.doc) else None
    if word.dep_ in _STAYS or (word.i and word.doc[word.i - 1].tag_ in ("RBR", "RBS")):
        return False  # *least frequently*
    if word.tag_ == "NN":  # *in film and television*, *(2005 film)*
        return any(child.dep_ in _DETERMINED for child in word.children) and _lower(word.doc, word.i + 1) != ")"
    if word.tag_.startswith("VB"):  # *conceal from*, *purchasing power*
        avoided = ("NN", *_PARTICLES) if word.tag_ == "VBG" else _PARTICLES
        return word.pos_ == "VERB" and word.dep_ != "amod" and (following is None or following.tag_ not in avoided)
    return True


def _inflect(word: Token, part: str, upos: str) -> Iterator[Change]:
    from lemminflect import getInflection, getLemma

    lemmas: Any = getLemma(word.text, upos, lemmatize_oov=False)
    for _, synonym in _synonyms().get((part, lemmas[0] if lemmas else word.text), ()):
        forms: Any = (synonym,) if part[0] == "a" else getInflection(synonym, word.tag_, inflect_oov=False)
        if forms:
            yield Change(word.i, word.i + 1, forms[0])


RULES: Sequence[Callable[[Doc], Iterator[Change]]] = (antonyms, dates, numbers, synonyms)


def _lower(doc: Doc, i: int) -> str:
    """The word there in lower case, "" where there is none."""
    return str(doc[i].lower_) if 0 <= i < len(doc) else ""


def _goes_on(doc: Doc, i: int) -> bool:
    """Whether the word before continues there, as in *film-maker*; not in *film's*."""
    return 0 < i < len(doc) and not doc[i - 1].whitespace_ and doc[i].text[0] in "-–/&"


def _is_month(word: Token) -> bool:
    return word.text.istitle() and word.lower_ in _MONTHS


def _is_day(doc: Doc, i: int) -> bool:
    return _lower(doc, i).isdecimal() and 1 <= int(doc[i].text) <= 31


def _is_year(doc: Doc, i: int) -> bool:
    return len(_lower(doc, i)) == 4 and doc[i].text.isdecimal() and 1000 <= int(doc[i].text) <= 2100


def _is_over(doc: Doc, i: int) -> bool:
    """Whether the date ends before this word: *in 1998 World Cup*, *in 1998, 1999 and 2000*, *in 1998-99* do not."""
    if i >= len(doc):
        return True
    goes_on = doc[i].text == "," and _lower(doc, i + 1)[:1].isdigit()
    return (doc[i].text in tuple(",.;!?)") or doc[i].pos_ == "ADP") and doc[i].lower_ != "to" and not goes_on


def _folder() -> Path:
    return shipped_directory() / "razor"


@cache
def _antonyms() -> Mapping[str, str]:
    """Both ways."""
    rows = read_table(_folder() / "antonyms.tsv", ("word", "antonym"))
    pairs = {row.cells[0]: row.cells[1] for row in rows}
    return pairs | {antonym: word for word, antonym in pairs.items()}


@cache
def _synonyms() -> Mapping[tuple[str, str], list[tuple[list[str], str]]]:
    """Words and synonym, by part of speech and first word."""
    table: dict[tuple[str, str], list[tuple[list[str], str]]] = {}
    for row in read_table(_folder() / "synonyms.tsv", ("part", "word", "synonym")):
        part, phrase, synonym = row.cells
        words = phrase.split()
        table.setdefault((part, words[0].lower()), []).append((words, synonym))
    return table
