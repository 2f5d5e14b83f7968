"""gec_fair beside what a user can install and beside the paper's rules: quality and speed in one run, one core.

    pip install -r benchmarks/requirements-peers.txt
    python benchmarks/peers.py ORIG.src ORIG.tgt AUG.src AUG.tgt --method fm

Columns as in `quality.py`; `speed` is sentences/s over target rewriting and, where a system has one, the transfer to
the source; `ratio` is ours divided by theirs. For `st` ours runs with `--gate none`, as the others do.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from _peer_systems import AugLy, PaperRules, transferred
from quality import Item, Judge, Result, read, run, table, words
from report import record

from gec_fair.augmentation.options import Options
from gec_fair.corpus.records import Pair

REPEATS = 3


def peer(system, items: Sequence[Item]) -> tuple[list[Result], float]:
    pairs = [(words(i.source), words(i.target)) for i in items]
    list(transferred(pairs[:5], system))
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        done = list(transferred(pairs, system))
        seconds.append(time.perf_counter() - start)
    results = [
        Result(item, new, None if source is None else Pair("", 1, " ".join(source), " ".join(new)), "")
        for item, (new, source) in zip(items, done, strict=True)
    ]
    return results, len(items) / median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=4, type=Path, metavar="FILE", help="ORIG.src ORIG.tgt AUG.src AUG.tgt")
    parser.add_argument("--method", choices=("fm", "st"), required=True)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    items = read(arguments.files)
    options = Options(
        arguments.method, gate="none" if arguments.method == "st" else "coref", animals=True
    )  # as the gold
    if arguments.method == "st":  # with the gate open every pronoun goes; items whose gold keeps one ask for the gate
        items = [item for item in items if not item.keeps_pronouns]
    judge = Judge(options)
    speeds = [run(items, options) for _ in range(REPEATS)]
    ours = speeds[0][0], median(speed for _, speed in speeds)
    peers = [PaperRules(arguments.method)] + ([AugLy()] if arguments.method == "fm" else [])
    rows: dict[str, dict[str, float | int]] = {"gec_fair": figures(*ours, judge, ours[1])}
    for system in peers:
        rows[system.name] = figures(*peer(system, items), judge, ours[1])
    names = list(rows["gec_fair"])
    print("| system | " + " | ".join(names) + " |\n| --- |" + " ---: |" * len(names))
    for system, row in rows.items():
        print(f"| {system} | " + " | ".join(str(v) for v in row.values()) + " |")
    content = {"files": [p.name for p in arguments.files], "method": arguments.method, "rows": rows}
    record(arguments.output, "peers", content, ("augly", "nlpaug"))


def figures(results: list[Result], speed: float, judge: Judge, ours: float) -> dict[str, float | int]:
    return {**table(results, judge), "speed": round(speed), "ratio": round(ours / speed, 1)}


if __name__ == "__main__":
    main()
