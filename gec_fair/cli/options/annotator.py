"""Options of every command that lets ERRANT look at texts, and the annotator and reference that they describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gec_fair.cli.options.results import json_option
from gec_fair.evaluate.scoring.hypotheses import HYP_TEXTS
from gec_fair.evaluate.scoring.score import ANNOTATORS, REFERENCES

if TYPE_CHECKING:
    from gec_fair.evaluate.scoring.errant import Annotator

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = [
    click.option(
        "--english", default="embedded", show_default=True, metavar="NAME|PATH", help="The pipeline that parses."
    ),
    click.option("--workers", default=1, show_default=True, help="Processes. The figures are the same for any number."),
    click.option("--no-cache", is_flag=True, help="Parse and annotate everything anew, and keep nothing."),
    json_option,
]
_REFERENCE = [
    click.option(
        "--reference",
        type=click.Choice(REFERENCES),
        default="human",
        show_default=True,
        help="The M2's own edits, or ERRANT's, extracted anew from the corrected text.",
    ),
    click.option(
        "--annotators",
        type=click.Choice(ANNOTATORS),
        default="all",
        show_default=True,
        help="Refuse an M2 in which a sentence lacks an annotator, or score it by those that it has.",
    ),
]


def hyp_text_option(command: Command) -> Command:
    """Add `--hyp-text` as the argument `hyp_text`."""
    return click.option(
        "--hyp-text",
        type=click.Choice(HYP_TEXTS),
        default="auto",
        show_default=True,
        help="Corrected texts: words between spaces (tokens), or prose (He goes home.), which is tokenised by "
        "alignment to the source; auto looks which.",
    )(command)


def annotator_options(command: Command) -> Command:
    """Add the options that choose how edits are found."""
    return _with(command, _OPTIONS)


def reference_options(command: Command) -> Command:
    """Add the options that choose the reference."""
    return _with(command, _REFERENCE)


def _with(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def annotator(english: str, workers: int, no_cache: bool) -> Annotator:
    """As the options say; its store lies in the cache directory."""
    from gec_fair.evaluate.scoring.errant import Annotator
    from gec_fair.runs.cache import cache_directory

    return Annotator(english, None if no_cache else cache_directory() / "errant.sqlite", workers)
