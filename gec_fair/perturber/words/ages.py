"""Ages told in numbers: *twenty-one years old*, *an 11-year-old*, *aged 70*, *in her forties*, *she turned 30*, *a man
of fifty*, *Anna Smith, 34,*; read, and moved to another age group.

    child      1-17      young  18-44      middle-aged  45-64      senior  65-

A number keeps its place in its group: *eleven*, two thirds up from 1 to 17, becomes *34* among 18-44; who becomes a
child is 5 at least, for whoever is spoken of so goes and speaks. The same age moves alike in a whole text, and digits
stay digits, words words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gec_fair.english.clauses import is_copula
from gec_fair.english.labels import SINGULAR_NOUNS
from gec_fair.english.letters import like
from gec_fair.english.lexicons.word_lists import ordered_words, word_list
from gec_fair.english.once import lowers

if TYPE_CHECKING:
    from spacy.tokens import Doc

GROUPS = {"child": (1, 17), "young": (18, 44), "middle-aged": (45, 64), "senior": (65, 95)}
_OLDEST = 120  # years; chosen by hand
_YOUNGEST = 5  # that somebody is made; chosen by hand
_ONES = ordered_words("numbers_below_twenty")
_TENS = ordered_words("tens")
WORDS = (
    {word: n for n, word in enumerate(_ONES)}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
    | {f"{ten}-{unit}": 10 * t + u for t, ten in enumerate(_TENS, 2) for u, unit in enumerate(_ONES[1:10], 1)}
)
_SPELT = {number: word for word, number in WORDS.items()}
_GLUED = re.compile(r"(\d{1,3}|[a-z]+(?:-[a-z]+)?)-years?-olds?", re.IGNORECASE)
_DECADE = re.compile(r"((?:mid|early|late)-)?(\d0s|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|teens)", re.IGNORECASE)
_DECADES = ordered_words("decades")
_TEENS = 15
_IS = ordered_words("forms_before_an_age")
_ABOUT = ordered_words("about_an_age")
_SAID = re.compile(
    rf"\b(?:{'|'.join(_IS)})\s+(?:(?:{'|'.join(_ABOUT)})\s+)?(?:\d{{1,3}}\b|{'|'.join([*_ONES[1:], *_TENS])})"
)
_APPOSED = re.compile(r"\w\s*(?:,\s*\d{1,3}\s*,|\(\s*\d{1,3}\s*\))")
"""*the driver, 52, was hurt*"""
_PART_OF_A_DECADE = frozenset(["mid", "early", "late", "-"])
_TURNS = frozenset(["turn", "turns", "turned", "turning"])
_HINTS = word_list("age_hints") | _TURNS
_OLD = frozenset(["old", "olds"])
_YEARS = frozenset(["year", "years"])
_DETERMINERS = word_list("indefinite_articles") | word_list("possessive_determiners_before_a_decade") | {"the"}
_ATTRIBUTIVE = frozenset(["year", "yr"])
_SINGLE = frozenset(["1", "one"])
_LINKS = frozenset(["be", "look", "seem"])
_OF_AGE = word_list("nouns_of_somebody_of_an_age")
_SHORTER = ordered_words("units_shorter_than_a_year")
_GLUED_SHORTER = re.compile(rf".+-(?:{'|'.join(_SHORTER)})-olds?")
_NO_AGE_BEFORE = frozenset(["of", "-", "to", "in"])
_BEFORE_A_LIMIT = frozenset(["and", "or"])
_SPAN = word_list("between_two_ages")
_ONE = frozenset(["he", "she", "i", "you"])
_BOUNDS = word_list("bounds_of_an_age")
_SIGNS = frozenset([",", "-", "(", "–"])
_YEARS_OLD = frozenset([("years", "old"), ("years", "of"), ("years", "of", "age")])
_THEN = word_list("conjunctions_of_another_age")
_WHEN = word_list("times_after_an_age")
_BEFORE_A_TIME = word_list("before_ones_decade")
_POSSESSIVE = word_list("possessive_determiners_before_a_decade")


@dataclass(frozen=True, slots=True)
class Age:
    """A number of years as it is written."""

    years: int
    spelt: bool


def read(word: str) -> Age | None:
    """A number of years, by digits or by its word; None for what is not an age of a person."""
    if word.isdecimal() and 0 < int(word) <= _OLDEST:
        return Age(int(word), spelt=False)
    years = WORDS.get(word.lower())
    return Age(years, spelt=True) if years else None


def write(age: Age, model: str) -> str:
    """In digits or words as it was, in the case of `model`."""
    return like(model, _SPELT[age.years]) if age.spelt and age.years in _SPELT else str(age.years)


def number(phrase: str) -> str:
    """The number of an age as it is written: *34* of *34-year-old*."""
    glued = _GLUED.fullmatch(phrase)
    return glued[1] if glued else phrase


def group(years: int) -> str:
    """The age group."""
    return next(name for name, (_, last) in GROUPS.items() if years <= last or name == "senior")


def move_age(years: int, target: str) -> int:
    """The age at the same place of another group."""
    first, last = GROUPS[group(years)]
    low, high = max(_YOUNGEST, GROUPS[target][0]), GROUPS[target][1]
    place = min(1.0, (years - first) / (last - first))
    return round(low + place * (high - low))


def may_be_told(pieces: set[str], lower: str) -> bool:
    """Whether a lower-cased text, and its letters-only pieces, may hold an age; cheap."""
    return not pieces.isdisjoint(_HINTS) or any(sign.search(lower) for sign in (_DECADE, _SAID, _APPOSED))


@dataclass(frozen=True, slots=True)
class AgePhrase:
    """An age at tokens `start` to `end` (half-open), in digits or words. Whose it is must be a person: what the word at
    `said` is said of (*old*, *turned*), or the noun or name at `noun`; None where only people are spoken of so."""

    start: int
    end: int
    group: str
    said: int | None = None
    noun: int | None = None


def find(doc: Doc) -> Iterator[AgePhrase]:
    """Every age of a text."""
    words = lowers(doc)
    for at, word in enumerate(words):
        if years := _glued(word):
            yield AgePhrase(at, at + 1, group(years), said=at)
        elif years := _decade(words, at):
            yield AgePhrase(at, at + 1, group(years))
        elif (number := _number(words, at)) is None or _is_in_a_title(doc, at):
            continue
        elif phrase := _phrase(doc, words, at, *number):
            yield phrase


def _is_in_a_title(doc: Doc, at: int) -> bool:
    """*the song "I'm Eighteen"*: a number word with a capital inside a sentence."""
    return doc[at].text.istitle() and at > 0 and (doc[at - 1].is_alpha or doc[at - 1].text[:1] in "'’")


def rewrite_age(words: Sequence[str], start: int, end: int, target: str, *, glued: bool = True) -> tuple[str, ...]:
    """The words of an age in another age group. `glued`: *twenty-one* is one word, or stands without spaces."""
    word = words[start]
    if match := _GLUED.fullmatch(word):
        if (age := read(match[1])) is None:
            return (word,)
        return (word.replace(match[1], write(Age(move_age(age.years, target), age.spelt), match[1])),)
    lower = [word.lower() for word in words]
    decade_match = _DECADE.fullmatch(word)
    if decade_match and _decade(lower, start):
        if target == "child":
            return (like(word, "teens"),)
        first, last = GROUPS[target]
        low, high = -(-first // 10) * 10, (last - 9) // 10 * 10  # the decades that are of the group to their end
        tens = min(high, max(low, move_age(_decade_years(word.lower()) + 5, target) // 10 * 10))
        prefix, decade = (part or "" for part in decade_match.groups())
        if decade.lower() == "teens":
            decade = like(decade, _DECADES[0])
        return (prefix + (f"{tens}s" if decade[0].isdigit() else like(decade, _DECADES[tens // 10 - 2])),)
    number = _number(lower, start)
    if number is None or number[0] != end:
        return tuple(words[start:end])
    new = write(Age(move_age(number[1].years, target), number[1].spelt), word)
    apart = not glued and end - start == 3 and "-" in new
    return tuple(new.replace("-", " - ").split()) if apart else (new,)


def in_months(doc: Doc, chain: Collection[int]) -> bool:
    """Whether somebody's age is given in a unit shorter than years: *a 5-month-old baby, she is three weeks old*."""
    units = [i for i in chain if doc[i].lower_ in _SHORTER]
    is_old = any(token.lower_ in _OLD for i in units for token in doc[i + 1 : i + 3])
    return is_old or any(_GLUED_SHORTER.fullmatch(doc[i].lower_) for i in chain)


def agreeing(words: Sequence[str], at: int, number: str) -> str:
    """What *years* becomes behind another number (*one year old*); "" where it stays."""
    unit = words[at].lower() if at + 1 < len(words) and words[at + 1].lower() == "old" else ""
    before = words[at - 2].lower() if at > 1 else ""
    is_attributive = words[at - 1].lower() not in _SINGLE or before in _DETERMINERS
    if unit not in _YEARS or (unit in _ATTRIBUTIVE and is_attributive):
        return ""  # a 15 year old boy, a 1 year old girl
    new = like(words[at], "year" if number.lower() in _SINGLE else "years")
    return "" if new == words[at] else new


def _glued(word: str) -> int:
    """*11-year-old*."""
    match = _GLUED.fullmatch(word)
    age = read(match[1]) if match else None
    return age.years if age else 0


def _decade(words: list[str], at: int) -> int:
    """*in her forties*, *in his late 40s*."""
    if not _DECADE.fullmatch(words[at]):
        return 0
    before = [word for word in words[max(0, at - 4) : at] if word not in _PART_OF_A_DECADE][-2:]
    is_told = before[:1] and before[0] in _BEFORE_A_TIME and before[-1] in _POSSESSIVE
    return _decade_years(words[at]) + 5 if is_told else 0


def _decade_years(word: str) -> int:
    decade = word.rpartition("-")[2]
    if decade == "teens":
        return _TEENS - 5
    return int(decade[:2]) if decade[0].isdigit() else 10 * (_DECADES.index(decade) + 2)


_AFTER = tuple(tuple(words.split()) for words in ordered_words("after_an_age"))
_BEFORE = tuple(tuple(words.split()) for words in ordered_words("before_an_age"))


def _number(words: Sequence[str], at: int) -> tuple[int, Age] | None:
    """The number of years that begins at a lower-cased word, and where it ends: *21*, *eleven*, *twenty - one*, *forty
    five*. None where none begins, and for the end of a larger one (*one hundred and five*)."""
    age = read(words[at])
    if age is None:
        return None
    before = words[at - 1] if at else ""
    if before == "hundred" or (before == "and" and at > 1 and words[at - 2] == "hundred"):
        return None
    if age.spelt and (before in _TENS or (before == "-" and at > 1 and words[at - 2] in _TENS)):
        return None
    if words[at] in _TENS:
        for offset, end in ((1, at + 2), (2, at + 3)):
            unit = words[at + offset] if at + offset < len(words) else ""
            if unit in _ONES[1:10] and (offset == 1 or words[at + 1] == "-"):
                return end, Age(age.years + WORDS[unit], spelt=True)
    return None if at + 1 < len(words) and words[at + 1] == "hundred" else (at + 1, age)


def _phrase(doc: Doc, words: Sequence[str], start: int, end: int, age: Age) -> AgePhrase | None:
    """The age that a number is, by what stands around it; None for a number that is not an age of a person."""
    if _is_of_nobody(words, start, end):
        return None
    phrase = partial(AgePhrase, start, end, group(age.years))
    for after in _AFTER:
        if tuple(words[end : end + len(after)]) == after:
            return phrase(said=end - 1 + len(after))
    if tuple(words[end : end + 3]) == ("years", "of", "age"):
        return phrase()
    if any(tuple(words[max(0, start - len(before)) : start]) == before for before in _BEFORE):
        named = words[start - 1] == "aged" and start > 1 and doc[start - 2].tag_.startswith(("NN", "JJ"))
        return phrase(noun=start - 2 if named else None)
    if _is_a_quantity(doc, end):
        return None
    if start and words[start - 1] in _TURNS:
        return phrase(said=start - 1)
    if _is_apposed(doc, start, end, age):
        return phrase(noun=start - 2)
    if _is_said(doc, words, start, end):
        return phrase(said=end - 1)
    return phrase() if _is_of_a_noun(words, start) else None


def _is_of_nobody(words: Sequence[str], start: int, end: int) -> bool:
    """*aged 5 to 10, 65 and over, under the age of 20*. *5 months* is not a number of years."""
    is_shorter = end < len(words) and words[end] in _SHORTER
    return is_shorter or _in_a_span(words, start, end) or _is_a_bound(words, end) or _is_below(words, start)


def _is_a_quantity(doc: Doc, end: int) -> bool:
    """*18 apples, 18 %*; not *she turned 18 last week*."""
    after = doc[end] if end < len(doc) else None
    if after is None or after.lower_ in _WHEN:
        return False
    return after.tag_.startswith(("NN", "JJ", "CD", "$")) or after.lower_ == "%"


def _is_of_a_noun(words: Sequence[str], start: int) -> bool:
    """*a man of fifty, a woman of about 40*"""
    at = start - 1 - (start > 0 and words[start - 1] in _ABOUT)
    return at > 0 and words[at] == "of" and words[at - 1] in _OF_AGE


def _is_apposed(doc: Doc, start: int, end: int, age: Age) -> bool:
    """*the driver, 52, was hurt; the girl (9)*; not *but Federer (2)*, a seed."""
    if age.spelt or start < 2 or end >= len(doc):
        return False
    signs, tag = (doc[start - 1].text, doc[end].text), doc[start - 2].tag_
    return (signs == (",", ",") and tag in SINGULAR_NOUNS) or (signs == ("(", ")") and tag == "NN")


def _is_said(doc: Doc, words: Sequence[str], start: int, end: int) -> bool:
    """*she is 25, he looks about forty*; not *they are two*, how many they are, nor *she is one of us*."""
    before = [word.lstrip("'’") for word in words[max(0, start - 2) : start]]
    if not (before[-1:] and (before[-1] in _IS or (before[-1] in _ABOUT and before[0] in _IS))):
        return False
    number = doc[end - 1]
    verb = number if any(map(is_copula, number.children)) else number.head
    is_predicate = verb.lemma_ in _LINKS and number.dep_ in ("attr", "acomp", "xcomp", "obj", "dobj")
    if any(child.lower_ in _THEN and child.dep_ in ("mark", "advmod") for child in verb.children):
        return False  # she was another age then: she is 52, and a teacher since she was 23
    subject = next((child for child in verb.children if child.dep_ in ("nsubj", "nsubj:outer")), None)
    if subject is None or not (verb == number or is_predicate) or subject.i > start:
        return False
    is_one = subject.lower_ in _ONE or subject.tag_ in SINGULAR_NOUNS
    return is_one and words[start] != "one" and not any(word in _NO_AGE_BEFORE for word in words[end : end + 1])


def _is_a_bound(words: Sequence[str], end: int) -> bool:
    """*65 and over, 18 or older*: of many, and of nobody."""
    lengths = [len(unit) for unit in _YEARS_OLD if tuple(words[end : end + len(unit)]) == unit]
    at = end + max(lengths, default=0)
    after = words[at : at + 2]
    return len(after) == 2 and after[0] in _BEFORE_A_LIMIT and after[1] in _BOUNDS


def _is_below(words: Sequence[str], start: int) -> bool:
    """*half are under the age of 20*: of nobody."""
    before = words[max(0, start - 4) : start]
    return before[-2:] == ["age", "of"] and not _BOUNDS.isdisjoint(before[:-2])


def is_bounded(doc: Doc, end: int) -> bool:
    """Whether a number says behind a word who is meant: *kids under 5, seniors over the age of 65, pupils aged 8*."""
    after = [token.lower_ for token in doc[end : end + 5] if token.lower_ not in _SIGNS]
    is_behind_a_bound = bool(after) and after[0] in _BOUNDS | {"aged"}
    return is_behind_a_bound and any(read(word) or word[:1].isdigit() for word in after[1:])


def _in_a_span(words: Sequence[str], start: int, end: int) -> bool:
    """*aged 5 to 10*: of two ages that belong together none is moved."""
    after = end + 1 < len(words) and words[end] in _SPAN and read(words[end + 1]) is not None
    return after or (start > 1 and words[start - 1] in _SPAN and read(words[start - 2]) is not None)
