"""What a new encoder looks like: the options in the words of transformers' configurations."""

from __future__ import annotations

from typing import Any

import torch
from transformers import ModernBertConfig, PretrainedConfig, PreTrainedTokenizerFast, RobertaConfig

from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.options import EncoderOptions


def configuration(
    shape: EncoderOptions, tokenizer: PreTrainedTokenizerFast, *, predicts_next: bool = False
) -> PretrainedConfig:
    """ModernBERT with every layer global; RoBERTa, whose positions begin behind the padding row; LTG-BERT, which may
    be asked for a sub-word at the place before it (`predicts_next`)."""
    size: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.intermediate,
        "max_position_embeddings": shape.positions,
    }
    if shape.architecture == "ltg-bert":
        return LtgBertConfig(
            **size,
            hidden_dropout_prob=shape.dropout,
            attention_probs_dropout_prob=shape.dropout,
            position_layout="split",
            predicts_next=predicts_next,
        )
    special = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("pad", "bos", "eos")}
    if shape.architecture == "roberta":
        size["max_position_embeddings"] += tokenizer.pad_token_id + 1
        return RobertaConfig(
            **size,
            **special,
            type_vocab_size=1,
            layer_norm_eps=1e-5,
            hidden_dropout_prob=shape.dropout,
            attention_probs_dropout_prob=shape.dropout,
        )
    return ModernBertConfig(
        **size,
        **special,
        global_attn_every_n_layers=1,
        attention_dropout=shape.dropout,
        mlp_dropout=shape.dropout,
        embedding_dropout=shape.dropout,
        cls_token_id=tokenizer.cls_token_id,
        sep_token_id=tokenizer.sep_token_id,
    )


def begin_as_sinusoids(rows: torch.nn.Embedding, height: float) -> None:
    """Set the (positions, width) rows to sin and cos of position / 10000^(2i/width), columns in turn, times `height`
    (Vaswani et al. 2017, §3.5): what is so many words away is then the same rotation everywhere."""
    places, width = rows.weight.shape
    angles = torch.arange(places)[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
    with torch.no_grad():
        rows.weight.copy_(height * torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width])
