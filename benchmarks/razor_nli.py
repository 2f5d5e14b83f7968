"""Table 2 of Yang et al. 2024 in form: trained on SNLI or MNLI, tested on both, and on SNLI's counterfactual hypotheses
(Kaushik et al. 2020), by a linear classifier or an encoder; rewritten by the embedded rules.

A fifth of each set, drawn by premise, is held out. The sets here are their development sets.

python benchmarks/razor_nli.py ../shared/data/nli -o benchmarks/results/razor-nli.json
python benchmarks/razor_nli.py ../shared/data/nli --limit 6000 --tests 500 --seeds 3 \
    --backbone out/weights/minilm --rate 2e-4 --runs out/razor-nli -o benchmarks/results/razor-nli-pretrained.json
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from report import record

from gec_fair.razor.baselines.encoder import Encoder, EncoderTraining
from gec_fair.razor.documents.documents import Document, read
from gec_fair.razor.evaluation import report
from gec_fair.razor.evaluation.evaluate import evaluate, surface
from gec_fair.razor.options import EvaluateOptions, RewriteOptions
from gec_fair.razor.rewriting.loop import RewritingLoop
from gec_fair.razor.rewriting.rules import Rules
from gec_fair.razor.rewriting.verifiers import Nobody
from gec_fair.razor.scoring.term_counts import rank_terms
from gec_fair.report.table import join_parts
from gec_fair.trainer.options import TrainingOptions

TRAIN = ("snli", "mnli")
CAD = "cad_snli/revised_hypothesis_test.tsv"
METHODS = ("original", "eda", "rew", "poe", "clever", "razor")
TERMS = ("no", "not", "nobody", "never")
BATCH = 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="Training documents of each set; 0 is all.")
    parser.add_argument("--tests", type=int, default=0, help="Documents of each test set; 0 is all.")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--backbone", help="An encoder, which sees as many documents as --limit says, by each method.")
    parser.add_argument("--rate", type=float, default=3e-5, help="The encoder's learning rate.")
    parser.add_argument("--runs", type=Path, help="Its trainings.")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    options = EvaluateOptions(METHODS, seeds=arguments.seeds, terms=TERMS)
    parts = {name: divided(read(arguments.folder / name / "dev.csv")[0]) for name in TRAIN}
    every = {**{name: held for name, (_, held) in parts.items()}, "counterfactual": read(arguments.folder / CAD)[0]}
    tests = {name: documents[: arguments.tests or None] for name, documents in every.items()}
    figures: dict[str, Any] = {}
    for name, (train, _) in parts.items():
        data = train[: arguments.limit or None]
        backbone = encoder(arguments, len(data)) if arguments.backbone else None
        again, rewritten_texts = rewritten(data)
        results = surface(data, tests, options, again)
        rows = evaluate(data, tests, options, backbone=backbone, rewritten=again)
        print(f"\ntrained on {name}\n{report.before(options, results)}")
        print(join_parts(report.parts(options, results, rows)))
        figures[name] = {**report.as_json(options, results, rows), "rewriting": rewritten_texts}
        del figures[name]["paper"]  # training/paper_tables.toml has it
    name = arguments.output.stem if arguments.output else ""
    record(arguments.output, name, figures, ("scikit-learn", "scipy", "torch", "transformers"))


def encoder(arguments: argparse.Namespace, documents: int) -> Encoder:
    """Fine-tuned whole, for as many updates as one pass over the original documents has."""
    training = TrainingOptions(
        steps=documents // BATCH, batch=BATCH, learning_rate=arguments.rate, schedule="linear", weight_decay=0.01
    )
    return Encoder(EncoderTraining(arguments.backbone, training, epochs=1, max_pieces=128, lora=0), arguments.runs)


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
