"""Scoring one system and ten seeds of it, beside `errant_parallel` + `errant_compare` on the same files and parser.

    python benchmarks/scoring.py bea-dev.m2 OUTPUT_A OUTPUT_B [--seeds 10] [--workers 2]
    python benchmarks/scoring.py bea-dev.m2 OUTPUT… --parsers embedded,FOLDER

A seed is, for each sentence, a seeded draw between the two systems' outputs, 85 : 15. Ours is one `gec-fair score`
with all of them, the store empty at the start. The peer is ERRANT's own two commands, run in one process for
each seed with our pipeline in place of the model that it would download; times include loading. F0.5 of both must be
the same, or the script fails. With --parsers, the outputs are scored with each of these parsers, and nothing is timed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from report import record

SHARE = 0.85
REPEATS = 3  # of one system; medians


def draws(first: Path, second: Path, seeds: int, folder: Path) -> list[Path]:
    one, two = (path.read_text(encoding="utf-8").removesuffix("\n").split("\n") for path in (first, second))
    paths = []
    for seed in range(seeds):
        chance = random.Random(seed)
        lines = [a if chance.random() < SHARE else b for a, b in zip(one, two, strict=True)]
        paths.append(folder / f"seed{seed}.txt")
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def ours(hypotheses: list[Path], reference: Path, workers: int, cache: Path) -> tuple[float, list[float]]:
    """One command for all."""
    command = [sys.executable, "-m", "gec_fair.cli", "score", "--ref", str(reference), "--workers", str(workers)]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "--json", *(part for path in hypotheses for part in ("--hyp", str(path)))],
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "GEC_FAIR_CACHE": str(cache)},
    )
    report = json.loads(done.stdout)
    return time.perf_counter() - start, [row["f0.5"] for row in (report if isinstance(report, list) else [report])]


def by_parser(hypotheses: list[Path], reference: Path, parsers: list[str], workers: int) -> dict[str, object]:
    """Parser → output → true positives, false positives, false negatives and F0.5."""
    from gec_fair import score
    from gec_fair.english import pipeline

    rows: dict[str, object] = {}
    for parser in parsers:
        scores = score({path.stem: path for path in hypotheses}, reference, english=parser, workers=workers)
        rows[pipeline.version_of(parser)] = {
            name: [row["tp"], row["fp"], row["fn"], round(row["f0.5"], 2)]
            for name, row in ((name, one.to_dict()) for name, one in scores.items())
        }
    return rows


def theirs(hypotheses: list[Path], reference: Path, folder: Path) -> tuple[float, list[float]]:
    source = folder / "source.txt"
    sentences = [line[2:] for line in reference.read_text(encoding="utf-8").split("\n") if line.startswith("S ")]
    source.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    scores, start = [], time.perf_counter()
    for hypothesis in hypotheses:
        m2_path = folder / f"{hypothesis.stem}.m2"
        command = [sys.executable, __file__, "--peer", str(source), str(hypothesis), str(reference), str(m2_path)]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        scores.append(round(100 * float(output.split()[-1]), 2))
    return time.perf_counter() - start, scores


def peer(source: str, hypothesis: str, reference: str, m2_path: str) -> float:
    """ERRANT's own commands; only `errant.load` finds our pipeline instead of a model that is not here."""
    import errant
    from errant.commands import compare_m2, parallel_to_m2

    from gec_fair.english import pipeline

    load = errant.load
    errant.load = lambda lang, nlp=None: load(lang, nlp or pipeline.load())
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        sys.argv = ["errant_parallel", "-orig", source, "-cor", hypothesis, "-out", m2_path]
        parallel_to_m2.main()
        sys.argv = ["errant_compare", "-hyp", m2_path, "-ref", reference]
        compare_m2.main()
    return float(re.findall(r"[\d.]+", buffer.getvalue())[-1])


def main() -> None:
    if "--peer" in sys.argv:
        print(peer(*sys.argv[2:]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="M2 OUTPUT_A OUTPUT_B")
    parser.add_argument("--parsers", help="embedded, names or folders, joined by commas")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if arguments.parsers:
        reference, *hypotheses = arguments.files
        parsers = arguments.parsers.split(",")
        rows = by_parser(hypotheses, reference, parsers, arguments.workers)
        print(json.dumps(rows, indent=1))
        record(arguments.output, "scoring by parser", rows, ("errant",))
        return
    reference, first, second = arguments.files
    rows = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        seeds = draws(first, second, arguments.seeds, folder)
        for name, hypotheses in (("one system", [first]), (f"{arguments.seeds} seeds", seeds)):
            repeats = REPEATS if len(hypotheses) == 1 else 1
            runs = [ours(hypotheses, reference, arguments.workers, folder / f"{name}-{n}") for n in range(repeats)]
            peer_runs = [theirs(hypotheses, reference, folder) for _ in range(repeats)]
            mine, peers = (median(seconds for seconds, _ in pairs) for pairs in (runs, peer_runs))
            scores = runs[0][1]
            assert scores == peer_runs[0][1], (scores, peer_runs[0][1])
            rows[name] = {
                "seconds": round(mine, 2),
                "errant seconds": round(peers, 2),
                "ratio": round(peers / mine, 1),
                "f0.5": scores,
            }
            print(name, json.dumps(rows[name]), flush=True)
    cost = rows[f"{arguments.seeds} seeds"]["seconds"] / rows["one system"]["seconds"]  # type: ignore[index]
    print(f"{arguments.seeds} seeds cost {cost:.1f} times one system")
    content = {
        "files": [p.name for p in arguments.files],
        "workers": arguments.workers,
        **rows,
        "seeds ÷ one": round(cost, 2),
    }
    record(arguments.output, "scoring", content, ("errant",))


if __name__ == "__main__":
    main()
