"""FEVER-like data of the symmetric experiment: what `make razor-demo` trains on and is judged by.

    python training/razor_data.py -o out/razor-demo

train.jsonl      VitaminC (real revisions), four fifths of its pages, and FM2's development set
held-out.jsonl   VitaminC, the other pages
symmetric.jsonl  FEVER-symmetric v0.1
claims.jsonl     FEVER's development claims, which have no evidence
pairs.txt        evidence and claims of train.jsonl, for `gec-fair pretrain mlm training/razor-encoder.yaml`

SUPPORTS and REFUTES alone. A page is on one side, drawn by its name.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair.errors import GecFairError, MissingResource
from gec_fair.runs.atomic import write_text

LABELS = ("SUPPORTS", "REFUTES")
SOURCES = {
    "vitaminc": "vitaminc_real/test.jsonl",
    "fm2": "fm2/dev.jsonl",
    "symmetric": "symmetric_v0.1/full.jsonl",
    "claims": "claims_dev/shared_task_dev_claims.json",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=0, help="Training documents; 0 is all.")
    arguments = parser.parse_args()
    try:
        documents = data(arguments.limit)
        for name, rows in documents.items():
            write_text(
                arguments.output / f"{name}.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            )
            print(f"{name}: {len(rows):,} documents")
        write_text(arguments.output / "pairs.txt", "".join(map(pair, documents["train"])))
    except GecFairError as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)


def data(limit: int = 0) -> dict[str, list[Mapping[str, Any]]]:
    """Rows by file. MissingResource where the sets are not here."""
    folder = Path(os.environ.get("GEC_FAIR_DATA", "GEC_FAIR_DATA is not set")) / "fever"
    paths = {name: folder / place for name, place in SOURCES.items()}
    if missing := [str(path) for path in paths.values() if not path.is_file()]:
        raise MissingResource("\n  ".join(["not here, see docs/how-to/razor.md:", *missing]))
    vitaminc = [
        {
            "id": row["unique_id"],
            "label": row["label"],
            "claim": row["claim"],
            "evidence": row["evidence"],
            "held": held(row["page"]),
        }
        for row in lines(paths["vitaminc"])
    ]
    fm2 = [
        {
            "id": row["id"],
            "label": row["label"],
            "claim": row["text"],
            "evidence": " ".join(part["text"] for part in row["gold_evidence"]),
        }
        for row in lines(paths["fm2"])
    ]
    train = [plain(row) for row in vitaminc if not row["held"]] + fm2
    return {
        "train": sorted(train, key=lambda row: shuffled(str(row["id"])))[: limit or None],
        "held-out": [plain(row) for row in vitaminc if row["held"]],
        "symmetric": [
            {"id": row["id"], "label": row["label"], "claim": row["claim"], "evidence": row["evidence_sentence"]}
            for row in lines(paths["symmetric"])
        ],
        "claims": [
            {"id": str(row["id"]), "label": row["label"], "claim": row["claim"]}
            for row in json.loads(paths["claims"].read_text(encoding="utf-8"))
            if row["label"] in LABELS
        ],
    }


def lines(path: Path) -> Iterable[Mapping[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line and (row := json.loads(line))["label"] in LABELS:
            yield row


def pair(row: Mapping[str, Any]) -> str:
    """Each on a line, with a border behind it (an empty line), as a classifier will read them."""
    return "".join(f"{' '.join(row[name].split())}\n\n" for name in ("evidence", "claim"))


def held(page: str) -> bool:
    """One page in five."""
    return int(shuffled(page), 16) % 5 == 0


def shuffled(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def plain(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in row.items() if name != "held"}


if __name__ == "__main__":
    main()
