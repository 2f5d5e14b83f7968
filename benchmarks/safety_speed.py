"""How long an audit and a prediction take, beside fairlearn and scikit-learn; on one core:

taskset -c 0 python benchmarks/safety_speed.py -o benchmarks/results/safety-speed.json

audit     100,000 scored texts in 25,000 sets, read from CSV, with 50 draws of sets; fairlearn's MetricFrame tells FPR
          and TPR by group with 50 draws of rows, and none of ACV, sliced averages, AU-PRC
figures   the same texts in memory, without draws: everything that the audit measures; beside it sliced averages and
          rates by MetricFrame, and the three AUCs by scikit-learn; how far their figures differ from ours
predict   100,000 rows of 18 sources, 4 harms, forests of 200 trees: CSV in, CSV out; beside it
          scikit-learn's predict_proba on an array that is in memory already
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from report import record
from sklearn.ensemble import RandomForestClassifier

from gec_fair.safety.api import audit
from gec_fair.safety.auditing.bootstrap import draw
from gec_fair.safety.data.groups import read_shipped
from gec_fair.safety.data.scores import Scored, read
from gec_fair.safety.ensemble import predict
from gec_fair.safety.ensemble.model import Ensemble, Inputs

ROWS, SOURCES, DRAWS = 100_000, 18, 50
HARMS = ("hate", "sexual", "toxicity", "violence")


def seconds(run: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return median(seconds)


def write_scores(path: Path, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sets of four religions."""
    names = np.array(read_shipped().subgroups["Religion"][:4])
    groups, sets = np.tile(names, ROWS // 4), np.repeat(np.arange(ROWS // 4), 4)
    labels, scores = np.repeat(chance.random(ROWS // 4) < 0.4, 4), np.round(chance.random(ROWS), 6)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["set_id", "category", "subgroup", "harm", "label", "score"])
        writer.writerows(
            [f"s{n}", "Religion", group, "hate", int(label), score]
            for n, group, label, score in zip(sets, groups, labels, scores, strict=True)
        )
    return groups, labels, scores


def by_metric_frame(scored: Scored) -> pd.DataFrame:
    """SA and the share that is flagged, by truth and subgroup; every subgroup that a text names is a row."""
    from fairlearn.metrics import MetricFrame

    rows = np.concatenate(list(scored.slices.values()))
    names = np.concatenate([np.full(len(members), str(slice_)) for slice_, members in scored.slices.items()])
    frame = MetricFrame(
        metrics={
            "sum": lambda labels, scores: scores.mean(),
            "flagged": lambda labels, scores: (scores >= 0.5).mean(),
        },
        y_true=scored.labels[rows],
        y_pred=scored.scores[rows],
        sensitive_features=names,
        control_features=scored.labels[rows],
    )
    return frame.by_group


def by_scikit_learn(scored: Scored) -> np.ndarray:
    """(subgroups, 3): subgroup, BPSN and BNSP AUC."""
    from sklearn.metrics import roc_auc_score

    areas = []
    for members in scored.slices.values():
        inside = np.zeros(len(scored.scores), dtype=bool)
        inside[members] = True
        subsets = inside, inside != scored.labels, inside == scored.labels
        areas.append([roc_auc_score(scored.labels[rows], scored.scores[rows]) for rows in subsets])
    return np.array(areas)


def point_figures(table: Path, times: int) -> dict[str, float]:
    (harm,) = read(table, read_shipped())
    ours, frame, areas = draw(harm, resamples=1, by_subgroup=True), by_metric_frame(harm), by_scikit_learn(harm)
    averages = [
        abs(frame.loc[(truth == "unsafe", str(slice_)), name] - (ours.sums[key] / ours.sums[("n", *key[1:])])[0])
        for name in ("sum", "flagged")
        for slice_ in harm.slices
        for truth in ("safe", "unsafe")
        for key in [(name, *slice_, truth)]
    ]
    return {
        "gec_fair, s": round(seconds(lambda: draw(harm, resamples=1, by_subgroup=True), times), 2),
        "MetricFrame, s": round(seconds(lambda: by_metric_frame(harm), times), 2),
        "scikit-learn's AUCs, s": round(seconds(lambda: by_scikit_learn(harm), times), 2),
        "largest difference of an average": float(max(averages)),
        "largest difference of an AUC": float(np.abs(areas - np.array([a[:, 0] for a in ours.areas.values()])).max()),
    }


def ensemble(chance: np.random.Generator) -> Ensemble:
    features = chance.random((3000, SOURCES))
    models = {}
    for n, harm in enumerate(HARMS):
        models[harm] = RandomForestClassifier(200, max_depth=6, min_samples_leaf=10, random_state=n)
        models[harm].fit(features, chance.random(3000) < features[:, n])
    names = tuple(f"source {n}" for n in range(SOURCES))
    return Ensemble(Inputs(names, np.full(SOURCES, 0.5), ()), models)


def main() -> None:
    from fairlearn.metrics import MetricFrame, false_positive_rate, true_positive_rate

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    chance = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "scores.csv"
        groups, labels, scores = write_scores(table, chance)
        rates = {"fpr": false_positive_rate, "tpr": true_positive_rate}
        audited = {
            "gec_fair, s": seconds(lambda: audit(table, resamples=DRAWS), arguments.times),
            "fairlearn, s": seconds(
                lambda: MetricFrame(
                    metrics=rates,
                    y_true=labels,
                    y_pred=scores >= 0.5,
                    sensitive_features=groups,
                    n_boot=DRAWS,
                    ci_quantiles=[0.025, 0.975],
                    random_state=0,
                ),
                arguments.times,
            ),
        }
        points = point_figures(table, arguments.times)
        model, rows = ensemble(chance), chance.random((ROWS, SOURCES))
        table = Path(folder) / "rows.csv"
        with table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", *model.inputs.sources])
            writer.writerows([f"t{n}", *row] for n, row in enumerate(np.round(rows, 6).tolist()))
        predicted = {
            "gec_fair, CSV to CSV": lambda: predict.predict(model, table, Path(folder) / "told.csv"),
            "scikit-learn, in memory": lambda: model.scores(rows),
        }
        speeds = {name: round(ROWS / seconds(run, arguments.times)) for name, run in predicted.items()}
    audited = {name: round(value, 2) for name, value in audited.items()}
    figures = {
        "audit": {**audited, "ratio": round(audited["fairlearn, s"] / audited["gec_fair, s"], 1)},
        "figures": points,
        "predict, rows a second": speeds,
        "predict, share of scikit-learn": round(speeds["gec_fair, CSV to CSV"] / speeds["scikit-learn, in memory"], 2),
    }
    print(figures)
    record(arguments.output, "safety-speed", figures, ("scikit-learn", "fairlearn", "pandas"))


if __name__ == "__main__":
    main()
