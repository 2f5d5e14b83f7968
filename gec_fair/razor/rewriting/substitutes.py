"""Words and expressions that a reviewer found to say the same, where their neighbours are as the table has it.

    noun         movie    film                 verb     buy     purchase
    phrase       next to  beside               adverb   often   frequently    -very -how

`before` and `after` list the neighbours that must stand there, with a hyphen those that must not. Words that stand
in a fixed phrase (`bound.tsv`, from corpora) stay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons.tables import read_table
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.razor.rewriting.items import Items, exchanged, folder, inflected, is_behind_noun, lemma_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

COLUMNS = ("part", "word", "substitute", "before", "after")
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
"""The table's parts of speech by tag; `singular` nouns are those of tag NN, `subject` those of them that are one,
`present` verbs of the present tense and infinitives; a `phrase` may have any."""
_ARTICLES = word_list("indefinite_articles")
_PARTICLES = ("IN", "RP", "TO")
_STAYS = ("compound", "fixed", "flat", "aux", "cop", "aux:pass", "compound:prt")
_DIGITS = {str(number): word for number, word in enumerate(ordered_words("numbers_below_twenty")) if 1 < number < 10}
_TITLES = ("NN", "VB", "VBD", "VBG", "VBN", "VBZ")
"""Of a first word that may be a title: *Telephone is a song*."""
_MANY = ("NNS", "JJ")
"""What *a lot of* may stand before in place of *many*: not an end, nor a verb."""
_NUMBER = "#"
END = "."
"""What follows the last word, for the table."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Words that must stand there, any if empty, and those that must not."""

    wanted: frozenset[str]
    refused: frozenset[str]

    def allow(self, word: str) -> bool:
        """Whether this word may stand there."""
        return word not in self.refused and (not self.wanted or word in self.wanted)


@dataclass(frozen=True, slots=True)
class Substitute:
    """A row; `words`: the first one is inflected, the others are as they are."""

    part: str
    words: tuple[str, ...]
    text: str
    before: Neighbours
    after: Neighbours


def substituted(doc: Doc) -> Iterator[Items]:
    """One word or expression in another's place."""
    for word in doc:
        if word.text[0].isdigit():
            yield from _numbers(word)
        if word.i and not doc[word.i - 1].whitespace_:
            continue  # a part of something, as in *sloop-of-war*
        for part, lemma in _readings(word):
            for row in _table().get((part, lemma), ()):
                if _fits(row, word) and (form := _form(row, word)):
                    last = word.i + len(row.words) - 1
                    yield exchanged(doc, {word.i: form, **dict.fromkeys(range(word.i + 1, last + 1))})


def _numbers(word: Token) -> Iterator[Items]:
    """*50%* as *50 percent*; *3 albums* as *three albums*."""
    doc = word.doc
    following = doc[word.i + 1] if word.i + 1 < len(doc) else None
    if following is None or (word.i and not doc[word.i - 1].whitespace_):
        return
    if following.text == "%":
        yield exchanged(doc, {word.i: f"{word.text} percent", following.i: None})
    elif following.lower_ == "percent":
        yield exchanged(doc, {word.i: f"{word.text}%", following.i: None})
    elif (
        word.text in _DIGITS and word.dep_ == "nummod" and following.tag_ in ("NNS", "JJ") and following.text.islower()
    ):
        spelt = _DIGITS[word.text]
        yield exchanged(doc, {word.i: spelt if word.i else spelt.capitalize()})


def _readings(word: Token) -> Iterator[tuple[str, str]]:
    """(part, lemma) of the rows that a word may have. A capital may be a name's."""
    yield "name", word.text
    if word.text[:1].isupper() and (word.i or word.tag_.startswith("NNP")):
        return
    yield "phrase", word.lower_
    part = PARTS.get(word.tag_)
    if part is None or word.dep_ in _STAYS or (word.i == 0 and word.text[0].isupper() and word.tag_ in _TITLES):
        return
    if word.tag_ == "NNS" and word.i and word.doc[word.i - 1].lower_ in _ARTICLES:
        return  # *a gentlemen*, which means one or several
    lemma = lemma_of(word, part)
    if part != "verb" or _is_verb(word):
        yield part, lemma
    if word.tag_ in ("VB", "VBP", "VBZ") and _is_verb(word) and not is_behind_noun(word):
        yield "present", lemma
    if word.tag_ == "NN":
        yield "singular", lemma
    if word.tag_ == "NN" and word.dep_.startswith("nsubj"):
        yield "subject", lemma


def _is_verb(word: Token) -> bool:
    """A tag alone makes *support* a verb in *help support*."""
    return word.pos_ == "VERB" and word.dep_ not in ("amod", "nsubj", "obj", "obl", "nmod")


def _fits(row: Substitute, word: Token) -> bool:
    doc = word.doc
    last = word.i + len(row.words) - 1
    if last >= len(doc) or any(doc[word.i + n].text != part for n, part in enumerate(row.words) if n):
        return False
    before = doc[word.i - 1].lower_ if word.i else ""
    following = doc[last + 1] if last + 1 < len(doc) else None
    after = (
        END
        if following is None or following.text in ".!?"
        else _NUMBER
        if following.tag_ == "CD" and following.lower_ != "one"
        else following.lower_
    )
    if row.part == "verb" and not row.after.wanted and following is not None and following.tag_ in _PARTICLES:
        return False  # *die out*, *refer to*: together they mean another thing
    if following is not None and not doc[last].whitespace_ and not following.is_punct:
        return False
    if following is not None and (following.text == "-" or (row.part == "name" and following.tag_ in PROPER_NOUNS)):
        return False
    if row.part == "adjective" and row.text.endswith(" of") and (following is None or following.tag_ not in _MANY):
        return False
    if after == _NUMBER and following is not None and following.lower_ in row.after.refused:
        return False
    if not row.before.allow(before) or not row.after.allow(after):
        return False
    return (row.words[0], before) not in _bound() and (row.words[0], after) not in _bound()


def _form(row: Substitute, word: Token) -> str | None:
    if row.part in ("phrase", "singular", "subject", "name"):
        return row.text
    return inflected(row.text, word.tag_)


@cache
def _table() -> Mapping[tuple[str, str], list[Substitute]]:
    """By part of speech and first word."""
    table = defaultdict(list)
    for row in read_table(folder() / "substitutes.tsv", COLUMNS):
        part, words, text, before, after = row.cells
        substitute = Substitute(part, tuple(words.split()), text, _neighbours(before), _neighbours(after))
        table[part, substitute.words[0]].append(substitute)
    return dict(table)


def _neighbours(cell: str) -> Neighbours:
    words = cell.split()
    return Neighbours(
        frozenset(word for word in words if not word.startswith("-")),
        frozenset(word[1:] for word in words if word.startswith("-")),
    )


@cache
def _bound() -> frozenset[tuple[str, str]]:
    """(word, its neighbour) of fixed phrases."""
    rows = read_table(folder() / "bound.tsv", ("word", "neighbours"))
    return frozenset((row.cells[0], neighbour) for row in rows for neighbour in row.cells[1].split())
