"""Run a command in this process: quicker than a new one where torch is needed."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass

from click.testing import CliRunner

from gec_fair.cli import cli, explain_refusal
from gec_fair.errors import GecFairError


@dataclass(frozen=True)
class Done:
    code: int
    stdout: str
    stderr: str


@contextmanager
def _in_folder(folder: object):
    before = os.getcwd()
    os.chdir(str(folder or before))
    try:
        yield
    finally:
        os.chdir(before)


def run(*words: object, stdin: str | bytes = "", cwd: object = None) -> Done:
    """What the console script would answer; an exception that it would not catch is raised here."""
    with _in_folder(cwd):
        result = CliRunner().invoke(cli, [str(word) for word in words], input=stdin)
    fault = result.exception
    if isinstance(fault, GecFairError):
        return Done(fault.exit_code, result.stdout, result.stderr + f"gec-fair: {fault}\n")
    if fault is not None and (message := explain_refusal(fault)):
        return Done(2, result.stdout, result.stderr + f"gec-fair: {message}\n")
    if fault is not None and not isinstance(fault, SystemExit):
        raise fault
    return Done(result.exit_code, result.stdout, result.stderr)
