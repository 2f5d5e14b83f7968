"""Fit how sure a rewriting is (`gec_fair/people/sure.tsv`) on rewritings that were read.

    GEC_FAIR_DATA=../shared/data python training/people/fit_sure.py -o gec_fair/people/sure.tsv

takes the verdicts whose rewriting the current code still gives, and of their texts the half that fits. Of the other
half it prints the faults among the surest, and how many are clean of those with some probability.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import people
import reading

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.planning import swap
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.corpus.outcome import Augmented, Sure
from gec_fair.corpus.records import Pair
from gec_fair.people.sure import WEIGHTS, Change, inputs_of
from gec_fair.perturber.rewriting.options import MIN_SURE
from gec_fair.perturber.rewriting.sampling import Draft
from gec_fair.perturber.rewriting.segments import fields_of, rewrite
from gec_fair.perturber.rewriting.signs import SIGNS, signs_of

RIDGES = np.logspace(0, 3, 10)
"""Weights of the ridge, over standardised inputs; cross-validation chooses one."""
FOLDS = 10
FAULTY_BEFORE, CLEAN_BEFORE = 6.0, 2.0
"""What a sign is believed before anybody has read: it was written down because of faults. Of 0, 2, 4 and 8 rewritings
in all, 8 had the least log loss on 261 that were read afterwards."""
COVERAGES = (1.0, 0.9, 0.85, 0.8, 0.75, 0.6)
BINS = (0.0, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
LEARNERS = "wi"
METHODS = {"fm": ("fm",), "st": ("st", "st-none"), **{axis: (axis,) for axis in reading.AXES}}

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A rewriting that was read."""

    corpus: str
    text: str
    level: str
    inputs: Mapping[str, float]


def read_rows(method: str) -> Iterator[Row]:
    """The rewritings that are the same as when they were read."""
    yield from read_perturbed(method) if method in reading.AXES else read_swapped(method)


def read_perturbed(axis: str) -> Iterator[Row]:
    """Of every word and target that the perturber may draw; a rewriting that several give counts once."""
    perturber = people.perturbing(axis)
    seen: set[str] = set()
    for (corpus, read_axis), by_line in people.read_levels().items():
        lines = [line for line in reading.read(corpus) if line.number in by_line] if read_axis == axis else []
        for line in lines:
            fields = (line.source,)
            for text in perturber.read([fields]):
                for choice in perturber.choices(text, ""):
                    changes = perturber.rules.plan(text, choice)
                    rewriting = rewrite(text.tokens, changes, fields) if changes else None
                    new = fields_of(rewriting, fields)[0] if rewriting else line.source
                    digest = reading.digest_of(line.source, "", new, "")
                    if (level := by_line[line.number].get(digest)) and digest not in seen:
                        seen.add(digest)
                        signs = signs_of(Draft(text, choice, changes))
                        change = Change.from_edits(text.doc, perturber.finder.lexicon, changes, signs)
                        yield Row(corpus, line.source, level, inputs_of(change, is_read=True))


def read_swapped(method: str) -> Iterator[Row]:
    """Of fm and st."""
    seen: list[Mapping[str, float]] = []

    def record(change: Change, _: str) -> Sure:
        seen.append(inputs_of(change))
        return Sure(len(seen) - 1, "", "")

    options = Options(**reading.METHODS[method])
    augmenter, rewriter = Augmenter(options), Rewriter(options)
    for (corpus, read_method), by_line in people.read_levels().items():
        lines = [line for line in reading.read(corpus) if line.number in by_line] if read_method == method else []
        pairs = [Pair(corpus, n, line.source, line.target) for n, line in enumerate(lines)]
        with patch.object(swap, "sure_of", record):
            outcomes = (augmenter if lines and lines[0].target else rewriter.step)(pairs)
        for line, outcome in zip(lines, outcomes, strict=True):
            if not isinstance(outcome, Augmented) or outcome.sure is None:
                continue
            new = reading.digest_of(line.source, line.target, outcome.pair.source, outcome.pair.target)
            if level := by_line[line.number].get(new):
                yield Row(corpus, line.target or line.source, level, seen[int(outcome.sure.probability)])


@dataclass(frozen=True)
class Fit:
    """A logistic regression on standardised inputs, of which none raises the probability: each is a doubt."""

    intercept: float
    weights: Rows

    def __call__(self, inputs: Rows) -> Rows:
        """The probabilities of rows."""
        return np.asarray(expit(inputs @ self.weights + self.intercept))


def fit(inputs: Rows, is_clean: NDArray[np.bool_], counts: Rows, ridge: float) -> Fit:
    """The weights with the least log loss and ridge. `counts`: how often each row counts."""
    side = np.where(is_clean, 1.0, -1.0)

    def loss(values: Rows) -> tuple[float, Rows]:
        margins = side * (inputs @ values[1:] + values[0])
        slope = -counts * side * expit(-margins)
        total = float(counts @ np.logaddexp(0, -margins)) + ridge / 2 * float(values[1:] @ values[1:])
        return total, np.concatenate([[slope.sum()], slope @ inputs + ridge * values[1:]])

    bounds = [(None, None), *[(None, 0.0)] * inputs.shape[1]]
    values = minimize(loss, np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B").x
    return Fit(float(values[0]), values[1:])


def choose_ridge(inputs: Rows, is_clean: NDArray[np.bool_], counts: Rows, read: int) -> float:
    """The ridge with the least log loss on rows that were held out: of the first, which were read, and not of the
    prior."""
    fold = np.full(len(inputs), FOLDS)
    fold[:read] = np.random.default_rng(0).permutation(read) % FOLDS

    def held_out(ridge: float) -> float:
        total = 0.0
        for number in range(FOLDS):
            out = fold == number
            likely = fit(inputs[~out], is_clean[~out], counts[~out], ridge)(inputs[out])
            total -= float(np.log(np.where(is_clean[out], likely, 1 - likely)).sum())
        return total

    return min(RIDGES, key=held_out)


def coverages(likely: Rows, levels: NDArray[np.str_]) -> Iterator[dict[str, float]]:
    """Percent with a severe fault, and with any, among the surest."""
    order = np.argsort(-likely, kind="stable")
    for coverage in COVERAGES if len(order) else ():
        chosen = levels[order[: round(coverage * len(order))]]
        severe, faulty = float((chosen == "severe").mean()), float((chosen != "clean").mean())
        yield {"coverage": 100 * coverage, "severe": round(100 * severe, 2), "faulty": round(100 * faulty, 2)}


def judge(rows: Sequence[Row], likely: Rows) -> Iterator[dict[str, Any]]:
    """How the probabilities fare on texts that did not fit them: by coverage, and by probability."""
    levels = np.array([row.level for row in rows])
    learners = np.array([row.corpus == LEARNERS for row in rows])
    for corpus, part in (("learners", learners), ("web and books", ~learners), ("all", learners | True)):
        number = int(part.sum())
        yield from ({"texts": corpus, "number": number, **row} for row in coverages(likely[part], levels[part]))
    for low, high in pairwise(BINS):
        inside = (likely >= low) & (likely < high)
        if inside.any():
            clean, expected = float((levels[inside] == "clean").mean()), float(likely[inside].mean())
            shares = {"expected": round(expected, 3), "clean": round(clean, 3)}
            yield {"from": low, "to": high, "number": int(inside.sum()), **shares}
    names = {name for signs in SIGNS.values() for name in signs}
    signless = np.array([names.isdisjoint(row.inputs) for row in rows])
    for limit, above in ((f"sure from {MIN_SURE}", likely >= MIN_SURE), ("no sign", signless)):
        share, clean = 100 * float(above.mean()), 100 * float((levels[above] == "clean").mean())
        yield {"kept": limit, "share": round(share, 1), "clean": round(clean, 1)}


def draw(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Faults by coverage, and clean rewritings by probability."""
    import altair as alt

    from gec_fair.report.pictures import draw as write

    def named(row: Mapping[str, Any]) -> dict[str, Any]:
        texts = f", {row['texts']}" if row["method"] == "fm" and "texts" in row else ""
        return {**row, "of": f"{row['method']}{texts}"}

    curve = [named(row) for row in rows if "coverage" in row and row["texts"] != "all" and row["method"] != "st"]
    bins = [named(row) for row in rows if "expected" in row and row["method"] != "st"]
    coverage = [
        alt.Chart(alt.Data(values=curve), title=title, width=260, height=220)
        .mark_line(point=True)
        .encode(
            alt.X("coverage:Q", title="surest, % of the rewritings", scale=alt.Scale(zero=False)),
            alt.Y(f"{level}:Q", title=None),
            alt.Color("of:N", title=None),
        )
        for level, title in (("severe", "Severe faults among the surest, %"), ("faulty", "Faults among the surest, %"))
    ]
    diagonal = alt.Chart(alt.Data(values=[{"x": 0.4, "y": 0.4}, {"x": 1, "y": 1}])).mark_line(strokeDash=[3, 3])
    reliability = diagonal.encode(alt.X("x:Q"), alt.Y("y:Q")) + alt.Chart(
        alt.Data(values=bins), title="Clean rewritings by probability", width=260, height=220
    ).mark_circle().encode(
        alt.X("expected:Q", title="probability", scale=alt.Scale(domain=[0.4, 1])),
        alt.Y("clean:Q", title=None, scale=alt.Scale(domain=[0.4, 1])),
        alt.Size("number:Q", title="rewritings"),
        alt.Color("of:N", title=None),
    )
    write(path, alt.hconcat(*coverage, reliability))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, help="write the weights here, as gec_fair/people/sure.tsv")
    parser.add_argument("--results", type=Path, help="write how the other half is judged to this JSON file")
    parser.add_argument("--picture", type=Path, help="draw it")
    arguments = parser.parse_args()
    head = [line for line in WEIGHTS.read_text(encoding="utf-8").splitlines() if line.startswith(("#", "method"))]
    lines: list[str] = []
    results: list[dict[str, Any]] = []
    for method, read_as in METHODS.items():
        rows = [row for one in read_as for row in read_rows(one)]
        names = list(dict.fromkeys(name for row in rows for name in row.inputs))
        inputs = np.array([[row.inputs.get(name, 0.0) for name in names] for row in rows])
        is_clean = np.array([row.level == "clean" for row in rows])
        judges = np.array([people.is_judge(row.text) for row in rows])
        used = inputs[~judges].std(axis=0) > 0
        middle, spread = inputs[~judges].mean(axis=0), np.where(used, inputs[~judges].std(axis=0), 1.0)
        scaled = np.where(used, (inputs - middle) / spread, 0.0)
        signs = np.array([np.where(np.array(names) == sign, 1.0, middle) for sign in SIGNS.get(method, ())])
        prior = np.where(used, (signs.reshape(-1, len(names)) - middle) / spread, 0.0)
        known = np.concatenate([scaled[~judges], prior, prior])
        level = np.concatenate([is_clean[~judges], np.zeros(len(prior), bool), np.ones(len(prior), bool)])
        read = int((~judges).sum())
        counts = np.repeat([1.0, FAULTY_BEFORE, CLEAN_BEFORE], [read, len(prior), len(prior)])
        model = fit(known, level, counts, choose_ridge(known, level, counts, read))
        likely, weights = model(scaled), model.weights
        judging = [row for row, is_judge in zip(rows, judges, strict=True) if is_judge]
        results += [{"method": method, **row} for row in judge(judging, likely[judges])]
        lines.append(f"{method}\talways\t{model.intercept:.4f}\t0")
        places = [n for n in range(len(names)) if weights[n] / spread[n] < -0.00005]  # others are 0 in the file
        lines += [f"{method}\t{names[n]}\t{weights[n] / spread[n]:.4f}\t{middle[n]:.4f}" for n in places]
        places.sort(key=lambda n: -abs(weights[n]))
        print(method, *(f"{names[n]} {weights[n]:+.2f}" for n in places), sep="  ")
    print(*results, sep="\n")
    if arguments.output:
        arguments.output.write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")
    if arguments.results:
        arguments.results.write_text(json.dumps({"rows": results}, indent=1) + "\n", encoding="utf-8")
    if arguments.picture:
        draw(arguments.picture, results)


if __name__ == "__main__":
    main()
