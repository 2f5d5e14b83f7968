"""Groups of commands: whole summaries, and the nearest name for one that is mistyped."""

from __future__ import annotations

import re

import click

from gec_fair.config.suggest import closest

_SENTENCE = re.compile(r"(.+?)(?:[.:;](?:\s|$)|$)", re.DOTALL)


class Group(click.Group):
    """A group that lists its commands with whole summaries and suggests the nearest name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first word. UsageError with the nearest name for an unknown one."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            near = closest(name.lower(), known) or f"; there are {', '.join(known)}"
            raise click.UsageError(f"no command is called {name!r}{near}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with the first sentence of their help."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        rows = [(name, summarise(command)) for name, command in commands.items() if command and not command.hidden]
        write_rows(formatter, "Commands", rows)


def summarise(command: click.Command) -> str:
    """The command's short help, or the first sentence of its help."""
    if command.short_help:
        return command.short_help
    match = _SENTENCE.match(" ".join((command.help or "").split()))
    return match[1] if match else ""


def write_rows(formatter: click.HelpFormatter, title: str, rows: list[tuple[str, str]]) -> None:
    """A section of names and summaries; a long summary continues in the next line."""
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)
