"""Speeds that hold on a slow or busy machine: a loop is timed beside what is measured, both without garbage
collection, which takes as long as the tests before have left objects."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

LOOP_SECONDS = 0.12
"""CPU time of `_fill_table` on the machine that the limits of the tests are written for."""


def measure_fastest(call: Callable[[], object], runs: int = 3) -> float:
    """CPU seconds of the fastest of some runs of `call`, as that machine would need them; the first may load files."""
    calls, loops = zip(*((_measure(call), _measure(_fill_table)) for _ in range(runs)), strict=True)
    return min(calls) / min(loops) * LOOP_SECONDS


def _measure(call: Callable[[], object]) -> float:
    gc.disable()
    try:
        begin = time.process_time()
        call()
        return time.process_time() - begin
    finally:
        gc.enable()


def _fill_table() -> dict[str, list[int]]:
    return {str(number): [number] for number in range(250_000)}


if __name__ == "__main__":
    seconds = min(_measure(_fill_table) for _ in range(5))
    print(f"this machine's loop: {seconds:.3f} s (the limits of the tests are written for {LOOP_SECONDS} s)")
