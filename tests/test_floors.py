"""Imports only go down: rooms by floor, no circle, and a module's name in a string counts as an import.

Imports inside functions and under TYPE_CHECKING count as well. `UPWARD` and `CIRCLES` list what is wrong today with the
reason. If you mend one, take it out; add nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import gec_fair

ROOT = Path(gec_fair.__file__).parent
FLOORS = (
    ("errors", "progress", "extras", "shipped", "version"),
    ("edits",),
    ("config", "runs", "report", "stats", "data"),
    ("registry",),
    ("corpus",),
    ("english", "people", "augmentation", "llm"),
    ("models", "classifiers", "evaluate", "changes"),
    ("trainer",),
    ("gec", "perturber", "lmbias"),
    ("fairscore", "razor", "babylm", "safety", "corpus_report"),
    ("api",),
    ("cli", "recipes", "__main__"),
)
INDEPENDENT = ({"gec", "perturber", "lmbias"}, {"fairscore", "razor", "babylm", "safety", "corpus_report"})
"""Rooms of one floor that do not import each other; on other floors one may, in one direction."""
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

UPWARD: dict[tuple[str, str], str] = {}
CIRCLES: dict[str, str] = {}
"""The first module of each circle, by the alphabet."""


@cache
def modules() -> dict[str, Path]:
    """Every module by its name without `gec_fair.`; the package itself is ""."""
    names = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


def imports(name: str, tree: ast.AST) -> set[str]:
    """The modules that a module names: in imports, and in strings that are a module's name or `module:attribute`."""
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            named |= {member if is_module(member) else node.module for member in members}
        elif isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named.add(node.value.partition(":")[0])
    return {target.removeprefix("gec_fair.") for target in named if is_module(target)} - {name}


def is_module(name: str) -> bool:
    return name.startswith("gec_fair.") and name.removeprefix("gec_fair.") in modules()


@cache
def graph() -> dict[str, set[str]]:
    return {name: imports(name, ast.parse(path.read_text(encoding="utf-8"))) for name, path in modules().items()}


def room(name: str) -> str:
    return name.partition(".")[0]


def points_up(importer: str, imported: str) -> bool:
    upper, lower = room(importer), room(imported)
    if not upper or upper == lower:  # the package itself is the front door
        return False
    return FLOOR[upper] < FLOOR[lower] or any({upper, lower} <= rooms for rooms in INDEPENDENT)


def circles(edges: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """The sets of nodes that all lead to each other, sorted."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(edges[start])
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += edges[node]
        return seen

    ways = {node: reached(node) for node in edges}
    left = {node for node in edges if node in ways[node]}
    while left:
        first = min(left)
        circle = {node for node in ways[first] if first in ways[node]}
        yield sorted(circle)
        left -= circle


def test_every_room_has_a_floor():
    assert {room(name) for name in modules()} - {""} <= set(FLOOR)


def test_imports_only_go_down():
    upward = {(name, target) for name, targets in graph().items() for target in targets if points_up(name, target)}
    assert sorted(upward - set(UPWARD)) == [], "imports that point up, or to a room that is to be independent"
    assert sorted(set(UPWARD) - upward) == [], "mended: take these out of UPWARD"


def test_no_modules_import_each_other_in_a_circle():
    found_circles = {circle[0]: circle for circle in circles(graph())}
    assert {first: circle for first, circle in found_circles.items() if first not in CIRCLES} == {}
    assert sorted(set(CIRCLES) - set(found_circles)) == [], "mended: take these out of CIRCLES"


def test_no_rooms_import_each_other_in_a_circle():
    edges: dict[str, set[str]] = {name: set() for name in FLOOR}
    for name, targets in graph().items():
        for target in targets:
            if room(name) and room(name) != room(target) and (name, target) not in UPWARD:
                edges[room(name)].add(room(target))
    assert list(circles(edges)) == []


@pytest.mark.parametrize(
    ("source", "expected", "why"),
    [
        ("from gec_fair.trainer import loop", {"trainer.loop"}, "a module by its package"),
        ("def f():\n    import gec_fair.trainer.once", {"trainer.once"}, "inside a function"),
        ("if TYPE_CHECKING:\n    from gec_fair.trainer.once import Learner", {"trainer.once"}, "for types alone"),
        ("TABLE = {'x': 'gec_fair.trainer.once:train_once'}", {"trainer.once"}, "a name in a table of factories"),
        ("'''See gec_fair.trainer.once for more.'''", set(), "a sentence imports nothing"),
    ],
    ids=["package", "function", "types", "table", "sentence"],
)
def test_what_counts_as_an_import(source, expected, why):
    assert imports("models.load", ast.parse(source)) == expected
