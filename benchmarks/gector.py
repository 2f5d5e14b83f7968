"""Prediction and training steps of our GECToR, beside the way in which the public reimplementation does them.

    python benchmarks/gector.py MODEL SOURCE.txt PAIRS.tsv [-o benchmarks/results/gector.json]

The peer is gotutiyan/gector's method, told in our own words and run on our model, so that weights and edits are the
same: each round it cuts every sentence into sub-words again, pads all to 80, scores both heads at every sub-word, in
the given order, 128 at a time; texts that a round left unchanged are done. In training it cuts and pads the same way,
each sentence anew in each pass. Sentences of more than 50 words or 80 sub-words, which it cuts off, are left out.
Outputs must be the same or the script fails. One process, threads as torch sets them; medians, the two by turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import torch
from report import record

from gec_fair.gec.gector import checkpoint
from gec_fair.gec.gector.checkpoint import Tagger
from gec_fair.gec.gector.data import row_of
from gec_fair.gec.gector.model import NO_WORD
from gec_fair.gec.gector.options import Decoding
from gec_fair.gec.gector.predict import Predictor
from gec_fair.gec.gector.tags import KEEP, START, apply_tags
from gec_fair.gec.gector.words import Row, batch
from gec_fair.trainer.sampler import Order

LENGTH = 80
TOGETHER = 128
BATCH = 32
DECODING = Decoding(min_words=1)


def cut(tagger: Tagger, texts: Sequence[Sequence[str]]) -> tuple[dict[str, torch.Tensor], list[list[int]]]:
    """Sub-words of `$START` and the words, padded to 80, and the place of each word's first."""
    batch = tagger.pieces.tokenizer(
        [[START, *text] for text in texts],
        is_split_into_words=True,
        max_length=LENGTH,
        add_special_tokens=False,
        padding="max_length",
        truncation=True,
        return_tensors="pt",
    )
    starts = []
    for number in range(len(texts)):
        words = batch.word_ids(number)
        starts.append([at for at, word in enumerate(words) if word is not None and (not at or words[at - 1] != word)])
    return {name: batch[name] for name in ("input_ids", "attention_mask")}, starts


@torch.inference_mode()
def peer_correct(tagger: Tagger, texts: Sequence[tuple[str, ...]], decoding: Decoding) -> list[tuple[str, ...]]:
    """Round after round over what the last round changed."""
    state, active = list(texts), list(range(len(texts)))
    seen = [{text} for text in texts]
    for _ in range(decoding.iterations):
        changed = []
        for first in range(0, len(active), TOGETHER):
            block = active[first : first + TOGETHER]
            inputs, starts = cut(tagger, [state[at] for at in block])
            states = tagger.model.encoder(**inputs).last_hidden_state
            chances = tagger.model.tags_head(states).float().softmax(-1)  # at every sub-word, padding too
            wrong = tagger.model.detection_head(states).float().softmax(-1)[..., 1]
            chances[..., 0] += decoding.confidence
            best, tag = chances.max(-1)
            for number, at in enumerate(block):
                places = starts[number]
                tags = [KEEP] * len(places)
                if float(wrong[number, places].max()) >= decoding.min_error_probability:
                    tags = [
                        tagger.labels.tags[t] if p >= decoding.min_error_probability else KEEP
                        for p, t in zip(best[number, places].tolist(), tag[number, places].tolist(), strict=True)
                    ]
                new = apply_tags(state[at], tags, tagger.verbs)
                if new not in seen[at]:
                    seen[at].add(new)
                    changed.append(at)
                state[at] = new
        active = changed
    return state


def peer_steps(tagger: Tagger, lines: Sequence[str], steps: int) -> Callable[[], float]:
    """Batches in a random order, cut and padded when they are needed, both heads at every sub-word."""
    order = list(Order(len(lines), steps * BATCH, 0))

    def batches(number: int) -> dict[str, torch.Tensor]:
        rows = [row_of(lines[at], tagger) for at in order[number * BATCH : (number + 1) * BATCH]]
        texts = [lines[at].split("\t")[0].split()[:49] for at in order[number * BATCH : (number + 1) * BATCH]]
        inputs, starts = cut(tagger, texts)
        labels = torch.full((len(rows), LENGTH), NO_WORD)
        for n, (row, places) in enumerate(zip(rows, starts, strict=True)):
            labels[n, places] = torch.tensor(row["labels"][: len(places)])
        every = torch.arange(LENGTH).expand(len(rows), -1)
        return {
            **inputs,
            "starts": every,
            "labels": labels,
            "detection": torch.where(labels == NO_WORD, NO_WORD, (labels != 0).long()),
        }

    return lambda: _steps(tagger, batches, steps)


def our_steps(tagger: Tagger, lines: Sequence[str], steps: int) -> Callable[[], float]:
    """Cut once (not timed: the table lies on disk for all seeds), batches of like length, first sub-words alone."""
    import numpy as np

    rows = [Row(row["ids"], row["starts"], row["labels"]) for row in (row_of(line, tagger) for line in lines)]
    lengths = np.array([len(row.ids) for row in rows])
    order = list(Order(len(rows), steps * BATCH, 0, batch=BATCH, lengths=lengths))

    def batches(number: int) -> dict[str, torch.Tensor]:
        return batch([rows[at] for at in order[number * BATCH : (number + 1) * BATCH]], tagger.pieces.padding)

    return lambda: _steps(tagger, batches, steps)


def _steps(tagger: Tagger, batches: Callable[[int], dict[str, torch.Tensor]], steps: int) -> float:
    """Sentences a second of forward, backward and update."""
    model = tagger.model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6)
    start = time.perf_counter()
    for number in range(steps):
        model(**batches(number)).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return steps * BATCH / (time.perf_counter() - start)


def alike(tagger: Tagger, text: Sequence[str]) -> bool:
    """Whether both read the same of a text: it fits, and no word has more sub-words than ours reads of one."""
    ids, starts = tagger.pieces.sentence(text)
    return len(ids) <= LENGTH and list(cut(tagger, [text])[1][0]) == list(starts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("source", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    tagger = checkpoint.load(arguments.model)
    texts = [tuple(line.split()) for line in arguments.source.read_text(encoding="utf-8").splitlines()]
    short = [t for t in texts if 0 < len(t) <= 50 and alike(tagger, t)][: arguments.sentences]

    speeds: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(arguments.repeats):
        outputs = {}
        for name, correct in (
            ("ours", lambda: Predictor(tagger, device="cpu").correct(short, DECODING).texts),
            ("peer", lambda: peer_correct(tagger, short, DECODING)),
        ):
            tagger.model.eval()
            start = time.perf_counter()
            outputs[name] = correct()
            speeds[name].append(len(short) / (time.perf_counter() - start))
        different = sum(a != b for a, b in zip(outputs["ours"], outputs["peer"], strict=True))
        assert not different, f"{different} outputs differ"
    edited = sum(a != b for a, b in zip(outputs["ours"], short, strict=True))

    trainee = checkpoint.load(arguments.model, use="training")
    lines = [line for line in arguments.pairs.read_text(encoding="utf-8").splitlines() if line][:4000]
    lines = [x for x in lines if len(trainee.pieces.sentence(x.split("\t")[0].split()[:49])[0]) <= LENGTH]
    runs = {"ours": our_steps(trainee, lines, arguments.steps), "peer": peer_steps(trainee, lines, arguments.steps)}
    training: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(arguments.repeats):
        for name, run in runs.items():
            training[name].append(run())
    figures = {
        phase: {
            **{f"{name} sentences/s": round(median(values), 1) for name, values in rates.items()},
            "ratio": round(median(rates["ours"]) / median(rates["peer"]), 2),
        }
        for phase, rates in (("prediction", speeds), ("training", training))
    }
    for phase, row in figures.items():
        print(phase, row)
    parameters = sum(p.numel() for p in tagger.model.parameters())
    report = {
        "model": {"parameters": parameters, "tags": len(tagger.labels)},
        "sentences": len(short),
        "edited": edited,
        "outputs that differ": different,
        "threads": torch.get_num_threads(),
        "repeats": arguments.repeats,
    }
    record(arguments.output, "gector", {**report, **figures}, ("torch", "transformers"))


if __name__ == "__main__":
    main()
