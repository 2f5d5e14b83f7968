"""Pairs per second of whole runs (read, augment, write), beside the paper's rules re-derived on the same pairs.

    python benchmarks/speed.py SRC TGT [SRC TGT …] [--m2 FILE] [--pairs 20000]

The given pairs are repeated up to the number asked for, each with a running number as a word of its own on both sides,
so that no two lines are alike and no cache across lines can be in play. Two rates each, median of `--repeats`:

    whole   a fresh process from its start to its end: Python, imports, models, workers, 20,000 pairs
    loaded  the same again in a process that has its models already: what a corpus of millions of lines sees

The peer parses every target in full (§3.2) and transfers by equal-length segments, on one core; it has no coreference
gate, so `st --gate none` is the like-for-like row.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

from _peer_systems import PaperRules, transferred
from report import record

from gec_fair.augmentation.options import AugmentOptions, Method, Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.run import augment_corpus
from gec_fair.corpus.formats.readers import read
from gec_fair.corpus.records import Pair
from gec_fair.edits import split_spaces

# the peer has no gate, so that st with the gate open is the like-for-like row
OPTIONS: dict[str, dict[str, Any]] = {"fm": {}, "st": {}, "st --gate none": {"gate": "none"}}


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
    numbered = [(f"{s} {n}", f"{t} {n}") for n, (s, t) in enumerate(islice(cycle(pairs), wanted))]
    assert len(set(numbered)) == wanted
    return numbered


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _name(method: str) -> Method:
    name: Any = method.partition(" ")[0]
    return name


def ours(corpus: Path, method: str, workers: int) -> tuple[float, dict[str, int]]:
    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        options = AugmentOptions(_name(method), workers=workers, progress=lambda *_: None, **OPTIONS[method])
        done = augment_corpus([corpus], Path(out) / "run", options)
        return time.perf_counter() - start, dict(done.manifest.counts)


def paper(corpus: Path, rules: PaperRules) -> float:
    start = time.perf_counter()
    rows = (line.split("\t") for line in lines(corpus))
    words = [(split_spaces(source).words, split_spaces(target).words) for source, target in rows]
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as out:
        for target, source in transferred(words, rules):
            if source is not None:
                out.write(f"{' '.join(source)}\t{' '.join(target)}\n")
    return time.perf_counter() - start


def loaded(corpus: Path, system: str, repeats: int) -> dict[str, object]:
    """Seconds in this process, after one run that has loaded everything."""
    method, _, workers = system.partition("@")
    if workers == "paper":
        rules = PaperRules(_name(method))
        return {"seconds": [round(paper(corpus, rules), 2) for _ in range(repeats + 1)][1:]}
    timed = [ours(corpus, method, int(workers)) for _ in range(repeats + 1)]
    return {"seconds": [round(seconds, 2) for seconds, _ in timed[1:]], "counts": timed[0][1]}


def fresh(corpus: Path, system: str, repeats: int) -> dict[str, object]:
    """One process that runs the corpus once and ends, and one that runs it `repeats` times more."""
    command = [sys.executable, __file__, "--corpus", str(corpus), "--system", system, "--repeats"]
    command_line = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([*command, "0"], check=True, stdout=subprocess.DEVNULL)
        command_line.append(round(time.perf_counter() - start, 2))
    output = subprocess.run([*command, str(repeats)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {"whole": command_line, **json.loads(output)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--m2", nargs="*", type=Path, default=[])
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--methods", nargs="+", default=list(OPTIONS))
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--corpus", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--system", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.corpus:
        print(json.dumps(loaded(arguments.corpus, arguments.system, arguments.repeats)))
        return
    pairs = numbered(arguments.files, arguments.m2, arguments.pairs)
    rows: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "pairs.tsv"
        corpus.write_text("".join(f"{s}\t{t}\n" for s, t in pairs), encoding="utf-8")
        for method in arguments.methods:
            rows[method] = compare(corpus, method, len(pairs), arguments.repeats)
            print(method, json.dumps(rows[method], indent=1), flush=True)
    record(
        arguments.output,
        "speed",
        {"pairs": len(pairs), "files": [p.name for p in arguments.files + arguments.m2], **rows},
    )


def compare(corpus: Path, method: str, pairs: int, repeats: int) -> dict[str, object]:
    systems = {"1 worker": "1", "2 workers": "2", "paper's rules": "paper"}
    timed = {name: fresh(corpus, f"{method}@{short}", repeats) for name, short in systems.items()}
    row: dict[str, Any] = {"counts": timed["1 worker"]["counts"]}
    for name, seconds in timed.items():
        row[name] = {
            "pairs/s, whole": round(pairs / median(seconds["whole"])),
            "pairs/s, loaded": round(pairs / median(seconds["seconds"])),
            "seconds, whole": seconds["whole"],
            "seconds, loaded": seconds["seconds"],
        }
    for kind in ("whole", "loaded"):
        base = row["paper's rules"][f"pairs/s, {kind}"]
        for name in ("1 worker", "2 workers"):
            row[f"ratio to the paper's rules, {kind}, {name}"] = round(row[name][f"pairs/s, {kind}"] / base, 1)
    return row


if __name__ == "__main__":
    main()
