"""What is said on standard error of a finished run directory, beside its table."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gec_fair.corpus.run import Finished

_COMPLAINTS = 5


def tell_complete(finished: Finished) -> None:
    """That nothing was done, where all had been done before."""
    if finished.before == "complete":
        click.echo(f"{finished.directory} is complete already; nothing was done (--overwrite does it again)", err=True)


def tell_complaints(finished: Finished) -> None:
    """The first malformed lines."""
    from gec_fair.corpus import complaints

    for complaint in islice(complaints(finished.directory), _COMPLAINTS):
        click.echo(f"malformed: {complaint}", err=True)
