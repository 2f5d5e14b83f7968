"""Perturbers beside each other on texts with the rewriting that is wanted, the paper's Table 2 in form.

    pip install -r benchmarks/requirements-peers.txt
    python benchmarks/perturbers.py WINOBIAS_FOLDER [--systems rules,copy,augly,nlpaug] [--printed FILE] [-o FILE]

winobias   each sentence twice, with *he* and with *she* (Zhao et al. 2018); the second is the reference of the first.
           The pronoun alone changes: what a perturber is to leave alone is all the rest, occupations too
cases      perturber-cases.tsv, 50 rows an axis, rewritten by hand
stays      perturber-stays.tsv, 90 texts in which a word only looks like a person's attribute
printed    with --printed: rows of your own in PANDA's form, such as the examples of the paper; counts alone are kept

Of `cases` and `printed` a text is *exact*, *equal* where only names, numbers and peoples of one race are others than
the reference's, *different* or *unchanged*. Pseudo-perplexity is by training/from-scratch/encoder: the median of the
ratios of a rewritten text's to its original's.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

import numpy as np
from report import FOLDER, record

from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.scoring.load import load
from gec_fair.people.terms.lexicon import load as load_demographics
from gec_fair.perturber.neural import panda
from gec_fair.perturber.neural.evaluate import SYSTEMS, compare, parts
from gec_fair.perturber.neural.metrics import words
from gec_fair.perturber.neural.panda import Rewrite
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.perturber.words import ages
from gec_fair.report.table import join_parts
from gec_fair.runs.atomic import write_text

NAME = "WinoBias_wino_data_{}_stereotyped_type{}.txt.{}"
FEMININE = {"she", "her", "hers", "herself"}
MASCULINE = {"he", "him", "his", "himself"}
ENCODER = FOLDER.parent / "training/from-scratch/encoder"
_NUMBER, _MARKED = re.compile(r"^\d+ +"), re.compile(r"\[(\w+)\]")
PEOPLES = [
    (getattr(people, form), getattr(load_demographics().targets[race], form))
    for race, peoples in load_demographics().peoples.items()
    for people in peoples
    for form in ("plural", "adjective")
]
OUTCOMES = ("exact", "equal", "different", "unchanged")


def winobias(folder: Path) -> Iterator[dict[str, str]]:
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


def rows_of(path: Path) -> list[dict[str, str]]:
    """A table of ours, without the lines that say what it is."""
    lines = [line for line in read(path) if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def panda_rows(rows: Sequence[Mapping[str, str]]) -> list[Rewrite]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "rows.jsonl"
        write_text(path, "".join(json.dumps(row) + "\n" for row in rows))
        return list(panda.read(path))


def outcome(text: str, row: Rewrite) -> str:
    if text == row.original:
        return "unchanged"
    if [word.lower() for word in words(text)] == [word.lower() for word in words(row.rewritten)]:
        return "exact"
    one, second = (words(as_races(side)) for side in (text, row.rewritten))
    if len(one) != len(second):
        return "different"
    pairs = zip(one, second, strict=True)
    return "equal" if all(a.lower() == b.lower() or are_free(a, b) for a, b in pairs) else "different"


def as_races(text: str) -> str:
    """Peoples by their race, so that *a Kenyan nurse* and *a Black nurse* are equal."""
    for people, plain in PEOPLES:
        text = re.sub(rf"\b{people}\b", plain, text)
    return re.sub(r"\b([Aa])n? (?=Asian|Hispanic|Black|white|White|Native|Pacific)", r"\1 ", text)


def are_free(one: str, second: str) -> bool:
    """Two names or two numbers, of which the rewriting may choose."""
    return (one.istitle() and second.istitle()) or (ages.read(one) is not None and ages.read(second) is not None)


def counted(rows: Sequence[Rewrite], texts: Sequence[str]) -> dict[str, dict[str, int]]:
    by_axis: dict[str, Counter[str]] = {}
    for row, text in zip(rows, texts, strict=True):
        by_axis.setdefault(row.axis, Counter())[outcome(text, row)] += 1
    return {axis: {name: counts[name] for name in OUTCOMES} for axis, counts in by_axis.items()}


def perplexity_ratio(rows: Sequence[Rewrite], texts: Sequence[str]) -> float:
    """The median ratio of the pseudo-perplexities of changed texts to those of their originals."""
    model = load(str(ENCODER))
    pairs = [(row.original, text) for row, text in zip(rows, texts, strict=True) if text != row.original]

    def per_subword(side: list[str]) -> np.ndarray:
        lengths = np.array([len(text.ids) for text in model.cut(side)])
        return likelihoods(model, side) / lengths

    old, new = (per_subword([pair[side].replace(" <SEP> ", " ") for pair in pairs]) for side in (0, 1))
    return round(float(median(np.exp(old - new))), 4)


def stays() -> dict[str, dict[str, int]]:
    """Axis → texts, and those of which something would be changed."""
    perturbing = Perturbing(PerturbOptions())
    rows = rows_of(FOLDER / "perturber-stays.tsv")
    counts = {axis: {"texts": 0, "changed": 0} for axis in ("gender", "race", "age")}
    for row in rows:
        counts[row["axis"]]["texts"] += 1
    for text in perturbing.read([[row["text"]] for row in rows]):
        axis = rows[text.at]["axis"]
        counts[axis]["changed"] += any(word.axis == axis for word in text.words)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", default="rules,copy,augly,nlpaug")
    parser.add_argument("--printed", type=Path, help="rows in PANDA's form; only how many come out how is kept")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    systems = arguments.systems.split(",")
    cases = panda_rows(rows_of(FOLDER / "perturber-cases.tsv"))
    results, seconds, by_case, ratios = {}, {}, {}, {}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "winobias.jsonl"
        every = list(winobias(arguments.folder))
        write_text(path, "".join(json.dumps(row) + "\n" for row in every))
        for system in systems:
            start = time.perf_counter()
            results.update(compare(path, [system]))
            seconds[system] = round(time.perf_counter() - start, 1)
            texts = SYSTEMS.load(system)(cases)
            by_case[system] = counted(cases, texts)
            if system != "copy":
                ratios[system] = perplexity_ratio(cases, texts)
    figures = {
        "rows": len(every),
        "systems": results,
        "seconds": seconds,
        "cases": by_case,
        "pseudo-perplexity, median ratio": ratios,
        "stays": stays(),
    }
    if arguments.printed is not None:
        printed = panda.read(arguments.printed)
        figures["printed"] = {name: counted(printed, SYSTEMS.load(name)(printed)) for name in systems}
    print(join_parts(parts(results)))
    print(json.dumps({key: value for key, value in figures.items() if key not in ("systems", "seconds")}, indent=1))
    record(arguments.output, "perturbers", figures, ("augly", "nlpaug", "sacrebleu", "rouge-score"))


if __name__ == "__main__":
    main()
