"""Which of the two layouts of its positions an LTG-BERT was trained with, where its config.json does not say.

The weights fit both. Guessing hidden words of plain English in the wrong one costs a trained model, so both are tried,
and the one with the lower loss is taken and said.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, get_args

import torch
from transformers import PretrainedConfig, PreTrainedTokenizerBase

from gec_fair.errors import InputError
from gec_fair.models.locate import CONFIG
from gec_fair.models.ltg_bert.config import Layout, LtgBertConfig
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM
from gec_fair.models.weights import load_model, load_tokenizer
from gec_fair.progress import note

SENTENCES = (
    "The children played in the garden until it was dark, and then they went home.",
    "She opened the door and saw that the kitchen was full of people.",
    "What did you do with the book that I gave you yesterday?",
    "In the north of the country the winters are long and the summers are short.",
    "He said that he would come back as soon as he had finished his work.",
    "There was once a king who had three daughters, and the youngest was the cleverest.",
    "We can have lunch first, and after that you may choose a game.",
    "Most of the houses in the village were built of stone more than a hundred years ago.",
)
_DISGUISED = "bert"


def with_layout(name: str, config: PretrainedConfig) -> PretrainedConfig:
    """The configuration with a layout. Checkpoints older than the published file call themselves `bert`; their
    `position_bucket_size` gives them away. Their pad_token_id is another token's, and is left out: the tokenizer knows.
    Any other model comes back as it is. Raises as `weights.load_model` does."""
    if config.model_type == _DISGUISED and getattr(config, "position_bucket_size", None):
        config = LtgBertConfig(**{key: value for key, value in config.to_dict().items() if key != "model_type"})
    if not isinstance(config, LtgBertConfig):
        return config
    config.pad_token_id = None
    if config.position_layout is None:
        config.position_layout = _layout(name, config.to_json_string())
    return config


@lru_cache(maxsize=8)
def _layout(name: str, config: str) -> Layout:
    tokenizer = load_tokenizer(name)
    try:
        model = load_model(LtgBertForMaskedLM, name, LtgBertConfig(**json.loads(config)), "predicting").eval()
    except InputError as fault:
        raise InputError(
            f"{fault}; or, where it has no head for masked words, write position_layout (split or "
            f"interleaved) into its {CONFIG}"
        ) from fault
    losses: dict[Layout, float] = {}
    for layout in get_args(Layout):
        model.config.position_layout = layout
        losses[layout] = loss(model, tokenizer, SENTENCES)
    best = min(losses, key=losses.__getitem__)
    figures = ", ".join(f"{layout} {value:.3f}" for layout, value in losses.items())
    note(f"{name} does not say the layout of its positions; {best} is taken (loss of hidden words: {figures})")
    return best


@torch.inference_mode()
def loss(model: Any, tokenizer: PreTrainedTokenizerBase, sentences: tuple[str, ...]) -> float:
    """Nats a sub-word, each hidden by itself."""
    losses = []
    for sentence in sentences:
        ids = tokenizer(sentence, return_tensors="pt")["input_ids"][0]
        special = tokenizer.get_special_tokens_mask(ids.tolist(), already_has_special_tokens=True)
        places = torch.tensor([at for at, is_special in enumerate(special) if not is_special])
        rows = ids.repeat(len(places), 1)
        rows[range(len(places)), places] = tokenizer.mask_token_id
        scores = model(rows).logits[range(len(places)), places]
        losses.append(torch.nn.functional.cross_entropy(scores.float(), ids[places], reduction="none"))
    return float(torch.cat(losses).mean())
