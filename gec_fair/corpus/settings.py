"""Options from YAML: one frozen dataclass, every key known, every value of its type, faults told by line.

A settings file holds what its dataclass has fields for, nested as the dataclass is nested. YAML is read safely. What
`--set` lays over a file is told as such, for the line of the file that it replaced is right.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ConfigDict, TypeAdapter, ValidationError

from gec_fair.errors import InputError, UsageError

Options = TypeVar("Options")
Path_ = tuple[int | str, ...]
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
_SHOWN = 80  # characters of a refused value


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """Where values come from: a YAML file (`node` is its text, with lines from `line` on; `file` its values), and
    `laid`, the paths of keys that --set gave, with their values. `above` are the keys over the values in question."""

    path: Path
    node: yaml.Node | None
    file: Mapping[str, Any]
    laid: Mapping[Path_, Any] = dataclasses.field(default_factory=dict)
    above: Path_ = ()
    line: int = 1

    def under(self, *keys: str) -> Source:
        return dataclasses.replace(self, above=(*self.above, *keys))

    def values(self, *, without: Path_ | None = None) -> Any:
        """The values in question; `without` one of those that were laid. UsageError for keys in what is one value."""
        found = deepcopy(dict(self.file))
        for keys, value in self.laid.items():
            if keys != without:
                _lay(found, keys, value)
        for key in self.above:
            found = found.get(str(key), {})
        return found

    def place(self, at: Path_) -> str:
        """`--set key=value` where that gave what is at a path of keys, else `file:line`."""
        asked = self._asked(at)
        return self.said(asked) if asked else f"{self.path}:{_line(self.node, (*self.above, *at), self.line)[0]}"

    def said(self, keys: Path_) -> str:
        """The words that laid a value."""
        value = self.laid[keys]
        return f"--set {_dotted(keys)}={value if isinstance(value, str) else _shown(value)}"

    def whole(self, at: Path_) -> Path_:
        """A path as it was asked for: `--set training.steps=3` asks for more than the `training` that is unknown."""
        asked = (self._asked(at) or ())[len(self.above) :]
        return asked if len(asked) > len(at) else at

    def _asked(self, at: Path_) -> Path_ | None:
        """The keys of the --set that gave what is at a path, or that alone speaks of it."""
        at = (*self.above, *at)
        there = _line(self.node, at, self.line)[1]
        hits = [keys for keys in self.laid if at[: len(keys)] == keys or (not there and keys[: len(at)] == at)]
        return max(hits, key=len, default=None)


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
    inside = source.file.get(part) if part else None
    if isinstance(inside, dict) and source.node is not None:
        node = {key.value: value for key, value in source.node.value}.get(part)
        source = dataclasses.replace(source, node=node, file=inside, line=_line(source.node, (part,))[0])
    source = dataclasses.replace(source, file={**source.file, **(flags or {})})

    def instead(keys: Path_) -> Path_ | None:
        return keys[1:] if keys[0] == part and knows(kind, keys[1:]) else None

    return checked(kind, source, instead=instead)


def read_yaml(path: Path, *, changes: Mapping[str, Any] | None = None) -> Source:
    """The keys and values of a YAML file, and of the `changes` (dotted keys) over it. InputError for what is none."""
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
    return Source(path, node, given, {tuple(key.split(".")): value for key, value in (changes or {}).items()})


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


def checked(
    kind: type[Options], source: Source, *, instead: Callable[[Path_], Path_ | None] = lambda keys: None
) -> Options:
    """The values of a source as a `kind`. One word where a list is wanted is a list of one; a number where text is
    wanted is its digits. `instead` answers where keys that are unknown here would be known, if anywhere.

    InputError with the place of what is wrong.
    """
    meant = _meant(source.values(), kind)
    try:
        return TypeAdapter(_strict(kind)).validate_python(meant)
    except ValidationError as fault:
        wrong = fault.errors(include_url=False)[0]
        at = tuple(wrong["loc"])
        if wrong["type"] == "unexpected_keyword_argument":
            raise InputError(f"{source.place(at)}: {_unknown(kind, at, source, instead)}") from fault
        if wrong["type"] in ("missing", "missing_argument"):
            raise InputError(f"{source.place(at[:-1])}: {_dotted(at)} is missing; add it") from fault
        at, hint = _field(kind, at)
        found = _shown(reduce(getitem, at, meant))[:_SHOWN]
        raise InputError(f"{source.place(at)}: {_dotted(at)}: expected {_wanted(hint)}, found {found}") from fault
    except UsageError as fault:  # what a dataclass refuses, said by itself
        at = _refusing(meant, kind)
        name = "".join(f"{key}." for key in at)
        first = str(fault).partition(" ")[0]  # such messages begin with the name of the field
        guilty = [keys for keys in source.laid if _would_do(source.values(without=keys), kind)]
        where = source.said(guilty[0]) if guilty else source.place((*at, first))
        raise InputError(f"{where}: {name}{fault}") from fault


def knows(kind: type[Any], keys: Path_) -> bool:
    """Whether a dataclass has a field at the end of a path of keys."""
    return bool(keys) and _field(kind, keys)[0] == keys


def as_dict(options: Any) -> dict[str, Any]:
    """The options as plain values, to be written beside the result."""
    plain: dict[str, Any] = TypeAdapter(type(options)).dump_python(options, mode="json")
    return plain


def changes_of(pairs: Sequence[str], *, example: str = "training.steps=100") -> dict[str, Any]:
    """`key=value` words of a command line; values are read as YAML. UsageError, with an example, for a word without
    `=`."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--set wants key=value, not {pair!r}; for example --set {example}")
        try:
            found[key] = yaml.safe_load(value)
        except yaml.YAMLError as fault:
            raise UsageError(f"--set {pair}: {value!r} is no YAML value") from fault
    return found


def _would_do(given: Any, kind: type[Any]) -> bool:
    try:
        TypeAdapter(kind).validate_python(_meant(given, kind))
    except (UsageError, ValidationError):
        return False
    return True


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


def _field(kind: type[Any], keys: Path_) -> tuple[Path_, Any]:
    """The innermost field on a path of keys, and its type; the dataclass itself where the first key is no field."""
    at: Path_ = ()
    hint: Any = kind
    for key in keys:
        inner = _dataclasses_in(hint)
        hints = typing.get_type_hints(inner[0]) if inner else {}
        if key not in hints:
            break
        at, hint = (*at, key), hints[str(key)]
    return at, hint


def _unknown(kind: type[Any], at: Path_, source: Source, instead: Callable[[Path_], Path_ | None]) -> str:
    """What is said of an unknown key: where it would be known, or which is like it, or which are known."""
    whole = source.whole(at)
    there = instead(whole) or instead(at)
    known = [field.name for field in dataclasses.fields(_dataclasses_in(_field(kind, at)[1])[0])]
    near = _dotted(there) if there else next(iter(difflib.get_close_matches(str(at[-1]), known, 1)), "")
    return f"unknown key {_dotted(whole)}; " + (f"did you mean {near}?" if near else f"known here: {', '.join(known)}")


def _dotted(keys: Path_) -> str:
    return ".".join(map(str, keys))


def _wanted(hint: Any) -> str:
    """What a type of field wants, in words."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint in _WANTED:
        return _WANTED[hint]
    if origin is typing.Literal:
        *others, last = map(repr, inner)
        return f"{', '.join(others)} or {last}" if others else last
    if origin is tuple:
        return f"a list of {_wanted(inner[0])}"
    if origin in (typing.Union, types.UnionType):
        return ", or ".join(map(_wanted, inner))
    return "keys and values"


def _meant(value: Any, hint: Any) -> Any:
    """A value as it is meant by who writes it for a field of this type."""
    inner = typing.get_args(hint)
    if isinstance(value, Mapping):
        kinds = _dataclasses_in(hint)
        hints = typing.get_type_hints(kinds[0]) if kinds else {}
        return {_meant(key, str): _meant(one, hints.get(key)) for key, one in value.items()}
    if typing.get_origin(hint) is tuple:
        listed = [value] if type(value) in (str, int) else value
        return [_meant(one, inner[0]) for one in listed] if isinstance(listed, (list, tuple)) else listed
    return str(value) if hint is str and type(value) is int else value


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _line(node: yaml.Node | None, at: Path_, line: int = 1) -> tuple[int, bool]:
    """The line of the key at the end of the path, or of the last one that is there (`line` where none is); and whether
    all are."""
    for key in at:
        if isinstance(node, yaml.MappingNode):
            hits = [(k, v) for k, v in node.value if k.value == str(key)]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            hits = [(node.value[key], node.value[key])]
        else:
            hits = []
        if not hits:
            return line, False
        line = hits[0][0].start_mark.line + 1
        node = hits[0][1]
    return line, True


def _lay(given: dict[str, Any], keys: Path_, value: Any) -> None:
    for key in keys[:-1]:
        given = given.setdefault(str(key), {})
        if not isinstance(given, dict):
            raise UsageError(f"--set {_dotted(keys)}: {key} is one value, it has no keys in it")
    given[str(keys[-1])] = value
