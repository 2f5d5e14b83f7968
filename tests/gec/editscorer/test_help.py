"""The commands' help: an example that parses in each, and no torch for it."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import click
import pytest

from gec_fair.cli.editscorer import editscorer


@pytest.mark.parametrize("name", ["train", "predict", "import"])
def test_every_command_has_examples_that_parse(name):
    command = editscorer.get_command(click.Context(editscorer), name)
    lines = re.findall(rf"^ *gec-fair editscorer ({name} .*)$", command.help, flags=re.MULTILINE)
    assert lines
    for line in lines:
        editscorer.make_context("editscorer", shlex.split(line))
        command.make_context(name, shlex.split(line)[1:])


def test_help_and_options_import_no_torch():
    code = ("import sys, gec_fair.gec.editscorer.options, gec_fair.gec.editscorer.system\n"
            "from gec_fair.cli.editscorer import editscorer\n"
            "editscorer(['train', '--help'], standalone_mode=False)\n"
            "assert not {'torch', 'transformers', 'spacy'} & set(sys.modules)")  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
