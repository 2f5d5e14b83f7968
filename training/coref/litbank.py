"""How often a pronoun of LitBank finds its antecedent, and how far "no antecedent here" can be believed.

    GEC_FAIR_DATA=../shared/data python training/coref/litbank.py

Cross-validated by document (GAP and GUM are in every training set). The texts are the pieces of 1 to 12 sentences that
`data.py` cuts. Right: the chosen referent has a mention of the gold cluster, or none is chosen and there is none.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from data import Sample
from train import ROOT, Options, fit, gap_samples, gum_samples, litbank_samples

from gec_fair.english import pipeline
from gec_fair.people.links.embedded import beliefs


@dataclass(frozen=True, slots=True)
class Answer:
    """One pronoun: whether it has an antecedent, whether one was chosen, whether that is right; P(no antecedent)."""

    has_antecedent: bool
    linked: bool
    right: bool
    none: float


def answers(samples: Iterable[Sample], folds: int, rest: list[Sample], options: Options) -> list[Answer]:
    mine = list(samples)
    documents = sorted({one.document for one in mine})
    order = np.random.default_rng(options.seed).permutation(len(documents))
    fold = {document: int(place) % folds for document, place in zip(documents, order, strict=True)}
    answers = []
    for number in range(folds):
        ranker = fit([*(one for one in mine if fold[one.document] != number), *rest], options)
        for one in mine:
            if fold[one.document] == number:
                [belief] = beliefs([one.text], ranker)
                answers += [_answer(belief[pronoun], right) for pronoun, right in one.right.items()]
    return answers


def _answer(belief: list[float], right: tuple[bool, ...]) -> Answer:
    best = max(range(len(belief)), key=belief.__getitem__)
    return Answer(not right[-1], best < len(belief) - 1, right[best], belief[-1])


def _share(chosen: list[bool]) -> float:
    return round(100 * sum(chosen) / len(chosen), 1) if chosen else 0.0


def figures(answers: list[Answer]) -> dict[str, float]:
    return {
        "pronouns": len(answers),
        "accuracy": _share([one.right for one in answers]),
        "link precision": _share([one.right for one in answers if one.linked]),
        "link recall": _share([one.right and one.linked for one in answers if one.has_antecedent]),
        "none precision": _share([one.right for one in answers if not one.linked]),
        "none recall": _share([not one.linked for one in answers if not one.has_antecedent]),
    }


def report(answers: list[Answer]) -> None:
    print(*(f"{name} {value}" for name, value in figures(answers).items()), sep="\n")
    for low in np.arange(0, 1, 0.2):
        inside = [one for one in answers if low <= min(one.none, 0.999) < low + 0.2]
        share = _share([not one.has_antecedent for one in inside])
        print(f"P(none) {low:.1f} to {low + 0.2:.1f}: {len(inside):5d} pronouns, none in {share} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--english", default="embedded", help="spaCy pipeline: embedded, a name or a path")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("GEC_FAIR_DATA", ROOT.parent / "shared/data")))
    parser.add_argument("--folds", type=int, default=5)
    args = parser.parse_args()
    nlp, options = pipeline.load(args.english), Options()
    rest = [*gap_samples(nlp, args.data), *gum_samples(nlp, args.data, options.seed)]
    report(answers(litbank_samples(nlp, args.data, options.seed), args.folds, rest, options))


if __name__ == "__main__":
    main()
