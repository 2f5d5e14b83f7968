"""The debiasing loss (Park et al. 2023), as we read it for masked models.

    L = L_pronoun + neutral · L_SN + elastic · L_EWC

    L_pronoun   cross entropy of the hidden pronoun, in WinoBias' sentences, stereotyped and not in equal parts
    L_SN        stereotype neutralisation: the mean over occupation words of (h · g)², h their last state, g the unit
                vector of the mean difference between the states of *he* and *she* at the pronoun's place, found once
                before the training
    L_EWC       elastic weight consolidation: Σ_j F_j (θ_j − θ*_j)², θ* the weights before, F the diagonal of the Fisher
                information of plain masked words over the same sentences: the mean over them of the squared gradient

Park et al. train on the resolution of pronouns in OntoNotes and GAP; that data is not free, so WinoBias stands for it,
as in the BabyLM paper. Their code adds gradients up over sentences before it squares them; here each is squared by
itself. States are the model's last ones: the BabyLM authors' fork took what LTG-BERT's last layer adds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Dataset
from transformers import AutoModelForMaskedLM, PreTrainedTokenizerFast, Trainer, TrainingArguments

from gec_fair.babylm.debiasing.debiasing_options import LossTraining, LossWeights
from gec_fair.babylm.debiasing.pronouns import Resolution
from gec_fair.data.winobias import Span
from gec_fair.english.lexicons.paradigms import Gender, gendered_pronouns
from gec_fair.errors import InputError
from gec_fair.models.configuration import positions_of
from gec_fair.models.load import load_config
from gec_fair.models.weights import load_model, load_tokenizer
from gec_fair.runs.identity import Identity
from gec_fair.trainer.nan_guard import Guarded
from gec_fair.trainer.once import Learner, save_with, train_run
from gec_fair.trainer.options import TrainingOptions
from gec_fair.trainer.pretraining.masked import IGNORED
from gec_fair.trainer.records import Run, Trained
from gec_fair.trainer.sampler import Order

_MASCULINE = gendered_pronouns(Gender.MASCULINE)
_PAIR = {
    "he": "she",
    "him": "her",
    "his": "her",
    "himself": "herself",
    "she": "he",
    "hers": "his",
    "herself": "himself",
}


@dataclass(frozen=True, slots=True)
class Example:
    """Sub-words with the pronoun hidden; `at` its places, `pieces` what stood there; `occupations`: places."""

    ids: tuple[int, ...]
    at: tuple[int, ...]
    pieces: tuple[int, ...]
    occupations: tuple[int, ...]


def example(resolution: Resolution, tokenizer: PreTrainedTokenizerFast) -> Example:
    """By the tokenizer's offsets: sub-words that touch a pronoun, or an occupation's first mention."""
    encoding = tokenizer(resolution.text, return_offsets_mapping=True)
    spans = encoding["offset_mapping"]

    def touching(marked: Sequence[Span]) -> tuple[int, ...]:
        return tuple(
            n for n, (a, b) in enumerate(spans) if b > a and any(a < last and b > first for first, last in marked)
        )

    at = touching(resolution.pronouns)
    ids = list(encoding["input_ids"])
    pieces = tuple(ids[n] for n in at)
    for n in at:
        ids[n] = int(tokenizer.mask_token_id)
    return Example(tuple(ids), at, pieces, tuple(n for n in touching(resolution.occupations) if n not in at))


class Examples(Dataset[dict[str, Any]]):
    """The examples of a whole run; `n` and `n + passes × len` are the same."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = examples

    def __len__(self) -> int:
        return len(self.examples)

    def __getitem__(self, number: int) -> dict[str, Any]:
        return {"example": self.examples[number % len(self.examples)]}


@dataclass(frozen=True, slots=True)
class Batches:
    """(batch, longest) sub-words, labels, occupation places; padded."""

    pad: int

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Tensor]:
        """Pad the rows into tensors: input_ids, attention_mask, labels, and occupations as a mask."""
        examples: list[Example] = [row["example"] for row in rows]
        shape = (len(examples), max(len(example.ids) for example in examples))
        ids, labels = np.full(shape, self.pad), np.full(shape, IGNORED)
        mask, jobs = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)
        for row, example in enumerate(examples):
            ids[row, : len(example.ids)] = example.ids
            mask[row, : len(example.ids)] = 1
            labels[row, list(example.at)] = example.pieces
            jobs[row, list(example.occupations)] = True
        arrays = {"input_ids": ids, "attention_mask": mask, "labels": labels, "occupations": jobs}
        return {name: torch.from_numpy(array) for name, array in arrays.items()}


def gender_direction(model: Any, resolutions: Sequence[Resolution], tokenizer: PreTrainedTokenizerFast) -> Tensor:
    """(width), of unit length: the mean over sentences of the masculine pronouns' state minus the feminine ones', each
    the mean of their sub-words. Sentences with *her* are left out, which is *him* or *his*. InputError where none is
    left."""
    differences = []
    for resolution in resolutions:
        words = [word.lower() for word in resolution.words]
        if not all(word in _PAIR for word in words):
            continue
        swapped = resolution.with_pronouns([_PAIR[word] for word in words])
        his, hers = (resolution, swapped) if words[0] in _MASCULINE else (swapped, resolution)
        differences.append(_pronoun_state(model, his, tokenizer) - _pronoun_state(model, hers, tokenizer))
    if not differences:
        raise InputError(
            "no sentence has he, him, his or she, of which the direction of gender is found; give "
            "WinoBias' files, stereotyped and not"
        )
    mean: Tensor = torch.stack(differences).mean(0)
    unit: Tensor = mean / mean.norm()
    return unit


@torch.no_grad()
def _pronoun_state(model: Any, resolution: Resolution, tokenizer: PreTrainedTokenizerFast) -> Tensor:
    ids = torch.tensor([tokenizer(resolution.text)["input_ids"]], device=model.device)
    states: Tensor = model.base_model(ids).last_hidden_state[0]
    return states[list(example(resolution, tokenizer).at)].mean(0)


def fisher(
    model: Any,
    resolutions: Sequence[Resolution],
    tokenizer: PreTrainedTokenizerFast,
    *,
    share: float = 0.15,
    seed: int = 0,
) -> dict[str, Tensor]:
    """By parameter: the mean over sentences of the squared gradient of plain masked words."""
    importance = {name: torch.zeros_like(value) for name, value in model.named_parameters()}
    ahead = int(getattr(model.config, "predicts_next", False))
    for number, resolution in enumerate(resolutions):
        ids = torch.tensor([tokenizer(resolution.text)["input_ids"]], device=model.device)
        chance = np.random.Generator(np.random.PCG64([seed, number]))
        special = tokenizer.get_special_tokens_mask(ids[0].tolist(), already_has_special_tokens=True)
        free = np.flatnonzero(np.array(special) == 0)
        hidden = chance.permutation(free)[: max(1, round(share * len(free)))].tolist()
        masked = ids.clone()
        masked[0, hidden] = int(tokenizer.mask_token_id)
        model.zero_grad()
        predicted = [place - ahead for place in hidden]
        loss = torch.nn.functional.cross_entropy(model(masked).logits[0, predicted].float(), ids[0, hidden])
        loss.backward()  # type: ignore[no-untyped-call]
        for name, value in model.named_parameters():
            if value.grad is not None:
                importance[name] += value.grad.detach() ** 2
    model.zero_grad()
    return {name: value / len(resolutions) for name, value in importance.items()}


class DebiasingTrainer(Guarded, Trainer):
    """The loss above; what the last step's was made of stands in the log."""

    def __init__(
        self, *, direction: Tensor, importance: Mapping[str, Tensor], weights: LossWeights, **arguments: Any
    ) -> None:
        super().__init__(**arguments)
        device = self.args.device  # where the model is by now
        self.direction, self.weights = direction.to(device), weights
        self.importance = {name: value.to(device) for name, value in importance.items()}
        self.before = {name: value.detach().clone() for name, value in self.model.named_parameters()}
        self.parts: dict[str, Tensor] = {}

    def compute_loss(
        self, model: Any, inputs: dict[str, Tensor], return_outputs: bool = False, **_: Any
    ) -> Tensor | tuple[Tensor, dict[str, Tensor]]:
        """The weighted sum of the three terms; with `return_outputs` also a dict that holds it as `loss`."""
        bare = self.accelerator.unwrap_model(model, keep_torch_compile=False)
        seen: list[Tensor] = []
        hook = bare.base_model.register_forward_hook(lambda _, __, output: seen.append(output["last_hidden_state"]))
        try:
            logits = model(inputs["input_ids"], attention_mask=inputs["attention_mask"]).logits
        finally:
            hook.remove()
        labels = inputs["labels"]
        if getattr(bare.config, "predicts_next", False):  # a hybrid model's scores stand one place before
            logits, labels = logits[:, :-1], labels[:, 1:]
        pronoun = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), labels.flatten(), ignore_index=IGNORED
        )
        projections = seen[0][inputs["occupations"]].float() @ self.direction
        neutral = (projections**2).sum() / max(1, len(projections))
        moved = (self.importance[name] * (value - self.before[name]) ** 2 for name, value in bare.named_parameters())
        elastic = torch.stack([term.sum() for term in moved]).sum()
        loss = pronoun + self.weights.neutral * neutral + self.weights.elastic * elastic
        self.parts = {"pronoun": pronoun.detach(), "neutral": neutral.detach(), "elastic": elastic.detach()}
        return (loss, {"loss": loss}) if return_outputs else loss

    def log(self, logs: dict[str, float], *arguments: Any, **named: Any) -> None:
        """Log `logs` with the last step's three terms: pronoun, neutral, elastic."""
        super().log({**logs, **{name: float(value) for name, value in self.parts.items()}}, *arguments, **named)


def train(
    start: str,
    resolutions: Sequence[Resolution],
    options: LossTraining,
    training: TrainingOptions,
    out: Path,
    *,
    seed: int,
    identity: Identity,
) -> Trained:
    """A model trained on with the loss; resumable, in a run's folder. Raises as `pretraining.encoder.pretrain` does."""
    return train_run(Run(out, identity), training, seed, partial(_learner, start, resolutions, options, training))


def _learner(
    start: str,
    resolutions: Sequence[Resolution],
    options: LossTraining,
    training: TrainingOptions,
    arguments: TrainingArguments,
) -> Learner:
    seed = arguments.seed
    tokenizer = load_tokenizer(start)
    config = load_config(start)
    if not tokenizer.is_fast:
        raise InputError(f"{start}: its tokenizer does not say where sub-words stand; save it as a fast one")
    longest = min(tokenizer.model_max_length, positions_of(config))
    resolutions = [entry for entry in resolutions if len(tokenizer(entry.text)["input_ids"]) <= longest]
    if not resolutions:
        raise InputError(f"{start}: reads {longest} sub-words, and every text has more; give shorter texts")
    model: Any = load_model(AutoModelForMaskedLM, start, config, "training")
    model.eval()
    direction = gender_direction(model, resolutions, tokenizer)
    importance = fisher(model, resolutions, tokenizer, seed=seed)
    model.train()
    trainer = DebiasingTrainer(
        model=model,
        args=arguments,
        train_dataset=Examples([example(resolution, tokenizer) for resolution in resolutions]),
        data_collator=Batches(int(tokenizer.pad_token_id or 0)),
        direction=direction,
        importance=importance,
        weights=options.weights,
    )
    trainer.order = Order(
        len(resolutions), training.steps * training.batch * training.accumulation, seed, numbered=True
    )
    return Learner(trainer, training, partial(save_with, tokenizer))
