"""Functions whose keywords are the fields of a frozen dataclass.

@keywords(MixOptions)
def mix(original: Path, options: MixOptions) -> Mixed: ...

mix("pairs.tsv", seed=3)      # mypy knows `seed` from the dataclass, and so does help(mix)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from inspect import cleandoc, signature
from operator import length_hint
from textwrap import fill, indent
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from gec_fair.config.options import Field, check_fields, fields_of
from gec_fair.config.suggest import refuse_unknown
from gec_fair.data.columns import check_argument, check_arguments, is_lazy, one_or_more
from gec_fair.progress import show_progress

Fields = ParamSpec("Fields")
First = TypeVar("First")
Second = TypeVar("Second")
Options = TypeVar("Options")
Options_co = TypeVar("Options_co", covariant=True)
Result = TypeVar("Result")
One = TypeVar("One")
All = TypeVar("All")
One_co = TypeVar("One_co", covariant=True)
All_co = TypeVar("All_co", covariant=True)
_WIDTH = 110


class Many(Protocol[Fields, One_co, All_co]):
    """A function of many items: one by one where they come one by one, else all."""

    @overload
    def __call__(self, items: Iterator[Any], *args: Fields.args, **kwargs: Fields.kwargs) -> Iterator[One_co]: ...
    @overload
    def __call__(self, items: Any, *args: Fields.args, **kwargs: Fields.kwargs) -> All_co: ...


class _Decorator(Protocol[Fields, Options_co]):
    """What makes a function of one or two arguments and the options one of keywords."""

    @overload
    def __call__(
        self, function: Callable[[First, Options_co], Result]
    ) -> Callable[Concatenate[First, Fields], Result]: ...
    @overload
    def __call__(
        self, function: Callable[[First, Second, Options_co], Result]
    ) -> Callable[Concatenate[First, Second, Fields], Result]: ...


def keywords(kind: Callable[Fields, Options]) -> _Decorator[Fields, Options]:
    """The function with the fields of `kind` as its keywords, in place of its last argument. They are checked, shown by
    `help`, and documented by the text below the fields."""
    return lambda function: _with_fields(function, kind)


def many(
    kind: Callable[Fields, Options], collect: Callable[[Iterable[Any]], All]
) -> Callable[[Callable[[Any, Options], Iterator[One]]], Many[Fields, One, All]]:
    """`keywords` of a generator: its results are collected unless its first argument is an iterator."""

    def decorate(function: Callable[[Any, Options], Iterator[One]]) -> Many[Fields, One, All]:
        @wraps(function)
        def run(items: Any, options: Options) -> Any:
            results = function(items, options)
            if is_lazy(items):
                return results
            total = length_hint(next(iter(items.values()), ()) if isinstance(items, Mapping) else items)
            most = getattr(options, "limit", None)
            return collect(show_progress(results, function.__name__, total=min(total, most or total) or None))

        return _with_fields(run, kind)  # type: ignore[no-any-return]

    return decorate


def _with_fields(function: Any, kind: Any) -> Any:
    known = {field.name: field for field in fields_of(kind)}
    *arguments, _ = signature(function).parameters.values()
    theirs = [
        parameter.replace(annotation=known[name].annotation) for name, parameter in signature(kind).parameters.items()
    ]
    combined = signature(function).replace(parameters=sorted([*arguments, *theirs], key=lambda argument: argument.kind))
    checked = check_arguments(function)

    @wraps(function)
    def with_keywords(*args: Any, **kwargs: Any) -> Any:
        refuse_unknown((name for name in kwargs if name not in combined.parameters), tuple(known))
        try:
            values = combined.bind(*args, **kwargs).arguments
        except TypeError as fault:
            raise TypeError(f"{function.__name__}(): {fault}") from None
        chosen = {name: _convert(known[name], values.pop(name)) for name in known if name in values}
        options = kind(**chosen)
        check_fields(options)
        return checked(*(values.get(parameter.name, parameter.default) for parameter in arguments), options)

    with_keywords.__signature__ = combined  # type: ignore[attr-defined]
    with_keywords.__doc__ = _document(function.__doc__ or "", [known[parameter.name] for parameter in theirs])
    return with_keywords


def _convert(field: Field, value: Any) -> Any:
    """A value that the dataclass can take: a list is a tuple. ArgumentError for one of another type."""
    if field.item and field.default is not None:
        return tuple(one_or_more(value, field.name))
    check_argument(field.name, value, field.annotation)
    return tuple(value) if field.item and value is not None else value


def _document(text: str, fields: Sequence[Field]) -> str:
    """A docstring with the meaning of each field behind its other arguments."""
    before, _, after = cleandoc(text).partition("Args:\n")
    before_args, gap, rest = after.partition("\n\n")
    entries = [fill(f"{field.name}: {field.meaning}", _WIDTH, subsequent_indent="    ") for field in fields]
    return f"{before}Args:\n{before_args}\n{indent(chr(10).join(entries), '    ')}{gap}{rest}"
