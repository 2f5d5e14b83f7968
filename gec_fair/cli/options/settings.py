"""Options of every command that reads its settings from YAML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeVar

import click

from gec_fair.cli.options.command import folder_output, parameter, path_argument, takes
from gec_fair.config.options import fields_of
from gec_fair.stats.seeds import LARGEST_SEED

Command = TypeVar("Command", bound=Callable[..., Any])
Options = TypeVar("Options")

settings_argument = path_argument("settings", "SETTINGS")
train_output = folder_output("The run's folder; the same command resumes in it after a kill.")
_EXAMPLE = "training.steps=100"


def other_values(example: str) -> Callable[[Command], Command]:
    """`--set KEY=VALUE`, with an example that the command takes."""
    text = f"Another value than the file's, for example --set {example}; again for more."
    return click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", help=text)


def seed_option(text: str) -> Callable[[Command], Command]:
    """`--seed`; the text says what is drawn."""
    return click.option("--seed", type=click.IntRange(0, LARGEST_SEED), default=0, show_default=True, help=text)


def workers_option(text: str) -> Callable[[Command], Command]:
    """`--workers`; the text says what they do."""
    return click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help=text)


def reads(
    schema: type | str, *flags: str, part: str = "settings", example: str = _EXAMPLE
) -> Callable[[Command], Command]:
    """SETTINGS, `--set`, `--keys`, and an option for each of the fields in `flags`. The argument `options` is what the
    file says, as a `schema` (`module:Class` if its import takes long); an experiment's file says it below `part`."""

    def add(command: Command) -> Command:
        @wraps(command)
        def invoke(settings: Path, changes: tuple[str, ...], **arguments: Any) -> Any:
            values = {name: arguments.pop(name) for name in flags}
            options: Any = read_options(settings, load_schema(schema), changes, part=part, example=example, **values)
            return command(options=options, **arguments)

        fields = fields_of(schema) if flags and not isinstance(schema, str) else ()
        instead = (replace(field, default=None, meaning="Instead of the file's.") for field in fields)
        by_flags = (parameter(field) for field in instead if field.name in flags)
        return takes(settings_argument, *by_flags, other_values(example), keys_option(schema))(invoke)  # type: ignore[return-value]

    return add


def read_options(
    settings: Path,
    schema: type[Options],
    changes: tuple[str, ...],
    *,
    part: str = "settings",
    example: str = _EXAMPLE,
    **arguments: object,
) -> Options:
    """The file's settings, of an experiment's file those of its model; what `arguments` has from the command line takes
    their place, and the --set `changes` the place of both."""
    from gec_fair.config.settings import changes_of, read_settings

    flags = {name: str(value) for name, value in arguments.items() if value is not None}
    return read_settings(settings, schema, changes=changes_of(changes, example=example), flags=flags, part=part)


def keys_option(options: type | str) -> Callable[[Command], Command]:
    """Prints the keys of `options` (a class, or `module:Class`, which is imported only then), and ends."""

    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if not wanted:
            return
        from gec_fair.config.keys import keys

        for key in keys(load_schema(options)):
            click.echo(f"{key.name} = {key.default}" if key.default else key.name)
            for line in wrap(key.meaning, 100, initial_indent="    ", subsequent_indent="    "):
                click.echo(line)
        context.exit()

    text = "Print every key of SETTINGS with its default and meaning."
    return click.option("--keys", is_flag=True, is_eager=True, expose_value=False, callback=show, help=text)


def load_schema(schema: type | str) -> type[Any]:
    """The class itself, or the one that `module:Class` names."""
    if isinstance(schema, type):
        return schema
    module, _, name = schema.partition(":")
    loaded: type[Any] = getattr(import_module(module), name)
    return loaded
