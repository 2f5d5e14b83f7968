"""Documentation that cannot rot: every command has help with an example that parses, and a page that names it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gec_fair.cli import cli
from gec_fair.corpus.formats.inputs import resolve
from tests.cli.test_help import LEAVES

ROOT = Path(__file__).parents[2]
PAGES = "\n".join(path.read_text("utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_has_help_with_an_example(name):
    assert f"gec-fair {name}" in (LEAVES[name].help or "")


def groups(group=cli):
    yield group
    context = click.Context(group)
    for name in group.list_commands(context):
        if isinstance(command := group.get_command(context, name), click.Group):
            yield from groups(command)


@pytest.mark.parametrize("group", [*groups()], ids=lambda group: group.name)
def test_no_line_of_a_list_of_commands_breaks_off_at_an_abbreviation(group):
    help_text = group.get_help(click.Context(group, max_content_width=110)).partition("Commands:")[2]
    assert not re.search(r"\b(al|e\.g|i\.e)\.$", help_text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", LEAVES)
def test_every_command_is_named_on_a_page(name):
    assert name in PAGES


def examples():
    """Command lines of help texts, up to the first pipe or redirection; those of pages are in `test_pages`."""
    for text in [command.help or "" for command in LEAVES.values()]:
        for line in re.findall(r"^(?: {4}|.*\| *)?(gec-fair [a-z].*)$", text, flags=re.MULTILINE):
            yield re.split(r"\s(?:[<>|]|  )", line.split("      ")[0])[0].rstrip(" `")


def is_schema(line):
    return any(sign in line for sign in ("…", "|st", "..."))


def parse(line):
    """The context of a command line; None for one that asks for help."""
    group, words = cli, shlex.split(line)[1:]
    while isinstance(group, click.Group):
        group, words = group.get_command(click.Context(group), words[0]), words[1:]
        assert group is not None, line
    return None if "--help" in words else group.make_context("gec-fair", words)


EXAMPLES = sorted(line for line in set(examples()) if not is_schema(line))


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_parses(line):
    context = parse(line)
    arguments = (
        [argument for argument in context.command.params if isinstance(argument, click.Argument)] if context else []
    )
    for argument in arguments:
        if isinstance(argument.type, click.Path):
            paths = context.params[argument.name]
            assert not any("," in str(path) for path in (paths if isinstance(paths, tuple) else [paths]))


@pytest.mark.parametrize(
    "line", [line for line in EXAMPLES if line.startswith(("gec-fair audit-", "gec-fair augment"))]
)
def test_the_files_of_an_example_are_found_by_the_reader_of_pairs(line, tmp_path):
    files = [tmp_path / name for key in ("corpus", "inputs") for name in parse(line).params.get(key, ())]
    for file in files:
        file.write_text("a\tb\n")
    assert [path for source in resolve(files) for path in source.paths] == files


HELP = """
import sys
from gec_fair.cli import cli
for name in {names!r}:
    cli.main([*name.split(), "--help"], prog_name="gec-fair", standalone_mode=False)
    if heavy := {{"spacy", "torch", "transformers", "lemminflect"}} & set(sys.modules):
        sys.exit(f"{{name}} imports {{heavy}}")
"""


def test_help_imports_neither_spacy_nor_torch():
    done = subprocess.run([sys.executable, "-c", HELP.format(names=["", *LEAVES])], capture_output=True, text=True)
    assert (done.returncode, done.stdout.count("Usage: gec-fair")) == (0, len(LEAVES) + 1), done.stderr
