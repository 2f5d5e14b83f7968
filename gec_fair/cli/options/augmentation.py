"""Options that several commands share, and how they become an `augment.Options`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gec_fair.augmentation.options import DIRECTIONS, GATES, NAMES, REFLEXIVES, Options

Command = TypeVar("Command", bound=Callable[..., Any])

_ENGLISH = [
    click.option(
        "--english",
        default="embedded",
        show_default=True,
        metavar="NAME|PATH",
        help="spaCy pipeline: ours, or en_core_web_sm, en_core_web_trf, a path.",
    ),
    click.option(
        "--lexicon", default="", metavar="DIR", help="Your own tables, laid over ours (docs/reference/lexicons.md)."
    ),
    click.option("--seed", default=0, show_default=True, help="Decides what --names draw draws, and nothing else."),
]
_GATE = [
    click.option(
        "--gate",
        type=click.Choice(GATES),
        default="coref",
        show_default=True,
        help="coref: only where the text shows one person (§3.2); none: every he/she.",
    ),
    click.option(
        "--coref",
        default="embedded",
        show_default=True,
        help="Coreference backend: embedded, fastcoref, maverick, neuralcoref.",
    ),
]
_FM = [
    click.option(
        "--direction",
        type=click.Choice(tuple(DIRECTIONS)),
        default="both",
        show_default=True,
        help="Swap both ways, masculine to feminine, or feminine to masculine.",
    ),
    click.option(
        "--names",
        type=click.Choice(NAMES),
        default="fixed",
        show_default=True,
        help="First names: the lexicon's bijection; another drawn for each text; or kept.",
    ),
]
_ST = [
    click.option(
        "--reflexive",
        type=click.Choice(REFLEXIVES),
        default="themself",
        show_default=True,
        help="The reflexive of singular they.",
    ),
]
_NEO = [
    click.option(
        "--paradigm",
        required=True,
        metavar="NAME|FORMS",
        help="xe, ze, ey, fae, … or five forms: xe/xem/xyr/xyrs/xemself[:plural].",
    ),
]
_PAIRS = [
    click.option(
        "--mirror",
        is_flag=True,
        help="Mirror agreement errors that would vanish (he say → they says) instead of discarding the pair.",
    ),
    click.option(
        "--strict-spelling",
        is_flag=True,
        help="Refuse misspelt counterparts instead of making the same slip in the new word.",
    ),
]

min_sure_option = click.option(
    "--min-sure",
    default=0.0,
    show_default=True,
    metavar="P",
    help="Leave out what is clean with a lower probability than P, from 0 to 1.",
)
_ALL = [
    click.option(
        "--animals",
        is_flag=True,
        help="Also rewrite he and she that stand for an animal, a ship or a country.",
    ),
    min_sure_option,
]

OF_METHOD = {"fm": _FM, "st": _GATE + _ST, "neo": _GATE + _NEO}


def method_options(method: str, *, pairs: bool) -> Callable[[Command], Command]:
    """All options that decide the bytes, for one method; `pairs` adds those that only parallel data needs."""

    def add(command: Command) -> Command:
        for option in reversed(OF_METHOD[method] + _ALL + (_PAIRS if pairs else []) + _ENGLISH):
            command = option(command)
        return command

    return add


def all_options(command: Command) -> Command:
    """The options of every method, for a command that takes the method as an argument."""
    optional = click.option("--paradigm", default="", metavar="NAME|FORMS", help="neo: the paradigm.")
    for option in reversed([*_FM, *_GATE, *_ST, optional, *_ALL, *_PAIRS, *_ENGLISH]):
        command = option(command)
    return command


def options(method: str, arguments: dict[str, Any]) -> Options:
    """The checked options; their values are removed from `arguments`."""
    fields = set(Options.__dataclass_fields__)
    return Options(method, **{key: arguments.pop(key) for key in list(arguments) if key in fields})
