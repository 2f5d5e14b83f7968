"""An option, said once: a field of a frozen dataclass, with its type, its default and the text below it.

    @dataclass(frozen=True, kw_only=True)
    class Reading:
        limit: Annotated[int | None, Option("N", least=1)] = None
        "Stop after N lines."

From the field come the option `--limit N` of the command (`cli.options.command`), the keyword `limit=` of the function
(`data.keywords`), the key `limit` of a settings file (`config.settings`), and the entries of the reference.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from itertools import pairwise
from math import inf, isfinite
from numbers import Real
from pathlib import Path
from typing import Any, Literal, TypeVar

from gec_fair.errors import UsageError

Kind = TypeVar("Kind")
_MARKS = re.compile(r"[`*]")  # of Markdown


@dataclass(frozen=True, slots=True)
class Option:
    """What the command line has of a field beside its name and type."""

    metavar: str = ""
    """What stands for the value in the help."""
    flags: str = ""
    """Where `--name-of-the-field` is not wanted: `-o --output`."""
    least: float | None = None
    """The smallest value."""
    most: float | None = None
    """The largest value."""
    separator: str = ""
    """What divides a list that is one word, such as `A,B`; otherwise the option is given once for each item."""
    is_argument: bool = False
    """Whether it is given by its place."""
    is_keyword: bool = False
    """Whether only the Python function has it."""
    methods: tuple[str, ...] = ()
    """The values of the field `method` that it means something for; all if empty."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field as the command line, the keywords and the reference see it."""

    name: str
    annotation: Any
    """Its type."""
    default: Any
    """MISSING where it must be given."""
    meaning: str
    option: Option

    @property
    def hint(self) -> Any:
        """Its type, without None."""
        parts = [part for part in _parts(self.annotation) if part is not type(None)]
        return parts[0] if len(parts) == 1 else self.annotation

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values of a Literal, or of a list of them."""
        hint = self.item or self.hint
        return typing.get_args(hint) if typing.get_origin(hint) is Literal else ()

    @property
    def item(self) -> Any:
        """The type of the items of a list; None for one value."""
        is_list = typing.get_origin(self.hint) in (tuple, Sequence)
        return typing.get_args(self.hint)[0] if is_list else None

    @property
    def is_mapping(self) -> bool:
        """Whether it is keys with values."""
        return typing.get_origin(self.hint) is Mapping

    @property
    def is_path(self) -> bool:
        """Whether it is a path, or a list of paths."""
        return Path in _parts(self.item or self.hint)

    @property
    def words(self) -> str:
        """The meaning without marks of Markdown."""
        return _MARKS.sub("", self.meaning)


@cache
def fields_of(kind: type[Any]) -> tuple[Field, ...]:
    """The fields of a dataclass, in their order."""
    hints = typing.get_type_hints(kind, include_extras=True)
    meanings = meanings_of(kind)
    return tuple(
        Field(field.name, *_split(hints[field.name], default_of(field), meanings.get(field.name, "")))
        for field in fields(kind)
    )


def default_of(field: Any) -> Any:
    """The default of a field of a dataclass; MISSING where it has none."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def _split(hint: Any, default: Any, meaning: str) -> tuple[Any, Any, str, Option]:
    option = next((mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Option)), Option())
    return hint.__origin__ if hasattr(hint, "__metadata__") else hint, default, meaning, option


def _parts(hint: Any) -> tuple[Any, ...]:
    """The types of a union."""
    is_union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    return typing.get_args(hint) if is_union else (hint,)


def meanings_of(kind: type) -> dict[str, str]:
    """The text below each field, on one line: Python keeps it in the source alone. Those of base classes too."""
    texts: dict[str, str] = {}
    for part in reversed(kind.__mro__):
        if is_dataclass(part):
            texts |= _texts(part.__module__).get(part.__name__, {})
    return texts


@cache
def _texts(module: str) -> Mapping[str, Mapping[str, str]]:
    """By class the texts below its fields."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: dict(_texts_in(node)) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _texts_in(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for pair in pairwise(node.body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())


def part(options: Any, kind: type[Kind]) -> Kind:
    """The fields of another dataclass, of a base class for example, as one of these."""
    names = [field.name for field in fields(kind) if hasattr(options, field.name)]  # type: ignore[arg-type]
    return kind(**{name: getattr(options, name) for name in names})


def check_fields(options: Any) -> None:
    """UsageError for a field of a Literal that has none of its values, and for a number outside its range."""
    for field in fields_of(options.__class__):
        value = getattr(options, field.name)
        for item in value if field.item and value is not None else (value,):
            if field.choices and item not in (*field.choices, field.default):
                *others, last = field.choices
                raise UsageError(f"{field.name} is {', '.join(map(str, others))} or {last}, not {item!r}")
            limits = {"least": field.option.least, "most": field.option.most}
            _check_number(field.name, item, **{name: limit for name, limit in limits.items() if limit is not None})


def check_range(
    options: Any, *names: str, least: float = -inf, above: float = -inf, below: float = inf, most: float = inf
) -> None:
    """UsageError for one of these fields that is not a number, or is outside a range, NaN or infinite. None passes."""
    for name in names:
        if not isinstance(value := getattr(options, name), Real | None):
            raise UsageError(f"{name} is {value!r}; it must be a number")
        _check_number(name, value, least=least, above=above, below=below, most=most)


def _check_number(
    name: str, value: Any, *, least: float = -inf, most: float = inf, above: float = -inf, below: float = inf
) -> None:
    limits = {"at least": least, "more than": above, "less than": below, "at most": most}
    words = " and ".join(f"{word} {limit:g}" for word, limit in limits.items() if isfinite(limit))
    is_number = isinstance(value, Real)  # NumPy's too
    if is_number and not (least <= value <= most and above < value < below):
        raise UsageError(f"{name} is {value}; it must be {words or 'a number'}")
