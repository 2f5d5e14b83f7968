"""Which shortcut score finds FEVER's negations, and how long it takes: against comparing every two documents by
scikit-learn's `cosine_similarity`, in the same vectors and the same run.

python benchmarks/razor.py ../shared/data/fever/claims_dev/shared_task_dev_claims.json -o benchmarks/results/razor.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from report import record
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.model_selection import cross_val_predict

from gec_fair.razor.documents.words import Vocabulary, words
from gec_fair.razor.options import ScoreOptions
from gec_fair.razor.scoring.published import Published
from gec_fair.razor.scoring.ranking import shortcuts
from gec_fair.razor.scoring.shortcuts import Shortcuts
from gec_fair.razor.scoring.spaces import TfIdf

PAPER = frozenset("no not".split())
"""The words that the paper counts (its §4.1 and figure 3)."""
STRICT = frozenset("no not never none nobody nothing neither nor cannot".split())
"""Words that deny by themselves; ours, with those in n't."""
CUES = STRICT | frozenset(
    "without only yet solely exclusively incapable unable fails failed refused refuses lacks".split()
)
"""Words that FEVER's annotators negated or narrowed with, 21 of them, with those in n't; ours."""
LISTS: Mapping[str, frozenset[str]] = {
    "no and not": PAPER,
    "strict": STRICT,
    "21 cues": CUES,
    "only": frozenset({"only"}),
}
SIZES = (1_000, 10_000, 100_000)
REPEATS = 3


def is_cue(word: str, cues: frozenset[str] = CUES) -> bool:
    return word in cues or (len(cues) > len(PAPER) and word.endswith(("n't", "n’t")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    rows = [
        row for row in json.loads(arguments.claims.read_text(encoding="utf-8")) if row["label"] != "NOT ENOUGH INFO"
    ]
    texts, labels = [row["claim"] for row in rows], [row["label"] for row in rows]
    figures = {
        "found": measure(texts, labels),
        "without the cue": without(texts, labels),
        "seconds": seconds(texts, labels),
    }
    print(json.dumps(figures, indent=1))
    record(arguments.output, "razor", figures, ("scipy", "scikit-learn"))


def scorers(texts: list[str], labels: list[str]) -> dict[str, Callable[[], Any]]:
    vocabulary = Vocabulary(texts)

    def by_paper(size: int, encoding: str) -> Any:
        return shortcuts(texts, labels, ScoreOptions(scoring="paper", dimensions=size, encoding=encoding)).scores()

    builders: dict[str, Callable[[], Any]] = {
        f"paper, λ {size}{', standard exponent' if encoding == 'standard' else ''}": partial(by_paper, size, encoding)
        for size, encoding in ((8, "paper"), (64, "paper"), (512, "paper"), (64, "standard"))
    }
    builders["published"] = lambda: Published(texts, labels, vocabulary).scores()
    builders["equation 12 over tf-idf"] = lambda: Shortcuts(texts, labels, TfIdf(vocabulary), "gamma").scores()
    builders["contrast"] = lambda: shortcuts(texts, labels, ScoreOptions()).scores()
    builders["logistic regression, p(right), 5-fold"] = lambda: regression(texts, labels)
    return builders


def regression(texts: list[str], labels: list[str]) -> Any:
    features = TfIdf(Vocabulary(texts)).vectors(texts)
    p = cross_val_predict(LogisticRegression(max_iter=1000), features, labels, cv=5, method="predict_proba")
    return p[np.arange(len(labels)), [sorted(set(labels)).index(label) for label in labels]]


def measure(texts: list[str], labels: list[str]) -> dict[str, Any]:
    """Among refuted claims: how well the score tells those with a cue, and what stands at the top."""
    refuted = np.array([label == "REFUTES" for label in labels])
    cue = np.array([any(map(is_cue, words(text))) for text in texts])
    lists = {
        name: np.array([any(is_cue(word, cues) for word in words(text)) for text in texts])
        for name, cues in LISTS.items()
    }
    length = np.array([len(words(text)) for text in texts])
    figures: dict[str, Any] = {
        "documents": len(texts),
        "refuted with one of the list, %": {name: share(holds[refuted]) for name, holds in lists.items()},
        "refuted with a cue, %": share(cue[refuted]),
        "supported with a cue, %": share(cue[~refuted]),
    }
    for name, score in scorers(texts, labels).items():
        scores = score()[refuted]
        order = np.argsort(-scores, kind="stable")
        figures[name] = {
            "AUC": round(float(roc_auc_score(cue[refuted], scores)), 3),
            "AUC by list": {
                list_: round(float(roc_auc_score(holds[refuted], scores)), 3) for list_, holds in lists.items()
            },
            "top 50 with a cue, %": share(cue[refuted][order[:50]]),
            "top 500 with a cue, %": share(cue[refuted][order[:500]]),
            "correlation with length": round(float(np.corrcoef(scores, length[refuted])[0, 1]), 2),
        }
    table = shortcuts(texts, labels, ScoreOptions(scoring="paper"))
    figures["equation 14 before anything is rewritten"] = {
        "cosine of the labels' means": round(table.sums.cosine or 0, 5),
        "mean cosine": round(table.sums.likeness or 0, 4),
        "squared distance of the means": float(f"{table.sums.mmd:.3g}"),
    }
    return figures


def without(texts: list[str], labels: list[str]) -> dict[str, Any]:
    """Of refuted claims with a cue: how often the claim scores lower without it, and without another word."""
    table = shortcuts(texts, labels, ScoreOptions())
    scores = table.scores()
    chance = Random(0)
    lower = {"the cue": 0, "another word": 0}
    looked_up = 0
    for i, (text, label) in enumerate(zip(texts, labels, strict=True)):
        tokens = words(text)
        cues = [at for at, word in enumerate(tokens) if is_cue(word)]
        rest = [at for at, word in enumerate(tokens) if at not in cues and word.isalnum()]
        if label != "REFUTES" or not cues or not rest:
            continue
        looked_up += 1
        for name, gone in (("the cue", set(cues)), ("another word", {chance.choice(rest)})):
            changed = " ".join(word for at, word in enumerate(tokens) if at not in gone)
            lower[name] += bool(table.candidates(i, [changed])[0] < scores[i])
    return {
        "claims": looked_up,
        **{f"lower without {name}, %": round(100 * n / looked_up, 1) for name, n in lower.items()},
    }


def seconds(texts: list[str], labels: list[str]) -> dict[str, Any]:
    """CPU seconds, medians; documents are the claims again and again."""
    figures: dict[str, Any] = {}
    for size in SIZES:
        many_texts, theirs = (texts * (size // len(texts) + 1))[:size], (labels * (size // len(labels) + 1))[:size]
        for mode in ("contrast", "paper"):
            options = ScoreOptions(scoring=mode)
            full, closed, gamma = [], [], []
            for _ in range(REPEATS):
                start = process_time()
                table = shortcuts(many_texts, theirs, options)
                ready = process_time()
                scores = table.scores()
                closed.append(process_time() - ready)
                full.append(process_time() - start)
                if size == 10_000 and mode == "paper":
                    start = process_time()
                    slow = pairwise(table)
                    gamma.append(process_time() - start)
                    assert np.abs(slow - scores).max() < 1e-9
            figures[f"{mode}, {size:,} documents"] = {
                "in all": round(median(full), 3),
                "scores": round(median(closed), 4),
            }
            if gamma:
                figures[f"{mode}, {size:,} documents"]["every two compared / scores"] = round(
                    median(gamma) / median(closed), 1
                )
    return figures


def pairwise(table: Shortcuts) -> Any:
    scores = np.zeros(len(table.labels))
    for label in (0, 1):
        mine = table.labels == label
        scores[mine] = 1 - cosine_similarity(table.units[mine], table.units[~mine]).mean(1)
    return scores


def share(mask: Any) -> float:
    return round(100 * float(np.mean(mask)), 1)


if __name__ == "__main__":
    main()
