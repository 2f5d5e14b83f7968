"""`--keys`: what may stand in a settings file."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from textwrap import wrap
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def keys_option(options: type | str) -> Callable[[Command], Command]:
    """Prints the keys of `options` (a class, or `module:Class`, which is imported only then), and ends."""

    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            click.echo("\n".join(_key_lines(options)))
            context.exit()

    return click.option(
        "--keys",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Print every key of SETTINGS with its default and meaning.",
    )


def load_schema(name: str) -> type[Any]:
    """The class that `module:Class` names."""
    module, _, name = name.partition(":")
    loaded: type[Any] = getattr(import_module(module), name)
    return loaded


def _key_lines(options: type | str) -> list[str]:
    from gec_fair.config.keys import keys

    words: list[str] = []
    for key in keys(options if isinstance(options, type) else load_schema(options)):
        words.append(f"{key.name} = {key.default}" if key.default else key.name)
        words += wrap(key.meaning, 100, initial_indent="    ", subsequent_indent="    ")
    return words
