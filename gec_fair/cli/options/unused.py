"""Options that mean nothing where they are given."""

from __future__ import annotations

from collections.abc import Sequence

import click
from click.core import ParameterSource

from gec_fair.errors import UsageError


def refuse(names: Sequence[str], why: str) -> None:
    """UsageError where one of these parameters was given: an option that means nothing is an error."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT:
            raise UsageError(f"{parameter.opts[0]} {why}")
