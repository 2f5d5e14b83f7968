"""An option is said once: a field of a dataclass, which everything else is made from."""

from __future__ import annotations

import inspect
import json
import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path

import click
import pytest
import yaml

import gec_fair as gf
from gec_fair.config.options import fields_of
from gec_fair.config.settings import read_settings
from gec_fair.errors import InputError, UsageError
from gec_fair.perturber.rewriting.options import PerturbOptions
from tests.cli.invoke import run
from tests.cli.test_help import LEAVES

ROOT = Path(__file__).parents[2]
LINES = '''    shout: Annotated[int, Option("N", least=1)] = 3
    """Rewrite in capitals from this word on."""
'''
PLACES = """
import inspect, json, sys
from pathlib import Path
from click.testing import CliRunner
import gec_fair as gf
from gec_fair.augmentation.options import AugmentOptions
from gec_fair.cli import cli
from gec_fair.config.settings import read_settings
sys.path.insert(0, "docs")
import hooks

def say(*words):
    return CliRunner().invoke(cli, list(words)).output

Path("settings.yaml").write_text("method: st\\nshout: 7\\n")
print(json.dumps({
    "the command line": say("augment", "st", "--help"),
    "the keywords": str(inspect.signature(gf.augment_corpus)) + gf.augment_corpus.__doc__,
    "the keys of a file": str(read_settings(Path("settings.yaml"), AugmentOptions)),
    "the reference": hooks.describe_commands(),
    "settings show": say("settings", "show", "augment", "st"),
}))
"""
WANTED = {
    "the command line": ["--shout N", "Rewrite in capitals", "[default: 3; x>=1]"],
    "the keywords": ["shout: int = 3", "    shout: Rewrite in capitals from this word on."],
    "the keys of a file": ["shout=7"],
    "the reference": ["| `--shout N` | Rewrite in capitals from this word on. [default: 3; x&gt;=1] |"],
    "settings show": ["# Rewrite in capitals from this word on.\nshout: 3\n"],
}


def test_a_new_field_is_found_in_all_five_places(tmp_path):
    shutil.copytree(ROOT / "gec_fair", tmp_path / "gec_fair", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("lexicons", "evalsets", "training", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    module = tmp_path / "gec_fair/augmentation/options.py"
    head, field, rest = module.read_text(encoding="utf-8").partition("    animals: bool = False\n")
    module.write_text(head + LINES + field + rest, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", PLACES], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    texts = {place: " ".join(text.split(" ")) for place, text in json.loads(done.stdout).items()}
    assert {place: [part for part in parts if part not in texts[place]] for place, parts in WANTED.items()} == {
        place: [] for place in WANTED
    }


def options_class(function):
    """The dataclass of options that a command or a function of the API is written with."""
    function = inspect.unwrap(function)
    named = [function.__globals__.get(hint) for name, hint in function.__annotations__.items() if name != "return"]
    return next(kind for kind in reversed(named) if is_dataclass(kind))


COMMANDS = [name for name, command in LEAVES.items() if hasattr(command.callback, "options")]
ROOMS = {"": gf, **{f"{room}.": getattr(gf, room) for room in ("babylm", "fairscore", "lmbias", "razor", "safety")}}
FUNCTIONS = {
    prefix + name: function
    for prefix, room in ROOMS.items()
    for name in room.__all__
    if hasattr(function := getattr(room, name), "__signature__") and inspect.isfunction(function)
}
NOT_SHOWN = {"augment": {"method"}, "rewrite": {"method", "mirror", "strict_spelling"}}
"""Fields that the command's name decides, or that mean nothing for it."""


def shown_fields(command):
    group, _, method = command.partition(" ")
    for field in fields_of(options_class(LEAVES[command].callback)):
        is_for_method = group not in NOT_SHOWN or not field.option.methods or method in field.option.methods
        if is_for_method and not field.option.is_keyword and field.name not in NOT_SHOWN.get(group, ()):
            yield field


def squeezed(text):
    """Without white space, which the help breaks its lines at."""
    return "".join(text.split())


@cache
def reference():
    text = runpy.run_path(str(ROOT / "docs/hooks.py"))["describe_commands"]()
    return dict(re.findall(r"^#{3,} (.+)\n((?:(?!#{2,} ).*\n)*)", text, re.MULTILINE))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_field_of_a_command_stands_in_its_help_the_reference_and_its_file(command):
    parameters = {parameter.name: parameter for parameter in LEAVES[command].params}
    fields = [field for field in shown_fields(command) if isinstance(parameters[field.name], click.Option)]
    words = squeezed(run(*command.split(), "--help").stdout)
    flags = {field.name: parameters[field.name].opts[-1] for field in fields}
    rows = [line.split("|")[1] for line in reference()[command].splitlines() if line.startswith("| `")]
    done = run("settings", "show", *command.split())
    file, comments = done.stdout, squeezed(done.stdout.replace("# ", ""))
    places = {
        "the help": lambda field: flags[field.name] in words and squeezed(field.words) in words,
        "the reference": lambda field: any(re.search(rf"{flags[field.name]}\b", row) for row in rows),
        "settings show": lambda field: (
            re.search(rf"^(# )?{field.name}:", file, re.MULTILINE) and squeezed(field.words) in comments
        ),
    }
    if "settings" in flags:  # a file of something else than the command's options
        assert (done.code, file) == (2, "")
        assert "its --settings have other keys; its option --keys prints them" in done.stderr
        del places["settings show"]
    missing = {place: [field.name for field in fields if not has(field)] for place, has in places.items()}
    assert missing == {place: [] for place in places}
    assert {*(yaml.safe_load(file) or {})} <= {field.name for field in shown_fields(command)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_field_of_a_function_is_a_documented_keyword(name):
    parameters, text = inspect.signature(FUNCTIONS[name]).parameters, squeezed(FUNCTIONS[name].__doc__)
    fields = fields_of(options_class(FUNCTIONS[name]))
    assert fields
    assert [field.name for field in fields if field.name not in parameters] == []
    assert [field.name for field in fields if squeezed(f"{field.name}: {field.meaning}") not in text] == []


@pytest.mark.parametrize("command", [("augment", "fm"), ("augment", "neo"), ("perturb",)], ids=" ".join)
def test_the_file_that_is_shown_is_read_by_the_command(command, tmp_path):
    (tmp_path / "mine.yaml").write_text(run("settings", "show", *command).stdout)
    (tmp_path / "in.txt").write_text("She left .\n")
    words = ("in.txt", "-o", "out", "--format", "text") if command[0] == "augment" else ("in.txt", "-o", "out")
    done = run(*command, *words, "--settings", "mine.yaml", cwd=tmp_path)
    assert "mine.yaml" not in done.stderr


def test_the_command_line_goes_before_the_file(tmp_path):
    (tmp_path / "pairs.tsv").write_text("He lose it .\tHe loses it .\n")
    (tmp_path / "mine.yaml").write_text("direction: f2m\nlimit: 5\n")
    words = ("augment", "fm", "pairs.tsv", "--settings", "mine.yaml", "-o", "out", "--json")
    options = {
        direction: run(*words, *more, "--overwrite", cwd=tmp_path).stdout
        for direction, more in {"f2m": (), "m2f": ("--direction", "m2f")}.items()
    }
    for direction, text in options.items():
        manifest = json.loads(text)
        assert manifest["options"]["direction"] == direction
        assert manifest["reading"]["limit"] == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gat: none\n", "mine.yaml:1: unknown key gat; did you mean gate?"),
        ("seed: 1\ngate: noone\n", "mine.yaml:2: gate: expected 'coref' or 'none', found"),
        ("names: keep\n", "has no use for names"),
        ("seed: 1\nmethod: fm\n", 'mine.yaml:2: method is "st" in this command; leave it out'),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(text, message, tmp_path):
    (tmp_path / "mine.yaml").write_text(text)
    done = run("augment", "st", "in.tsv", "--settings", "mine.yaml", "-o", "out", cwd=tmp_path)
    assert done.code == 2
    assert message in done.stderr


def test_a_number_outside_its_range_is_refused_alike_by_keywords_and_by_a_file(tmp_path):
    (tmp_path / "mine.yaml").write_text("tries: 2\nbeams: 0\n")
    with pytest.raises(UsageError, match=r"^beams is 0; it must be at least 1$"):
        gf.perturb("He left.", beams=0)
    with pytest.raises(InputError, match=r"mine.yaml:2: beams is 0; it must be at least 1$"):
        read_settings(tmp_path / "mine.yaml", PerturbOptions)
    with pytest.raises(InputError, match=r"--set beams=0: beams is 0; it must be at least 1$"):
        read_settings(tmp_path / "mine.yaml", PerturbOptions, changes={"beams": 0})


def test_a_value_that_a_command_has_itself_is_refused_unless_it_is_the_same(tmp_path):
    for text, code in (("method: fm\n", 2), ("mirror: true\n", 2), ("method: st\nmirror: false\n", 0)):
        (tmp_path / "mine.yaml").write_text(text)
        done = run("rewrite", "st", "--settings", tmp_path / "mine.yaml", stdin="She left .\n")
        assert (done.code, "in this command; leave it out" in done.stderr) == (code, code == 2), done.stderr


@pytest.mark.parametrize("name", ["mirror", "strict_spelling"])
def test_rewrite_refuses_what_is_for_pairs(name):
    with pytest.raises(UsageError, match=f"rewrite has no use for {name}, which is for pairs"):
        gf.rewrite("He left.", "st", **{name: True})
