"""Fine-tune a seq2seq model to perturb: one seed, one folder, resumable.

OUT/checkpoints/  OUT/best/ (model and tokenizer)  OUT/log.jsonl  OUT/manifest.json (written last: the run is finished)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import (
    AddedToken,
    AutoModelForSeq2SeqLM,
    DataCollatorForSeq2Seq,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
)

from gec_fair.errors import InputError
from gec_fair.extras import require
from gec_fair.models.load import load_config
from gec_fair.models.weights import load_encoder_tokenizer, load_model
from gec_fair.perturber.neural import panda
from gec_fair.perturber.neural.metrics import against
from gec_fair.perturber.neural.options import PerturberTraining
from gec_fair.perturber.neural.seq2seq import BETWEEN, LONGEST, Neural, PromptRequest, decoding, encode, prompt
from gec_fair.perturber.rewriting.segments import SEPARATOR, prompt_text
from gec_fair.trainer import loop
from gec_fair.trainer.card import write_card
from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.once import Learner, origin, save_with, train_once
from gec_fair.trainer.records import BEST, Trained
from gec_fair.trainer.sampler import Order

HELD = 20  # without a dev file, one row in so many validates
Row = dict[str, list[int]]


class PerturberTrainer(Guarded, Seq2SeqTrainer):
    """The model computes its own loss."""


def train(options: PerturberTraining, out: Path, *, seed: int, workers: int = 1, cache: Path | None = None) -> Trained:
    """Train one seed into `out`. The same command after a kill continues; a finished run is not run again.

    InputError for data or a model that cannot be used, ResumeError where `out` holds another run.
    """

    def prepare(arguments: Seq2SeqTrainingArguments) -> Learner:
        model, tokenizer = start(options.start)
        rows, held, validating, counts = _rows(options, tokenizer)
        trainer = PerturberTrainer(
            model=model,
            args=arguments,
            train_dataset=rows,
            eval_dataset=held,
            data_collator=DataCollatorForSeq2Seq(tokenizer, model),
        )
        training, lengths = options.training, np.array([max(map(len, row.values())) for row in rows])
        items = loop.items_of_run(arguments, training.steps)
        trainer.order = Order(len(rows), items, seed, batch=training.batch, lengths=lengths)
        save, measure = partial(_save, tokenizer, origin(options.start, seed)), partial(_bleu, options, out, validating)
        return Learner(trainer, training, save, counts, measure if options.bleu_rows else None)

    if options.bleu_rows:
        require("BLEU", "perturber", "sacrebleu", "rouge_score")
    smoothing = options.label_smoothing
    return train_once(options, out, seed, prepare, kind=Seq2SeqTrainingArguments, label_smoothing_factor=smoothing)


def start(name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """The model and its tokenizer, with rows for <PERT_SEP> and <SEP>. InputError for a model that writes no text."""
    config = load_config(name)
    if not getattr(config, "is_encoder_decoder", False):
        raise InputError(
            f"{name}: is a {config.model_type}, which writes no text for a text; give facebook/bart-large "
            "or another seq2seq model"
        )
    tokenizer = load_encoder_tokenizer(name)  # as its authors read words; outputs are stripped
    model = load_model(AutoModelForSeq2SeqLM, name, config, "training")
    model.generation_config = decoding(config, LONGEST)
    new = [AddedToken(token, special=True, normalized=False) for token in (BETWEEN, SEPARATOR)]
    if tokenizer.add_tokens(new, special_tokens=True):
        rows = max(len(tokenizer), model.get_input_embeddings().weight.shape[0])
        model.resize_token_embeddings(rows, mean_resizing=False)
    return model, tokenizer


def _rows(
    options: PerturberTraining, tokenizer: PreTrainedTokenizerBase
) -> tuple[list[Row], list[Row], list[panda.Rewrite], dict[str, int]]:
    """Training and validation rows as sub-words, the texts of the latter, and what was left out."""
    rewrites = panda.read(Path(options.train))
    usable = [rewrite for rewrite in rewrites if rewrite.usable]
    counts = {
        "rows": len(rewrites),
        "unchanged": sum(rewrite.original == rewrite.rewritten for rewrite in rewrites),
        "word_absent": len(rewrites) - len(usable),
    }
    if options.dev:
        training, validating = usable, [rewrite for rewrite in panda.read(Path(options.dev)) if rewrite.usable]
    else:
        apart = [int(sha256(rewrite.original.encode()).hexdigest()[:8], 16) % HELD == 0 for rewrite in usable]
        training = [rewrite for rewrite, held in zip(usable, apart, strict=True) if not held]
        validating = [rewrite for rewrite, held in zip(usable, apart, strict=True) if held]
    rows, left_out = _cut(training, tokenizer, options.max_pieces)
    held, _ = _cut(validating, tokenizer, options.max_pieces)
    if not rows or not held:
        raise InputError(
            f"{options.train}: {len(rows)} rows to train and {len(held)} to validate are too few; name a "
            "dev file, or give more"
        )
    return rows, held, validating, {**counts, "too_long": left_out}


def _cut(rewrites: Sequence[panda.Rewrite], tokenizer: PreTrainedTokenizerBase, longest: int) -> tuple[list[Row], int]:
    if not rewrites:
        return [], 0
    prompts = [prompt(PromptRequest((rewrite.original,), rewrite.word, rewrite.target)) for rewrite in rewrites]
    sources = encode(tokenizer, prompts)
    targets = encode(tokenizer, [rewrite.rewritten for rewrite in rewrites])
    rows = [
        {"input_ids": source, "labels": target}
        for source, target in zip(sources, targets, strict=True)
        if max(len(source), len(target)) <= longest
    ]
    return rows, len(rewrites) - len(rows)


def _bleu(
    options: PerturberTraining, out: Path, rewrites: Sequence[panda.Rewrite], state: Mapping[str, Any]
) -> dict[str, float | int]:
    """BLEU of the best model's rewritings of validation texts, and of the texts as they were."""
    rewrites = rewrites[: options.bleu_rows]
    requests = [PromptRequest(rewrite.fields, rewrite.word, rewrite.target) for rewrite in rewrites]
    texts = [prompt_text(answer.fields) for answer in Neural(str(out / BEST), beams=options.beams)(requests)]
    references = [rewrite.rewritten for rewrite in rewrites]
    copied = against([rewrite.original for rewrite in rewrites], references)
    return {"bleu": against(texts, references)["bleu"], "bleu_copied": copied["bleu"], "bleu_rows": len(rewrites)}


def _save(tokenizer: PreTrainedTokenizerBase, card: str, model: Any, folder: Path) -> None:
    save_with(tokenizer, model, folder)
    parameters = sum(weight.numel() for weight in model.parameters() if isinstance(weight, torch.Tensor))
    write_card(folder, "A demographic perturber", "perturber", card, {"parameters": f"{parameters:,}"})
