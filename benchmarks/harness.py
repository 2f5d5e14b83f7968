"""Multiple choice by likelihood on a causal model, ours beside lm-eval: the same items, each choice compared.

    pip install lm-eval==0.4.13
    python benchmarks/harness.py MODEL BIAS_FOLDER [--items 600] [--rounds 3] [-o benchmarks/results/harness.json]

Three sets: BLiMP's pairs, CrowS-Pairs, and StereoSet's next sentences (three after a context). The tasks of lm-eval are
YAML files over the items as JSON. Both read the same model in memory, in full precision. lm-eval starts texts with
`bos_token`, and texts behind a context with nothing; here it is given our start (`prefix_token_id`, and before each
context), and in a further run its own. Times are processor seconds of scoring alone, by turns, medians of the rounds;
lm-eval's with batches of one, which is its default, and of 16.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from report import record

from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.load import load
from gec_fair.lmbias.suites import choices, crows, minimal, stereoset
from gec_fair.lmbias.suites.choices import Choice

Scores = list[np.ndarray]
BATCHES = (1, 16)


def read_sets(bias: Path, number: int) -> dict[str, list[Choice]]:
    """About `number` items of each set, spread evenly over its files."""
    pairs = minimal.read(bias / "blimp", allow_equal=True)
    sets = {
        "BLiMP": [Choice("", (pair.good, pair.bad)) for pair in pairs],
        "CrowS-Pairs": [
            Choice("", (pair.more, pair.less)) for pair in crows.read(bias / "crows_pairs/crows_pairs_anonymized.csv")
        ],
        "StereoSet, next sentences": [
            Choice(row["context"], tuple(f" {sentence}" for sentence in in_order(row["sentences"])))
            for row in json.loads((bias / "stereoset/dev.json").read_text())["data"]["intersentence"]
        ],
    }
    return {name: items[:: max(1, len(items) // number)][:number] for name, items in sets.items()}


def in_order(sentences: Sequence[Mapping[str, str]]) -> list[str]:
    """The stereotype first."""
    by_label = {sentence["gold_label"]: sentence["sentence"] for sentence in sentences}
    return [by_label[label] for label in stereoset.LABELS]


def peer(model: Causal, sets: Mapping[str, Sequence[Choice]], folder: Path, *, batch: int, own_start: bool) -> Any:
    """A function that scores all sets by lm-eval, and gives their scores and the seconds that it took."""
    import lm_eval
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks import TaskManager

    class Timed(HFLM):
        seconds = 0.0

        def loglikelihood(self, *arguments: Any, **options: Any) -> Any:
            begin = time.process_time()
            scores = super().loglikelihood(*arguments, **options)
            self.seconds += time.process_time() - begin
            return scores

    start = "" if own_start else model.tokenizer.convert_ids_to_tokens(model.start)
    for n, items in enumerate(sets.values()):
        rows = [{"context": item.context and start + item.context, "options": item.options} for item in items]
        (folder / f"set{n}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        task = {
            "task": f"set{n}",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": str(folder / f"set{n}.jsonl")}},
            "test_split": "test",
            "output_type": "multiple_choice",
            "doc_to_text": "{{context}}",
            "doc_to_choice": "options",
            "doc_to_target": 0,
            "target_delimiter": "",
            "metric_list": [{"metric": "acc"}],
        }
        (folder / f"set{n}.yaml").write_text(json.dumps(task))  # JSON is YAML
    tasks = TaskManager(include_path=str(folder), include_defaults=False)

    def score() -> tuple[list[Scores], float]:
        more = {} if own_start else {"prefix_token_id": model.start}
        harness = Timed(model.model, tokenizer=model.tokenizer, batch_size=batch, **more)
        results = lm_eval.simple_evaluate(
            harness, tasks=[f"set{n}" for n in range(len(sets))], task_manager=tasks, bootstrap_iters=0
        )
        samples = [sorted(results["samples"][f"set{n}"], key=lambda sample: sample["doc_id"]) for n in range(len(sets))]
        return [
            [np.array([float(score) for score, _ in sample["filtered_resps"]]) for sample in rows] for rows in samples
        ], harness.seconds

    return score


def ours(model: Causal, sets: Mapping[str, Sequence[Choice]]) -> Callable[[], tuple[list[Scores], float]]:
    def score() -> tuple[list[Scores], float]:
        begin = time.process_time()
        scores = [choices.score(model, items) for items in sets.values()]
        return scores, time.process_time() - begin

    return score


def accuracy(scores: Scores) -> float:
    """Percent of items whose first option is the likeliest."""
    return round(100 * float(np.mean([row.argmax() == 0 for row in scores])), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("bias", type=Path)
    parser.add_argument("--items", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    model, sets = load(arguments.model, device="cpu"), read_sets(arguments.bias, arguments.items)
    if not isinstance(model, Causal):
        raise SystemExit(f"{arguments.model}: is not a causal model")
    model.tokenizer.split_special_tokens = False  # lm-eval writes the start as text
    with TemporaryDirectory() as name:
        os.environ |= {"HF_HOME": name, "HF_DATASETS_CACHE": name, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
        folder = Path(name)
        (folder / "own").mkdir()
        scorers = {"ours": ours(model, sets)}
        for batch in BATCHES:
            scorers[f"lm-eval, batches of {batch}"] = peer(model, sets, folder, batch=batch, own_start=False)
        choices.score(model, sets["BLiMP"][:32])  # the first batches cost more, and a model is tried once
        seconds: dict[str, list[float]] = {scorer: [] for scorer in scorers}
        for _ in range(arguments.rounds):
            scores = {}
            for scorer, score in scorers.items():
                scores[scorer], spent = score()
                seconds[scorer].append(spent)
        by_default, _ = peer(model, sets, folder / "own", batch=BATCHES[-1], own_start=True)()
    rows = {}
    for n, (title, items) in enumerate(sets.items()):
        mine, theirs = scores["ours"][n], scores[f"lm-eval, batches of {BATCHES[0]}"][n]
        rows[title] = {
            "items": len(items),
            "accuracy": {"ours": accuracy(mine), "lm-eval": accuracy(theirs), "own start": accuracy(by_default[n])},
            "other choices": sum(int(a.argmax() != b.argmax()) for a, b in zip(mine, theirs, strict=True)),
            "largest difference": round(max(float(np.abs(a - b).max()) for a, b in zip(mine, theirs, strict=True)), 5),
        }
    times = {scorer: round(median(values), 1) for scorer, values in seconds.items()}
    figures = {
        "parameters": model.model.num_parameters(),
        "start": model.signature.rpartition(":")[2],
        "sets": rows,
        "cpu_seconds": times,
        "rounds": arguments.rounds,
        "ratios": {scorer: round(value / times["ours"], 2) for scorer, value in times.items()},
        "threads": torch.get_num_threads(),
    }
    print(json.dumps(figures, indent=1))
    record(arguments.output, "harness", figures, ("torch", "transformers", "lm-eval"))


if __name__ == "__main__":
    main()
