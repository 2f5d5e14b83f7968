"""LTG-BERT's fused attention (torch's, with the relative bias) against its plain one, in the same run: seconds of a
forward pass and of an update, by length.

python benchmarks/ltg_bert.py -o benchmarks/results/ltg-bert.json
python benchmarks/ltg_bert.py --size base --device cuda --precision bf16 -o benchmarks/results/ltg-bert-gpu.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import torch
from report import record

from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM

LENGTHS = (64, 128, 256, 512)
TOKENS = 4096  # of a batch
REPEATS = 7
WAYS = ("eager", "sdpa")
SIZES = {"base": (768, 2048, 12, 12), "small": (384, 1024, 12, 6), "xs": (192, 512, 12, 3)}
"""Width, feed-forward width, layers, heads, as published."""


def models(size: str, device: str) -> dict[str, Any]:
    """The same weights, read in both ways."""
    torch.manual_seed(0)
    names = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
    shape: dict[str, Any] = dict(zip(names, SIZES[size], strict=True))
    built = {
        way: LtgBertForMaskedLM(
            LtgBertConfig(**shape, attn_implementation=way, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        ).to(device)
        for way in WAYS
    }
    built["sdpa"].load_state_dict(built["eager"].state_dict())
    return built


def timed(call: Callable[[], object], device: str) -> float:
    def once() -> float:
        start = perf_counter()
        call()
        if device == "cuda":
            torch.cuda.synchronize()
        return perf_counter() - start

    once()
    return median(once() for _ in range(REPEATS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="xs")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--precision", choices=("fp32", "bf16"), default="fp32")
    parser.add_argument("--threads", type=int, default=1, help="Of a CPU.")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    built = models(arguments.size, arguments.device)
    half = torch.autocast(arguments.device, torch.bfloat16) if arguments.precision == "bf16" else nullcontext()
    rows = []
    for length in LENGTHS:
        ids = torch.randint(10, 16_000, (max(1, TOKENS // length), length), device=arguments.device)
        row: dict[str, Any] = {"length": length, "batch": len(ids)}
        with torch.inference_mode():
            logits = [model.eval()(ids).logits for model in built.values()]
        row["largest difference of logits"] = float((logits[0] - logits[1]).abs().max())

        for name, model in built.items():

            def forward(model: Any = model, ids: Any = ids) -> None:
                with torch.inference_mode(), half:
                    model.base_model(ids)

            def update(model: Any = model, ids: Any = ids) -> None:
                with half:
                    states = model.base_model(ids).last_hidden_state
                states.float().pow(2).mean().backward()
                model.zero_grad()

            row[name] = {"forward": timed(forward, arguments.device), "update": timed(update, arguments.device)}
        row["fused is quicker by"] = {
            phase: round(row["eager"][phase] / row["sdpa"][phase], 3) for phase in ("forward", "update")
        }
        rows.append(row)
    figures = {
        "size": arguments.size,
        "device": arguments.device,
        "precision": arguments.precision,
        "threads": arguments.threads,
        "tokens": TOKENS,
        "rows": rows,
    }
    print(json.dumps(figures, indent=1))
    record(arguments.output, "ltg-bert", figures, ("torch", "transformers"))


if __name__ == "__main__":
    main()
