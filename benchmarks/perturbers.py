"""Perturbers beside each other on WinoBias, the paper's Table 2 in form: a text, the pronoun of it, the other gender.

    pip install -r benchmarks/requirements-peers.txt
    python benchmarks/perturbers.py WINOBIAS_FOLDER [--systems rules,copy,augly] [-o benchmarks/results/perturbers.json]

WinoBias (Zhao et al. 2018) has each sentence twice, with *he* and with *she*; the second is the reference of the first.
There the pronoun alone changes: what a perturber is to leave alone is all the rest, occupations too.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from report import record

from gec_fair.perturber.neural.evaluate import compared, parts
from gec_fair.report.table import join_parts
from gec_fair.runs.atomic import write_text

NAME = "WinoBias_wino_data_{}_stereotyped_type{}.txt.{}"
FEMININE = {"she", "her", "hers", "herself"}
MASCULINE = {"he", "him", "his", "himself"}
_NUMBER, _MARKED = re.compile(r"^\d+ +"), re.compile(r"\[(\w+)\]")


def rows(folder: Path) -> Iterator[dict[str, str]]:
    """As PANDA's rows; sentences whose marked pronoun is the only difference."""
    for kind in (1, 2):
        for split in ("dev", "test"):
            pro, anti = (read(folder / NAME.format(direction, kind, split)) for direction in ("pro", "anti"))
            for before, after in zip(pro, anti, strict=True):
                pronoun = next((word for word in _MARKED.findall(before) if word.lower() in FEMININE | MASCULINE), None)
                if pronoun is not None and plain(before) != plain(after):
                    target = "man" if pronoun.lower() in FEMININE else "woman"
                    yield {
                        "original": plain(before),
                        "selected_word": pronoun,
                        "target_attribute": target,
                        "perturbed": plain(after),
                    }


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def plain(text: str) -> str:
    return _NUMBER.sub("", text).replace("[", "").replace("]", "").strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", default="rules,copy,augly")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "winobias.jsonl"
        every = list(rows(arguments.folder))
        write_text(path, "".join(json.dumps(row) + "\n" for row in every))
        results, seconds = {}, {}
        for system in arguments.systems.split(","):
            start = time.perf_counter()
            results.update(compared(path, [system]))
            seconds[system] = round(time.perf_counter() - start, 1)
    print(join_parts(parts(results)))
    figures = {"rows": len(every), "systems": results, "seconds": seconds}
    record(arguments.output, "perturbers", figures, ("augly", "sacrebleu", "rouge-score"))


if __name__ == "__main__":
    main()
