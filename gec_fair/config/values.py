"""The values of a YAML file and of what a command line lays over them, each with the place where it stands; the values
of a TOML file."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from gec_fair.config.files import find_settings, suggest_settings
from gec_fair.errors import InputError, UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LARGEST = 1 << 20
"""Bytes of a file of settings."""
_MOST_ALIASES = 100
_DEEPEST = 100  # levels
_MOST_VALUES = 100_000
"""The most values of a file whose aliases are written out."""
_PART_OF_KEY = re.compile(r"[\w\"'-][ \t]*\.")
KeyPath = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where values come from: a YAML file (`node` is its text, with lines from `line` on; `file` its values), and
    `laid`, the paths of keys that --set gave, with their values. `above` are the keys over the values in question."""

    path: Path
    node: yaml.Node | None
    file: Mapping[str, Any]
    laid: Mapping[KeyPath, Any] = field(default_factory=dict)
    above: KeyPath = ()
    line: int = 1

    def under(self, *keys: str) -> Source:
        """The same source, for the values under some keys."""
        return replace(self, above=(*self.above, *keys))

    def part(self, key: str) -> Source:
        """What is under a key of the file, as if it were all of it; the whole file if the key is absent."""
        inside = self.file.get(key)
        if not isinstance(inside, dict) or self.node is None:
            return self
        node = {name.value: value for name, value in self.node.value}.get(key)
        return replace(self, node=node, file=inside, line=_line(self.node, (key,))[0])

    def values(self, *, without: KeyPath | None = None) -> Any:
        """The values in question; `without` one of those that were laid. UsageError for keys in what is one value."""
        values = deepcopy(dict(self.file))
        for keys, value in self.laid.items():
            if keys != without:
                _lay(values, keys, value)
        for key in self.above:
            values = values.get(str(key), {})
        return values

    def place(self, at: KeyPath) -> str:
        """`--set key=value` where that gave what is at a path of keys, else `file:line`."""
        changed = self._find_changed(at)
        return (
            self.describe_change(changed)
            if changed
            else f"{self.path}:{_line(self.node, (*self.above, *at), self.line)[0]}"
        )

    def describe_change(self, keys: KeyPath) -> str:
        """The words that laid a value."""
        value = self.laid[keys]
        return f"--set {join_path(keys)}={value if isinstance(value, str) else show(value)}"

    def full_path(self, at: KeyPath) -> KeyPath:
        """A path as it was asked for: `--set training.steps=3` asks for more than the `training` that is unknown."""
        changed = (self._find_changed(at) or ())[len(self.above) :]
        return changed if len(changed) > len(at) else at

    def _find_changed(self, at: KeyPath) -> KeyPath | None:
        """The keys of the --set that gave what is at a path, or that alone speaks of it."""
        at = (*self.above, *at)
        line = _line(self.node, at, self.line)[1]
        hits = [keys for keys in self.laid if at[: len(keys)] == keys or (not line and keys[: len(at)] == at)]
        return max(hits, key=len, default=None)


def read_yaml(path: Path, *, changes: Mapping[str, Any] | None = None) -> Source:
    """The keys and values of a YAML file, which may be named as `gec-fair settings list` does, and of the `changes`
    (dotted keys) over it. InputError if it is not YAML or has no keys."""
    path = find_settings(path)
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        text = content.decode("utf-8-sig")
    except OSError as fault:
        near = suggest_settings(path) if isinstance(fault, FileNotFoundError) else ""
        remedy = "give a YAML file of settings, or a name of `gec-fair settings list`"
        raise InputError(f"{path}: cannot be read ({fault.strerror}){near}; {remedy}") from fault
    except UnicodeDecodeError as fault:
        raise InputError(f"{path}: is not UTF-8 at byte {fault.start}; convert it, for example with iconv") from fault
    if len(content) > _LARGEST:
        raise InputError(
            f"{path}: more than {_LARGEST >> 20} MiB, which are not settings; give a YAML file of settings"
        )
    node, value = _parse_yaml(text, path)
    if node is None:
        raise InputError(f"{path}: holds no settings; gec-fair settings list has files to begin with")
    _refuse_twice(path, node)
    if not isinstance(value, dict):
        raise InputError(f"{path}:1: expected keys and values, found {type(value).__name__}")
    return Source(path, node, value, {tuple(key.split(".")): value for key, value in (changes or {}).items()})


def read_toml(path: Path, remedy: str) -> dict[str, Any]:
    """The keys and values of a TOML file. InputError, with the remedy, for one that cannot be read, is not TOML, or is
    larger or nested more deeply than anyone writes: its reader takes minutes for a key of ten thousand parts."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise InputError(f"{path}: has more than {_LARGEST >> 20} MiB; {remedy}")
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
        if any(line.count(".") > _DEEPEST < len(_PART_OF_KEY.findall(line)) for line in text.split("\n")):
            raise RecursionError
        return tomllib.loads(text)
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); {remedy}") from fault
    except RecursionError as fault:
        raise InputError(f"{path}: is nested too deeply to be read; {remedy}") from fault
    except ValueError as fault:  # not TOML, not UTF-8, or a number of thousands of digits
        raise InputError(f"{path}: is not a TOML file ({fault}); {remedy}") from fault


def read_value(text: str) -> Any:
    """One value of a command line, written as YAML. InputError for what is none."""
    return _parse_yaml(text, None)[1] if text else ""


def _parse_yaml(text: str, path: Path | None) -> tuple[yaml.Node | None, Any]:
    """The tree and the value. InputError, with the line in a file, for what is not YAML, and for anchors and aliases
    that stand for more than anyone writes."""
    try:
        _refuse_extravagant(text, path)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if _size(node, {}) > _MOST_VALUES:
            raise InputError(
                f"{path or text}: its aliases (*) stand for more than {_MOST_VALUES:,} values; write them out"
            )
        return node, yaml.safe_load(text)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark and path else str(path or text)
        raise InputError(f"{where}: is not valid YAML ({getattr(fault, 'problem', fault)}); mend this line") from fault
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as fault:  # of a date or a number
        raise InputError(f"{path or text}: has a value that YAML cannot read ({fault}); put it in quotes") from fault


def _refuse_extravagant(text: str, path: Path | None) -> None:
    """InputError for more aliases, or deeper nesting, than settings have. Before a tree is made: PyYAML
    takes minutes for a deep one."""
    aliases = depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        aliases += isinstance(event, yaml.AliasEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if aliases > _MOST_ALIASES:
            raise InputError(f"{path or text}: more than {_MOST_ALIASES} aliases (*); write the values out")
        if depth > _DEEPEST:
            raise InputError(f"{path or text[:_DEEPEST]}: is nested too deeply to be read; mend its brackets")


def _size(node: Any, sizes: dict[int, int]) -> int:
    """How many values a tree has once its aliases are written out. One that is inside itself has no end."""
    if sizes.get(id(node)) == 0:
        return _MOST_VALUES + 1
    if id(node) not in sizes:
        sizes[id(node)] = 0
        parts = node.value if isinstance(node, yaml.CollectionNode) else ()
        sizes[id(node)] = 1 + sum(
            _size(part, sizes) for entry in parts for part in (entry if isinstance(entry, tuple) else (entry,))
        )
    return sizes[id(node)]


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


def join_path(keys: KeyPath) -> str:
    """A path of keys as `--set` writes it: `training.steps`."""
    return ".".join(map(str, keys))


def show(value: Any) -> str:
    """A value as YAML and messages show it, on one line."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _line(node: yaml.Node | None, at: KeyPath, line: int = 1) -> tuple[int, bool]:
    """The line of the key at the end of the path, or of the last one that is there (`line` if there is none); and
    whether all are."""
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


def _lay(values: dict[str, Any], keys: KeyPath, value: Any) -> None:
    for key in keys[:-1]:
        values = values.setdefault(str(key), {})
        if not isinstance(values, dict):
            raise UsageError(f"--set {join_path(keys)}: {key} is one value, it has no keys in it")
    values[str(keys[-1])] = value
