"""How often writers err, read from a TOML file of tables that all have one shape: what stood → what is written → rate.

    [confuse.on]                             in = {"*" = 0.032, number = 0.051}
    └ table ┘ └ the right word               └ the written one    └ when a number follows

A rate is the chance of the slip at one such place. A plain number holds everywhere; in braces it goes by the
neighbour's group (`words.CLOSED`), "*" being every other. Empty quotes as the written word: it is left out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from gec_fair.config.values import read_toml
from gec_fair.errors import InputError
from gec_fair.gec.noise.inflections import TAGS
from gec_fair.gec.noise.words import GROUPS


class Kind(Enum):
    """What went wrong; the value labels the edit and is the key under [kinds], where 1 means: as often as learners."""

    SPELLING = "spelling"
    REAL_WORD = "real_word"
    ARTICLE = "article"
    DETERMINER = "determiner"
    PREPOSITION = "preposition"
    AGREEMENT = "agreement"
    NUMBER = "noun_number"
    TENSE = "tense"
    VERB_FORM = "verb_form"
    AUXILIARY = "auxiliary"
    CONNECTIVE = "connective"
    ADVERB = "adverb"
    PUNCTUATION = "punctuation"
    CASE = "case"
    ORDER = "word_order"
    COMPARISON = "comparison"
    DERIVATION = "derivation"
    COMPOUND = "compound"
    CHOICE = "word_choice"


class Rate(NamedTuple):
    """The chance of one slip at one place: `by` a neighbour's group, `default` for the groups that are not named."""

    default: float
    by: Mapping[str, float] = MappingProxyType({})

    def near(self, group: str) -> float:
        """The rate at which the error comes in a group, or everywhere else."""
        return self.by.get(group, self.default)

    @property
    def most(self) -> float:
        """The largest rate of any group."""
        return max(self.default, *self.by.values()) if self.by else self.default


Table: TypeAlias = Mapping[str, Mapping[str, Rate]]
TABLES = (
    "confuse",
    "comma",
    "stop",
    "extra",
    "phrase",
    "real_word",
    "compound",
    "choice",
    "form",
    "ending",
    "letters",
    "slips",
    "length",
    "case",
    "order",
)
"""The sections of the file; what each is for stands at its head there, and in the module that reads it."""
FACTORS = frozenset({"length"})
"""Tables that multiply the rates of another, and so bear no kind's weight."""
SLIPS = ("omitted", "doubled", "swapped", "neighbour", "vowel")
LOWER, CAPITAL = "lower", "capital"
_LEFT_OUT = '""'
_TAGS = frozenset(tag for tags in TAGS.values() for tag in tags)
# What may stand in a table: its rows, and what they write. Tables that are not named take any word.
_ROWS: Mapping[str, Collection[str]] = {
    **dict.fromkeys(("comma", "extra", "order"), GROUPS),
    "case": GROUPS | {"start", "i"},
    "slips": SLIPS,
    "length": ("open", "closed"),
}
_WRITTEN: Mapping[str, Collection[str]] = {"order": GROUPS, "case": (LOWER, CAPITAL), "slips": ("anywhere",)}


@dataclass(frozen=True, eq=False)
class Rates:
    """All of the file. A writer's `level` multiplies every rate, and is itself drawn for each sentence from a gamma
    distribution of mean `level` and shape `spread`: the number of errors is then negative-binomial by length, and
    many sentences have none. `kinds` multiply further. Two objects are the same only if they are one."""

    level: float
    spread: float
    kinds: Mapping[Kind, float]
    tables: Mapping[str, Table]

    def __post_init__(self) -> None:
        for name, value in (("level", self.level), ("spread", self.spread)):
            if not (math.isfinite(value) and (value > 0 or (name == "level" and value == 0))):
                raise InputError(f"errors.{name} is {value}; give a positive number")
        for kind, value in self.kinds.items():
            if not (math.isfinite(value) and value >= 0):
                raise InputError(f"kinds.{kind.value} is {value}; give 0 for none, 1 for as many as learners make")


def read_rates(path: Path) -> Rates:
    """The rates of a TOML file; InputError naming file and key for whatever cannot be meant."""
    content = read_toml(path, "correct it there, or begin with training/from-scratch/noise.toml")
    try:
        return parse_rates(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def parse_rates(data: Mapping[str, Any]) -> Rates:
    """Rates of what `read_toml` reads; InputError naming the key."""
    for key in data:
        if key not in ("errors", "kinds", *TABLES):
            raise InputError(f"{key}: no such table; known are errors, kinds, {', '.join(TABLES)}")
    errors = _mapping("errors", data.get("errors"))
    for key in errors:
        if key not in ("level", "spread"):
            raise InputError(f"errors.{key}: no such key; known are level and spread")
    return Rates(
        level=_number("errors.level", errors.get("level", 1)),
        spread=_number("errors.spread", errors.get("spread", 1)),
        kinds=_kinds(_mapping("kinds", data.get("kinds", {}))),
        tables={name: _table(name, _mapping(name, data.get(name, {}))) for name in TABLES},
    )


def _kinds(section: Mapping[str, Any]) -> Mapping[Kind, float]:
    known = {kind.value: kind for kind in Kind}
    for key in section:
        if key not in known:
            raise InputError(f"kinds.{key}: no such kind; known are {', '.join(known)}")
    return {kind: _number(f"kinds.{name}", section.get(name, 1)) for name, kind in known.items()}


def _table(name: str, section: Mapping[str, Any]) -> Table:
    rows: dict[str, dict[str, Rate]] = {}
    for old, row in section.items():
        _check_name(f"{name}.{old}", old, _ROWS.get(name))
        _check_spaces(f"{name}.{old or _LEFT_OUT}", old, may_be_empty=name == "ending")
        cells = _mapping(f"{name}.{old}", row)
        for new in cells:
            _check_name(f"{name}.{old}.{new}", new, _WRITTEN.get(name))
            _check_spaces(f"{name}.{old}.{new or _LEFT_OUT}", new, may_be_empty=name not in ("extra", "choice"))
            if name == "form":
                _check_tags(f"form.{old}", old.removesuffix(" noun"))
                _check_tags(f"form.{old}.{new}", new)
        rows[old] = {new: _rate(f"{name}.{old}.{new or _LEFT_OUT}", rate) for new, rate in cells.items()}
    return rows


def _rate(key: str, value: object) -> Rate:
    if not isinstance(value, Mapping):
        return Rate(_chance(key, value))
    by = {group: _chance(f"{key}.{group}", rate) for group, rate in value.items()}
    for group in by:
        _check_name(f"{key}.{group}", group, GROUPS | {"*"})
    return Rate(by.pop("*", 0.0), MappingProxyType(by))


def _check_name(key: str, name: str, names: Collection[str] | None) -> None:
    if names is not None and name not in names:
        raise InputError(f"{key}: {name!r} is not valid here; known are {', '.join(sorted(names))}")


def _check_spaces(key: str, words: str, *, may_be_empty: bool) -> None:
    is_spaced = "" not in words.split(" ") and {*"\t\r\n"}.isdisjoint(words)
    if not is_spaced and not (may_be_empty and not words):
        raise InputError(f"{key}: {words!r} is not valid here; write words, with one space between two")


def _check_tags(key: str, words: str) -> None:
    """The last word of a row of [form] is a tag, or several."""
    for tag in words.split(" ")[-1].split("/"):
        _check_name(key, tag, _TAGS)


def _chance(key: str, raw: object) -> float:
    value = _number(key, raw)
    if not 0 <= value <= 1:
        raise InputError(f"{key} is {value}; a rate is a chance between 0 and 1")
    return value


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{key} is {value!r}; give a number")
    return float(value)


def _mapping(key: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{key} is missing or not a table; write [{key}] and its rows below")
    return value
