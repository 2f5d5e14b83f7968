"""Which words of a tagged text are first names of persons: by the table of names, the tags, and the reader of persons.

    Victor/first Hugo/- met Grace/first Road/- …       the rules alone: Hugo and Grace before Road are first names too

With another pipeline than ours there are no vectors to read, and the rules decide alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from gec_fair.english import persons
from gec_fair.english.labels import COMMON_NOUNS, NOUNS, PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Gender
from gec_fair.english.persons import Kind
from gec_fair.english.thing_names import has_pronoun, is_thing_word

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_INTRODUCES = word_list("before_a_first_name")
_BEFORE_A_SURNAME = word_list("before_a_surname")
_ARTICLES = word_list("indefinite_articles")
_DETERMINERS = word_list("definite_determiners") | word_list("indefinite_determiners")
_SENTENCE_ENDS = frozenset([".", "!", "?", '"', "“"])
_SENTENCE_BORDERS = _SENTENCE_ENDS | {"", ":", ";"}
_YEAR = re.compile(r"[12]\d{3}[a-z]?")
_IN_A_CITATION = frozenset([",", "(", "&", "and", "et", "al", "al.", "."])
_MOST_AUTHORS = 10
"""Words between a cited name and its year."""
_TITLES = word_list("titles_of_any_gender")
_FEMININE_TITLES = word_list("feminine_titles")
_SECOND_NAMES = word_list("second_names")
_PLACES_AND_DATES = word_list("before_a_place_or_date")
LIKELY = 0.2
"""A name of the table that the reader takes for a first name with less probability is none. Chosen on learner text."""
LIKELY_IF_LAST = 0.5
"""So likely must the last word of a name be, behind another first name: *LeBron James*."""
LIKELY_IF_CALLED = 0.1
"""From this probability on a name behind *called* counts whether it is read as first name or surname."""
CERTAINLY_NOT = 0.8
"""A name that is a place, group or thing in one of its places with this probability is nobody's in the text."""
CERTAIN = 0.9
"""A name of a place or month that no rule takes for somebody's (*Georgia smiled*) is one from this probability on."""
CERTAIN_BESIDE_A_PRONOUN = 0.7
"""The same where the text has a *he* or *she* of the name's gender."""
IMPOSSIBLE = 0.02
"""Below this a word is none in its place, whatever it is in the other places of the text."""


def first_names(doc: Doc, lexicon: Lexicon, *, skip: Collection[int] = ()) -> list[Token]:
    """The first names of a text, in order; the places in `skip` are something else: gendered nouns, and names of things
    (`thing_names`)."""
    words = [token.text for token in doc]
    known = lexicon.names.entries
    places = [at for at, word in enumerate(words) if at not in skip and word.lower() in known]
    names = [doc[at] for at in places if is_first_name(doc[at], words, lexicon)]
    sure = {token.i for token in names}
    names += _again(doc, words, names, lexicon, skip)
    shared = [doc[at] for at in places if at not in sure and _may_be_somebody(doc[at], words, lexicon)]
    if not names and not shared:
        return []
    return sorted({*_read(doc, names, lexicon), *_certain(doc, shared, lexicon)}, key=lambda token: token.i)


def _may_be_somebody(token: Token, words: list[str], lexicon: Lexicon) -> bool:
    """A name of a place or month, where no rule says that it is somebody's here."""
    return (
        lexicon.names.reading(token.text) == "shared"
        and lexicon.names.is_name(token.text, proper=token.tag_ in PROPER_NOUNS)
        and not lexicon.nouns.is_fixed(words, token.i)
        and not is_surname(token, lexicon)
    )


def _certain(doc: Doc, names: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Those that the reader takes for a first name nearly for sure."""
    likely = persons.probabilities(doc, [token.i for token in names], Kind.FIRST_NAME) or {}
    words = [token.text for token in doc]
    return [
        token
        for token in names
        if likely.get(token.i, 0.0)
        >= (CERTAIN_BESIDE_A_PRONOUN if has_pronoun(words, lexicon.names.gender(token.text)) else CERTAIN)
    ]


def _read(doc: Doc, names: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Those that the reader does not take for something else. A word that stands in several places is read in all of
    them together: one of them may show what it is."""
    places = [token.i for token in names]
    rows = persons.read(doc, places)
    if rows is None:
        return list(names)
    likely = persons.likelihoods(places, rows, Kind.FIRST_NAME)
    somebody = persons.likelihoods(places, rows, Kind.FIRST_NAME, Kind.SURNAME)
    likely |= {
        token.i: somebody[token.i]
        for token in names
        if not _may_be_a_surname(token, lexicon)
        or (likely[token.i] >= LIKELY_IF_CALLED and _is_called(token))
        or _is_second_of_two(token, lexicon)
    }
    impersonal = persons.likelihoods(places, rows, Kind.PLACE, Kind.OBJECT, Kind.GROUP)
    by_word: dict[str, list[float]] = defaultdict(list)
    for token in names:
        by_word[token.text].append(likely[token.i])
    mean = {word: sum(values) / len(values) for word, values in by_word.items()}
    elsewhere = {token.text for token in names if impersonal[token.i] >= CERTAINLY_NOT}
    titled = {token.text for token in names if _is_behind_a_title(token, lexicon)}
    elsewhere -= {token.text for token in names if likely[token.i] >= CERTAIN} | titled
    last = {token.text for token in doc if token.text in mean and _ends_a_name(token, lexicon)}
    return [
        token
        for token in names
        if (token.text in titled or mean[token.text] >= (LIKELY_IF_LAST if token.text in last else LIKELY))
        and likely[token.i] >= IMPOSSIBLE
        and token.text not in elsewhere
    ]


def _is_second_of_two(token: Token, lexicon: Lexicon) -> bool:
    """*Mary Jane, Anna Marie*"""
    before = token.doc[token.i - 1].text if token.i else ""
    return (
        token.lower_ in _SECOND_NAMES
        and before[:1].isupper()
        and lexicon.names.gender(before) is lexicon.names.gender(token.text)
        and not lexicon.names.is_surname(before)
    )


def _is_behind_a_title(token: Token, lexicon: Lexicon) -> bool:
    """*Dr. Gregory House, Dear Ms Ana*; not *Mr Milton*: few women's names are surnames, many men's are."""
    before = token.nbor(-1).lower_ if token.i else ""
    if lexicon.names.is_surname(token.text):
        return False
    if before in _FEMININE_TITLES and lexicon.names.gender(token.text) is Gender.FEMININE:
        return True
    return before in _BEFORE_A_SURNAME and not _stands_alone(token)


def _is_called(token: Token) -> bool:
    """*a boy called Martin*: surnames are seldom given so."""
    return token.i > 0 and token.nbor(-1).lower_ in ("called", "named")


def _ends_a_name(token: Token, lexicon: Lexicon) -> bool:
    """*LeBron James, by Wiz Khalifa*; not *Aunt Martha*, and not *Soon Martha came*."""
    before = token.doc[token.i - 1] if token.i else None
    if before is None or not before.text[:1].isupper() or not _stands_alone(token):
        return False
    if lexicon.names.is_name(before.text, proper=True):
        return True
    begins = before.i == 0 or before.nbor(-1).text in _SENTENCE_ENDS
    lower = before.lower_
    is_title = lower in _TITLES or (lower,) in lexicon.nouns.terms or (lower,) in lexicon.nouns.titles
    return before.tag_ in PROPER_NOUNS and not begins and not is_title


def _may_be_a_surname(token: Token, lexicon: Lexicon) -> bool:
    """Whether a name is a common surname too, or stands behind another capital somewhere in the text."""
    same = [word for word in token.doc if word.text == token.text]
    return lexicon.names.is_surname(token.text) or any(
        word.i and token.doc[word.i - 1].text[:1].isupper() for word in same
    )


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
    if token.text.isupper() and before == "(" and any(word.islower() for word in words):
        return False  # *Comprehensive Agrarian Reform Law (CARL)*
    if before in _ARTICLES and _stands_alone(token):
        return False  # *a Christian, an Elvis look - alike*
    reading = lexicon.names.reading(token.text)
    if reading == "proper" and before in _SENTENCE_BORDERS and _begins_a_phrase(words, token.i + 1):
        return False  # *Mark the answers, Will the others come?*
    if reading != "shared":
        return True
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    surname = after is not None and after.tag_ == "NNP" and after.text[:1].isupper()
    if surname and after is not None and is_thing_word(after.text, lexicon):
        return False  # *Dear Summer Camp Director*
    return before in _INTRODUCES or (surname and before not in _PLACES_AND_DATES)


def _stands_alone(token: Token) -> bool:
    """Whether no surname follows."""
    return token.i + 1 == len(token.doc) or not token.nbor().text[:1].isupper()


def is_surname(token: Token, lexicon: Lexicon) -> bool:
    """*Dwayne Johnson*: a common surname behind a first name (*Mary Ann* has two first names), behind *Mr* without
    another name, or before a year as in a citation."""
    after = token.doc[token.i + 1 : token.i + 3]
    if len(after) == 2 and after[0].text != "." and after[0].text in _IN_A_CITATION and _is_cited(token, lexicon):
        return True
    if not lexicon.names.is_surname(token.text):
        return False
    before = token.nbor(-1) if token.i else None
    if len(after) == 2 and after[0].lower_ == "as" and after[1].lower_ in ("cited", "quoted"):
        return True
    if before is None:
        return False
    if before.lower_ in _BEFORE_A_SURNAME:
        return not (len(after) and after[0].tag_ in PROPER_NOUNS)
    return before.text[:1].isupper() and lexicon.names.is_name(before.text, proper=before.tag_ in PROPER_NOUNS)


def _is_cited(token: Token, lexicon: Lexicon) -> bool:
    """*Lewis , Simons , & Fennig , 2014*: names and a year. A name that is seldom a surname needs the bracket too."""
    doc = token.doc
    for at in range(token.i + 1, min(token.i + 1 + _MOST_AUTHORS, len(doc))):
        if _YEAR.fullmatch(doc[at].text):
            in_brackets = at + 1 < len(doc) and doc[at + 1].text in (")", ";")
            return in_brackets or lexicon.names.is_surname(token.text)
        if not (doc[at].text[:1].isupper() or doc[at].lower_ in _IN_A_CITATION):
            return False
        if doc[at].text == "." and doc[at - 1].lower_ != "al":
            return False
    return False


def _begins_a_phrase(words: Sequence[str], at: int) -> bool:
    return at < len(words) and words[at].lower() in _DETERMINERS
