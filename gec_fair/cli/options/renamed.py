"""Options that had another name: the old spelling works for one more release, with a warning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from click.core import ParameterSource

Command = TypeVar("Command", bound=Callable[..., Any])
_PREFIX = "old_name_of_"


class _Renamed(click.Option):
    """Takes its value from the hidden option of the old name, if only that was given."""

    old = ""

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """The value, and where it comes from. UsageError where both names are given."""
        earlier = opts.get(f"{_PREFIX}{self.name}")
        if earlier is None:
            return super().consume_value(ctx, opts)
        if opts.get(str(self.name)) is not None:
            raise click.UsageError(f"{self.opts[0]} and {self.old} are the same option; give {self.opts[0]}", ctx)
        click.echo(f"note: {self.old} is {self.opts[0]} now; the old name will go", err=True)
        return earlier, ParameterSource.COMMANDLINE


def renamed_option(name: str, old: str, *declarations: str, **attributes: Any) -> Callable[[Command], Command]:
    """A `click.option` called `name`, which was called `old`."""

    def add(command: Command) -> Command:
        kind = type("Renamed", (_Renamed,), {"old": old})
        command = click.option(name, *declarations, cls=kind, **attributes)(command)
        parameter = declarations[0] if declarations else name.lstrip("-").replace("-", "_")
        hidden = {key: attributes[key] for key in ("multiple", "is_flag", "nargs") if key in attributes}
        return click.option(old, f"{_PREFIX}{parameter}", hidden=True, expose_value=False, **hidden)(command)

    return add
