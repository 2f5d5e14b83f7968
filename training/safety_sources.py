r"""Source classifiers for `make safety-demo`, trained on the spot: of each data set one by words, one by letters.

    python training/safety_sources.py $GEC_FAIR_DATA -o out/safety-demo/sources

ethos      comments (Mollas et al. 2020): hateful or not
toxigen    statements about groups (Hartvigsen et al. 2022): hateful or not
openai     prompts (Markov et al. 2023): hate or not. The counterfactual-fairness seeds are made from these: leave it
           out where those are judged
They hold words of the data, so they stay where they are made; what ships is `training/safety_views.py`'s.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from skops.io import dumps
from toxicity import ethos, toxigen

from gec_fair.corpus.atomic import write_bytes

LABELS = ("harmless", "hateful")


def openai(data: Path) -> Iterator[tuple[str, int]]:
    with (data / "safety/openai_moderation/samples-1680.jsonl").open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if "H" in row:
                yield row["prompt"], int(row["H"])


SETS = {"ethos": ethos, "toxigen": toxigen, "openai": openai}
VIEWS: dict[str, dict[str, Any]] = {
    "words": {"ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"},
    "letters": {"analyzer": "char_wb", "ngram_range": (2, 5), "min_df": 2},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    for name, read in SETS.items():
        rows = list(read(given.data))
        for view, how in VIEWS.items():
            head = LogisticRegression(C=10.0, class_weight="balanced", max_iter=2000)
            pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True, **how), head)
            pipeline.fit([text for text, _ in rows], [LABELS[label] for _, label in rows])
            path = given.output / f"{name}-{view}.skops"
            write_bytes(path, [dumps(pipeline)])
            print(f"{path}  {len(rows):,} texts")


if __name__ == "__main__":
    main()
