"""Whole runs of another checkout and of this one, in turn: processor seconds, ratios and their median.

    python benchmarks/before_after.py CHECKOUT [--repeats 7] [-o FILE]

Each run is a fresh process on the same inputs: `augment st` and `augment fm` of 20,000 pairs, `score` of 1,000
sentences with an empty store, `perturb` of 1,000 texts, `safety audit` of 20,000 scores, and two helps. Which checkout
goes first alternates.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median

from report import commit, record

from gec_fair.edits import diff, m2, split_spaces

ROOT = Path(__file__).resolve().parents[1]
PAIRS, SENTENCES, SCORES = 20_000, 1_000, 20_000
RUNS = {
    "augment st": "augment st pairs.tsv -o out",
    "augment fm": "augment fm pairs.tsv -o out",
    "score": "score --ref gold.m2 --hyp output.txt",
    "perturb": "perturb texts.txt -o out",
    "safety audit": "safety audit scores.csv",
    "augment st --help": "augment st --help",
    "score --help": "score --help",
}


def write_inputs(folder: Path) -> None:
    """Our sample corpus, repeated, with a running number in every line, so that no two are alike."""
    lines = (ROOT / "samples/learner-pairs.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.count("\t") == 1]
    pairs = [(f"{n} {source}", f"{n} {target}") for n, (source, target) in enumerate(islice(cycle(rows), PAIRS))]
    (folder / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    (folder / "texts.txt").write_text("".join(f"{target}\n" for _, target in pairs[:SENTENCES]))
    groups, random = cycle(("Asian", "Black", "Indigenous", "White")), Random(0)
    (folder / "scores.csv").write_text(
        "set_id,category,subgroup,harm,label,score\n"
        + "".join(
            f"{n // 4},Race/Ethnicity,{next(groups)},hate,{n // 4 % 2},{random.random()}\n" for n in range(SCORES)
        )
    )
    with (folder / "gold.m2").open("w") as gold, (folder / "output.txt").open("w") as output:
        for number, (source, target) in enumerate(pairs[:SENTENCES]):
            tokens = split_spaces(source)
            gold.write(m2.render(tokens, [("0", diff(tokens.words, split_spaces(target).words))]))
            output.write(f"{target if number % 2 else source}\n")


def seconds(checkout: Path, command: str, folder: Path) -> float:
    """Processor time of one run in a fresh process: other programs disturb it less than the clock."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    environment = {**os.environ, "PYTHONPATH": str(checkout), "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as cache:
        environment["GEC_FAIR_CACHE"] = cache
        code = "import sys; from gec_fair.cli import main; main()"
        words = [sys.executable, "-c", code, *command.split()]
        start = _spent()
        subprocess.run(
            words, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        return _spent() - start


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="CHECKOUT")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", action="append", choices=RUNS)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    checkouts = {"before": arguments.before.resolve(), "after": ROOT}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(Path(folder))
        for name, command in RUNS.items():
            if arguments.only and name not in arguments.only:
                continue
            times: dict[str, list[float]] = {"before": [], "after": []}
            for repeat in range(arguments.repeats):
                for side in sorted(checkouts, reverse=bool(repeat % 2)):
                    times[side].append(seconds(checkouts[side], command, Path(folder)))
            ratios = [after / before for before, after in zip(times["before"], times["after"], strict=True)]
            row = {"run": name, "median_ratio": round(median(ratios), 3), "ratios": [round(one, 3) for one in ratios]}
            rows.append({**row, **{f"{side}_seconds": round(median(times[side]), 2) for side in times}})
            print(rows[-1], flush=True)
    record(arguments.output, "before_after", {"before": commit(arguments.before), "rows": rows})


if __name__ == "__main__":
    main()
