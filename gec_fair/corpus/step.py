"""A step turns pairs into outcomes, one for each; `work` takes a block from raw rows to bytes through it.

Every engine calls `work` and nothing else, so that the bytes cannot depend on the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gec_fair.corpus.formats.readers import Block
from gec_fair.corpus.outcome import Malformed, Outcome, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.corpus.writers import Rendered, render
from gec_fair.errors import GecFairError

Step: TypeAlias = Callable[[Sequence[Pair]], Sequence[Outcome]]
StepFactory: TypeAlias = Callable[[], Step]
"""Builds the step in each worker, once; picklable: `partial(module_level_function, options)`."""


class StepError(GecFairError):
    """The step raised what it should not have; the message names the lines. An internal fault: exit 1."""

    exit_code = 1


def work(step: Step, block: Block) -> Rendered:
    """The block's outputs. Raises StepError, naming the line, where the step does not do its duty."""
    records = block.records()
    pairs = [r for r in records if not isinstance(r, Malformed)]
    return render(block, records, _outcomes(step, pairs, block.where) if pairs else ())


def do_nothing() -> Step:
    """Make the step that changes nothing, for measurements."""
    return lambda pairs: [Unchanged()] * len(pairs)


def _outcomes(step: Step, pairs: Sequence[Pair], where: str) -> Sequence[Outcome]:
    try:
        outcomes = step(pairs)
    except GecFairError:
        raise
    except Exception as fault:
        raise StepError(f"{_guilty(step, pairs) or where}: {type(fault).__name__}: {fault}") from fault
    if len(outcomes) != len(pairs):
        raise StepError(f"{where}: the step gave {len(outcomes)} outcomes for {len(pairs)} pairs")
    return outcomes


def _guilty(step: Step, pairs: Sequence[Pair]) -> str | None:
    """The pair that fails alone as well; None where only the whole block fails."""
    for pair in pairs:
        try:
            step([pair])
        except Exception:
            return pair.id
    return None
