"""Steps for the tests: importable, so that worker processes find them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gec_fair.corpus import Augmented, Discarded, Left, Outcome, Pair, Step, Unchanged
from gec_fair.edits import Edit, Edits, Rewriting
from gec_fair.errors import MissingResource


def they(pairs: Sequence[Pair]) -> Sequence[Outcome]:
    """*he* becomes *they* on both sides; a pair with *unsure* in it is discarded, one with *it* is left."""
    return [_they(p) for p in pairs]


def _they(pair: Pair) -> Outcome:
    target = pair.target.split(" ")
    if "unsure" in target:
        return Discarded("agreement_unsure", "the word says so")
    if "it" in target:
        return Left("thing", "it")
    if "he" not in target:
        return Unchanged()
    sides = [_rewriting(pair.source), _rewriting(pair.target)]
    corrections = tuple(_annotator(c) for c in pair.corrections)
    new = Pair(pair.file, pair.line, *(side.after.text for side in sides), corrections=corrections)
    return Augmented(new, *sides)


def _rewriting(text: str) -> Rewriting:
    words = text.split(" ")
    return Rewriting.between(text, " ".join("they" if word == "he" else word for word in words))


def _annotator(correction: tuple[str, Edits]) -> tuple[str, Edits]:
    who, edits = correction
    return who, Edits(tuple(_edit(e) for e in edits), edits.length)


def _edit(edit: Edit) -> Edit:
    return replace(edit, replacement=tuple("they" if w == "he" else w for w in edit.replacement))


def make_they() -> Step:
    return they


def make_slow_they(pids: str) -> Step:
    """Leaves the worker's process id in a folder and takes its time."""
    (Path(pids) / str(os.getpid())).touch()

    def step(pairs: Sequence[Pair]) -> Sequence[Outcome]:
        time.sleep(0.01)
        return they(pairs)

    return step


def make_crashing() -> Step:
    def step(pairs: Sequence[Pair]) -> Sequence[Outcome]:
        if any("crash" in p.source for p in pairs):
            raise KeyError("VBD_RB")
        return they(pairs)

    return step


def make_killed() -> Step:
    def step(pairs: Sequence[Pair]) -> Sequence[Outcome]:
        if any("crash" in p.source for p in pairs):
            os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does when memory is short
        return they(pairs)

    return step


def make_forgetful() -> Step:
    return lambda pairs: they(pairs)[:-1]


def make_missing() -> Step:
    raise MissingResource("the model is not here; fetch it")
