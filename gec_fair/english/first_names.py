"""Which words of a tagged text are first names of persons: by the table of names, the tags, and the reader of persons.

    Victor/first Hugo/- met Grace/first Road/- …       the rules alone: Hugo and Grace before Road are first names too

With another pipeline than ours there are no vectors to read, and the rules decide alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from gec_fair.english import persons
from gec_fair.english.labels import COMMON_NOUNS, NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.persons import Kind

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_INTRODUCES = word_list("before_a_first_name")
_PLACES_AND_DATES = word_list("before_a_place_or_date")
LIKELY = 0.2
"""A name of the table that the reader takes for a first name with less probability is none. Chosen on learner text."""
IMPOSSIBLE = 0.02
"""Below this a word is none in its place, whatever it is in the other places of the text."""


def first_names(doc: Doc, lexicon: Lexicon, *, skip: Collection[int] = ()) -> list[Token]:
    """The first names of a text, in order; the places in `skip` are something else."""
    words = [token.text for token in doc]
    known = lexicon.names.entries
    places = [at for at, word in enumerate(words) if at not in skip and word.lower() in known]
    names = [doc[at] for at in places if is_first_name(doc[at], words, lexicon)]
    if not names:
        return names
    names += _again(doc, words, names, lexicon, skip)
    return sorted(_read(doc, names), key=lambda token: token.i)


def _read(doc: Doc, names: Sequence[Token]) -> list[Token]:
    """Those that the reader does not take for something else. A word that stands in several places is read in all of
    them together: one of them may show what it is."""
    likely = persons.probabilities(doc, [token.i for token in names], Kind.FIRST_NAME)
    if likely is None:
        return list(names)
    by_word: dict[str, list[float]] = defaultdict(list)
    for token in names:
        by_word[token.text].append(likely[token.i])
    mean = {word: sum(values) / len(values) for word, values in by_word.items()}
    return [token for token in names if mean[token.text] >= LIKELY and likely[token.i] >= IMPOSSIBLE]


def _again(doc: Doc, words: list[str], names: Sequence[Token], lexicon: Lexicon, skip: Collection[int]) -> list[Token]:
    """*an ant called Penny … Penny/NN found it*: a word that is a name once in a text is one wherever it is a noun."""
    known, places = {token.text for token in names}, {token.i for token in names}
    others = [doc[at] for at, word in enumerate(words) if word in known and at not in places and at not in skip]
    return [
        token
        for token in others
        if token.tag_ in NOUNS and not lexicon.nouns.is_fixed(words, token.i) and not is_surname(token, lexicon)
    ]


def is_first_name(token: Token, words: list[str], lexicon: Lexicon) -> bool:
    """A name by lexicon and tag. One that is a place or a month too (*Paris, April*) needs more than the tag: somebody
    is introduced by it, or a surname follows; and no word of place or time stands before it."""
    before = words[token.i - 1].lower() if token.i else ""
    introduced = before in _INTRODUCES and token.text[:1].isupper() and token.tag_ in COMMON_NOUNS
    proper = token.tag_ in PROPER_NOUNS or introduced
    if not lexicon.names.is_name(token.text, proper=proper) or lexicon.nouns.is_fixed(words, token.i):
        return False
    if is_surname(token, lexicon):
        return False
    if lexicon.names.reading(token.text) != "shared":
        return True
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    surname = after is not None and after.tag_ == "NNP" and after.text[:1].isupper()
    return before in _INTRODUCES or (surname and before not in _PLACES_AND_DATES)


def is_surname(token: Token, lexicon: Lexicon) -> bool:
    """*Dwayne Johnson*: a name behind a first name, if it is a common surname (*Mary Ann* has two first names)."""
    before = token.nbor(-1) if token.i else None
    return (
        before is not None
        and before.text[:1].isupper()
        and lexicon.names.is_name(before.text, proper=before.tag_ in PROPER_NOUNS)
        and lexicon.names.is_surname(token.text)
    )
