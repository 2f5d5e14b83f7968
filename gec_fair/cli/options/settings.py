"""Options of every command that reads its settings from YAML, and what the trainers' commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gec_fair.cli.options.results import print_counts

if TYPE_CHECKING:
    from gec_fair.trainer.records import Trained

Command = TypeVar("Command", bound=Callable[..., Any])
Options = TypeVar("Options")

settings_argument = click.argument("settings", type=click.Path(path_type=Path), metavar="SETTINGS")
train_output = click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The run's folder; the same command resumes in it after a kill.",
)


def other_values(example: str) -> Callable[[Command], Command]:
    """`--set KEY=VALUE`, with an example that the command takes."""
    return click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="KEY=VALUE",
        help=f"Another value than the file's, for example --set {example}; again for more.",
    )


set_option = other_values("training.steps=100")


def training_options(*, start: str, seed: str, data: str = "PAIRS.tsv") -> Callable[[Command], Command]:
    """What one seed's training takes; `start` and `seed` say what can be started from and what is drawn."""
    path = click.Path(path_type=Path)
    options = (
        settings_argument,
        click.option("--train", "pairs", type=path, metavar=data, help="Instead of the file's."),
        click.option("--dev", type=path, metavar=data, help="Instead of the file's."),
        click.option("--start", metavar="MODEL", help=f"{start}, instead of the file's."),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help=f"{seed}."),
        train_output,
        set_option,
    )

    def with_them(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return with_them


def read_options(settings: Path, schema: type[Options], changes: tuple[str, ...], **arguments: object) -> Options:
    """The file's settings, of an experiment's file those of its model; what `arguments` has from the command line takes
    their place, and the --set `changes` the place of both."""
    from gec_fair.config.settings import changes_of, read_settings

    flags = {name: str(value) for name, value in arguments.items() if value is not None}
    return read_settings(settings, schema, changes=changes_of(changes), flags=flags, part="settings")


def show(done: Trained) -> None:
    """Where the model lies, and how its training went; said by the first of several processes."""
    from gec_fair.trainer.records import is_main

    if not is_main():
        return
    least = f", lowest validation loss {min(done.losses):.4f}" if done.losses else ""
    report = {"directory": str(done.directory), "updates": done.steps, "losses": list(done.losses)}
    print_counts(report, f"{done.directory}  {done.steps:,} updates{least}")


def refuse_what_is_there(output: Path) -> None:
    """UsageError where something is in the folder that is to be made."""
    from gec_fair.errors import UsageError

    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(f"{output}: is not empty; choose another --output")
