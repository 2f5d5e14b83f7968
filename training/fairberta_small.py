"""FairBERTa in small: encoders on a corpus and on the same corpus perturbed, three seeds each, judged by the suites of
Qian et al. 2022's Table 3.

    make fairberta-small

    texts ─┬─ as they are ──────── pretrain mlm, seeds 0-2 ── lmbias: crows, seat, holisticbias ─┐
           └─ perturb, 256 words ─ pretrain mlm, seeds 0-2 ── the same ──────────────────────────┴─ Table 3 in form

Every step is a command that is printed; what is finished is not done again, and a folder that was made with other
options is refused.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from gec_fair.errors import GecFairError, MissingResource
from gec_fair.lmbias.table import THEIRS
from gec_fair.report.papers import read_printed
from gec_fair.runs.atomic import write_bytes, write_text
from gec_fair.stats.estimate import Kind
from gec_fair.stats.seeds import over_seeds

FOLDER = Path(__file__).parent
TEXTS = ("gutenberg", "fairytales", "childes", "dialogue", "wikipedia")
# Short blocks and positions that begin as sinusoids, so that word order is learned: docs/how-to/fairberta.md.
SMALL = (
    "vocabulary=8000",
    "block=48",
    "suites=[]",
    "encoder.hidden=256",
    "encoder.layers=4",
    "encoder.heads=4",
    "encoder.intermediate=1024",
    "encoder.positions=64",
    "encoder.dropout=0",
    "encoder.sinusoids=0.1",
    "training.batch=44",
    "training.accumulation=1",
    "training.learning_rate=1e-3",
    "training.warmup=300",
    "training.adam_beta2=0.98",
    "training.clip=1",
    "training.eval_every=900",
    "training.save_every=500",
)
SUITES = "crows,seat,holisticbias"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=2700)
    parser.add_argument("--limit", type=int, default=0, help="Lines of each text; 0 is all.")
    parser.add_argument("--set", dest="changes", action="append", default=[], help="Another value of the YAML's.")
    parser.add_argument("--suite-options", default="", help="More options for gec-fair lmbias run.")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    try:
        table = run(arguments)
    except GecFairError as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
    print(table)


def run(arguments: argparse.Namespace) -> str:
    """Every step in order; the table."""
    out: Path = arguments.output
    out.mkdir(parents=True, exist_ok=True)
    corpus = out / "corpus.txt"
    write_bytes(corpus, (line for path in texts() for line in lines(path, arguments.limit)))
    step("perturb", corpus, "-o", out / "perturbed", "--tokens", 256, "--workers", arguments.workers)
    judging = ["--suite", SUITES, *shlex.split(arguments.suite_options)]
    judged = f"bias-{sha256(shlex.join(judging).encode()).hexdigest()[:8]}.json"
    corpora = {"original": corpus, "perturbed": out / "perturbed/rewritten.txt"}

    def one(cell: tuple[int, str]) -> None:
        seed, name = cell
        place = out / name / str(seed)
        changes = [
            f"texts=['{corpora[name]}']",
            f"seed={seed}",
            f"training.steps={arguments.steps}",
            *SMALL,
            *arguments.changes,
        ]
        words = [word for change in changes for word in ("--set", change)]
        step("pretrain", "mlm", FOLDER / "fairberta.yaml", *words, "-o", place, threads=threads)
        if not (place / judged).exists():
            step("lmbias", "run", "--model", place / "best", *judging, "-o", place / judged, threads=threads)

    cells = list(product(range(arguments.seeds), corpora))
    at_once, threads = share_cores(arguments.workers, len(cells))
    with ThreadPoolExecutor(at_once) as pool:
        for done in [pool.submit(one, cell) for cell in cells]:
            try:
                done.result()
            except SystemExit:
                pool.shutdown(cancel_futures=True)
                raise
    figures: dict[str, list[Mapping[str, Any]]] = {}
    for seed, name in cells:
        figures.setdefault(name, []).append(json.loads((out / name / str(seed) / judged).read_text(encoding="utf-8")))
    table = table_3(figures)
    write_text(out / "table_3.md", table)
    return table


def table_3(figures: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Means over seeds with their 95 % intervals (Student's t), the paper's 16 GB models beside what is the same
    measure as theirs: another is named."""
    heads = [f"{name}, {len(seeds)} seeds" for name, seeds in figures.items()]
    first_head = "measure, mean over seeds ± half of Student's 95 % interval"
    lines = [
        f"| {first_head} | axis | {' | '.join(heads)} | RoBERTa 16GB, Qian et al. 2022 | FairBERTa 16GB |",
        "| --- | --- |" + " ---: |" * (len(heads) + 2),
    ]
    theirs = {(row["metric"], row["axis"]): row["values"] for row in read_printed("qian2022")["table_3"]["row"]}
    for (suite, part, measure), (metric, axis) in THEIRS.items():
        ours = [[_figure(seed_figures, suite, part) for seed_figures in seeds] for seeds in figures.values()]
        cells = [_mean([figure["value"] for figure in seed_figures]) for seed_figures in ours]
        others = sorted({figure["measure"] for seed_figures in ours for figure in seed_figures} - {measure})
        paper = ("–", "–") if others else theirs[metric, axis][:2]
        name = ": ".join([metric, *others])
        lines.append(f"| {name} | {axis} | {' | '.join(cells)} | {paper[0]} | {paper[1]} |")
    return "\n".join(lines) + "\n"


def _mean(values: list[float]) -> str:
    """The mean over seeds ± half of its interval; one seed has none."""
    estimate = over_seeds(values, Kind.STUDENT)
    return f"{estimate.value:.1f}" if estimate.half is None else f"{estimate.value:.1f} ± {estimate.half:.1f}"


def _figure(record: Mapping[str, Any], suite: str, part: str) -> Mapping[str, Any]:
    figures: Sequence[Mapping[str, Any]] = record["figures"]
    return next(figure for figure in figures if (figure["suite"], figure["part"]) == (suite, part))


def texts() -> list[Path]:
    """MissingResource where they are not here."""
    folder = Path(os.environ.get("GEC_FAIR_DATA", "GEC_FAIR_DATA is not set")) / "babylm/mixed7m"
    paths = [folder / f"train.{name}.txt.xz" for name in TEXTS]
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        raise MissingResource("\n  ".join(["not here, see docs/how-to/from-scratch.md:", *missing]))
    return paths


def lines(path: Path, limit: int) -> list[bytes]:
    with lzma.open(path) as file:
        every = file.readlines()
    return every[:limit] if limit else every


def share_cores(workers: int, cells: int) -> tuple[int, int]:
    """How many trainings at once, and threads each: models as small as these gain little from a second core, and on a
    GPU they would only wait for each other."""
    import torch

    at_once = 1 if torch.cuda.is_available() else max(1, min(workers, cells))
    return at_once, max(1, workers // at_once)


def step(*words: object, threads: int | None = None) -> None:
    """A command, with the time that it took."""
    print("gec-fair", shlex.join(map(str, words)), flush=True)
    start = time.monotonic()
    few = {} if threads is None else {"OMP_NUM_THREADS": str(threads)}
    command = [sys.executable, "-m", "gec_fair.cli", *map(str, words)]
    code = subprocess.run(command, env={**os.environ, **few}, check=False).returncode
    if code:
        sys.exit(code)
    print(f"    {words[-1]}: {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
