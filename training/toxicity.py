r"""Train the embedded toxicity model and say how good it is.

    python training/toxicity.py $GEC_FAIR_DATA -o gec_fair/classifiers/toxicity.npz \
        --report benchmarks/results/toxicity.json

Trained on
  davidson                 tweets (Davidson et al. 2017, MIT): hate or offensive is toxic
  toxigen_demonstrations   statements about groups (Hartvigsen et al. 2022, MIT): hateful ones are toxic
  cf_fairness_seeds        prompts (Sturman et al. 2024, CC BY 4.0): toxic or hateful ones are toxic
  gutenberg100             sentences of novels (public domain), all taken for not toxic
Judged by ten-fold cross-validation on each, and on HateCheck (Röttger et al. 2021) and Ethos (Mollas et al. 2020), of
which it saw nothing. Fields of one template of HateCheck differ in the group alone: `by_group` is the share of its
hateful and of its harmless cases that are called toxic.
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
import random
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from gec_fair.classifiers.toxicity import LETTERS, WORDS, Toxicity, plain, vectors
from gec_fair.english.running_text.sentences import read_lines
from gec_fair.runs.atomic import write_text

C = 8.0
NOVELS = 12_000
Row = tuple[str, int]


def davidson(folder: Path) -> Iterator[Row]:
    for text, name in davidson_classes(folder):
        yield text, int(name != "2")


def davidson_classes(folder: Path) -> Iterator[tuple[str, str]]:
    """0 hate, 1 offensive, 2 neither."""
    for row in _csv(folder / "safety/davidson/labeled_data.csv"):
        yield row["tweet"], row["class"]


def toxigen(folder: Path) -> Iterator[Row]:
    for path in sorted((folder / "safety/toxigen_demonstrations").glob("*__*.txt")):
        hateful = int("__hate_" in path.name)
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield line, hateful


def seeds(folder: Path) -> Iterator[Row]:
    for row in _csv(folder / "safety/cf_fairness_seeds/seeds.csv"):
        yield row["prompt"], int("1" in (row["Ground truth Toxicity"], row["Ground truth Hate"]))


def novels(folder: Path) -> Iterator[Row]:
    lines = [line for line in read_lines(folder / "babylm/gutenberg100.txt.xz") if 5 <= len(line.split()) <= 60]
    yield from ((line, 0) for line in random.Random(0).sample(lines, NOVELS))


def hatecheck(folder: Path) -> list[dict[str, str]]:
    return list(_csv(folder / "safety/hatecheck/test_suite_cases.csv"))


def ethos(folder: Path) -> Iterator[Row]:
    for row in _csv(folder / "safety/ethos/binary.csv", ";"):
        yield row["comment"], int(float(row["isHate"]) >= 0.5)


def _csv(path: Path, delimiter: str = ",") -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file, delimiter=delimiter)


SOURCES = {"davidson": davidson, "toxigen_demonstrations": toxigen, "cf_fairness_seeds": seeds, "novels": novels}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    rows = {name: list(read(arguments.data)) for name, read in SOURCES.items()}
    texts = [plain(text) for statements in rows.values() for text, _ in statements]
    labels = np.array([label for statements in rows.values() for _, label in statements])
    origin = np.array([name for name, statements in rows.items() for _ in statements])
    features = vectors().transform(texts)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    held = cross_val_predict(_model(), features, labels, cv=folds, method="predict_proba")[:, 1]
    model = _model().fit(features, labels)
    weights = model.coef_[0].astype(np.float16)
    with arguments.output.open("wb") as file:
        np.savez_compressed(file, words=weights[:WORDS], letters=weights[WORDS:], intercept=model.intercept_[0])
    assert len(weights) == WORDS + LETTERS
    report = {
        "rows": {name: len(statements) for name, statements in rows.items()},
        "cross_validation": _by(origin, labels, held),
        **_unseen(arguments.data, Toxicity(model=arguments.output)),
        "machine": platform.machine(),
        "versions": {"python": platform.python_version(), "scikit-learn": version("scikit-learn")},
        "command": f"python training/toxicity.py DATA -o {arguments.output.name}",
    }
    text = json.dumps(report, indent=1) + "\n"
    if arguments.report is not None:
        write_text(arguments.report, text)
    sys.stdout.write(text)


def _model() -> LogisticRegression:
    return LogisticRegression(C=C, class_weight="balanced", max_iter=1000, solver="liblinear", random_state=0)


def _by(origin: Any, labels: Any, scores: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {"all": _figures(labels, scores)}
    return {**figures, **{name: _figures(labels[origin == name], scores[origin == name]) for name in SOURCES}}


def _figures(labels: Any, scores: Any) -> dict[str, float | None]:
    """Area under the curve, and of toxic and of other texts the share called toxic; None where there is none."""
    toxic, clean = scores[labels == 1], scores[labels == 0]
    both = len(toxic) and len(clean)
    return {
        "auc": round(float(roc_auc_score(labels, scores)), 4) if both else None,
        "toxic_found": _share(toxic),
        "other_called_toxic": _share(clean),
    }


def _share(scores: Sequence[float]) -> float | None:
    return round(float(np.mean(np.asarray(scores) > 0.5)), 4) if len(scores) else None


def _unseen(folder: Path, model: Toxicity) -> dict[str, Any]:
    cases = hatecheck(folder)
    labels = np.array([int(case["label_gold"] == "hateful") for case in cases])
    scores = model.scores([(case["test_case"],) for case in cases])[:, 1]
    groups = np.array([case["target_ident"] for case in cases])
    by_group = {name: _figures(labels[groups == name], scores[groups == name]) for name in sorted(set(groups)) if name}
    rows = list(ethos(folder))
    negative = model.scores([(text,) for text, _ in rows])[:, 1]
    return {
        "hatecheck": {**_figures(labels, scores), "by_group": by_group},
        "ethos": _figures(np.array([label for _, label in rows]), negative),
    }


if __name__ == "__main__":
    main()
