"""Run a command in this process: quicker than a new one where torch is needed."""

from __future__ import annotations

from dataclasses import dataclass

from click.testing import CliRunner

from gec_fair.cli import cli, refused_by_the_system
from gec_fair.errors import GecFairError


@dataclass(frozen=True)
class Done:
    code: int
    stdout: str
    stderr: str


def run(*words: object) -> Done:
    """What the console script would answer; an exception that it would not catch is raised here."""
    result = CliRunner().invoke(cli, [str(word) for word in words])
    fault = result.exception
    if isinstance(fault, GecFairError):
        return Done(fault.exit_code, result.stdout, result.stderr + f"gec-fair: {fault}\n")
    if isinstance(fault, OSError) and (told := refused_by_the_system(fault)):
        return Done(2, result.stdout, result.stderr + f"gec-fair: {told}\n")
    if fault is not None and not isinstance(fault, SystemExit):
        raise fault
    return Done(result.exit_code, result.stdout, result.stderr)
