r"""Source classifiers for the safety recipes, trained on the spot: of each table of texts one by words, one by letters.

    python training/safety_sources.py ethos.csv toxigen.csv --harm hate -o out/safety-demo/sources
    python training/safety_sources.py davidson.csv ethos.csv --harm hate --share 0.5 --rest rest.csv -o out/sources

Tables are made by `gec-fair safety texts`. `--share` learns from a part of the texts alone (0: from none); the others,
for an ensemble over these sources to learn from, are written to `--rest`: what a source says of texts that it learned
from is not a score. They hold words of the data, so they stay where they are made; what ships is
`training/safety_views.py`'s."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from gec_fair.classifiers.skops_file import to_bytes
from gec_fair.data.user_tables import write_rows
from gec_fair.runs.atomic import write_bytes
from gec_fair.safety.data import texts
from gec_fair.safety.data.groups import read_shipped
from gec_fair.safety.data.texts import Text

LABELS = ("safe", "unsafe")
VIEWS: dict[str, dict[str, Any]] = {
    "words": {"ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"},
    "letters": {"analyzer": "char_wb", "ngram_range": (2, 5), "min_df": 2},
}


def plain(text: Text) -> str:
    return " ".join(text.text.casefold().split())


def drawn(text: Text, share: float) -> bool:
    """By what it says, so that a text that stands in two tables is on one side."""
    return int.from_bytes(hashlib.sha256(plain(text).encode()).digest()[:8], "big") / 2**64 < share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--harm", required=True)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--rest", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    rest: dict[str, Text] = {}
    for table in arguments.tables:
        known = [text for text in texts.read(table, read_shipped()) if text.labels.get(arguments.harm)]
        learned = [text for text in known if drawn(text, arguments.share)]
        for text in known:
            if not drawn(text, arguments.share):
                rest.setdefault(plain(text), text)
        if not learned:
            continue
        labels = [LABELS[int(text.labels[arguments.harm])] for text in learned]
        for view, model_ in VIEWS.items():
            head = LogisticRegression(C=10.0, class_weight="balanced", max_iter=2000)
            pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True, **model_), head)
            pipeline.fit([text.text for text in learned], labels)
            path = arguments.output / f"{table.stem}-{view}.skops"
            write_bytes(path, [to_bytes(pipeline)])
            print(f"{path}  {len(learned):,} texts")
    if arguments.rest is not None:
        write_rows(arguments.rest, (text.row() for text in rest.values()))
        print(f"{arguments.rest}  {len(rest):,} texts")


if __name__ == "__main__":
    main()
