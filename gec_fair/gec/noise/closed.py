"""Slips in little words and marks: one written for another, left out, put in; and words that sound like another.

    [confuse.on]      in = {"*" = 0.03}, "" = 0.004        on Monday → in Monday, Monday
    [confuse.is]      are = {plural = 0.02}                verbs look left, all others right
    [comma.adverb]    "" = {third = 0.3}                   Sadly , he left → Sadly he left
    [stop."."]        "," = {third = 0.02}                 … home . He left → … home , he left
    [extra.noun]      the = {preposition = 0.01}           *the* put in between a preposition and a noun
    [phrase."a lot of"]  many = 0.03                       a lot of cars → many cars
    [real_word.than]  then = 0.02                          than → then

A row of [confuse] for a verb goes by its subject's group, to the left; all others look right.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gec_fair.english.letters import capitalise, like
from gec_fair.gec.noise.slip import Family, Rows, Slip, Tables
from gec_fair.gec.noise.words import Text, Word, possible_groups

LOOKS_LEFT = frozenset({"be", "have", "do", "modal", "verb", "verb-s", "past"})


def neighbour(text: Text, at: int) -> str:
    """The group that a row of [confuse] goes by: of the subject before a verb, of the next word elsewhere."""
    return text.group(at - 1 if text.entries[at].group in LOOKS_LEFT else at + 1)


def _confusions(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    row = tables["confuse"].get(text.entries[at].lower)
    group = neighbour(text, at) if row else ""
    for written, kind, rate in row:
        chance = rate.near(group)
        span = None if not chance else (at + 1, _in_place(text, at, written)) if written else leave_out(text, at)
        if span is not None:
            yield Slip(chance, kind, at, *span)


def _in_place(text: Text, at: int, written: str) -> tuple[str, ...]:
    if not written or (text.words[at].islower() and " " not in written):
        return (written,) if written else ()
    first, *rest = written.split()
    return (like(text.words[at], first), *rest)


def leave_out(text: Text, at: int) -> tuple[int, tuple[str, ...]] | None:
    """Where the span ends and what stays of it: a sentence that loses its first word begins with the next. None
    where no word would be left to begin with."""
    if at != text.first:
        return at + 1, ()
    follows = text.words[at + 1] if at + 1 < len(text.words) else ""
    return (at + 2, (capitalise(follows),)) if follows[:1].isalpha() else None


def _commas(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    if text.entries[at].group == "comma":
        for written, kind, rate in tables["comma"].get(text.group(at - 1)):
            yield Slip(rate.near(text.group(at + 1)), kind, at, at + 1, (written,) if written else ())


def _stops(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    """A full stop between two sentences of a line: the next word loses its capital."""
    if text.entries[at].group != "end" or at + 1 >= len(text.words) or not text.words[at + 1][:1].isupper():
        return
    follows = decapitalise(text, at + 1)
    for written, kind, rate in tables["stop"].get(text.words[at]):
        words = (written, follows) if written else (follows,)
        yield Slip(rate.near(text.group(at + 1)), kind, at, at + 2, words)


def decapitalise(text: Text, at: int) -> str:
    """The word as it stands inside a sentence; names, *I* and abbreviations stay."""
    old, entry = text.words[at], text.entries[at]
    keeps = entry.group == "name" or entry.lower == "i" or (len(old) > 1 and not old[1:].islower())
    return old if keeps else old.lower()


def _insertions(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    left = text.group(at - 1)
    for written, kind, rate in tables["extra"].get(text.group(at)):
        chance = rate.near(left)
        if written == text.entries[at].lower or not chance:
            continue
        words = tuple(written.split())
        if at == text.first and text.words[at][:1].isupper() and written[0].isalpha():
            yield Slip(chance, kind, at, at + 1, (capitalise(words[0]), *words[1:], decapitalise(text, at)))
        else:
            yield Slip(chance, kind, at, at, words)


def _phrases(rows: Rows, text: Text, at: int) -> Iterator[Slip]:
    """Rows of one to three words."""
    for key in _beginning(rows).get(text.entries[at].lower, ()):
        end = at + key.count(" ") + 1
        if key == " ".join(entry.lower for entry in text.entries[at:end]):
            for written, kind, rate in rows.get(key):
                yield Slip(rate.default, kind, at, end, _in_place(text, at, written))


@lru_cache(maxsize=16)
def _beginning(rows: Rows) -> dict[str, list[str]]:
    keys_by_word: dict[str, list[str]] = {}
    for key in rows.by_key:
        keys_by_word.setdefault(key.split()[0], []).append(key)
    return keys_by_word


def _most_commas(tables: Tables, entry: Word) -> float:
    return max((row.most for row in tables["comma"].by_key.values()), default=0.0) if entry.group == "comma" else 0.0


def _phrase_family(table: str) -> Family:
    def most(tables: Tables, entry: Word) -> float:
        rows = tables[table]
        return sum(rows.get(key).most for key in _beginning(rows).get(entry.lower, ()))

    return Family(most, lambda tables, text, at: _phrases(tables[table], text, at))


CONFUSIONS = Family(lambda tables, entry: tables["confuse"].get(entry.lower).most, _confusions)
COMMAS = Family(_most_commas, _commas)
STOPS = Family(lambda tables, entry: tables["stop"].get(entry.text).most, _stops)
INSERTIONS = Family(
    lambda tables, entry: max(tables["extra"].get(group).most for group in possible_groups(entry)), _insertions
)
REAL_WORDS, PHRASES, COMPOUNDS = map(_phrase_family, ("real_word", "phrase", "compound"))
