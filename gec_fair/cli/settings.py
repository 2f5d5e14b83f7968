"""Options of every command that reads its settings from YAML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

settings_argument = click.argument("settings", type=click.Path(path_type=Path), metavar="SETTINGS.yaml")
set_option = click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE",
    help="Another value than the file's, for example --set training.steps=100; again for more.",
)  # fmt: skip


def train_output(command: Command) -> Command:
    return click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR",
                        help="The run's folder; the same command goes on in it after a kill.")(command)  # fmt: skip
