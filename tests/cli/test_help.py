"""The help: commands in sections, whole summaries, suggestions, and nothing imported for it."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from gec_fair.cli import COMMANDS, SECTIONS, cli
from gec_fair.cli.options.groups import summarise
from tests.cli.invoke import run

LONGEST = 62  # characters of a summary, so that it stands on one line of 80


def leaves(command, name=()):
    if isinstance(command, click.Group):
        for part in command.list_commands(click.Context(command)):
            yield from leaves(command.get_command(click.Context(command), part), (*name, part))
    else:
        yield " ".join(name), command


LEAVES = dict(leaves(cli))


def test_every_command_is_in_one_section_with_its_whole_summary():
    done = run("--help")
    lines = done.stdout.splitlines()
    for title, commands in SECTIONS.items():
        assert f"{title}:" in lines
        for name, (_, summary) in commands.items():
            assert f"  {name.ljust(14)}  {summary}" in lines
    assert len(COMMANDS) == sum(map(len, SECTIONS.values()))
    assert len(SECTIONS["First steps"]) == 6
    assert "..." not in done.stdout.partition("\n\n")[2]


@pytest.mark.parametrize("name", LEAVES)
def test_a_summary_is_one_line(name):
    summary = summarise(LEAVES[name])
    assert summary
    assert len(summary) <= LONGEST or name.count(" ") == 0, summary  # those of the first level are in SECTIONS


def test_the_help_imports_no_command():
    code = (
        "import sys; sys.argv = ['gec-fair', '--help']; from gec_fair import cli\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('gec_fair.cli.') and name.count('.') > 2))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "['gec_fair.cli.options.groups']"


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("augmnt",), "no command is called 'augmnt'; did you mean augment?"),
        (("augment", "FM"), "no command is called 'FM'; did you mean fm?"),
        (("safety", "adit"), "no command is called 'adit'; did you mean audit?"),
        (("data", "xyzzy"), "no command is called 'xyzzy'; there are "),
    ],
)
def test_the_nearest_command_is_suggested(words, suggestion):
    done = run(*words)
    assert done.code == 2
    assert suggestion in done.stderr


@pytest.mark.parametrize("name", LEAVES)
def test_every_option_has_help(name):
    options = [parameter for parameter in LEAVES[name].params if isinstance(parameter, click.Option)]
    assert [option.opts for option in options if not option.help and not option.hidden] == []
