"""A command whose options are the fields of a frozen dataclass.

@click.command()
@takes(path_argument("original", "ORIG.tsv"), MixOptions, folder_output("Where the mixes go."))
def mix(original: Path, options: MixOptions, output: Path) -> None: ...
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import MISSING, replace
from functools import wraps
from inspect import unwrap
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from gec_fair.config.options import Field, fields_of
from gec_fair.errors import InputError, UsageError

_FORMATS = frozenset(".csv .tsv .json .jsonl .m2 .parquet .md .html .tex .yaml .toml .xlsx".split())
Kind = TypeVar("Kind")
Command = TypeVar("Command", bound=Callable[..., Any])


def takes(*parts: type | Callable[[Any], Any], **fixed: Any) -> Callable[[Command], Command]:
    """What a command takes, in the order of its help: options of click, and dataclasses whose fields are options. The
    argument that is annotated with such a class is its instance; `--settings` reads it from a file. Fields with a
    `fixed` value are not shown, and neither are those that mean nothing for a fixed `method`."""

    def add(command: Command) -> Command:
        for part in reversed(parts):
            command = _with_fields(command, part, fixed) if isinstance(part, type) else part(command)
        return command

    return add


def _with_fields(command: Command, kind: type, fixed: Mapping[str, Any]) -> Command:
    known = (field for field in fields_of(kind) if field.name not in fixed and _is_for(field, fixed.get("method")))
    fields = sorted(known, key=lambda field: not field.option.methods)  # those of the method first
    (argument,) = (name for name, hint in unwrap(command).__annotations__.items() if hint == kind.__name__)

    @wraps(command)
    def invoke(settings_file: Path | None = None, **arguments: Any) -> Any:
        values = {field.name: read(field, arguments.pop(field.name)) for field in fields}
        options = kind(**fixed, **values) if settings_file is None else _read(settings_file, kind, fixed, values)
        return command(**arguments, **{argument: options})

    invoke.options = fields  # type: ignore[attr-defined]
    more = () if any(field.name == "settings" for field in fields) else (_SETTINGS,)
    return takes(*map(parameter, fields), *more)(invoke)  # type: ignore[return-value]


def option(flag: str, metavar: str, text: str, **more: Any) -> Callable[[Command], Command]:
    """An option by its flag (with the argument's name behind, where that is another), what stands for its value, and
    its help; with `more` of click's."""
    more = {"show_default": bool(more.get("default", "")), **more}
    return click.option(*flag.split(), metavar=metavar, help=text, **more)


def path_option(flag: str, metavar: str, text: str, **more: Any) -> Callable[[Command], Command]:
    """An option whose value is a path."""
    return option(flag, metavar, text, type=click.Path(path_type=Path), **more)


_SETTINGS = path_option(
    "--settings settings_file",
    "FILE",
    "Read these options from a YAML file (`gec-fair settings show COMMAND` prints one); those given here count.",
)


def _read(path: Path, kind: type[Kind], fixed: Mapping[str, Any], values: Mapping[str, Any]) -> Kind:
    """The options in a file, with what the command line gives in their place. InputError for another value than the
    command's own."""
    from gec_fair.config.settings import check_values
    from gec_fair.config.values import read_yaml, show

    context, source = click.get_current_context(), read_yaml(path)
    for name, value in fixed.items():
        if source.file.get(name, value) != value:
            raise InputError(f"{source.place((name,))}: {name} is {show(value)} in this command; leave it out")
    is_given = {name: context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in values}
    flags = {name: value for name, value in values.items() if is_given[name]}
    return check_values(kind, replace(source, file={**source.file, **fixed, **flags}))


def settings_of(command: click.Command) -> str:
    """A file that `--settings` reads: every option with its meaning and its default. UsageError for a command that has
    none, and for one whose `--settings` are of something else than its options."""
    import yaml

    fields = getattr(command.callback, "options", ())
    if any(field.name == "settings" for field in fields):
        raise UsageError(f"{command.name}: its --settings have other keys; its option --keys prints them")
    blocks = []
    for field in fields:
        meaning = "\n".join(wrap(field.words, 110, initial_indent="# ", subsequent_indent="# "))
        default = None if field.default is MISSING else field.default
        plain = list(default) if isinstance(default, tuple) else default
        value = yaml.safe_dump({field.name: plain}, allow_unicode=True)
        blocks.append(f"{meaning}\n{'# ' if field.default is MISSING else ''}{value}")
    if not blocks:
        raise UsageError(f"{command.name}: has no settings; gec-fair settings list names the files that come with us")
    return "\n".join(blocks)


def overrides(kind: type, *names: str, instead_of: str) -> Callable[[Command], Command]:
    """Add options of some fields of `kind`, whose defaults are those of `instead_of`; the argument `changes` has those
    that are given."""
    by_name = {field.name: field for field in fields_of(kind)}
    note = f"  [default: {instead_of}]"
    fields = [replace(by_name[name], default=None, meaning=by_name[name].meaning + note) for name in names]

    def add(command: Command) -> Command:
        @wraps(command)
        def invoke(**arguments: Any) -> Any:
            values = {field.name: read(field, arguments.pop(field.name)) for field in fields}
            return command(changes={name: value for name, value in values.items() if value is not None}, **arguments)

        return takes(*map(parameter, fields))(invoke)  # type: ignore[return-value]

    return add


def _is_for(field: Field, method: str | None) -> bool:
    methods = field.option.methods
    return not field.option.is_keyword and (not methods or method is None or method in methods)


def parameter(field: Field) -> Callable[[Command], Command]:
    """The option or argument of a field."""
    option, is_needed = field.option, field.default is MISSING
    attributes: dict[str, Any] = {"type": _type(field), "metavar": option.metavar or None}
    if option.is_argument:
        return click.argument(field.name, required=is_needed, nargs=-1 if field.item else 1, **attributes)
    flag = _flag(field)
    if field.hint is bool:
        attributes = {"is_flag": True} if field.default is False else {}
        flag = flag if field.default is False else f"{flag}/--no-{flag.removeprefix('--')}"
    elif field.is_mapping or (field.item and not option.separator):
        attributes["multiple"] = True
    default = None if is_needed else _as_word(field, field.default)
    return click.option(
        *flag.split(),
        field.name,
        required=is_needed,
        default=default,
        show_default=default not in (None, False, "", ()),
        help=field.words,
        **attributes,
    )


def _flag(field: Field) -> str:
    return field.option.flags or f"--{field.name.replace('_', '-')}"


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


def _as_word(field: Field, value: Any) -> Any:
    """A value as the command line has it."""
    if field.is_mapping:
        return ()
    if field.option.separator and value is not None:
        return field.option.separator.join(map(str, value))
    return str(value) if field.choices and value is not None and not field.item else value


def read(field: Field, value: Any) -> Any:
    """A value of the command line as the dataclass has it."""
    if field.is_mapping:
        return read_pairs(value, f"--{field.name}")
    if field.option.separator:
        items = () if value is None else tuple(filter(None, map(str.strip, value.split(field.option.separator))))
        if value and not items:
            raise UsageError(f"{_flag(field).split()[0]} names none; name some, or leave it out")
        return items if items or field.default is not None else None
    if field.choices and value is not None:
        by_word = {str(choice): choice for choice in field.choices}
        return tuple(map(by_word.__getitem__, value)) if field.item else by_word[value]
    return value


def read_pairs(words: Sequence[str], flag: str) -> dict[str, str]:
    """Parse the words of an option such as `--rename OLD=NEW`. UsageError for one without `=`."""
    pairs = [word.partition("=") for word in words]
    if wrong := [word for word, (key, _, item) in zip(words, pairs, strict=True) if not key or not item]:
        raise UsageError(f"{flag} wants OLD=NEW, not {wrong[0]!r}")
    return {key: item for key, _, item in pairs}


def path_argument(name: str, metavar: str, *, nargs: int = 1, required: bool = True) -> Callable[[Command], Command]:
    """A path by its place."""
    return click.argument(name, type=click.Path(path_type=Path), metavar=metavar, nargs=nargs, required=required)


def folder_output(text: str, *, required: bool = True, metavar: str = "DIR") -> Callable[[Command], Command]:
    """`-o DIR` as the argument `output`."""
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("-o", "--output", required=required, type=kind, metavar=metavar, help=text)


def file_output(
    metavar: str,
    text: str,
    *,
    flag: str = "-o --output",
    is_table: bool = False,
    endings: Sequence[str] = (),
    **more: Any,
) -> Callable[[Command], Command]:
    """The option of a file that is written, refused before the work where nothing could be written there afterwards.
    Folders that are not there yet are made with the file. The name of a table says how it is written. `endings`: of
    names that say what is written. `-` is standard output, and what the command says goes to standard error then."""
    kind = click.Path(path_type=Path, dir_okay=False, readable=False)

    def check(context: click.Context, _: click.Parameter, path: Path | None) -> Path | None:
        from gec_fair.data.compression import COMPRESSIONS
        from gec_fair.data.user_tables import output_form
        from gec_fair.runs.atomic import final_path, is_stream, own_stream

        if path is None:
            return None
        path = Path("/dev/stdout") if str(path) == "-" else path
        if own_stream(path) == 1:
            context.with_resource(redirect_stdout(sys.stderr))
        if not is_stream(path):
            if not path.name:
                raise click.BadParameter("names no file")
            if path.suffix in COMPRESSIONS:
                remedy = f"leave {path.suffix} out, and compress the file afterwards"
                raise click.BadParameter(f"files are written plain; {remedy}")
            folder = next(parent for parent in final_path(path).parents if os.path.exists(parent))
            if not folder.is_dir():
                raise click.BadParameter(f"{folder} is a file, no folder; name another place")
            if not os.access(folder, os.W_OK | os.X_OK):
                raise click.BadParameter(f"nothing can be written in {folder}; name another place")
        ending = path.suffix.lower()
        if endings and ending in _FORMATS and ending not in endings:
            remedy = f"let the name end with {' or '.join(endings)}"
            raise click.BadParameter(f"{path}: {ending} is not what is written; {remedy}")
        if is_table:
            output_form(path)
        return path

    return option(flag, metavar, text, type=kind, callback=check, **more)


def refuse(names: Sequence[str], why: str) -> None:
    """UsageError where one of these parameters was given: an option that means nothing is an error."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT:
            raise UsageError(f"{parameter.opts[0]} {why}")
