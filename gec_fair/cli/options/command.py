"""A command whose options are the fields of a frozen dataclass.

@click.command()
@takes(MixOptions)
def mix(options: MixOptions) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING
from functools import wraps
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from gec_fair.config.options import Field, fields_of
from gec_fair.errors import UsageError

Kind = TypeVar("Kind")
Command = TypeVar("Command", bound=Callable[..., Any])


def takes(kind: type, name: str = "options", **fixed: Any) -> Callable[[Command], Command]:
    """Add the options of `kind`, whose instance is the argument called `name`, and `--settings`, which reads them from
    a file. Fields with a `fixed` value are not shown, and neither are those that mean nothing for a fixed `method`."""
    fields = (field for field in fields_of(kind) if field.name not in fixed and _is_for(field, fixed.get("method")))
    shown = sorted(fields, key=lambda field: not field.option.of)  # those of the method first

    def add(command: Command) -> Command:
        @wraps(command)
        def invoke(settings: Path | None = None, **arguments: Any) -> Any:
            given = {field.name: read(field, arguments.pop(field.name)) for field in shown}
            options = kind(**fixed, **given) if settings is None else _read(settings, kind, fixed, given)
            return command(**arguments, **{name: options})

        decorated: Any = _SETTINGS(invoke)
        for field in reversed(shown):
            decorated = parameter(field)(decorated)
        decorated.options = shown
        return decorated  # type: ignore[no-any-return]

    return add


_SETTINGS = click.option(
    "--settings",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read these options from a YAML file (`gec-fair settings show COMMAND` prints one); those given here count.",
)


def _read(path: Path, kind: type[Kind], fixed: Mapping[str, Any], given: Mapping[str, Any]) -> Kind:
    """The options in a file, with what the command line gives in their place."""
    from gec_fair.config.settings import read_settings

    source = click.get_current_context().get_parameter_source
    own = {name: value for name, value in given.items() if source(name) is ParameterSource.COMMANDLINE}
    return read_settings(path, kind, flags={**fixed, **own})


def settings_of(command: click.Command) -> str:
    """A file that `--settings` reads: every option with its meaning and its default. UsageError for a command that has
    none."""
    import yaml

    blocks = []
    for field in getattr(command.callback, "options", ()):
        meaning = "\n".join(wrap(field.words, 110, initial_indent="# ", subsequent_indent="# "))
        default = None if field.default is MISSING else field.default
        value = yaml.safe_dump(
            {field.name: list(default) if isinstance(default, tuple) else default}, allow_unicode=True
        )
        blocks.append(f"{meaning}\n{'# ' if field.default is MISSING else ''}{value}")
    if not blocks:
        raise UsageError(f"{command.name}: has no settings; gec-fair settings list names the files that come with us")
    return "\n".join(blocks)


def _is_for(field: Field, method: str | None) -> bool:
    of = field.option.of
    return not field.option.is_keyword and (not of or method is None or method in of)


def parameter(field: Field) -> Callable[[Command], Command]:
    """The option or argument of a field."""
    option, is_needed = field.option, field.default is MISSING
    attributes: dict[str, Any] = {"type": _type(field), "metavar": option.metavar or None}
    if option.is_argument:
        return click.argument(field.name, required=is_needed, nargs=-1 if field.item else 1, **attributes)
    flag = option.flags or f"--{field.name.replace('_', '-')}"
    if field.hint is bool:
        attributes = {"is_flag": True} if field.default is False else {}
        flag = flag if field.default is False else f"{flag}/--no-{flag.removeprefix('--')}"
    elif field.item and not option.separator:
        attributes["multiple"] = True
    default = None if is_needed else _shown(field, field.default)
    return click.option(
        *flag.split(),
        field.name,
        required=is_needed,
        default=default,
        show_default=default not in (None, False, "", ()),
        help=field.words,
        **attributes,
    )


def _type(field: Field) -> Any:
    option = field.option
    hint = str if option.separator else field.item or field.hint
    if field.choices:
        return click.Choice([str(choice) for choice in field.choices])
    if field.is_path:
        return click.Path(path_type=Path)
    if (option.least, option.most) != (None, None):
        return (click.IntRange if hint is int else click.FloatRange)(option.least, option.most)  # type: ignore[arg-type]
    return hint if hint in (int, float) else str


def _shown(field: Field, value: Any) -> Any:
    """A value as the command line has it."""
    if field.option.separator and value is not None:
        return field.option.separator.join(map(str, value))
    return str(value) if field.choices and value is not None else value


def read(field: Field, value: Any) -> Any:
    """A value of the command line as the dataclass has it."""
    if field.option.separator:
        given = () if value is None else tuple(filter(None, map(str.strip, value.split(field.option.separator))))
        return given if given or field.default is not None else None
    if field.choices and value is not None:
        return next(choice for choice in field.choices if str(choice) == value)
    return value


def path_argument(
    name: str, metavar: str, *, many: bool = False, required: bool = True
) -> Callable[[Command], Command]:
    """A path by its place, or one and more."""
    kind = click.Path(path_type=Path)
    return click.argument(name, type=kind, metavar=metavar, nargs=-1 if many else 1, required=required)


def folder_output(text: str, *, required: bool = True, metavar: str = "DIR") -> Callable[[Command], Command]:
    """`-o DIR` as the argument `output`."""
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("-o", "--output", required=required, type=kind, metavar=metavar, help=text)
