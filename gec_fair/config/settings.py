"""Options from YAML: one frozen dataclass, every key known, every value of its type, faults told by line.

A settings file holds what its dataclass has fields for, nested as the dataclass is nested. YAML is read safely. What
`--set` lays over a file is reported as such, for the line of the file that it replaced is right.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from gec_fair.config.options import check_fields
from gec_fair.config.values import KeyPath, Source, join_path, read_value, read_yaml, show
from gec_fair.errors import InputError, UsageError

Options = TypeVar("Options")
_WANTED: Mapping[Any, str] = {
    int: "an integer such as 3",
    float: "a number such as 0.1",
    bool: "true or false",
    str: "text",
    types.NoneType: "null",
    tuple[str, ...]: "a list of text such as [a, b]",
    tuple[int, ...]: "a list of integers such as [0, 1]",
    Mapping[str, str]: "keys with text, such as {a: b}",
}
"""What a field wants, by its type."""
_MOST_SHOWN = 80  # characters of a refused value


def read_settings(
    path: Path,
    kind: type[Options],
    *,
    changes: Mapping[str, Any] | None = None,
    flags: Mapping[str, Any] | None = None,
    part: str = "",
) -> Options:
    """The options in a YAML file as a `kind`, a (frozen) dataclass; in a file with the key `part`, what is under it.
    `changes` are laid over them, as --set gives them: dotted keys; before these, `flags`, which have options of their
    own.

    InputError (the file and line, or the --set; what is known) for a file that cannot be read, an unknown key, a value
    of another type or one that the dataclass refuses.
    """
    source = read_yaml(path, changes=changes)
    source = source.part(part) if part else source
    source = dataclasses.replace(source, file={**source.file, **(flags or {})})

    def instead(keys: KeyPath) -> KeyPath | None:
        return keys[1:] if keys[0] == part and knows(kind, keys[1:]) else None

    return check_values(kind, source, instead=instead)


def check_values(
    kind: type[Options], source: Source, *, instead: Callable[[KeyPath], KeyPath | None] = lambda keys: None
) -> Options:
    """The values of a source as a `kind`. One word where a list is wanted is a list of one; a number where text is
    wanted is its digits. `instead` answers where keys that are unknown here would be known, if anywhere.

    InputError with the place of what is wrong.
    """
    meant = _meant(source.values(), kind)
    try:
        return _make(_strict(kind), meant)
    except ValidationError as fault:
        wrong = fault.errors(include_url=False)[0]
        at = tuple(wrong["loc"])
        if wrong["type"] == "unexpected_keyword_argument":
            raise InputError(f"{source.place(at)}: {_unknown(kind, at, source, instead)}") from fault
        if wrong["type"] in ("missing", "missing_argument"):
            raise InputError(f"{source.place(at[:-1])}: {join_path(at)} is missing; add it") from fault
        at, hint = _field(kind, at)
        value = show(reduce(getitem, at, meant))[:_MOST_SHOWN]
        raise InputError(
            f"{source.place(at)}: {join_path(at)}: expected {_describe_type(hint)}, found {value}"
        ) from fault
    except UsageError as fault:  # what a dataclass refuses, said by itself
        at = _refusing(meant, kind)
        name = "".join(f"{key}." for key in at)
        first = str(fault).partition(" ")[0]  # such messages begin with the name of the field
        guilty = [keys for keys in source.laid if _would_do(source.values(without=keys), kind)]
        where = source.describe_change(guilty[0]) if guilty else source.place((*at, first))
        raise InputError(f"{where}: {name}{fault}") from fault


def knows(kind: type[Any], keys: KeyPath) -> bool:
    """Whether a dataclass has a field at the end of a path of keys."""
    return bool(keys) and _field(kind, keys)[0] == keys


def as_dict(options: Any) -> dict[str, Any]:
    """The options as plain values, to be written beside the result."""
    plain: dict[str, Any] = TypeAdapter(type(options)).dump_python(options, mode="json")
    return plain


def changes_of(pairs: Sequence[str], *, example: str = "training.steps=100") -> dict[str, Any]:
    """`key=value` words of a command line; values are read as YAML. UsageError, with an example, for a word without
    `=`."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--set wants key=value, not {pair!r}; for example --set {example}")
        try:
            values[key] = read_value(value)
        except InputError as fault:
            raise UsageError(f"--set {pair}: {value!r} is not a valid YAML value") from fault
    return values


def _make(kind: type[Options], values: Any) -> Options:
    options = TypeAdapter(kind).validate_python(values)
    check_fields(options)
    return options


def _would_do(value: Any, kind: type[Any]) -> bool:
    try:
        _make(kind, _meant(value, kind))
    except (UsageError, ValidationError):
        return False
    return True


def _refusing(raw: Any, kind: type[Any]) -> KeyPath:
    """Where the innermost dataclass stands that refuses its values."""
    for name, hint in typing.get_type_hints(kind).items():
        value = raw.get(name)
        if not isinstance(value, Mapping):
            continue
        by_key = typing.get_origin(hint) is Mapping  # a dataclass under each key
        inside = {(name, key): section for key, section in value.items()} if by_key else {(name,): value}
        for inner in _dataclasses_in(hint):
            for at, section in inside.items():
                try:
                    TypeAdapter(inner).validate_python(section)
                except UsageError:
                    return (*at, *_refusing(section, inner))
    return ()


def _dataclasses_in(hint: Any) -> list[type[Any]]:
    """A dataclass, or those of `X | None` and `tuple[X, ...]`."""
    return [h for h in (hint, *typing.get_args(hint)) if isinstance(h, type) and dataclasses.is_dataclass(h)]


def _strict(kind: type[Options]) -> type[Options]:
    """The dataclass, and those in it, refuse unknown keys (pydantic lets them pass unless told)."""
    for part in _parts(kind):
        if "__pydantic_config__" not in vars(part):
            part.__pydantic_config__ = ConfigDict(extra="forbid")
    return kind


def _parts(kind: type[Any]) -> list[type[Any]]:
    members = [kind]
    for hint in typing.get_type_hints(kind).values():
        for inner in _dataclasses_in(hint):
            members += _parts(inner)
    return members


def _field(kind: type[Any], keys: KeyPath) -> tuple[KeyPath, Any]:
    """The innermost field on a path of keys, and its type; the dataclass itself where the first key is not a field."""
    at: KeyPath = ()
    hint: Any = kind
    for key in keys:
        inner = _dataclasses_in(hint)
        hints = typing.get_type_hints(inner[0]) if inner else {}
        if key not in hints:
            break
        at, hint = (*at, key), hints[str(key)]
    return at, hint


def _unknown(kind: type[Any], at: KeyPath, source: Source, instead: Callable[[KeyPath], KeyPath | None]) -> str:
    """What is said of an unknown key: where it would be known, or which is like it, or which are known."""
    full_path = source.full_path(at)
    remedy = instead(full_path) or instead(at)
    known = [field.name for field in dataclasses.fields(_dataclasses_in(_field(kind, at)[1])[0])]
    near = join_path(remedy) if remedy else next(iter(difflib.get_close_matches(str(at[-1]), known, 1)), "")
    return f"unknown key {join_path(full_path)}; " + (
        f"did you mean {near}?" if near else f"known here: {', '.join(known)}"
    )


def _describe_type(hint: Any) -> str:
    """What a type of field wants, in words."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint in _WANTED:
        return _WANTED[hint]
    if origin is typing.Literal:
        *others, last = map(repr, inner)
        return f"{', '.join(others)} or {last}" if others else last
    if origin in (tuple, Sequence):
        return f"a list of {_describe_type(inner[0])}"
    if origin in (typing.Union, types.UnionType):
        return ", or ".join(map(_describe_type, inner))
    return "keys and values"


def _meant(value: Any, hint: Any) -> Any:
    """A value as it is meant by who writes it for a field of this type."""
    inner = typing.get_args(hint)
    if isinstance(value, Mapping):
        kinds = _dataclasses_in(hint)
        hints = typing.get_type_hints(kinds[0]) if kinds else {}
        return {_meant(key, str): _meant(entry, hints.get(key)) for key, entry in value.items()}
    if typing.get_origin(hint) in (tuple, Sequence):
        listed = [value] if type(value) in (str, int) else value
        return [_meant(item, inner[0]) for item in listed] if isinstance(listed, (list, tuple)) else listed
    return str(value) if hint is str and type(value) is int else value
