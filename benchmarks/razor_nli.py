"""Table 2 of Yang et al. 2024 in form: trained on SNLI or MNLI, tested on both, and on SNLI's counterfactual hypotheses
(Kaushik et al. 2020), by a linear classifier; rewritten by the embedded rules.

A fifth of each set, drawn by premise, is held out. The sets here are their development sets.

python benchmarks/razor_nli.py ../shared/data/nli -o benchmarks/results/razor-nli.json
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from report import record

from gec_fair.razor.documents.documents import Document, read
from gec_fair.razor.evaluation import report
from gec_fair.razor.evaluation.evaluate import EvaluateOptions, evaluate, surface
from gec_fair.razor.evaluation.term_counts import rank_terms
from gec_fair.razor.rewriting.loop import RewriteOptions, RewritingLoop
from gec_fair.razor.rewriting.rules import Rules
from gec_fair.razor.rewriting.verifiers import Nobody
from gec_fair.report.table import join_parts

TRAIN = ("snli", "mnli")
CAD = "cad_snli/revised_hypothesis_test.tsv"
METHODS = ("original", "eda", "rew", "poe", "clever", "razor")
OPTIONS = EvaluateOptions(METHODS, terms=("no", "not", "nobody", "never"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="Training documents of each set; 0 is all.")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    parts = {name: divided(read(arguments.folder / name / "dev.csv")[0]) for name in TRAIN}
    tests = {**{name: held for name, (_, held) in parts.items()}, "counterfactual": read(arguments.folder / CAD)[0]}
    figures: dict[str, Any] = {}
    for name, (train, _) in parts.items():
        data = train[: arguments.limit or None]
        again, rewritten_texts = rewritten(data)
        results = surface(data, tests, OPTIONS, again)
        rows = evaluate(data, tests, OPTIONS, rewritten=again)
        print(f"\ntrained on {name}\n{report.before(OPTIONS, results)}")
        print(join_parts(report.parts(OPTIONS, results, rows)))
        figures[name] = {**report.as_json(OPTIONS, results, rows), "rewriting": rewritten_texts}
        del figures[name]["paper"]  # training/paper_tables.toml has it
    record(arguments.output, "razor-nli", figures, ("scikit-learn", "scipy"))


def divided(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """Four fifths of the premises, and the rest."""
    held = [int(sha256(document.evidence.encode()).hexdigest(), 16) % 5 == 0 for document in documents]
    return (
        [document for document, out in zip(documents, held, strict=True) if not out],
        [document for document, out in zip(documents, held, strict=True) if out],
    )


def rewritten(documents: Sequence[Document]) -> tuple[list[Document], dict[str, Any]]:
    """By rules, and what came of it."""
    rewriting = RewritingLoop(documents, RewriteOptions(top=1000), Rules(), Nobody())
    why = rewriting.make(lambda one_pass: None)
    again = [replace(document, text=text) for document, text in zip(documents, rewriting.texts, strict=True)]
    changed = sum(new.text != old.text for new, old in zip(again, documents, strict=True))
    words = [[term.label, term.word, term.before, term.after] for term in rank_terms(documents, rewriting.texts)]
    distance = [rewriting.passes[0].before["mmd"], rewriting.passes[-1].after["mmd"]]
    return again, {"changed": changed, "stopped": why, "words": words, "distance": distance}


if __name__ == "__main__":
    main()
