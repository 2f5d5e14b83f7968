"""What a row of the data calls its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from gec_fair.razor.documents.documents import Fields

Command = TypeVar("Command", bound=Callable[..., Any])

_FIELDS = tuple(
    click.option(f"--{name}", metavar="NAME", help=f"The field that holds {help_text}.")
    for name, help_text in (
        ("id", "its name"),
        ("label", "its label"),
        ("text", "what is scored"),
        ("evidence", "what stays"),
    )
)


def field_options(command: Command) -> Command:
    """Names of a row's fields."""
    for option in reversed(_FIELDS):
        command = option(command)
    return command


def fields_of(arguments: dict[str, Any]) -> Fields:
    """The fields that the options name; they are removed from `arguments`."""
    from gec_fair.razor.documents.documents import Fields

    return Fields(**{name: arguments.pop(name) for name in ("id", "label", "text", "evidence")})
