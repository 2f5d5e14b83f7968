"""Texts and pairs in the forms in which people hold them: lists, iterators, pandas, Arrow, 🤗 Datasets.

    read_pairs([("He go .", "He goes .")])                      a list of pairs
    read_pairs([{"source": "He go .", "target": "He goes ."}])  rows, so also a 🤗 `Dataset`
    read_pairs({"source": [...], "target": [...]})              columns, so also a batch of `Dataset.map`
    read_pairs(frame, source="original", target="corrected")    a pandas `DataFrame` or an Arrow `Table`

No library is imported: an object is known by the package of its class.
"""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cache, wraps
from inspect import signature
from numbers import Integral, Number, Real
from os import PathLike
from pathlib import Path
from types import SimpleNamespace, UnionType
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar
from unicodedata import category

from gec_fair.errors import ArgumentError, InputError, UsageError
from gec_fair.runs.json_files import HALF_PAIR, is_unicode

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Texts: TypeAlias = Any
"""A list, an iterator, a pandas `Series`, an Arrow array or a column of a 🤗 `Dataset`, of strings."""
Rows: TypeAlias = Any
"""Dicts, a dict of columns, a pandas `DataFrame`, an Arrow `Table` or a 🤗 `Dataset`."""
Pairs: TypeAlias = Any
"""Pairs of strings, rows or columns with a source and a target, a `DataFrame`, an Arrow `Table` or a 🤗 `Dataset`."""
Missing: TypeAlias = Literal["refuse", "drop"]
"""What to do with a row whose text is None, NaN or empty: refuse it, or leave it out and count it."""

_COLUMN_TYPES = ("Series", "Index", "ChunkedArray", "StringArray", "ndarray")
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible letters and signs: fillers of Hangul, the empty pattern of Braille."""
_NO_LABELS = (bytes, list, tuple, set, dict)


@dataclass(frozen=True, slots=True)
class TextRows:
    """Rows whose texts are strings, each behind its place; `dropped` is how many others were left out."""

    rows: tuple[tuple[str, Mapping[str, Any]], ...]
    dropped: int = 0


def is_lazy(values: object) -> bool:
    """Whether values come one by one and have no length, as those of a generator."""
    return isinstance(values, Iterator)


def is_table(values: object) -> bool:
    """Whether values are columns: a dict of them, a data frame, an Arrow table or a 🤗 `Dataset`."""
    return isinstance(values, Mapping) or type(values).__name__ in ("DataFrame", "Table", "Dataset")


def one_or_more(values: Any, name: str = "names") -> list[Any]:
    """A list of names or paths; one string or path is a list of one."""
    if isinstance(values, str | Path):
        return [values]
    _check_iterable(values, name, _EXPECTED.get(name, "a name or a path, or a list of them"))
    return list(values)


def wrong_argument(name: str, value: object, expected: str) -> ArgumentError:
    """The error for an argument of another type: what it is called, what it is, what to give."""
    return ArgumentError(name, _kind(value), expected)


def check_arguments(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The function with an ArgumentError for an argument that is not of its annotation's type: a number, a string, a
    path, a flag, or a list of them. Who reads texts, pairs and systems checks these."""
    parameters = signature(function)

    @wraps(function)
    def check(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            arguments = parameters.bind(*args, **kwargs).arguments
        except TypeError:  # Python says it better
            return function(*args, **kwargs)
        for name, value in arguments.items():
            _check(name, value, _kinds(function, name))
        return function(*args, **kwargs)

    return check


def check_argument(name: str, value: object, hint: Any) -> None:
    """ArgumentError for a value that is not of a type; those that are not checked here pass."""
    _check(name, value, tuple(_plain_kinds(hint)))


def _check(name: str, value: object, kinds: tuple[Any, ...]) -> None:
    if None not in kinds and not any(_is_a(value, kind) for kind in kinds):
        expected = _EXPECTED.get(name) or " or ".join(dict.fromkeys(map(_in_words, kinds)))
        raise wrong_argument(name, value, expected)


@cache
def _kinds(function: Callable[..., Any], name: str) -> tuple[Any, ...]:
    """The types that an argument may have; None among them for one that is not checked here."""
    annotation = SimpleNamespace(__annotations__={name: function.__annotations__[name]})
    try:
        hint = typing.get_type_hints(annotation, globalns=function.__globals__)[name]
    except NameError:  # a type that is imported for type checkers alone
        return (None,)
    return tuple(_plain_kinds(hint))


def _plain_kinds(hint: Any) -> Iterator[Any]:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, UnionType):
        for part in inner:
            yield from _plain_kinds(part)
    elif origin is Literal:
        yield from dict.fromkeys(map(type, inner))
    elif origin in (Sequence, tuple):
        kinds = tuple(kind for part in inner if part is not ... for kind in _plain_kinds(part))
        yield None if None in kinds or any(isinstance(kind, tuple) for kind in kinds) else kinds
    else:
        yield hint if hint in _WORDS else None


_EXPECTED = {
    "evalset": 'the name of an evaluation set, such as "they-probe", or a folder',
    "evalsets": 'names of evaluation sets, such as "they-probe", or folders',
    "model": "the folder of a language model, or its name on the hub",
}
_WORDS = {
    int: "an integer",
    float: "a number",
    bool: "True or False",
    str: "a string",
    Path: "a path",
    type(None): "None",
}


def _is_a(value: object, kind: Any) -> bool:
    if isinstance(kind, tuple):
        is_list = isinstance(value, Sized) and isinstance(value, Iterable) and not isinstance(value, str | bytes)
        return is_list and all(any(_is_a(part, inner) for inner in kind) for part in value)  # type: ignore[attr-defined]
    if kind is bool:
        return type(value).__name__ in ("bool", "bool_")  # NumPy's too
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    return isinstance(value, PathLike if kind is Path else kind)


def _in_words(kind: Any) -> str:
    if not isinstance(kind, tuple):
        return _WORDS[kind]
    return "a list of " + " or ".join(dict.fromkeys(_WORDS[inner].split(" ")[-1] + "s" for inner in kind))


def _check_iterable(values: object, name: str, expected: str) -> None:
    if isinstance(values, set | frozenset):
        raise UsageError(f"{name}: a set has no order; give a list")
    if not hasattr(values, "__iter__") and not hasattr(values, "__getitem__"):
        raise wrong_argument(name, values, expected)


def read_texts(texts: Texts, name: str = "texts") -> Iterator[str]:
    """The texts, one by one. UsageError for one string, and for a value that is not a string, with its number."""
    if isinstance(texts, str | bytes):
        raise UsageError(f"{name}: one string; give a list of texts, such as [{texts!r}]")
    if is_table(texts):
        raise UsageError(f"{name}: a table; give one of its columns, such as {name}['text']")
    _check_iterable(texts, name, "a list of texts")
    for number, text in enumerate(values_of(texts), 1):
        if not isinstance(text, str):
            raise UsageError(f"{name}: number {number} is {_kind(text)}, not a string; remove it or replace it")
        if not is_unicode(text):
            raise UsageError(f"{name}: number {number} {HALF_PAIR}; replace it")
        yield text


def rows_with_texts(
    rows: Iterable[tuple[str, Mapping[str, Any]]],
    columns: Sequence[str],
    *,
    labels: Sequence[str] = (),
    optional: Sequence[str] = (),
    missing: Missing = "refuse",
) -> TextRows:
    """The rows, each given behind its place (`scores: row 3`), whose `columns` hold texts and whose `labels` hold a
    value. The texts of `optional` columns may be empty.

    A row without one of the columns is not this function's business: it passes. With "drop" a row that has None, NaN or
    an empty text there is left out and counted. UsageError, with place, column and type, for any other value that is
    not a string, and for a label that is a list, an object or bytes.
    """
    if missing not in ("refuse", "drop"):
        raise UsageError(f"missing is {missing!r}; choose refuse or drop")
    complete: list[tuple[str, Mapping[str, Any]]] = []
    dropped = 0
    for place, row in rows:
        has_gap = any(is_missing(row[column]) for column in optional if column in row) or any(
            is_missing(row[column]) or is_blank(row[column]) for column in (*columns, *labels) if column in row
        )
        if missing == "drop" and has_gap:
            dropped += 1
            continue
        if fault := text_fault(row, columns, labels, optional):
            remedy = ", or leave such rows out with missing='drop' (--missing drop)" if has_gap else ""
            raise UsageError(f"{place}: {fault}; remove it or replace it{remedy}")
        complete.append((place, row))
    return TextRows(tuple(complete), dropped)


def text_fault(
    row: Mapping[str, Any], columns: Sequence[str], labels: Sequence[str] = (), optional: Sequence[str] = ()
) -> str:
    """What is wrong with the texts and the labels of a row, with column and type; "" if nothing is. Labels may be
    numbers, and `optional` texts may be empty."""
    for column in (*columns, *optional):
        if column in row and not isinstance(row[column], str):
            return f"{column} is {_kind(row[column])}, not a string"
        if not is_unicode(str(row.get(column, ""))):
            return f"{column} {HALF_PAIR}"
    for column in (*columns, *labels):
        if column in row and is_blank(row[column]):
            return f"{column} is empty"
    for column in labels:
        if column in row and (is_missing(row[column]) or isinstance(row[column], _NO_LABELS)):
            return f"{column} is {_kind(row[column])}, not a label"
    return ""


def is_missing(value: object) -> bool:
    """Whether a value says that there is none: None, NaN, pandas' NA and NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Number) and value != value


def is_blank(value: object) -> bool:
    """Whether a value is a text that is empty, or holds only white space and invisible signs."""
    return isinstance(value, str) and not any(category(sign)[0] in "LNPS" and sign not in _FILLERS for sign in value)


def read_pairs(pairs: Pairs, *, source: str, target: str) -> Iterator[tuple[object, object]]:
    """Source and target of each pair, of any type. UsageError for what has no such columns, or is not a pair."""
    if isinstance(pairs, str | bytes):
        raise UsageError("pairs: one string; give a list of (source, target), or a file to gec_fair.augment_corpus")
    _check_iterable(pairs, "pairs", "a list of (source, target), or a table with these columns")
    library = type(pairs).__module__.partition(".")[0]
    if library == "numpy":
        pairs = pairs.tolist()
    if isinstance(pairs, Mapping) or library in ("pandas", "pyarrow"):
        yield from _zip_columns([_column(pairs, source), _column(pairs, target)], "pairs")
        return
    for number, pair in enumerate(pairs, 1):
        if isinstance(pair, Mapping):
            yield _field(pair, source, number), _field(pair, target, number)
        elif isinstance(pair, tuple | list) and len(pair) == 2:
            yield pair[0], pair[1]
        else:
            raise UsageError(f"pairs: number {number} is {_kind(pair)}, not a pair; give (source, target)")


def read_rows(table: Rows, name: str = "rows") -> Iterator[Mapping[str, Any]]:
    """The rows of a table as dicts. UsageError for a row of another kind, with its number."""
    expected = "a table, or a list of dicts with its columns"
    if isinstance(table, str | bytes) or type(table).__name__ in _COLUMN_TYPES:
        raise wrong_argument(name, table, expected)
    _check_iterable(table, name, expected)
    library = type(table).__module__.partition(".")[0]
    if library == "pandas":
        refuse_twice(table.columns, name)
        yield from table.to_dict("records")
        return
    if library == "pyarrow":
        refuse_twice(table.column_names, name)
        yield from table.to_pylist()
        return
    if isinstance(table, Mapping):
        columns = {key: values_of(column) for key, column in table.items()}
        yield from (dict(zip(columns, row, strict=True)) for row in _zip_columns(list(columns.values()), name))
        return
    for number, row in enumerate(table, 1):
        if not isinstance(row, Mapping):
            raise UsageError(f"{name}: number {number} is {_kind(row)}, not a row; give a dict with the columns")
        yield row


def refuse_twice(names: Iterable[str], where: str) -> None:
    """InputError for two columns of one name, of which one would be lost."""
    if twice := [name for name, number in Counter(names).items() if number > 1]:
        raise InputError(f"{where}: the column {twice[0]!r} is there twice; give each column its own name")


def values_of(column: Any) -> Iterable[Any]:
    """The values of a column; an Arrow array's are not Python's."""
    library = type(column).__module__.partition(".")[0]
    return column.to_pylist() if library == "pyarrow" else column  # type: ignore[no-any-return]


def _zip_columns(columns: Sequence[Iterable[Any]], name: str) -> Iterator[tuple[Any, ...]]:
    """The rows of columns. UsageError for columns of other lengths."""
    try:
        yield from zip(*columns, strict=True)
    except ValueError as fault:
        raise UsageError(f"{name}: its columns are not of one length; give a value of each for every row") from fault


def _column(table: Any, name: str) -> Iterable[Any]:
    names = list(getattr(table, "column_names", None) or table.keys())
    refuse_twice(names, "pairs")
    if name not in names:
        raise UsageError(
            f"pairs: no column {name!r} among {', '.join(map(repr, names))}; name the columns with source= and target="
        )
    return values_of(table[name])


def _field(row: Mapping[str, Any], name: str, number: int) -> Any:
    if name not in row:
        raise UsageError(
            f"pairs: number {number} has no {name!r} among {', '.join(map(repr, row))}; name the columns with "
            "source= and target="
        )
    return row[name]


def _kind(value: object) -> str:
    if is_missing(value):
        return "None" if value is None else "NaN"
    return f"of type {type(value).__name__}"
