"""Pseudo-log-likelihoods of a masked model's sentences, ours beside minicons', and how long the quick suites take.

    pip install minicons==0.3.39
    python benchmarks/lmbias.py MODEL BLIMP_FOLDER [--sentences 600] [-o benchmarks/results/lmbias.json]

The same sentences, the same model, by turns, medians of three; log likelihoods must agree to 1e-3 or the script fails.
minicons 0.3.39 calls a method that transformers 5 no longer has; the one line that gives it back stands below. Its
batches are of 32 sentences, which it spreads into a row for each sub-word.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
import torch
from report import record
from transformers import PreTrainedTokenizerBase, RobertaConfig, RobertaForMaskedLM

from gec_fair.lmbias.options import Suites
from gec_fair.lmbias.scoring import load
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.suites import catalogue, minimal

PEER_BATCH = 32


def peer(name: str) -> Callable[[Sequence[str]], list[float]]:
    """minicons' masked scorer."""
    if not hasattr(PreTrainedTokenizerBase, "batch_encode_plus"):
        setattr(PreTrainedTokenizerBase, "batch_encode_plus", PreTrainedTokenizerBase.__call__)  # noqa: B010
    from minicons.scorer import MaskedLMScorer

    scorer = MaskedLMScorer(name, "cpu")

    def score(texts: Sequence[str]) -> list[float]:
        likelihoods_: list[float] = []
        for first in range(0, len(texts), PEER_BATCH):
            block = list(texts[first : first + PEER_BATCH])
            likelihoods_ += scorer.sequence_score(block, reduction=lambda row: row.sum(0).item(), PLL_metric="original")
        return likelihoods_

    return score


def random(like: Masked | Causal) -> Masked:
    """A RoBERTa of 11.5 M parameters, with that model's sub-words."""
    vocabulary, padding = len(like.tokenizer), like.tokenizer.pad_token_id
    config = RobertaConfig(
        vocab_size=vocabulary,
        hidden_size=320,
        num_hidden_layers=6,
        num_attention_heads=5,
        intermediate_size=1280,
        max_position_embeddings=514,
        pad_token_id=padding,
    )
    torch.manual_seed(0)
    return Masked(RobertaForMaskedLM(config), like.tokenizer)


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("blimp", type=Path)
    parser.add_argument("--sentences", type=int, default=600)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    every = [text for pair in minimal.read(arguments.blimp, allow_equal=True) for text in (pair.good, pair.bad)]
    texts = every[:: max(1, len(every) // arguments.sentences)][: arguments.sentences]
    model = load.load(arguments.model)
    with TemporaryDirectory() as folder:  # in full precision for both: minicons computes in what the file has
        model.model.save_pretrained(folder)
        model.tokenizer.save_pretrained(folder)
        theirs = peer(folder)
    difference = float(np.abs(likelihoods(model, texts) - np.array(theirs(texts))).max())
    if difference > 1e-3:
        raise SystemExit(f"log likelihoods differ by {difference}")
    times = {"ours": [], "minicons": []}
    for _ in range(3):
        times["ours"].append(timed(lambda: likelihoods(model, texts)))
        times["minicons"].append(timed(lambda: theirs(texts)))
    rate = {name: len(texts) / median(seconds) for name, seconds in times.items()}
    quick, larger = timed(lambda: catalogue.run(model, Suites())), random(model)
    figures = {
        "model": {"parameters": model.model.num_parameters(), "kind": model.model.config.model_type},
        "sentences": len(texts),
        "sentences_per_second": {name: round(value, 1) for name, value in rate.items()},
        "ratio": round(rate["ours"] / rate["minicons"], 2),
        "largest_difference": difference,
        "quick_suites_seconds": round(quick, 1),
        "threads": torch.get_num_threads(),
        "random roberta": {
            "parameters": larger.model.num_parameters(),
            "quick_suites_seconds": round(timed(lambda: catalogue.run(larger, Suites())), 1),
        },
    }
    print(figures)
    record(arguments.output, "lmbias", figures, ("torch", "transformers", "minicons"))


if __name__ == "__main__":
    main()
