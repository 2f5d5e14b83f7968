"""Slips inside a word's paradigm: *he go*, *two car*, *to going*, *more easier*; and from one word to its kin.

    [form.VB]           VBZ = {pronoun = 0.012}          they go   → they goes
    [form."to VB"]      VBG = 0.009, "for VB" = 0.002    to go     → going, for go
    [form."have VBN"]   VBD = 0.011                      have seen → saw
    [form."VB/NN"]      VBZ = 0.02                       walk      → walks: verb or noun, for all its neighbour tells
    [ending.ly]         "" = 0.014                       quickly   → quick
    [choice."make V"]   "do V" = 0.008                   makes     → does

On the left side of a row *be*, *have* and modals are meant as groups; `to`, prepositions, *more*, *most* as words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gec_fair.english.letters import capitalise, like
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.gec.noise.inflections import are_forms_of_one, form, lemma
from gec_fair.gec.noise.rates import Kind
from gec_fair.gec.noise.slip import Family, Row, Rows, Slip, Tables
from gec_fair.gec.noise.words import NOUN_TAGS, Text, Word, word

_AS_GROUP = frozenset({"be", "have", "modal"})
_AS_WORD = frozenset({"to", "preposition"})
_COMPARED = word_list("comparison_adverbs")
_LONGEST_PREFIX = 2
_ORDER = ("VBD", "VBN", "VB", "VBZ", "VBG", "NN", "NNS", "JJ", "JJR", "JJS")
_HEADS = frozenset({"noun", "plural", "noun-verb", "adjective-noun"})
_MODIFIER = "noun"  # after a nominal reading: the next word is a noun as well, *car park*
_PAST = frozenset({"VBD", "have", "has", "had", "will", "would", "modal"})
_LONGEST_ENDING = 6  # letters; chosen by hand, as the next
_SHORTEST_STEM = 3


def kind_of(old: str, new: str) -> Kind:
    """What a row of [form] is called."""
    before, after = old.removesuffix(" " + _MODIFIER).split(), new.split()
    if "JJ" in before[-1] + after[-1]:
        return Kind.COMPARISON
    if after[-1] in NOUN_TAGS:
        return Kind.NUMBER
    if {before[-1], after[-1]} == {"VB", "VBZ"} and len(before) == len(after) == 1:
        return Kind.AGREEMENT
    return Kind.TENSE if _PAST & {*before, *after} else Kind.VERB_FORM


def keys(text: Text, at: int) -> Iterator[tuple[int, str]]:
    """The rows of [form] for a place, and where their span begins; it ends with the word."""
    tags = text.readings(at)
    key = _key(tags)
    if not key:
        return
    nominal = bool(NOUN_TAGS & tags) and text.group(at + 1) in _HEADS
    yield at, f"{key} {_MODIFIER}" if nominal else key
    for start in range(at - 1, max(-1, at - 1 - _LONGEST_PREFIX), -1):
        before = _before(text, start)
        if before is None:
            return
        key = f"{before} {key}"
        yield start, key


@lru_cache(maxsize=1000)
def _key(tags: frozenset[str]) -> str:
    return "/".join(tag for tag in _ORDER if tag in tags)


def _before(text: Text, at: int) -> str | None:
    entry = text.entries[at]
    if entry.group in _AS_GROUP:
        return entry.group
    return entry.lower if entry.group in _AS_WORD or entry.lower in _COMPARED else None


@lru_cache(maxsize=100_000)
def inflect(lower: str, key: str, new: str) -> tuple[str, ...] | None:
    """The words that a row writes for a word (*has*, "VBZ" → "have VBN": *have had*); None where English has none."""
    *before, tag = new.split()
    base = read_as(lower, key, tag)
    written = None if base is None else form(base, tag)
    return None if written is None or (written == lower and not before and " " not in key) else (*before, written)


def read_as(lower: str, key: str, tag: str) -> str | None:
    """The lemma of the word under a row's reading that has forms such as the tag: a verb's, a noun's."""
    old = next((reading for reading in _readings(key) if reading[0] == tag[0]), None)
    return None if old is None else lemma(lower, old)


def _forms(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    if text.entries[at].guarded:
        return
    for start, key in keys(text, at):
        row = tables["form"].get(key)
        left = text.group(start - 1) if row else ""
        for new, kind, rate in row:
            words = inflect(text.entries[at].lower, key, new)
            chance = rate.near(left)
            if words is not None and chance:
                yield Slip(chance, kind, start, at + 1, match_case(text, start, words))


def match_case(text: Text, start: int, words: tuple[str, ...]) -> tuple[str, ...]:
    """New lower-case words in the place of others, in their case; a sentence still begins in upper case."""
    old = text.words[start]
    if old.islower():
        return words
    if len(words) == 1:
        return (like(old, words[0]),)
    return (capitalise(words[0]), *words[1:]) if old[:1].isupper() else words


def _most_forms(tables: Tables, entry: Word) -> float:
    """A place has one set of readings; what may stand before it, and a noun behind it, are taken together."""
    sums = _by_readings(tables["form"])
    return max((most for tags, most in sums.items() if tags <= entry.tags), default=0.0)


@lru_cache(maxsize=16)
def _by_readings(rows: Rows) -> dict[frozenset[str], float]:
    sums: dict[frozenset[str], float] = {}
    for key, row in rows.by_key.items():
        tags = frozenset(_readings(key))
        sums[tags] = sums.get(tags, 0.0) + row.most
    return sums


def _readings(key: str) -> list[str]:
    return key.removesuffix(" " + _MODIFIER).split()[-1].split("/")


def _choices(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    entry = text.entries[at]
    tag = main_tag(text.readings(at))
    base = name_choice(entry.lower, tag) if tag and not entry.guarded else None
    for new, kind, rate in tables["choice"].get(base or ""):
        written = form(new.split()[0], tag or "")
        if written is not None:
            yield Slip(rate.default, kind, at, at + 1, match_case(text, at, (written,)))


def main_tag(tags: frozenset[str]) -> str | None:
    """The reading that another word is chosen for; None for adverbs and unknown words."""
    return next((tag for tag in _ORDER if tag in tags), None)


@lru_cache(maxsize=100_000)
def name_choice(lower: str, tag: str) -> str | None:
    """How [choice] names a word: *makes* is "make V"."""
    base = lemma(lower, tag)
    return None if base is None else f"{base} {tag[0]}"


def _most_choices(tables: Tables, entry: Word) -> float:
    names = (name_choice(entry.lower, tag) for tag in entry.tags if tag in _ORDER)
    return max((tables["choice"].get(name).most for name in names if name), default=0.0)


def _endings(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    entry = text.entries[at]
    if entry.guarded or not entry.tags:
        return
    for row, ending in _ending_rows(tables, entry):
        for new, kind, rate in row:
            kin = exchange_ending(entry.lower, ending, new)
            if kin is not None:
                yield Slip(rate.default, kind, at, at + 1, match_case(text, at, (kin,)))


@lru_cache(maxsize=100_000)
def exchange_ending(lower: str, ending: str, new: str) -> str | None:
    """The word with another ending, if that is a word that may be written, and no form of it (*importance*:
    *important*)."""
    kin = lower.removesuffix(ending) + new
    stem = len(lower) - len(ending)
    entry = word(kin)
    fit = stem >= _SHORTEST_STEM and entry.tags and entry.known and not entry.guarded
    return kin if fit and not are_forms_of_one(lower, kin) else None


def _ending_rows(tables: Tables, entry: Word) -> Iterator[tuple[Row, str]]:
    rows = tables["ending"]
    for length in range(_LONGEST_ENDING + 1):
        ending = entry.lower[len(entry.lower) - length :] if length <= len(entry.lower) else None
        if ending is not None and ending in rows.by_key:
            yield rows.get(ending), ending


def _most_endings(tables: Tables, entry: Word) -> float:
    return sum(row.most for row, _ in _ending_rows(tables, entry)) if entry.tags else 0.0


FORMS = Family(_most_forms, _forms)
CHOICES = Family(_most_choices, _choices)
ENDINGS = Family(_most_endings, _endings)
