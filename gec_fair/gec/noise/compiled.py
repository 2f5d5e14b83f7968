"""The tables of rates, ready to draw from: each cell knows its kind of error, and carries that kind's weight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.gec.noise.forms import kind_of
from gec_fair.gec.noise.rates import FACTORS, Kind, Rate, Rates
from gec_fair.gec.noise.slip import Option, Row, Rows, Tables
from gec_fair.gec.noise.words import word

# The group of the right word, or of the written one where that has none here, names the kind.
_OF_GROUP: Mapping[str, Kind] = {
    "article": Kind.ARTICLE,
    **dict.fromkeys(("this", "determiner", "quantity", "possessive", "number", "someone"), Kind.DETERMINER),
    **dict.fromkeys(("preposition", "particle", "to"), Kind.PREPOSITION),
    **dict.fromkeys(("modal", "be", "have", "do", "not", "'s"), Kind.AUXILIARY),
    **dict.fromkeys(("and", "conjunction", "wh", "that"), Kind.CONNECTIVE),
    **dict.fromkeys(("adverb", "very", "there"), Kind.ADVERB),
    **dict.fromkeys(("end", "comma", "pause", "quote", "bracket", "sign"), Kind.PUNCTUATION),
}
# Verbs that are exchanged within a row are in the wrong number, or in the wrong tense.
_EXCHANGED: Sequence[tuple[Kind, frozenset[str]]] = (
    (Kind.AGREEMENT, word_list("exchanged_present_be")),
    (Kind.AGREEMENT, word_list("exchanged_past_be")),
    (Kind.AGREEMENT, word_list("exchanged_present_have")),
    (Kind.AGREEMENT, word_list("exchanged_present_do")),
    (Kind.TENSE, word_list("exchanged_be")),
    (Kind.TENSE, word_list("exchanged_have")),
    (Kind.TENSE, word_list("exchanged_do")),
    (Kind.TENSE, word_list("exchanged_modals")),
)


def _of_word(old: str, new: str) -> Kind:
    exchanged = next((kind for kind, verbs in _EXCHANGED if {old, new} <= verbs), None)
    if exchanged is not None:
        return exchanged
    groups = [word(text).group for text in (old.split()[:1] + new.split()[:1])]
    return next((_OF_GROUP[group] for group in groups if group in _OF_GROUP), Kind.CHOICE)


KINDS: Mapping[str, Callable[[str, str], Kind]] = {
    "confuse": _of_word,
    "extra": lambda _, new: _of_word(new, ""),
    "phrase": _of_word,
    "form": kind_of,
    "comma": lambda *_: Kind.PUNCTUATION,
    "stop": lambda *_: Kind.PUNCTUATION,
    "real_word": lambda *_: Kind.REAL_WORD,
    "choice": lambda *_: Kind.CHOICE,
    "ending": lambda *_: Kind.DERIVATION,
    "letters": lambda *_: Kind.SPELLING,
    "slips": lambda *_: Kind.SPELLING,
    "length": lambda *_: Kind.SPELLING,
    "case": lambda *_: Kind.CASE,
    "order": lambda *_: Kind.ORDER,
    "compound": lambda *_: Kind.COMPOUND,
}
"""Table → what a cell of it is called, by the right word and the written one."""


def compile_rates(rates: Rates) -> Tables:
    """Every table by name, without the cells whose rate comes to nothing."""
    return {
        name: Rows({old: Row(tuple(_options(rates, name, old, row))) for old, row in table.items()})
        for name, table in rates.tables.items()
    }


def _options(rates: Rates, table: str, old: str, row: Mapping[str, Rate]) -> list[Option]:
    options = []
    for new, rate in row.items():
        kind = KINDS[table](old, new)
        weight = 1 if table in FACTORS else rates.kinds[kind]
        scaled = Rate(rate.default * weight, {group: value * weight for group, value in rate.by.items()})
        if scaled.most:
            options.append(Option(new, kind, scaled))
    return options
