"""How far a value travels: the functions of the package that are called with it, on the smallest run of each kind.

    python benchmarks/ways.py [--before CHECKOUT] [-o FILE]

A value is followed by a mark in it: an odd figure among the options, an invented word in a text. A function is a *stop*
if it is called with an argument that holds the mark: itself, or in a list, a mapping, a dataclass or a parsed text.
Stops are counted once, with their files, and so are *doors*, the calls by which the value comes from one file into
another; those into `cli/` are not. `handed` leaves out methods of which only `self` holds it. `--before` measures
another checkout too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WORD, FIGURE = "Zanzibaria", 0.001953125
TEXT = f"My sister Emma lost her keys in {WORD} .\n"
DOCUMENTS = [
    {"text": f"The {WORD} bridge was opened in 1990 .", "label": "SUPPORTS"},
    {"text": "The museum was not opened in 1990 .", "label": "REFUTES"},
]
PAIR = f"My sister lose her keys in {WORD} .\tMy sister loses her keys in {WORD} .\n"
_RATE = "pretrain.training.learning_rate"
WAYS = {
    "safety train: its options": ("safety-train", "safety train safety-settings.yaml -o out {set}", "search.beta"),
    "perturb: a text": ("", "perturb text.txt -o out", ""),
    "babylm experiment: its options": ("babylm", "babylm experiment babylm.yaml -o out {set}", _RATE),
    "augment: a pair": ("", "augment st pairs.tsv -o out", ""),
    "score: a hypothesis": ("", "score --hyp hypothesis.txt --ref corrected.txt --src text.txt --no-cache", ""),
    "razor run: a document": ("", "razor run documents.jsonl --rewriter rules --verifier none -o out", ""),
}
"""The inputs (of a frozen run in tests/golden), the command, and the option that has the mark."""
_CALLS = 300  # of one function; more are not looked at
_DEPTH = 4
_ITEMS = 30  # of a list


def holds(value: object, mark: object, depth: int = _DEPTH) -> bool:
    """Whether a value is the mark, or holds it."""
    if isinstance(value, str):
        return isinstance(mark, str) and mark in value
    if isinstance(value, int | float):
        return value == mark
    if depth == 0 or value is None:
        return False
    if type(value).__name__ == "Doc":
        return isinstance(mark, str) and mark in str(value)
    if isinstance(value, Mapping):
        return any(holds(item, mark, depth - 1) for item in list(value.values())[:_ITEMS])
    if isinstance(value, list | tuple):
        return any(holds(item, mark, depth - 1) for item in value[:_ITEMS])
    if is_dataclass(value) and not isinstance(value, type):
        return any(holds(getattr(value, field.name, None), mark, depth - 1) for field in fields(value))
    return False


class Tracer:
    """Counts stops while a command runs in this process."""

    def __init__(self, package: Path, mark: object) -> None:
        self.package, self.mark = str(package) + os.sep, mark
        self.stops: set[CodeType] = set()
        self.handed: set[CodeType] = set()
        self.doors: set[tuple[CodeType, CodeType]] = set()
        self.calls: dict[CodeType, int] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(self.package) or code.co_name[0] == "<":
            return
        if code in self.stops:
            self._enter(frame)
            return
        self.calls[code] = self.calls.get(code, 0) + 1
        if self.calls[code] > _CALLS:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        sys.setprofile(None)
        try:
            holding = [name for name in names if holds(frame.f_locals.get(name), self.mark)]
            if holding:
                self.stops.add(code)
                self._enter(frame)
            if holding not in ([], ["self"]):
                self.handed.add(code)
        finally:
            sys.setprofile(self)

    def _enter(self, frame: FrameType) -> None:
        """A door is a call from one file of the package to another."""
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(self.package):
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != frame.f_code.co_filename:
            self.doors.add((caller.f_code, frame.f_code))


def trace(checkout: Path, words: list[str], mark: object) -> dict[str, Any]:
    """In this process, whose first import path is the checkout."""
    from click.testing import CliRunner

    from gec_fair import cli

    tracer = Tracer(checkout / "gec_fair", mark)
    sys.setprofile(tracer)
    try:
        result = CliRunner().invoke(cli.cli, words)
    finally:
        sys.setprofile(None)
    if result.exception is not None or result.exit_code:
        raise SystemExit(f"{' '.join(words)}: {result.output}{result.exception!r}")
    inside = {code for code in tracer.stops if os.sep + "cli" + os.sep not in code.co_filename}
    rooms = Counter(Path(code.co_filename).relative_to(checkout / "gec_fair").parts[0] for code in inside)
    return {
        "stops": len(inside),
        "handed": len(inside & tracer.handed),
        "doors": sum(door[1] in inside for door in tracer.doors),
        "files": len({code.co_filename for code in inside}),
        "rooms": dict(rooms.most_common()),
    }


def measure(checkout: Path, inputs: str, command: str, option: str) -> dict[str, Any]:
    """Run one way in its own process and folder."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "text.txt").write_text(TEXT)
        (place / "pairs.tsv").write_text(PAIR)
        (place / "hypothesis.txt").write_text(TEXT)
        (place / "corrected.txt").write_text(TEXT)
        (place / "documents.jsonl").write_text("".join(json.dumps(row) + "\n" for row in DOCUMENTS))
        if inputs:
            _write_inputs(inputs, place)
        words = command.format(set=f"--set {option}={FIGURE}").split()
        task = json.dumps({"checkout": str(checkout), "words": words, "mark": FIGURE if option else WORD})
        environment = {**os.environ, "PYTHONPATH": str(checkout), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        environment |= {"GEC_FAIR_CACHE": str(place / "cache")}
        if (place / "data").is_dir():
            environment["GEC_FAIR_DATA"] = str(place / "data")
        done = subprocess.run(
            [sys.executable, __file__, "--task", task],
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])


def _write_inputs(name: str, place: Path) -> None:
    """Those of a frozen run of the tests."""
    sys.path.insert(0, str(ROOT))
    from tests.golden import inputs, runs

    run = next(run for run in runs.RUNS if run.name == name)
    before = Path.cwd()
    os.chdir(place)
    try:
        inputs.make(run.inputs, place)
    finally:
        os.chdir(before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="A checkout of an earlier version.")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        task = json.loads(arguments.task)
        print(json.dumps(trace(Path(task["checkout"]), task["words"], task["mark"])))
        return
    from report import record

    rows = []
    for name, (inputs, command, option) in WAYS.items():
        row: dict[str, Any] = {"way": name, **measure(ROOT, inputs, command, option)}
        if arguments.before:
            before = measure(arguments.before.resolve(), inputs, command, option)
            row |= {f"{key}_before": value for key, value in before.items()}
            row |= {f"{key}_ratio": round(row[key] / before[key], 2) for key in ("stops", "doors")}
        rows.append(row)
        print(row, flush=True)
    if arguments.output:
        record(arguments.output, "ways", {"rows": rows})


if __name__ == "__main__":
    main()
