"""What the commands of models that we train share: training them, and converting those of others."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.cli.options.results import print_result, say
from gec_fair.extras import require
from gec_fair.models.locate import find_model
from gec_fair.runs.atomic import refuse_used
from gec_fair.trainer.records import is_main

if TYPE_CHECKING:
    from gec_fair.trainer.records import Trained

MODULES = ("torch", "transformers", "datasets")


def train_by(module: str, options: Any, output: Path, **arguments: int) -> Trained:
    """Call `train` of a module, and print how it went."""
    require("training", "train", *MODULES)
    find_model(options.start)
    done: Trained = import_module(module).train(options, output, **arguments)
    show_training(done)
    return done


def check_model(purpose: str, model: str) -> None:
    """MissingResource where the packages of a model of ours, or the model itself, are not here."""
    require(purpose, "train", *MODULES)
    find_model(model)


def check_import(output: Path) -> None:
    """MissingResource where a model cannot be converted, UsageError where something is in the folder already."""
    require("converting", "train", *MODULES)
    refuse_used(output, overwrite=False, remedy="choose another --output")


def show_training(done: Trained) -> None:
    """Where the model lies, and how its training went; said by the first of several processes."""
    if not is_main():
        return
    least = f", lowest validation loss {min(done.losses):.4f}" if done.losses else ""
    report = {"directory": str(done.directory), "updates": done.steps, "losses": list(done.losses)}
    print_result(report, f"{done.directory}  {done.steps:,} updates{least}")


def tell_left_out(done: Trained, reasons: Mapping[str, str]) -> None:
    """By the first of several processes. `reasons` name what the counts of the run's result are of, and those of its
    validation data under `dev`; counts of 0 are not told."""
    for data, counts in (("training", done.result), ("validation", done.result.get("dev", {}))):
        text = ", ".join(f"{counts[name]:,} {why}" for name, why in reasons.items() if counts.get(name))
        if text and is_main():
            say(f"note: left out of the {data} data: {text}")
            tell_first(counts)


def tell_first(counts: Mapping[str, Any]) -> None:
    """What is wrong with the first malformed line, if there is one."""
    if first := counts.get("first_malformed"):
        say(f"note: the first malformed line: {first}")
