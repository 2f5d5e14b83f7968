"""Functions of the package exchanged while a benchmark runs, by name: `people/kin:is_kin`.

A function's code is exchanged, not its name, so every module, table and method that holds the function has the new one.
"""

from __future__ import annotations

import contextlib
import csv
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from types import FunctionType
from typing import Any

from report import FOLDER

RULES = FOLDER / "results" / "people-rules.tsv"
"""The registry of rules, with what each of them says where it has nothing to say (column `neutral`)."""
EMPTY: dict[str, Any] = {
    **dict.fromkeys(("Iterator", "Iterable", "Sequence", "tuple"), ()),
    **dict.fromkeys(("Collection", "frozenset"), frozenset()),
    "list": [],
    "set": set(),
    **{name: {} for name in ("dict", "Mapping")},
}


def find(name: str) -> FunctionType:
    """The function that a rule's name stands for, in the module or in one of its classes. KeyError if there is none."""
    file, _, function = name.partition(":")
    module = import_module(f"gec_fair.{file.replace('/', '.')}")
    classes = [
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    for place in (module, *classes):
        value = vars(place).get(function)
        value = getattr(value, "func", None) or getattr(value, "fget", None) or getattr(value, "__func__", value)
        if callable(value) and isinstance(inspect.unwrap(value), FunctionType):
            return inspect.unwrap(value)
    raise KeyError(name)


@contextlib.contextmanager
def replaced(name: str, make: Callable[[Any], Any]) -> Iterator[None]:
    """The function, while this lasts, as `make` makes it from the present one."""
    function = find(name)
    code, space = function.__code__, function.__globals__
    present = FunctionType(code, space, function.__name__, function.__defaults__, function.__closure__)
    present.__kwdefaults__ = function.__kwdefaults__
    hook = f"_hook_{id(function)}"
    exec(f"def {function.__name__}(*args, **options): return {hook}(*args, **options)", scope := {})
    space[hook] = make(present)
    function.__code__ = scope[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = code
        del space[hook]


def kind_of(name: str) -> str:
    """What the function returns: `bool`, `None`, the name of a collection, `optional`, or another type."""
    returned = str(find(name).__annotations__.get("return", ""))
    if returned.endswith("| None"):
        return "optional"
    return returned.partition("[")[0]


def neutral(name: str, usual: str) -> Callable[[Any], Any]:
    """For `replaced`: the answer of a rule that says nothing. `usual` is the commonest one, for a rule that answers
    with a word, a number, or yes or no. ValueError where there is no such answer."""
    kind = kind_of(name)
    if kind in ("None", "optional"):
        return lambda present: lambda *args, **options: None
    if kind in EMPTY:
        return lambda present: lambda *args, **options: type(EMPTY[kind])(EMPTY[kind])
    if kind == "bool" and usual in ("True", "False"):
        return lambda present: lambda *args, **options: usual == "True"
    if kind in ("int", "float", "str") and usual:
        return lambda present: lambda *args, **options: {"int": int, "float": float, "str": str}[kind](usual)
    raise ValueError(f"{name}: an answer of the kind {kind or 'unknown'} cannot be left out")


def read_rules() -> list[dict[str, str]]:
    with RULES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@contextlib.contextmanager
def switched_off(names: Sequence[str]) -> Iterator[None]:
    usual = {row["rule"]: row["neutral"] for row in read_rules()} if names else {}
    with contextlib.ExitStack() as stack:
        for name in names:
            if name not in usual:
                sys.exit(f"{name}: not in {RULES.name}")
            stack.enter_context(replaced(name, neutral(name, usual[name])))
        yield
