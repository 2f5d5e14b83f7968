"""The code blocks of a Markdown page, and how they are run.

    ```python     run, all blocks of a page in one namespace
    ```bash       run by bash, in the page's folder
    ```console    commands for the reader's own files ($ …): each command and its options must exist
    ```text       directly after a block that runs: what it prints; … stands for any text

A block behind `<!-- not run: REASON -->` is not run; bash lines in it are checked as `console` is.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from gec_fair.cli import cli

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


def _run_bash(block: Block, where: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, f"{where} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def read_commands(block: Block) -> Iterator[str]:
    """The commands of a console or bash block: continued lines are joined, comments and output left out."""
    lines = block.code.replace("\\\n", " ").splitlines()
    prompted = any(line.startswith("$ ") for line in lines)
    for line in lines:
        if prompted and not line.startswith("$ "):
            continue
        if command := re.sub(r"(^|\s)#.*", "", line.removeprefix("$ ")).strip():
            yield command


def check_command(command: str) -> str | None:
    """What is wrong with a command; None where its words and options exist."""
    try:
        words = shlex.split(command.rpartition("|")[2].partition("&&")[0].partition(" > ")[0].partition(" < ")[0])
    except ValueError:
        return None
    if words[:1] == ["make"]:
        targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
        missing = [word for word in words[1:] if "=" not in word and not word.startswith("-") and word not in targets]
        return f"no target {missing}" if missing else None
    if words[:1] != ["gec-fair"]:
        return None
    group: click.Command | None = cli
    context = click.Context(cli)
    rest = words[1:]
    while isinstance(group, click.Group):
        if not rest or rest[0].startswith("-"):
            return None
        group = group.get_command(context, rest.pop(0))
        if group is None:
            return "no such command"
    assert group is not None
    known = {option for parameter in group.params for option in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"-h", "--help"}
    used = [word.partition("=")[0] for word in rest if re.match(r"--?[a-zA-Z]", word)]
    unknown = [option for option in used if option not in known]
    return f"no option {', '.join(unknown)}" if unknown else None
