"""What follows from a model's configuration: how much it reads, which attention is quickest, its dropout."""

from __future__ import annotations

import sys
from inspect import signature
from typing import Literal

from transformers import PretrainedConfig
from transformers.models.auto.modeling_auto import MODEL_MAPPING

from gec_fair.models.inference import has_gpu

Use = Literal["training", "predicting"]
UNLIMITED = sys.maxsize
COUNT_FROM_PADDING = frozenset(
    [
        "camembert",
        "data2vec-text",
        "esm",
        "ibert",
        "longformer",
        "luke",
        "mpnet",
        "roberta",
        "roberta-prelayernorm",
        "xlm-roberta",
        "xlm-roberta-xl",
        "xmod",
    ]
)
"""The first sub-word's position is the one after the padding's: RoBERTa with 514 rows reads 512."""


def _encoder_of(config: PretrainedConfig) -> PretrainedConfig:
    """The configuration of the encoder inside a model of ours; another model's may have anything there."""
    encoder = getattr(config, "encoder", None)
    return encoder if isinstance(encoder, PretrainedConfig) else config


def positions_of(config: PretrainedConfig) -> int:
    """The longest sequence, in sub-words, that a model of this configuration has positions for; UNLIMITED where it
    counts distances alone (XLNet says −1)."""
    config = _encoder_of(config)
    longest = int(getattr(config, "max_position_embeddings", None) or -1)
    if longest < 0:
        return UNLIMITED
    return longest - int(config.pad_token_id) - 1 if config.model_type in COUNT_FROM_PADDING else longest


def attention(use: Use, config: PretrainedConfig) -> str:
    """Which attention is quickest for a model of this configuration: torch's fused one where transformers has it for
    such a model (not for DeBERTa or XLNet). Training on a CPU is the exception: its backward pass is slow there."""
    fused = getattr(MODEL_MAPPING.get(type(_encoder_of(config)), None), "_supports_sdpa", False)
    slow = use == "training" and not has_gpu()
    return "sdpa" if fused and not slow else "eager"


def set_dropout(config: object, share: float | None, *, attention: float | None = None) -> None:
    """Set every dropout of an encoder's configuration, whatever it is called there; `attention`, if not None, sets
    those of the attention. None leaves a dropout as it is."""
    for name in vars(config):
        if "dropout" in name and isinstance(getattr(config, name), (int, float)) and not name.startswith("_"):
            value = attention if "att" in name and attention is not None else share
            setattr(config, name, getattr(config, name) if value is None else value)


def no_pooler(config: PretrainedConfig) -> dict[str, bool]:
    """Keyword arguments that leave out the pooling layer of a model of this configuration, which nobody reads, if it
    has one."""
    kind = MODEL_MAPPING.get(type(config), None)
    is_pooled = isinstance(kind, type) and "add_pooling_layer" in signature(kind).parameters
    return {"add_pooling_layer": False} if is_pooled else {}
