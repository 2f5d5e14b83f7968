"""What of the training data did not train, said once and on standard error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gec_fair.pretrain.runs import Trained


def tell_left_out(done: Trained, reasons: Mapping[str, str]) -> None:
    """By the first of several processes. `reasons` name what the counts of the run's result are of; counts of 0 are not
    told."""
    from gec_fair.pretrain.runs import is_main

    counts = ((done.result.get(name, 0), why) for name, why in reasons.items())
    told = ", ".join(f"{count:,} {why}" for count, why in counts if count)
    if told and is_main():
        click.echo(f"note: left out of the training data: {told}", err=True)
        tell_first(done.result)


def tell_first(counts: Mapping[str, Any]) -> None:
    """What is wrong with the first malformed line, if there is one."""
    if first := counts.get("first_malformed"):
        click.echo(f"note: the first malformed line: {first}", err=True)
