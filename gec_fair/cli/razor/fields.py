"""What a row of the data calls its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from gec_fair.razor.documents.documents import Fields

Command = TypeVar("Command", bound=Callable[..., Any])

_FIELDS = tuple(
    click.option(f"--{what}", metavar="NAME", help=f"The field that holds {told}.")
    for what, told in (
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


def fields_of(given: dict[str, Any]) -> Fields:
    """Of the options, which are taken out of `given`."""
    from gec_fair.razor.documents.documents import Fields

    return Fields(**{what: given.pop(what) for what in ("id", "label", "text", "evidence")})
