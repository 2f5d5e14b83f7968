"""Pairs per second of whole runs (read, augment, write), beside the paper's rules re-derived on the same pairs.

    python benchmarks/speed.py SRC TGT [SRC TGT …] [--m2 FILE] [--pairs 20000]

The given pairs are repeated up to the number asked for, each with a running number as a word of its own on both sides,
so that no two lines are alike and no cache across lines can be in play. Time includes starting the workers and loading
the models. The peer parses every target in full (§3.2) and transfers by equal-length segments; it runs in this process
on one core, so its ratio is against one worker. Median of `--repeats`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from _peer_systems import PaperRules, transferred
from report import record

from gec_fair.augment.options import Options
from gec_fair.augment.parallel import Augmenter
from gec_fair.augment.run import augment_corpus
from gec_fair.corpus.readers import read
from gec_fair.corpus.records import Pair
from gec_fair.edits import spaced

# the peer has no gate, so that st with the gate open is the like-for-like row
OPTIONS = {"fm": Options("fm"), "st": Options("st"), "st --gate none": Options("st", gate="none")}


def fm() -> Augmenter:
    """A step for `scaling.py --step speed:fm`."""
    return Augmenter(Options("fm"))


def st() -> Augmenter:
    """A step for `scaling.py --step speed:st`."""
    return Augmenter(Options("st"))


def numbered(files: Sequence[Path], m2: Sequence[Path], wanted: int) -> list[tuple[str, str]]:
    pairs = [
        (s, t)
        for source, target in zip(files[::2], files[1::2], strict=True)
        for s, t in zip(lines(source), lines(target), strict=True)
    ]
    pairs += [(r.value.source, r.value.target) for path in m2 for r in read(path) if isinstance(r.value, Pair)]
    made = [(f"{s} {n}", f"{t} {n}") for n, (s, t) in enumerate(islice(cycle(pairs), wanted))]
    assert len(set(made)) == wanted
    return made


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def ours(corpus: Path, method: str, workers: int) -> tuple[float, dict[str, int]]:
    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        done = augment_corpus([corpus], Path(out) / "run", OPTIONS[method], workers=workers, progress=lambda *_: None)
        return time.perf_counter() - start, dict(done.manifest.counts)


def paper(pairs: Sequence[tuple[str, str]], method: str) -> float:
    start = time.perf_counter()
    words = [(spaced(s).words, spaced(t).words) for s, t in pairs]
    for _ in transferred(words, PaperRules(OPTIONS[method].method)):
        pass
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--m2", nargs="*", type=Path, default=[])
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--methods", nargs="+", default=list(OPTIONS))
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    pairs = numbered(given.files, given.m2, given.pairs)
    rows: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "pairs.tsv"
        corpus.write_text("".join(f"{s}\t{t}\n" for s, t in pairs), encoding="utf-8")
        for method in given.methods:
            row: dict[str, object] = {}
            for workers in (1, 2):
                timed = [ours(corpus, method, workers) for _ in range(given.repeats)]
                row[f"pairs/s, {workers} workers"] = round(len(pairs) / median(t for t, _ in timed))
                row[f"seconds, {workers} workers"] = [round(t, 2) for t, _ in timed]
                row["counts"] = timed[0][1]
            row["pairs/s, paper's rules, one core"] = round(len(pairs) / paper(pairs, method), 1)
            row["ratio, one core each"] = round(row["pairs/s, 1 workers"] / row["pairs/s, paper's rules, one core"], 1)
            rows[method] = row
            print(method, row, flush=True)
    record(given.output, "speed", {"pairs": len(pairs), "files": [p.name for p in given.files + given.m2], **rows})


if __name__ == "__main__":
    main()
