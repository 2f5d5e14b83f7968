"""How fast the rule perturber goes through a corpus: where nothing needs parsing, and where nearly everything does.

    python benchmarks/perturb.py NOVELS.txt.xz [--megabytes 2] [-o benchmarks/results/perturb.json]

The first is lines of the novels that may hold no perturbable word, again and again; the second the novels in chunks of
256 words, the third four times as much of them. Whole runs of `perturb_corpus` into a folder, loading of models
included, on all cores; `peak_megabytes` is the memory of the largest process so far: it stays where more text is read.
"""

from __future__ import annotations

import argparse
import lzma
import os
import resource
import tempfile
import time
from pathlib import Path

from report import record

from gec_fair.perturber.rewriting.options import PerturbCorpusOptions
from gec_fair.perturber.run import perturb_corpus
from gec_fair.perturber.words.perturbable import Finder


def timed(text: bytes, folder: Path, tokens: int, workers: int) -> dict[str, float]:
    path = folder / "text.txt"
    path.write_bytes(text)
    start = time.perf_counter()
    manifest = perturb_corpus(
        [path], folder / "out", PerturbCorpusOptions(tokens=tokens, workers=workers, overwrite=True)
    )
    seconds = time.perf_counter() - start
    counts = manifest.manifest.counts
    share = 100 * counts["augmented"] / counts["lines"]
    used = (resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "bytes": len(text),
        "seconds": round(seconds, 1),
        "texts": counts["lines"],
        "peak_megabytes": max(used),
        "kilobytes_per_second": round(len(text) / seconds / 1000, 1),
        "perturbed_percent": round(share, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("novels", type=Path)
    parser.add_argument("--megabytes", type=float, default=2.0)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    size = int(arguments.megabytes * 1_000_000)
    with lzma.open(arguments.novels, "rt", encoding="utf-8") as file:
        text = file.read(12 * size)
    finder = Finder()
    quiet = "".join(line for line in text.splitlines(keepends=True) if line.strip() and not finder.may_hold(line))
    workers = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as name:
        figures = {
            "workers": workers,
            "nothing_to_parse": timed((quiet * (10 * size // len(quiet) + 1)).encode(), Path(name), 0, workers),
            "novels": timed(text[:size].encode(), Path(name), 256, workers),
            "more_novels": timed(text[: 4 * size].encode(), Path(name), 256, workers),
        }
    print(figures)
    record(arguments.output, "perturb", figures)


if __name__ == "__main__":
    main()
