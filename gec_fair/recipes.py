r"""Recipes: several commands, one after the other, with their options, in a YAML file.

    python -m gec_fair.recipes safety-demo -o out/safety-demo
    python -m gec_fair.recipes recipe.yaml -o out --set data=corpora

A recipe has `about`, `values` and `steps`. A step is a line as on the command line: `gec-fair …`, or `python SCRIPT …`
for a script of this package. `{out}` is the output folder (`{out_name}`: with `-` for `/`), `{data}` is GEC_FAIR_DATA,
and every other name in braces is one of `values`, which `--set` replaces. Finished steps are not run again: the same
command resumes.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gec_fair.config.settings import changes_of, read_settings
from gec_fair.config.suggest import closest
from gec_fair.errors import GecFairError, InputError, UsageError
from gec_fair.runs.atomic import write_json
from gec_fair.runs.lock import lock
from gec_fair.runs.record import read_record
from gec_fair.shipped import find_shipped

FOLDER = "training/recipes"
DONE = "recipe.json"
"""In the output folder: the steps that are finished."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """`environment`: variables of every step, such as the memory allocator's."""

    about: str
    steps: tuple[str, ...]
    values: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


class StepFailed(GecFairError):
    """A step ended with a fault, which it has printed."""


def load(name: str) -> Recipe:
    """A recipe of this package by its name, or a YAML file; `recipes/` before the name is optional. UsageError for
    neither, InputError for what is not a recipe."""
    shipped = f"{FOLDER}/{name.removeprefix('recipes/')}.yaml"
    path = Path(name) if Path(name).suffix == ".yaml" else find_shipped(shipped)
    if path is None or not path.is_file():
        known = names()
        raise UsageError(f"no recipe is called {name!r}{closest(name, known)}; there are {', '.join(known)}")
    return read_settings(path, Recipe)


def names() -> list[str]:
    """The recipes of this package."""
    folder = find_shipped(FOLDER)
    return sorted(path.stem for path in folder.glob("*.yaml")) if folder else []


def commands(recipe: Recipe, out: Path, changes: Mapping[str, str]) -> list[str]:
    """The steps with everything in braces filled in. UsageError for an unknown name, or a missing data folder."""
    if unknown := [name for name in changes if name not in (*recipe.values, "data")]:
        raise UsageError(f"--set {unknown[0]}: the recipe has no such value; there are {', '.join(recipe.values)}")
    data = changes.get("data") or os.environ.get("GEC_FAIR_DATA", "")
    if not data and any("{data}" in line for line in (*recipe.steps, *recipe.values.values())):
        raise UsageError("this recipe reads public data sets; set GEC_FAIR_DATA to their folder (see CONTRIBUTING.md)")
    values = {"out": str(out), "out_name": str(out).replace("/", "-"), "data": data}
    for name, value in {**recipe.values, **changes}.items():
        values[name] = _fill(value, values)
    return [_fill(step, values) for step in recipe.steps]


def run(name: str, out: Path, changes: Mapping[str, str] | None = None) -> None:
    """Run the steps that are not finished. StepFailed at the first one that fails."""
    recipe = load(name)
    steps = commands(recipe, out, changes or {})
    with lock(out):
        finished: list[str] = read_record(out / DONE).get("steps", [])
        start = time.monotonic()
        for number, step in enumerate(steps, 1):
            print(f"[{number}/{len(steps)}] {step}", file=sys.stderr)
            if step in finished:
                continue
            if subprocess.run(_words(step), env={**os.environ, **recipe.environment}, check=False).returncode:
                raise StepFailed(
                    f"step {number} of {len(steps)} failed; mend what it says, and the same command resumes"
                )
            finished = [*finished, step]
            write_json(out / DONE, {"recipe": name, "steps": finished})
        print(f"{out}: {len(steps)} steps, {time.monotonic() - start:,.0f} s", file=sys.stderr)


def _fill(text: str, values: Mapping[str, str]) -> str:
    try:
        return text.format_map(values)
    except (KeyError, ValueError, IndexError) as fault:
        raise InputError(f"{text}: {fault} is not a value of the recipe; there are {', '.join(values)}") from fault


def _words(step: str) -> list[str]:
    """The program and its arguments. InputError for another program than the two."""
    program, *words = shlex.split(step)
    if program == "gec-fair":
        return [sys.executable, "-m", "gec_fair.cli", *words]
    script = find_shipped(words[0]) if program == "python" and words else None
    if script is None:
        raise InputError(f"{step}: a step is a line `gec-fair …`, or `python SCRIPT …` with a script of this package")
    return [sys.executable, str(script), *words[1:]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Answers its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m gec_fair.recipes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recipe", help=f"A YAML file, or one of: {', '.join(names())}")
    parser.add_argument("-o", "--output", type=Path, required=True, help="A folder.")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="Replace a value of the recipe."
    )
    parser.add_argument("--list", action="store_true", help="Print the steps, and run nothing.")
    options = parser.parse_args(arguments)
    try:
        changes = {name: str(value) for name, value in changes_of(options.set, example="data=corpora").items()}
        if options.list:
            print("\n".join(commands(load(options.recipe), options.output, changes)))
        else:
            run(options.recipe, options.output, changes)
    except GecFairError as fault:
        print(f"gec-fair: {fault}", file=sys.stderr)
        return fault.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
