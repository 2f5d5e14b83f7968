"""Options that mean nothing where they are given."""

from __future__ import annotations

from collections.abc import Sequence

import click
from click.core import ParameterSource


def refuse(names: Sequence[str], why: str) -> None:
    """UsageError where one of these parameters was given: an option that means nothing is an error."""
    from gec_fair.errors import UsageError

    context = click.get_current_context()
    for each in context.command.params:
        if each.name in names and context.get_parameter_source(each.name) is not ParameterSource.DEFAULT:
            raise UsageError(f"{each.opts[0]} {why}")
