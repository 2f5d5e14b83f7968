r"""Train the embedded sources of the safety ensemble, and say how good each is.

    python training/safety_views.py $GEC_FAIR_DATA -o gec_fair/safety/sources/views.npz \
        --report benchmarks/results/safety-views.json

Trained on
  davidson                 tweets (Davidson et al. 2017, MIT): hate, offensive, neither
  toxigen_demonstrations   statements about groups (Hartvigsen et al. 2022, MIT): hateful or not
  gutenberg100             sentences of novels (public domain), all taken for harmless
Judged by AU-PRC and area under the curve in ten-fold cross-validation, and on HateCheck (Röttger et al. 2021), Ethos
(Mollas et al. 2020) and OpenAI's moderation set (Markov et al. 2023), of which they saw nothing.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from toxicity import davidson_classes, ethos, hatecheck, novels, toxigen

from gec_fair.classifiers.toxicity import WORDS, plain, vectors
from gec_fair.runs.atomic import write_text
from gec_fair.safety.data.public import openai_moderation
from gec_fair.safety.sources.embedded import HEADS, Views

C = {"words": 2.0, "letters": 1.0}
HATE, OFFENSIVE = "0", "1"


def lessons(data: Path) -> dict[str, tuple[list[str], np.ndarray]]:
    """By head, texts and labels."""
    tweets = list(davidson_classes(data))
    plainly = [text for text, _ in novels(data)]
    statements = list(toxigen(data))
    texts = [text for text, _ in tweets]
    classes = np.array([name for _, name in tweets])
    texts_ = [text for text, _ in statements]
    hateful = np.array([label for _, label in statements])
    none, zero = np.zeros(len(plainly), dtype=int), np.zeros(len(tweets), dtype=int)
    return {
        "words offensive": (texts + plainly, np.concatenate([classes == OFFENSIVE, none])),
        "words hate": (texts + plainly, np.concatenate([classes == HATE, none])),
        "letters toxic": (texts + texts_ + plainly, np.concatenate([classes != "2", hateful, none])),
        "letters hateful": (
            texts_ + [text for text, name in tweets if name == "2"],
            np.concatenate([hateful, zero[: (classes == "2").sum()]]),
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    weights: dict[str, Any] = {}
    intercepts, held = [], {}
    for head, (texts, labels) in lessons(arguments.data).items():
        view = head.split()[0]
        rows = vectors().transform([plain(text) for text in texts])
        rows = rows[:, :WORDS] if view == "words" else rows[:, WORDS:]
        labels = labels.astype(int)
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        scores = cross_val_predict(_model(view), rows, labels, cv=folds, method="predict_proba")[:, 1]
        held[head] = {"texts": len(texts), **_figures(labels, scores)}
        model = _model(view).fit(rows, labels)
        weights[head] = model.coef_[0].astype(np.float16)
        intercepts.append(model.intercept_[0])
    with arguments.output.open("wb") as file:
        np.savez_compressed(file, intercepts=np.array(intercepts), **weights)
    report = {
        "cross_validation": held,
        "unseen": _unseen(arguments.data, Views(model=arguments.output)),
        "machine": platform.machine(),
        "versions": {"python": platform.python_version(), "scikit-learn": version("scikit-learn")},
        "command": f"python training/safety_views.py DATA -o {arguments.output.name}",
    }
    scores = json.dumps(report, indent=1) + "\n"
    if arguments.report is not None:
        write_text(arguments.report, scores)
    sys.stdout.write(scores)


def _model(view: str) -> LogisticRegression:
    return LogisticRegression(C=C[view], class_weight="balanced", max_iter=1000, solver="liblinear", random_state=0)


def _figures(labels: Any, scores: Any) -> dict[str, float]:
    return {
        "base_rate": round(float(np.mean(labels)), 4),
        "auprc": round(float(average_precision_score(labels, scores)), 4),
        "auc": round(float(roc_auc_score(labels, scores)), 4),
    }


def _unseen(data: Path, views: Views) -> dict[str, Any]:
    cases = [(case["test_case"], int(case["label_gold"] == "hateful")) for case in hatecheck(data)]
    prompts = openai_moderation(data / "safety/openai_moderation/samples-1680.jsonl")
    openai = [(text.text, int(text.labels["hate"])) for text in prompts if text.labels["hate"]]
    sets = {"hatecheck": cases, "ethos": list(ethos(data)), "openai_moderation": openai}
    report: dict[str, Any] = {}
    for name, rows in sets.items():
        scores = views.scores([text for text, _ in rows])
        labels = np.array([label for _, label in rows])
        report[name] = {head: _figures(labels, scores[:, n]) for n, head in enumerate(HEADS)}
    return report


if __name__ == "__main__":
    main()
