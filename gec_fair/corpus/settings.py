"""Options from YAML: one frozen dataclass, every key known, every value of its type, faults told by line.

A settings file holds what its dataclass has fields for, nested as the dataclass is nested. YAML is read safely.
"""

from __future__ import annotations

import dataclasses
import difflib
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ConfigDict, TypeAdapter, ValidationError

from gec_fair.errors import InputError, UsageError

Options = TypeVar("Options")
Path_ = tuple[int | str, ...]
Where = typing.Callable[[Path_], str]


def read_settings(
    path: Path, kind: type[Options], *, changes: Mapping[str, Any] | None = None, part: str = ""
) -> Options:
    """The options in a YAML file as a `kind`, a (frozen) dataclass; in a file with the key `part`, what is under it.
    `changes` are laid over them: dotted keys.

    InputError (file, line, what is known) for a file that cannot be read, an unknown key, a value of another type or
    one that the dataclass refuses.
    """
    whole, where = read_yaml(path)
    inside = (part,) if part and isinstance(whole.get(part), dict) else ()
    given = whole[part] if inside else whole
    for key, value in (changes or {}).items():
        _lay(given, key.split("."), value)
    return checked(given, kind, lambda at: where((*inside, *at)))


def read_yaml(path: Path, *, changes: Mapping[str, Any] | None = None) -> tuple[dict[str, Any], Where]:
    """The keys and values of a YAML file, and a function that names the place (`file:line`) of a path of keys."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); give a YAML file of settings") from fault
    except UnicodeDecodeError as fault:
        raise InputError(f"{path}: is not UTF-8 at byte {fault.start}; convert it, for example with iconv") from fault
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        given = yaml.safe_load(text)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        raise InputError(f"{where}: is no YAML ({getattr(fault, 'problem', fault)}); mend this line") from fault
    _refuse_twice(path, node)
    given = {} if given is None else given
    if not isinstance(given, dict):
        raise InputError(f"{path}:1: expected keys and values, found {type(given).__name__}")
    for key, value in (changes or {}).items():
        _lay(given, key.split("."), value)
    return given, lambda at: f"{path}:{_line(node, at)}"


def _refuse_twice(path: Path, node: Any) -> None:
    """InputError for a key that a mapping has twice: YAML would take the last, in silence."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                raise InputError(f"{path}:{key.start_mark.line + 1}: {key.value} is there twice; delete one")
            seen.add(str(key.value))
            _refuse_twice(path, value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_twice(path, value)


def checked(given: Mapping[str, Any], kind: type[Options], where: Where) -> Options:
    """Values as a `kind`. `where` names the place of a key path for the message of the InputError."""
    try:
        return TypeAdapter(_strict(kind)).validate_python(given)
    except ValidationError as fault:
        wrong = fault.errors(include_url=False)[0]
        at = tuple(wrong["loc"])
        name = ".".join(map(str, at))
        if wrong["type"] == "unexpected_keyword_argument":
            known = _fields_at(kind, at[:-1])
            near = difflib.get_close_matches(str(at[-1]), known, 1)
            remedy = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
            raise InputError(f"{where(at)}: unknown key {name}; {remedy}") from fault
        if wrong["type"] in ("missing", "missing_argument"):
            raise InputError(f"{where(at[:-1])}: {name} is missing; add it") from fault
        raise InputError(f"{where(at)}: {name}: {wrong['msg'].removeprefix('Value error, ')}") from fault
    except UsageError as fault:  # what a dataclass refuses, said by itself
        at = _refusing(given, kind)
        name = "".join(f"{key}." for key in at)
        first = str(fault).partition(" ")[0]  # such messages begin with the name of the field
        raise InputError(f"{where((*at, first))}: {name}{fault}") from fault


def as_dict(options: Any) -> dict[str, Any]:
    """The options as plain values, to be written beside the result."""
    plain: dict[str, Any] = TypeAdapter(type(options)).dump_python(options, mode="json")
    return plain


def changes_of(pairs: Sequence[str]) -> dict[str, Any]:
    """`key=value` words of a command line; values are read as YAML. UsageError for a word without `=`."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--set wants key=value, not {pair!r}; for example --set training.steps=100")
        try:
            found[key] = yaml.safe_load(value)
        except yaml.YAMLError as fault:
            raise UsageError(f"--set {pair}: {value!r} is no YAML value") from fault
    return found


def _refusing(given: Any, kind: type[Any]) -> Path_:
    """Where the innermost dataclass stands that refuses its values."""
    for name, hint in typing.get_type_hints(kind).items():
        for inner in _dataclasses_in(hint):
            if isinstance(given.get(name), Mapping):
                try:
                    TypeAdapter(inner).validate_python(given[name])
                except UsageError:
                    return (name, *_refusing(given[name], inner))
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
    found = [kind]
    for hint in typing.get_type_hints(kind).values():
        for inner in _dataclasses_in(hint):
            found += _parts(inner)
    return found


def _fields_at(kind: type[Any], at: Path_) -> list[str]:
    for key in at:
        if isinstance(key, int):
            continue
        hint = typing.get_type_hints(kind).get(key)
        inner = _dataclasses_in(hint)
        if inner:
            kind = inner[0]
    return [field.name for field in dataclasses.fields(kind)]


def _line(node: yaml.Node | None, at: Path_) -> int:
    """The line of the key at the end of the path, or of the last one that is there."""
    line = 1
    for key in at:
        if isinstance(node, yaml.MappingNode):
            hits = [(k, v) for k, v in node.value if k.value == str(key)]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            hits = [(node.value[key], node.value[key])]
        else:
            hits = []
        if not hits:
            return line
        line = hits[0][0].start_mark.line + 1
        node = hits[0][1]
    return line


def _lay(given: dict[str, Any], keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        given = given.setdefault(key, {})
        if not isinstance(given, dict):
            raise UsageError(f"--set {'.'.join(keys)}: {key} is one value, it has no keys in it")
    given[keys[-1]] = value
