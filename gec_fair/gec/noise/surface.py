"""Slips that change no word: small and capital letters, and words in another order.

    [case.start]    lower = 0.02                 We → we       the first word of a sentence
    [case.i]        lower = 0.03                 I → i
    [case.name]     lower = 0.03                 English → english
    [case.noun]     capital = 0.004              summer → Summer
    [order.adverb]  verb = 0.02                  also play → play also

No word is moved across a pronoun: a diff might tell it as a pronoun deleted.
"""

from __future__ import annotations

from collections.abc import Iterator

from gec_fair.english.letters import capitalise
from gec_fair.gec.noise.closed import decapitalise
from gec_fair.gec.noise.rates import LOWER
from gec_fair.gec.noise.slip import Family, Slip, Tables
from gec_fair.gec.noise.words import Text, Word, possible_groups


def case_key(text: Text, at: int) -> str:
    """The row of [case] for a place."""
    if text.entries[at].lower == "i":
        return "i"
    return "start" if at == text.first else text.group(at)


def _cases(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    old = text.words[at]
    for written, kind, rate in tables["case"].get(case_key(text, at)):
        new = _in_case(old, written)
        if new != old:
            yield Slip(rate.default, kind, at, at + 1, (new,))


def _in_case(old: str, written: str) -> str:
    if not old[:1].isalpha():
        return old
    return old.lower() if written == LOWER else capitalise(old)


def _most_cases(tables: Tables, entry: Word) -> float:
    keys = {"i"} if entry.lower == "i" else {"start", *possible_groups(entry)}
    rows = (tables["case"].get(key) for key in keys)
    changing = (option for row in rows for option in row if _in_case(entry.text, option.written) != entry.text)
    return max((option.rate.default for option in changing), default=0.0)


def _orders(tables: Tables, text: Text, at: int) -> Iterator[Slip]:
    """A word after its right neighbour."""
    if at + 1 >= len(text.words) or text.entries[at].guarded or text.entries[at + 1].guarded:
        return
    right = text.group(at + 1)
    for written, kind, rate in tables["order"].get(text.group(at)):
        if written == right:
            yield Slip(rate.default, kind, at, at + 2, swap_words(text, at))


def swap_words(text: Text, at: int) -> tuple[str, str]:
    """Two neighbours in the other order; a sentence still begins in upper case."""
    left, right = text.words[at : at + 2]
    if at == text.first and left[:1].isupper():
        return capitalise(right), decapitalise(text, at)
    return right, left


def _most_orders(tables: Tables, entry: Word) -> float:
    rows = (tables["order"].get(group) for group in possible_groups(entry))
    return max((option.rate.default for row in rows for option in row), default=0.0)


CASES = Family(_most_cases, _cases)
ORDERS = Family(_most_orders, _orders)
