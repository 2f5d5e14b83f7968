"""Hooks of the documentation site: the command-line reference is made from the commands' own help, the notebooks become
pages, and links that leave `docs/` lead to the repository once it has an address."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from gec_fair.cli import SECTIONS, cli

ROOT = Path(__file__).parents[1]
_PICTURES = {"benchmarks/results/babylm-small/curves.svg": "images/babylm-curves.svg"}
"""Pictures outside `docs/`, and where they are on the site."""
_LINK = re.compile(r"(!?)(\[[^\]]*\])\((\.\./[^)#\s]+)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take the repository's address from pyproject.toml."""
    config.repo_url = repository()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of the command line, the notebooks, and pictures that are results."""
    files.append(File.generated(config, "reference/cli.md", content=describe_commands()))
    for path in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        files.append(
            File.generated(config, f"notebooks/{path.stem}.md", content=describe_notebook(notebook, path.name))
        )
    for path, place in _PICTURES.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead links to notebooks to their pages, and links outside `docs/` to the repository; without an address, name the
    file instead."""
    folder = Path("docs", page.file.src_uri).parent

    def replace(match: re.Match[str]) -> str:
        picture, text, link, anchor = match[1], match[2], match[3], match[4] or ""
        path = os.path.normpath(folder / link)
        if path.startswith("docs/"):
            return match[0].replace(".ipynb)", ".md)")
        if path in _PICTURES:
            return f"{picture}{text}({os.path.relpath(_PICTURES[path], folder.relative_to('docs'))})"
        if repository():
            return f"{picture}{text}({repository()}/{'raw' if picture else 'blob'}/main/{path}{anchor})"
        return f"{text[1:-1]} (`{path}`)"

    return _LINK.sub(replace, markdown)


def repository() -> str:
    """The address in pyproject.toml; empty until there is one."""
    match = re.search(r'^repository = "(.*?)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else ""


def describe_notebook(notebook: dict[str, Any], name: str) -> str:
    """A notebook as Markdown: its text, its code, and what each cell printed, as HTML where it has that."""
    title, *cells = notebook["cells"]
    parts = ["".join(title["source"]), f"This page is the notebook `docs/notebooks/{name}`, with its outputs."]
    for cell in cells:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += map(_describe_output, cell.get("outputs", []))
    return "\n\n".join(parts)


def _describe_output(output: dict[str, Any]) -> str:
    formats = output.get("data", {"text/plain": output.get("text", "")})
    if "text/html" in formats:
        return f'<div class="notebook-output">{"".join(formats["text/html"])}</div>'
    return f"```{{.text .notebook-output}}\n{''.join(formats['text/plain']).rstrip()}\n```"


def describe_commands() -> str:
    """A Markdown page with the help of every command, by section."""
    parts = ["# Command line\n\n`gec-fair COMMAND --help` prints the same in a terminal.\n"]
    context = click.Context(cli, info_name="gec-fair")
    for title, commands in SECTIONS.items():
        parts.append(f"## {title}\n")
        for name in commands:
            parts += _describe(name, cli.get_command(context, name), context)
    return "\n".join(parts)


def _describe(name: str, command: click.Command | None, parent: click.Context, level: int = 3) -> Iterator[str]:
    """A command's heading, usage, text and options; then its subcommands, a heading below."""
    assert command is not None, name
    context = click.Context(command, info_name=name, parent=parent)
    yield f"{'#' * level} {context.command_path.removeprefix('gec-fair ')}\n"
    yield f"```text\n{context.command_path} {' '.join(command.collect_usage_pieces(context))}\n```\n"
    yield from map(_describe_paragraph, re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")))
    options = [option for option in command.params if isinstance(option, click.Option)]
    yield from _describe_options(record for option in options if (record := option.get_help_record(context)))
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            yield from _describe(part, command.get_command(context, part), context, level + 1)


def _describe_paragraph(text: str) -> str:
    """A paragraph of a help text; lines that click is not to wrap are commands or a list, and keep their form."""
    if text.startswith("\b\n"):
        lines = text.removeprefix("\b\n").splitlines()
        language = "bash" if all(line.startswith(("gec-fair", " ")) for line in lines) else "text"
        return "\n".join([f"```{language}", *lines, "```"]) + "\n"
    return escape(" ".join(text.split()), quote=False) + "\n"


def _describe_options(records: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A table of options and what they do."""
    rows = [
        f"| `{names}` | {escape(' '.join(text.split()), quote=False).replace('|', '&#124;')} |"
        for names, text in records
    ]
    if rows:
        yield "\n".join(["| option | what it does |", "| --- | --- |", *rows]) + "\n"
