"""The code blocks of a Markdown page, and how they are run.

    ```python     run, all blocks of a page in one namespace
    ```bash       run by bash, in the page's folder; `gec-fair` runs in this process
    ```console    commands for the reader's own files ($ …): each command and its options must exist
    ```text       directly after a block that runs: what it prints; … stands for any text

A block behind `<!-- not run: REASON -->` is not run; bash lines in it are checked as `console` is.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import pytest

from gec_fair.cli import cli
from gec_fair.shipped import resolve_shipped
from tests import warm
from tests.cli import invoke

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^( *)```([\w-]*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_NOT_RUN = re.compile(r"<!-- not run: (.+) -->\s*\Z")


@dataclass(frozen=True)
class Block:
    language: str
    code: str
    line: int
    output: str | None = None  # of the text block behind it
    not_run: str = ""  # the reason


def read_blocks(text: str) -> list[Block]:
    blocks = []
    end = 0
    for match in _BLOCK.finditer(text):
        between = text[end : match.start()]
        end = match.end()
        language = match[2]
        code = re.sub(rf"^{match[1]}", "", match[3], flags=re.MULTILINE)
        if language == "text" and blocks and blocks[-1].output is None and not between.strip():
            last = blocks[-1]
            blocks[-1] = Block(last.language, last.code, last.line, code, last.not_run)
            continue
        reason = _NOT_RUN.search(between)
        blocks.append(Block(language, code, text.count("\n", 0, match.start()) + 1, None, reason[1] if reason else ""))
    return [block for block in blocks if block.language in ("python", "bash", "console")]


def is_like(printed: str, expected: str) -> bool:
    """Whether the text is the expected one, in which … stands for anything."""
    parts = map(re.escape, expected.strip().split("…"))
    return re.fullmatch(".*?".join(parts), printed.strip(), re.DOTALL) is not None


def run_page(page: Path, folder: Path) -> None:
    """Run the blocks of a page in a folder. AssertionError with the line of a block that fails or prints other text."""
    names: dict[str, object] = {"__name__": "page"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in read_blocks(page.read_text(encoding="utf-8")):
            if block.not_run or block.language == "console":
                continue
            where = f"{page.relative_to(ROOT)}:{block.line}"
            printed = _run_python(block, names, where) if block.language == "python" else _run_bash(block, where)
            if block.output is not None:
                assert is_like(printed, block.output), f"{where} printed\n{printed}\nbut the page has\n{block.output}"
    finally:
        os.chdir(before)


def _run_python(block: Block, names: dict[str, object], where: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile("\n" * block.line + block.code, where.partition(":")[0], "exec"), names)
    return output.getvalue()


_CLIENT = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    request = {{"words": sys.argv[1:], "cwd": os.getcwd(), "environment": dict(os.environ), "stdin": sys.stdin.read()}}
    with line.makefile("rw", encoding="utf-8") as file:
        print(json.dumps(request), file=file, flush=True)
        done = json.loads(file.readline())
for stream, text in (sys.stdout, done["stdout"]), (sys.stderr, done["stderr"]):
    stream.reconfigure(encoding="utf-8")
    stream.write(text)
sys.exit(done["code"])
"""
"""The `gec-fair` of a bash block: this process runs the command, for it has imported and loaded what commands need."""


def _run_bash(block: Block, where: str) -> str:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        client, address, output = Path(folder, "gec-fair"), str(Path(folder, "socket")), Path(folder, "output")
        client.write_text(_CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
        client.chmod(0o755)
        server.bind(address)
        server.listen()
        server.settimeout(0.05)
        path = os.pathsep.join([folder, str(Path(sys.executable).parent), os.environ["PATH"]])
        with output.open("w") as file:
            process = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", block.code],
                env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )
            while process.poll() is None:
                with contextlib.suppress(TimeoutError):
                    connection, _ = server.accept()
                    with connection, connection.makefile("rw", encoding="utf-8") as line:
                        print(json.dumps(_answer(**json.loads(line.readline()))), file=line)
        with process.stderr:
            errors = process.stderr.read()
        printed = output.read_text(encoding="utf-8")
    assert process.returncode == 0, f"{where} ended with {process.returncode}\n{printed}\n{errors}"
    return printed


def _answer(words: list[str], cwd: str, environment: dict[str, str], stdin: str) -> dict[str, object]:
    """What the console script would print in that folder with those variables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        for name in {*os.environ} - {*environment}:
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        warm.trainings(patch)
        warm.pools(patch)
        return asdict(invoke.run(*map(resolve_shipped, words), stdin=stdin))


def read_commands(block: Block) -> Iterator[str]:
    """The commands of a console or bash block: continued lines are joined, comments and output left out."""
    lines = block.code.replace("\\\n", " ").splitlines()
    prompted = any(line.startswith("$ ") for line in lines)
    for line in lines:
        if prompted and not line.startswith("$ "):
            continue
        if command := re.sub(r"(^|\s)#.*", "", line.removeprefix("$ ")).strip():
            yield command


_REST = re.compile(r"\s(?:[<>|&]|\d>).*")
_NOT_LITERAL = ("…", "$", "...", "|")


def check_command(line: str) -> str | None:
    """What is wrong with a line of commands; None where their words, options and values are right."""
    faults = map(_check, re.split(r"\s(?:&&|\|\||[|;])\s", line))
    return next(filter(None, faults), None)


def _check(command: str) -> str | None:
    if command.startswith("make "):
        known = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
        words = _REST.sub("", command).split()[1:]
        targets = [word for word in words if "=" not in word and not word.startswith(("-", "'")) and word not in known]
        return f"no target {targets}" if targets and "'" not in command else None
    command = re.sub(r"^(?:[A-Z_]+=\S*\s+)+", "", command)
    if not command.startswith("gec-fair "):
        return None
    try:
        words = shlex.split(_REST.sub("", command))[1:]
    except ValueError:
        return None  # a quotation that continues in the next line
    group: click.Command | None = cli
    while isinstance(group, click.Group):
        if not words or words[0].startswith("-"):
            return None
        group = group.get_command(click.Context(group), words.pop(0))
        if group is None:
            return "no such command"
    assert group is not None
    if "--help" in words or any(sign in word for word in words for sign in _NOT_LITERAL):
        return None
    try:
        group.make_context("gec-fair", [*words])
    except click.ClickException as fault:
        return fault.format_message()
    except click.exceptions.Exit:
        return None
    return None
