"""Which capitalised words stand inside the name of a thing: a place, a firm, an award, the title of a work.

    the Rex Allen Museum , Samuel 's Cave       what they are named after: a word at the end says what they are
    in Saint Peter street , the St. Anne coast  a saint, unless the text goes on with *he* or *she*
    The Secret Life of Walter Mitty             behind *of* and a word with a capital
    Becoming Jane Austen , Gidget Goes West     beside a verb with a capital
    " The Thing that Happened to Peter "        between quotation marks, where all long words have a capital
    films like Mary Poppins , a pub called Tom 's   beside a word for a work or a house

A name in there is nobody's, and a noun is no role that somebody has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from gec_fair.english.inflect import is_word
from gec_fair.english.labels import PROPER_NOUNS
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.paradigms import Gender, forms_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

ENDINGS = (
    word_list("impersonal_name_words") | word_list("endings_of_a_place_name") | word_list("endings_of_a_thing_name")
)
"""Last words of names of places, groups and things that may hold a person's name."""
_CERTAIN_ENDINGS = word_list("certain_endings_of_a_thing_name")
_PARTICLES = word_list("name_particles")
_BORDERS = frozenset(["", ".", "!", "?", ":", ";", '"', "“", "``"])
_BEGINNINGS = word_list("beginnings_of_a_place_name")
_SMALL_ENDINGS = word_list("small_endings_of_a_place_name")
_SAINTS = word_list("saints")
_TITLE_VERBS = word_list("verbs_in_titles")
_TITLES = word_list("masculine_titles") | word_list("feminine_titles") | word_list("titles_of_any_gender")
_NOT_A_THING = word_list("capitals_before_a_person")
_OWNS = frozenset(["'s", "’s", "'", "’"])
_FAMILY = ("kinship", "relationship")
"""Kinds of nouns that learners write with a capital: *the house of my Mother*."""

_WORKS = word_list("nouns_for_works_and_houses")
_NAMES_A_WORK = frozenset(["called", "named", "titled", "entitled", "like"])
_BEHIND_A_WORK = frozenset(["", ".", "!", "?", ";", ")", "that", "which", "where", "about", "by", "for", "with", "i"])
_JOINTS = frozenset(["of", "in", "from", "for", "who", "with", "to", "and", "'s", ",", "."])
_PLACES = word_list("nouns_for_settlements")
_BEHIND_A_PLACE = frozenset(["", ".", ",", "of", "in", "on", "near", "at", "by", "and", "located", "situated"])
_GIVES_A_NAME = word_list("before_a_given_name")
_GREETINGS = word_list("greetings")
_INDEFINITE = word_list("indefinite_determiners") | {"my"}
_SMALL = word_list("never_after_a_possessive")  # with, from, that, into
_QUOTES = frozenset(['"', "“", "”", "``", "''"])
_CLOSING = frozenset(["”", "''"])
_IN_SPEECH = frozenset([".", "!", "?", ","])
LONGEST = 12
"""Words of a title between quotation marks, and one mark."""
SHORT = 3
"""Letters of *and* and *for*, which need no capital in a title."""

Run = tuple[int, int]


def runs(words: Sequence[str], tags: Sequence[str]) -> dict[int, tuple[int, int]]:
    """The half-open run of capitalised words around each word that is in one; particles and initials are inside."""
    runs: dict[int, tuple[int, int]] = {}
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and (_in_run(words, tags, end) or (end > at and _links(words, tags, end))):
            end += 1
        for i in range(at, end):
            runs[i] = (at, end)
        at = max(end, at + 1)
    return runs


def _in_run(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    if not _is_capitalised(words[at]):
        return False
    if len(words[at]) == 2 and words[at][1] == "." and words[at] != "I.":
        return True  # an initial, which taggers take for a number of a list
    is_first = at == 0 or words[at - 1] in _BORDERS
    return tags[at] in PROPER_NOUNS or (not is_first and tags[at] in ("NN", "NNS", "JJ") and words[at] != "I")


def _links(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """A particle or hyphen between two words of a run: *Ludwig van Beethoven, Jean - Paul*."""
    is_link = words[at].lower() in _PARTICLES or words[at] in ("-", "‐")
    return is_link and at + 1 < len(words) and _in_run(words, tags, at + 1)


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper()


def thing_names(doc: Doc, lexicon: Lexicon) -> set[int]:
    """The places of names and nouns inside the names of things. In a headline, where all words begin with a capital,
    there are none."""
    words = [token.text for token in doc]
    if all(word[:1].isupper() for word in words if word.isalpha()):
        return set()
    places: set[int] = set()
    for run in sorted(set(runs(words, [token.tag_ for token in doc]).values())):
        places.update(_before_an_ending(words, run))
        places.update(_of_a_saint(words, run, lexicon))
        places.update(_behind_a_beginning(words, run, lexicon))
        places.update(_beside_a_verb(words, run, lexicon))
        places.update(_before_a_colon(words, run, lexicon))
        if (
            _is_owner(doc, words, run, lexicon)
            or _is_behind_of(words, run, lexicon)
            or _is_before_a_saint(words, run, lexicon)
            or _is_called_a_work(words, run)
            or _is_a_work(words, run)
            or _is_a_place(words, run)
        ):
            places.update(range(*run))
    for start, end in _quoted(words):
        if _is_title(words[start:end], lexicon) or _is_named_after(words, start, end, lexicon):
            places.update(range(start, end))
    return places


def _before_an_ending(words: Sequence[str], run: Run) -> range:
    """*Rex/– Allen/– Museum, Jim/– Thorpe/– borough*."""
    start, end = run
    if end < len(words) and words[end] in _SMALL_ENDINGS and _is_within(words, start):
        return range(start, end)
    ending = next((at for at in range(end - 1, start, -1) if words[at].lower() in _CERTAIN_ENDINGS), start)
    return range(start, ending)


def _of_a_saint(words: Sequence[str], run: Run, lexicon: Lexicon) -> Iterator[int]:
    """*St./– George/–*: churches, islands and days far more often than persons. One of whom the text says *he* or *she*
    is one."""
    for at in range(*run):
        name = at + 1
        if words[at].rstrip(".").lower() in _SAINTS and name < run[1]:
            yield at
            if not has_pronoun(words, lexicon.names.gender(words[name])):
                yield name


def _behind_a_beginning(words: Sequence[str], run: Run, lexicon: Lexicon) -> Iterator[int]:
    """*Camp David/–, Hurricane Katrina/– … Katrina/–*; and whom the text calls *he* or *she* is somebody."""
    for at in range(run[0], run[1] - 1):
        if words[at].lower() in _BEGINNINGS and _is_given(words[at + 1], lexicon):
            yield at + 1
            if not has_pronoun(words, lexicon.names.gender(words[at + 1])):
                yield from (place for place, word in enumerate(words) if word == words[at + 1])


def _beside_a_verb(words: Sequence[str], run: Run, lexicon: Lexicon) -> range:
    """*Educating/– Rita/–, Harry/– Met/– Sally/–*: no name of a person has a verb in it, but its title may
    have: *Governing Mayor Smith*."""
    start, end = run
    if words[start].endswith("ing") and _is_within(words, start) and _is_verb(words[start].lower()):
        return range(start, end) if end - start > 1 and _is_given(words[start + 1], lexicon) else range(0)
    verbs = [at for at in range(start + 1, end + 1) if at + 1 < len(words) and words[at].lower() in _TITLE_VERBS]
    return range(start, end) if any(words[at].istitle() and words[at + 1].istitle() for at in verbs) else range(0)


def _before_a_colon(words: Sequence[str], run: Run, lexicon: Lexicon) -> range:
    """*Sarah Vaughan: The Divine One*: a name of two words or more, and a title."""
    start, end = run
    is_name = end - start > 1 and any(_is_given(words[at], lexicon) for at in range(start, end))
    if not is_name or words[end : end + 1] != [":"]:
        return range(0)
    last = end + 1
    while last < len(words) and (words[last].istitle() or words[last] in _SMALL or forms_of(words[last])):
        last += 1
    title = words[end + 1 : last]
    if not title or not title[0].istitle() or title[0].lower() in _GREETINGS:
        return range(0)  # John Smith : Hello Mary
    capitals = [word for word in title if word.istitle() and not _is_given(word, lexicon)]
    return range(start, last) if len(capitals) > 1 else range(0)


def _is_owner(doc: Doc, words: Sequence[str], run: Run, lexicon: Lexicon) -> bool:
    """*Ryan 's Hope, Alice 's Adventures in Wonderland, the Women 's Leadership Forum*; not *Anna 's English friends*,
    nor *Joseph Conrad 's Secret Agent*, whose owner is its author."""
    start, end = run
    if end + 1 >= len(words) or words[end] not in _OWNS or not words[end + 1][:1].isupper():
        return False
    next_run = end + 1
    while next_run + 1 < len(words) and words[next_run + 1][:1].isupper():
        next_run += 1
    if any(word.lower() in ENDINGS - _NOT_A_THING for word in (words[end + 1], words[next_run])):
        return True
    return (
        (end - start == 1 or _is_gendered(words[end - 1], lexicon))
        and _is_within(words, start)
        and doc[end + 1].tag_ in PROPER_NOUNS
        and is_thing_word(words[end + 1], lexicon)
        and not _is_kin(words[end - 1], lexicon)
        and not has_pronoun(words, lexicon.names.gender(words[start]))
    )


def _is_behind_of(words: Sequence[str], run: Run, lexicon: Lexicon) -> bool:
    """*the Statue of David, the Adventures of Tom Sawyer, the 2nd Earl of Clare*; not *the Mother of Peter*."""
    start = run[0]
    if start < 2 or words[start - 1].lower() != "of" or not words[start - 2].istitle() or len(words[start - 2]) < 2:
        return False
    if _is_kin(words[start - 2], lexicon) or _is_given(words[start - 2], lexicon):
        return False
    if not (_is_given(words[start], lexicon) or words[start].lower() in _TITLES or _is_gendered(words[start], lexicon)):
        return False  # the United States of America George Washington
    is_title = start > 2 and words[start - 3].istitle() and words[start - 3].lower() == "the"
    return _is_within(words, start - 2) or (is_title and start == 3) or (is_title and _is_within(words, start - 3))


def _is_called_a_work(words: Sequence[str], run: Run) -> bool:
    """*movies like Mary Poppins and Peter Pan, a pub called Tom 's*"""
    start = run[0]
    if start > 1 and words[start - 1] == "and":  # the second one of two
        start -= 1
        while start > 0 and words[start - 1].istitle():
            start -= 1
    before = [word for word in words[max(0, start - 4) : start] if word not in _QUOTES]
    return len(before) > 1 and before[-1] in _NAMES_A_WORK and before[-2] in _WORKS


def _is_a_work(words: Sequence[str], run: Run) -> bool:
    """*" Annabelle " is a horror film*; not *Annabelle is a film star*."""
    verb, *predicate = [word.lower() for word in words[run[1] : run[1] + 8] if word not in _QUOTES] or [""]
    place = next((at for at, word in enumerate(predicate[:5]) if word in _WORKS), 0)
    if verb not in ("is", "was") or not place or predicate[0] not in _INDEFINITE:
        return False
    following = "".join(predicate[place + 1 : place + 2])
    return _JOINTS.isdisjoint(predicate[1:place]) and following in _BEHIND_A_WORK


def _is_a_place(words: Sequence[str], run: Run) -> bool:
    """*Russell is a small town in Manitoba*; not *Rose is a city girl*."""
    verb, *predicate = [word.lower() for word in words[run[1] : run[1] + 8]] or [""]
    place = next((at for at, word in enumerate(predicate[:5]) if word in _PLACES), 0)
    if verb not in ("is", "was") or not place or predicate[0] not in _INDEFINITE - {"my"}:
        return False
    following = "".join(predicate[place + 1 : place + 2])
    return _JOINTS.isdisjoint(predicate[1:place]) and following in _BEHIND_A_PLACE


def _is_before_a_saint(words: Sequence[str], run: Run, lexicon: Lexicon) -> bool:
    """*the Sisters of St. Joseph*; not *the Duke of St. Austrey*."""
    after = [word.lower() for word in words[run[1] : run[1] + 2]]
    term = lexicon.nouns.terms.get((words[run[1] - 1].lower(),))
    is_plural = term is not None and term.plural
    return is_plural and _is_within(words, run[0]) and after[:1] == ["of"] and after[-1].rstrip(".") in _SAINTS


def _quoted(words: Sequence[str]) -> Iterator[Run]:
    """What stands between two quotation marks; not what stands between two quotations."""
    opening: int | None = None
    for at, word in enumerate(words):
        if word in _QUOTES and opening is None:
            opening = at if word not in _CLOSING else None
        elif word in _QUOTES and opening is not None:
            if opening + 1 < at <= opening + LONGEST:
                yield opening + 1, at
            opening = None


def _is_title(words: Sequence[str], lexicon: Lexicon) -> bool:
    """*Giles and Sue Live the Good Life*; not *Happy Birthday Anna*, and not *I love Lucy*."""
    if words[0].lower() in _GREETINGS or not _IN_SPEECH.isdisjoint(words):
        return False
    if any(word.islower() and len(word) > SHORT and word not in _SMALL for word in words):
        return False
    known = [word for word in words if word.istitle() and not _is_given(word, lexicon) and is_word(word.lower())]
    return len(known) >= 2 and not has_pronoun(words, Gender.FEMININE) and not has_pronoun(words, Gender.MASCULINE)


def is_in_a_title(words: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """*the play Three Men on a Horse, the magazine Her World*: a capital within a sentence, beside another one that is
    nobody's name. A headline has capitals everywhere."""
    if not words[at].istitle() or _begins(words, at):
        return False
    before, after = words[at - 1], words[at + 1] if at + 1 < len(words) else ""
    is_title = _is_title_word(before, _begins(words, at - 1)) or _is_title_word(after, is_first=False)
    if not is_title or any(lexicon.names.is_name(word, proper=True) for word in (before, after) if word[:1].isupper()):
        return False
    return any(word.islower() and len(word) > SHORT for word in words)


def _is_title_word(word: str, is_first: bool) -> bool:
    return word.istitle() and len(word) > 1 and not is_first and word.lower() not in _NOT_A_THING


def _begins(words: Sequence[str], at: int) -> bool:
    return at == 0 or (not words[at - 1][-1:].isalnum() and words[at - 1] not in (",", "-", "'s", "’s"))


def _is_named_after(words: Sequence[str], start: int, end: int, lexicon: Lexicon) -> bool:
    """*" David Copperfield ", " Eleanor & Park "*: a name of two words or more alone between quotation marks is a work,
    a school or a ship; but *called " Anna Smith "*, and one of whom the text says *he* or *she*."""
    inside = words[start:end]
    if end - start < 2 or not all(word.istitle() or word in ("&", "and") for word in inside):
        return False
    if start > 1 and words[start - 2].lower() in _GIVES_A_NAME:
        return False
    return not any(has_pronoun(words, lexicon.names.gender(word)) for word in inside if _is_given(word, lexicon))


def has_pronoun(words: Sequence[str], gender: Gender | None) -> bool:
    """Whether the text has a pronoun of this gender."""
    return any(gender is theirs for word in words for theirs, _ in forms_of(word.lower()))


def _is_within(words: Sequence[str], at: int) -> bool:
    """Whether a capital does not merely begin a sentence or a quotation."""
    return at > 0 and (words[at - 1][-1:].isalnum() or words[at - 1] in (",", "-", "&", "'s", "’s"))


def _is_given(word: str, lexicon: Lexicon) -> bool:
    return lexicon.names.is_name(word, proper=True)


def _is_gendered(word: str, lexicon: Lexicon) -> bool:
    return (word.lower(),) in lexicon.nouns.terms


def _is_kin(word: str, lexicon: Lexicon) -> bool:
    term = lexicon.nouns.terms.get((word.lower(),))
    return term is not None and term.kind in _FAMILY


def is_thing_word(word: str, lexicon: Lexicon) -> bool:
    """A common noun, and not a name, a month, a people or a gendered noun."""
    lower = word.lower()
    return (
        word.istitle()
        and len(word) > 1
        and lower not in _NOT_A_THING
        and (lower,) not in lexicon.nouns.terms
        and lower not in lexicon.names.entries
        and _is_noun(lower)
    )


@lru_cache(maxsize=20_000)
def _is_noun(word: str) -> bool:
    from lemminflect import getAllLemmas

    return "NOUN" in getAllLemmas(word)


@lru_cache(maxsize=20_000)
def _is_verb(word: str) -> bool:
    """Whether the word is a form of a verb and no noun: *saving, breaking*, but *morning* or *meeting*."""
    from lemminflect import getAllLemmas

    lemmas = getAllLemmas(word)
    return "VERB" in lemmas and word not in _NOT_A_THING and word not in lemmas.get("NOUN", ())
