r"""Give HateCheck's sets an imbalance as real data have it: some groups mostly stand in hateful texts, others in
harmless ones. Of every template one or two cases are texts, drawn so; the others are their counterfactuals.

    gec-fair safety texts hatecheck test_suite_cases.csv -o hatecheck.csv
    python training/hatecheck_imbalance.py hatecheck.csv -o imbalanced.csv
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.data.user_tables import write_rows
from gec_fair.safety.data import groups, texts
from gec_fair.safety.data.texts import Text

GROUPS = Path(__file__).with_name("hatecheck-groups.csv")

MOSTLY_HATED = frozenset({"gay people", "black people", "Muslims"})
ODDS = 4.0
"""How much likelier a group's text is drawn where the imbalance wants it."""
DRAWN = 2
"""Texts of a template."""


def imbalanced(every: list[Text], seed: int) -> Iterator[Mapping[str, Any]]:
    """Cases of a template that names a group; cases of other templates stay own texts."""
    sets: dict[str, list[Text]] = {}
    for text in every:
        sets.setdefault(text.set_id or text.id, []).append(text)
    for name, texts_of_set in sets.items():
        drawn = {0} if len(texts_of_set) == 1 else _drawn(name, texts_of_set, seed)
        first = texts_of_set[min(drawn)]
        for n, text in enumerate(texts_of_set):
            yield {**text.row(), "copy_of": "" if n in drawn else first.id}


def _drawn(name: str, texts_of_set: list[Text], seed: int) -> set[int]:
    chance = np.random.default_rng([seed, *hashlib.sha256(name.encode()).digest()[:8]])
    hateful = texts_of_set[0].labels["hate"] == "1"
    odds = np.array([ODDS if (text.slices[0].name in MOSTLY_HATED) == hateful else 1.0 for text in texts_of_set])
    return set(chance.choice(len(texts_of_set), size=DRAWN, replace=False, p=odds / odds.sum()).tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    drawn = list(imbalanced(texts.read(arguments.table, groups.read(GROUPS)), arguments.seed))
    write_rows(arguments.output, drawn)
    print(f"{arguments.output}  {len(drawn):,} texts, {sum(not row['copy_of'] for row in drawn):,} no counterfactuals")


if __name__ == "__main__":
    main()
