"""What of the training data did not train, said once and on standard error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gec_fair.trainer.records import Trained


def tell_left_out(done: Trained, reasons: Mapping[str, str]) -> None:
    """By the first of several processes. `reasons` name what the counts of the run's result are of, and those of its
    validation data under `dev`; counts of 0 are not told."""
    from gec_fair.trainer.records import is_main

    for data, counts in (("training", done.result), ("validation", done.result.get("dev", {}))):
        text = ", ".join(f"{counts[name]:,} {why}" for name, why in reasons.items() if counts.get(name))
        if text and is_main():
            click.echo(f"note: left out of the {data} data: {text}", err=True)
            tell_first(counts)


def tell_first(counts: Mapping[str, Any]) -> None:
    """What is wrong with the first malformed line, if there is one."""
    if first := counts.get("first_malformed"):
        click.echo(f"note: the first malformed line: {first}", err=True)
