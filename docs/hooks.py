"""Hooks of the documentation site: the command-line reference is made from `--help`, and links that leave `docs/` lead
to the repository once it has an address."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
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
    """Add the page of the command line, and pictures that are results."""
    files.append(File.generated(config, "reference/cli.md", content=describe_commands()))
    for path, place in _PICTURES.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead links outside `docs/` to the repository; without an address, name the file instead."""
    here = Path("docs", page.file.src_uri).parent

    def replace(match: re.Match[str]) -> str:
        picture, text, link, anchor = match[1], match[2], match[3], match[4] or ""
        path = os.path.normpath(here / link)
        if path.startswith("docs/"):
            return match[0]
        if path in _PICTURES:
            return f"{picture}{text}({os.path.relpath(_PICTURES[path], here.relative_to('docs'))})"
        if repository():
            return f"{picture}{text}({repository()}/{'raw' if picture else 'blob'}/main/{path}{anchor})"
        return f"{text[1:-1]} (`{path}`)"

    return _LINK.sub(replace, markdown)


def repository() -> str:
    """The address in pyproject.toml; empty until there is one."""
    match = re.search(r'^repository = "(.*?)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else ""


def describe_commands() -> str:
    """A Markdown page with the help of every command, by section."""
    parts = ["# Command line\n\n`gec-fair COMMAND --help` prints the same text.\n"]
    context = click.Context(cli, info_name="gec-fair", max_content_width=100, terminal_width=100)
    for title, commands in SECTIONS.items():
        parts.append(f"## {title}\n")
        for name in commands:
            parts += _describe(name, cli.get_command(context, name), context)
    return "\n".join(parts)


def _describe(name: str, command: click.Command | None, parent: click.Context) -> Iterator[str]:
    assert command is not None, name
    context = click.Context(command, info_name=name, parent=parent, max_content_width=100, terminal_width=100)
    yield f"### {context.command_path.removeprefix('gec-fair ')}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            yield from _describe(part, command.get_command(context, part), context)
