"""Is the cost of a run linear in lines, and is its memory flat?

    python benchmarks/scaling.py FILE… [--step module:factory] [--workers 2] [--sizes 10000 100000 1000000]

The files' pairs are repeated until there are enough, each with a running number as its last word on both sides, so
that no cache across lines can help. Every size runs in a fresh process. The step is `do_nothing` unless another
factory is named (`package.module:function`, called without arguments in each worker): what is measured then is
reading, carrying between processes and writing.

Prints seconds, CPU seconds (which other work on the machine does not lengthen as much), lines a second and peak memory
for each size, and the two ratios that answer the question. Memory is the sum over parent and workers of the most that
each has held (Linux only). Writes benchmarks/results/scaling.json.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from report import record

from gec_fair.corpus import Pair, Running, read, run

RESULT = Path(__file__).parent / "results" / "scaling.json"
DO_NOTHING = "gec_fair.corpus.step:do_nothing"


def numbered(files: Sequence[Path], lines: int) -> Iterator[str]:
    """`lines` rows of TSV from the pairs of the files."""
    pairs = [r.value for r in read(files) if isinstance(r.value, Pair)]
    for number in count():
        for at, pair in enumerate(pairs):
            done = number * len(pairs) + at
            if done == lines:
                return
            yield f"{pair.source} {done}\t{pair.target} {done}\n"


def measure(files: Sequence[Path], lines: int, step: str, workers: int) -> dict[str, float]:
    """One run in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.tsv"
        with corpus.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(numbered(files, lines))
        command = [sys.executable, __file__, "--one", str(corpus), "--step", step, "--workers", str(workers)]
        job = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        peaks: dict[int, int] = {}
        watch = threading.Thread(target=_watch, args=(job, peaks))
        watch.start()
        output, _ = job.communicate()
        watch.join()
    if job.returncode:
        raise SystemExit(f"the run of {lines} lines failed")
    return {"lines": lines, **json.loads(output), "peak_mb": round(sum(peaks.values()) / 1024, 1)}


def one(corpus: Path, step: str, workers: int) -> None:
    """The run itself: seconds and outcomes as JSON on stdout."""
    module, _, name = step.partition(":")
    factory = getattr(importlib.import_module(module), name)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        done = run([corpus], folder, factory, {}, job="scaling", running=Running(workers=workers))
        seconds = time.perf_counter() - start
    used = os.times()
    cpu = used.user + used.system + used.children_user + used.children_system  # start-up of Python included
    print(
        json.dumps({"seconds": round(seconds, 3), "cpu_seconds": round(cpu, 3), "counts": dict(done.manifest.counts)})
    )


def _watch(job: subprocess.Popen[str], peaks: dict[int, int]) -> None:
    """The high-water mark of each process of the run, in kB, until it ends."""
    while job.poll() is None:
        for pid in _family(job.pid):
            peaks[pid] = max(peaks.get(pid, 0), _high_water(pid))
        time.sleep(0.1)


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(p for child in children for p in _family(int(child)))]


def _high_water(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--step", default=DO_NOTHING, help="module:function that builds the step")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--sizes", nargs="+", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        one(args.one, args.step, args.workers)
        return
    if not args.files:
        parser.error("name at least one file of pairs")
    report(args)


def report(args: argparse.Namespace) -> None:
    rows: list[dict[str, float]] = []
    print(f"{'lines':>10} {'seconds':>9} {'CPU s':>7} {'lines/s':>9} {'peak MB':>8}")
    for lines in args.sizes:
        row = measure(args.files, lines, args.step, args.workers)
        row["lines_per_second"] = round(lines / row["seconds"])
        rows.append(row)
        times = f"{row['seconds']:>9.2f} {row['cpu_seconds']:>7.2f} {row['lines_per_second']:>9,}"
        print(f"{lines:>10,} {times} {row['peak_mb']:>8.0f}", flush=True)
    first, last = rows[-2] if len(rows) > 1 else rows[0], rows[-1]
    cost = (last["seconds"] / last["lines"]) / (first["seconds"] / first["lines"])
    memory = last["peak_mb"] / max(first["peak_mb"], 0.1)
    sizes = f"{last['lines']:,} lines against {first['lines']:,}"
    print(f"{sizes}: a line costs {cost:.2f}×, memory is {memory:.2f}×")
    figures = {"step": args.step, "workers": args.workers, "rows": rows, "cost_ratio": cost, "memory_ratio": memory}
    record(args.output, "scaling", figures, ("zstandard", "pyarrow"))


if __name__ == "__main__":
    main()
