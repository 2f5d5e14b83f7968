"""Names say what they hold (CONTRIBUTING.md): words that would fit anything are not names here."""

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]
EMPTY = frozenset(
    """told tell tells found each some asked kept lacking standing begun made given taken called settled weighed behind
    beside whole even here there how what which of own other thing things stuff meet met joined opened shown
    look""".split()
)
FIELDS = {"given", "of", "own", "kept"}  # of records that files hold, and methods of small tables: `rows.of(name)`


def bound_names(tree):
    """Line and name of every variable, argument, function and class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name


def allowed_members(tree):
    """Names of fields and methods, which are read behind their object's name."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    members = [member for node in classes for member in node.body]
    return FIELDS & {getattr(m, "name", None) or getattr(getattr(m, "target", None), "id", "") for m in members}


@pytest.mark.parametrize("room", ["gec_fair", "tests", "benchmarks", "training"])
def test_no_name_is_an_empty_word(room):
    places = []
    for path in sorted((FOLDER / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if names := [(line, name) for line, name in bound_names(tree) if name.strip("_").lower() in EMPTY]:
            allowed = allowed_members(tree)
            places += [
                f"{path.relative_to(FOLDER)}:{line} {name}"
                for line, name in names
                if name.strip("_").lower() not in allowed
            ]
    assert not places, "name what these hold:\n" + "\n".join(places)


def test_an_empty_word_is_noticed():
    assert list(bound_names(ast.parse("for each in rows: told = each"))) == [(1, "each"), (1, "told")]
