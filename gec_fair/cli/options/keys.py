"""`--keys`: what may stand in a settings file."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from textwrap import wrap
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def keys_option(options: str) -> Callable[[Command], Command]:
    """Prints the keys of `options` (`module:Class`), which is imported only then, and ends."""

    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            click.echo("\n".join(_hide_keys(options)))
            context.exit()

    return click.option(
        "--keys",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Print every key of SETTINGS with its default and meaning.",
    )


def _hide_keys(options: str) -> list[str]:
    from gec_fair.config.keys import keys

    module, _, name = options.partition(":")
    words: list[str] = []
    for key in keys(getattr(import_module(module), name)):
        words.append(f"{key.name} = {key.default}" if key.default else key.name)
        words += wrap(key.meaning, 100, initial_indent="    ", subsequent_indent="    ")
    return words
