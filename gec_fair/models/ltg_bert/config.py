"""The configuration of an LTG-BERT, and the published sizes."""

from __future__ import annotations

from typing import Any, Literal, get_args

from transformers import PretrainedConfig

Layout = Literal["split", "interleaved"]


class LtgBertConfig(PretrainedConfig):
    """Defaults are the base size's. `position_layout` None is not told: `layouts.settled` finds it, and the model takes
    `split`. `predicts_next`: what stands at a place is scored at the one before it (GPT-BERT's objective)."""

    model_type = "ltgbert"

    def __init__(
        self,
        vocab_size: int = 16_384,
        hidden_size: int = 768,
        intermediate_size: int = 2048,
        num_hidden_layers: int = 12,
        num_attention_heads: int = 12,
        position_bucket_size: int = 32,
        max_position_embeddings: int = 512,
        layer_norm_eps: float = 1e-7,
        hidden_dropout_prob: float = 0.1,
        attention_probs_dropout_prob: float = 0.1,
        classifier_dropout: float = 0.2,
        position_layout: Layout | None = None,
        predicts_next: bool = False,
        pad_token_id: int | None = None,
        tie_word_embeddings: bool = True,
        **more: Any,
    ) -> None:
        if position_layout not in (None, *get_args(Layout)):
            raise ValueError(f"position_layout is {position_layout!r}; expected split or interleaved")
        self.vocab_size, self.hidden_size, self.intermediate_size = vocab_size, hidden_size, intermediate_size
        self.num_hidden_layers, self.num_attention_heads = num_hidden_layers, num_attention_heads
        self.position_bucket_size, self.max_position_embeddings = position_bucket_size, max_position_embeddings
        self.layer_norm_eps = layer_norm_eps
        self.hidden_dropout_prob, self.attention_probs_dropout_prob = hidden_dropout_prob, attention_probs_dropout_prob
        self.classifier_dropout, self.position_layout = classifier_dropout, position_layout
        self.predicts_next = predicts_next
        super().__init__(pad_token_id=pad_token_id, tie_word_embeddings=tie_word_embeddings, **more)


SIZES = {"base": (768, 2048, 12, 12), "small": (384, 1024, 12, 6), "xs": (192, 512, 12, 3)}
"""Width, feed-forward width, layers, heads."""


def make_config(name: str, **more: Any) -> LtgBertConfig:
    """One of SIZES; `more` in place of what it has."""
    names = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
    return LtgBertConfig(**{**dict(zip(names, SIZES[name], strict=True)), **more})
