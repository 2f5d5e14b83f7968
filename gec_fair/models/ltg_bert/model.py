"""LTG-BERT (Samuel et al. 2023): BERT's encoder with NormFormer's norms, GEGLU and DeBERTa's relative positions.

    embedding    word → LN → dropout                                        no absolute positions
    attention    LN → q, k, v;  (q·k + q·k[r] + k·q[r]) / √(3·head) → softmax → out → LN′ → + states
    feed-forward LN → GEGLU → LN → linear → + states
    head         LN → linear → GELU → LN → dropout → words (tied)

LN has no weights, LN′ and that of the relative embeddings do. r is the logarithmic bucket of a distance, one embedding
of it for all layers, through each layer's own q/k projection.

Checkpoints come in two layouts of what that projection says of a distance: queries before keys (`split`: the BabyLM
2023 code, GPT-BERT), or a head's query and key side by side (`interleaved`: BNC code, the published file). The weights
fit both, and say something else in the wrong one: `position_layout` in the configuration tells.

`hidden_states` are states; those of the published file are what each layer adds.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, scaled_dot_product_attention
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    PretrainedConfig,
    PreTrainedModel,
)
from transformers.modeling_outputs import (
    BaseModelOutput,
    MaskedLMOutput,
    SequenceClassifierOutput,
    TokenClassifierOutput,
)

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
            raise ValueError(f"position_layout is {position_layout!r}; split or interleaved is meant")
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


def sized(name: str, **more: Any) -> LtgBertConfig:
    """One of SIZES; `more` in place of what it has."""
    width, inner, layers, heads = SIZES[name]
    return LtgBertConfig(
        **{
            "hidden_size": width,
            "intermediate_size": inner,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            **more,
        }
    )


def buckets(length: int, size: int, longest: int) -> Tensor:
    """(length, length): of i − j. Near ones each have their own, far ones share (logarithmic), to `longest`."""
    far = torch.arange(length)[:, None] - torch.arange(length)[None]
    middle = size // 2
    near = far.abs().clamp(max=longest - 1)
    logarithmic = torch.log(near.clamp(min=1) / middle) / math.log((longest - 1) / middle) * (middle - 1)
    shared = torch.ceil(logarithmic).long() + middle
    return torch.where(near <= middle, near, shared) * far.sign() + size - 1


class Bare(nn.Module):
    """A LayerNorm without weights."""

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.shape, self.eps = (width,), eps

    def forward(self, states: Tensor) -> Tensor:
        return layer_norm(states, self.shape, eps=self.eps)


class Gated(nn.Module):
    """GEGLU: the first half, by the GELU of the second (tanh)."""

    def forward(self, states: Tensor) -> Tensor:
        values, gate = states.chunk(2, -1)
        return values * gelu(gate, approximate="tanh")


class Embedding(nn.Module):
    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.word_embedding = nn.Embedding(config.vocab_size, width)
        self.word_layer_norm = Bare(width, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.relative_embedding = nn.Parameter(torch.empty(2 * config.position_bucket_size - 1, width))
        self.relative_layer_norm = nn.LayerNorm(width, eps=config.layer_norm_eps)

    def forward(self, ids: Tensor | None, states: Tensor | None) -> tuple[Tensor, Tensor]:
        words = self.word_embedding(ids) if states is None else states
        return self.dropout(self.word_layer_norm(words)), self.relative_layer_norm(self.relative_embedding)


class Attention(nn.Module):
    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__()
        self.config, width = config, config.hidden_size
        self.head = width // config.num_attention_heads
        self.scale = 1 / math.sqrt(3 * self.head)
        self.pre_layer_norm = Bare(width, config.layer_norm_eps)
        self.in_proj_qk = nn.Linear(width, 2 * width)
        self.in_proj_v = nn.Linear(width, width)
        self.out_proj = nn.Linear(width, width)
        self.post_layer_norm = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
        self.register_buffer("position_indices", self._buckets(config.max_position_embeddings))

    def _buckets(self, length: int) -> Tensor:
        return buckets(length, self.config.position_bucket_size, self.config.max_position_embeddings)

    def forward(self, states: Tensor, masked: Tensor | None, relative: Tensor) -> tuple[Tensor, Tensor | None]:
        """`masked`: (batch, 1, 1 or queries, keys), True is not attended to. `relative`: (distances, width)."""
        normed = self.pre_layer_norm(states)
        query, key = map(self._heads, self.in_proj_qk(normed).chunk(2, -1))
        value = self._heads(self.in_proj_v(normed))
        bias = self._bias(query, key, relative)
        if masked is not None:
            bias = bias.masked_fill(masked, -math.inf)
        if self.config._attn_implementation == "sdpa":
            share = self.dropout.p if self.training else 0.0
            mixed = scaled_dot_product_attention(query, key, value, attn_mask=bias, dropout_p=share, scale=self.scale)
            weights = None
        else:
            weights = (query * self.scale @ key.mT + bias).softmax(-1)
            mixed = self.dropout(weights) @ value
        if masked is not None:  # a text whose words are all masked attends to nothing
            mixed = mixed.nan_to_num(0.0)
        out = self.out_proj(mixed.transpose(1, 2).flatten(2))
        return self.dropout(self.post_layer_norm(out)), weights

    def _heads(self, rows: Tensor) -> Tensor:
        """(batch, heads, words, head)."""
        return rows.reshape(*rows.shape[:-1], -1, self.head).transpose(1, 2)

    def _bias(self, query: Tensor, key: Tensor, relative: Tensor) -> Tensor:
        """(batch, heads, queries, keys): what words say to distances and distances to words."""
        rows = (
            self.in_proj_qk(self.dropout(relative)) * self.scale
        )  # few rows: cheaper than to scale what comes of them
        if self.config.position_layout == "interleaved":
            queries, keys = rows.reshape(len(rows), -1, 2 * self.head).chunk(2, -1)
        else:
            queries, keys = (half.reshape(len(rows), -1, self.head) for half in rows.chunk(2, -1))
        length = query.shape[-2]
        at: Tensor = self.position_indices  # type: ignore[assignment]
        at = at[:length, :length] if length <= len(at) else self._buckets(length).to(query.device)
        at = at.expand(*query.shape[:2], length, length)
        from_query = (query @ keys.permute(1, 2, 0)).gather(-1, at)
        from_key = (queries.transpose(0, 1) @ key.mT).gather(-2, at)
        bias: Tensor = from_query + from_key
        return bias


class Mlp(nn.Module):
    """Named as checkpoints have it: `mlp.mlp.{1,4}`."""

    def __init__(self, config: LtgBertConfig, number: int) -> None:
        super().__init__()
        width, inner = config.hidden_size, config.intermediate_size
        self.mlp = nn.Sequential(
            Bare(width, config.layer_norm_eps),
            nn.Linear(width, 2 * inner, bias=False),
            Gated(),
            Bare(inner, config.layer_norm_eps),
            nn.Linear(inner, width, bias=False),
            nn.Dropout(config.hidden_dropout_prob),
        )
        for linear in (self.mlp[1], self.mlp[4]):
            linear.smaller = math.sqrt(1 / (2 * (1 + number)))  # type: ignore[assignment]  # at initialisation

    def forward(self, states: Tensor) -> Tensor:
        added: Tensor = self.mlp(states)
        return added


class Layer(nn.Module):
    def __init__(self, config: LtgBertConfig, number: int) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.mlp = Mlp(config, number)

    def forward(self, states: Tensor, masked: Tensor | None, relative: Tensor) -> tuple[Tensor, Tensor | None]:
        added, weights = self.attention(states, masked, relative)
        states = states + added
        return states + self.mlp(states), weights


class Encoder(nn.Module):
    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(config, n) for n in range(config.num_hidden_layers))


class Head(nn.Module):
    """To words, or to labels; `nonlinearity.{1,5}`."""

    def __init__(self, config: LtgBertConfig, outputs: int, dropout: float) -> None:
        super().__init__()
        width = config.hidden_size
        self.nonlinearity = nn.Sequential(
            Bare(width, config.layer_norm_eps),
            nn.Linear(width, width),
            nn.GELU(),
            Bare(width, config.layer_norm_eps),
            nn.Dropout(dropout),
            nn.Linear(width, outputs),
        )

    def forward(self, states: Tensor) -> Tensor:
        logits: Tensor = self.nonlinearity(states)
        return logits


class LtgBertPreTrainedModel(PreTrainedModel):
    config_class = LtgBertConfig
    base_model_prefix = ""
    _supports_sdpa = True
    _no_split_modules = ("Layer",)

    def _init_weights(self, module: nn.Module) -> None:
        """Normal, cut at two standard deviations √(2/5·width); the feed-forward's of layer i smaller by √(1/2(1+i))."""
        std = math.sqrt(2 / (5 * self.config.hidden_size))
        if isinstance(module, (nn.Linear, nn.Embedding)):
            _cut_normal(module.weight, std * getattr(module, "smaller", 1.0))
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, Embedding):
            _cut_normal(module.relative_embedding, std)


def _cut_normal(weight: Tensor, std: float) -> None:
    nn.init.trunc_normal_(weight, 0.0, std, -2 * std, 2 * std)


class States(nn.Module):
    """Embedding and layers as one: what a head reads, and what a hook on a model's encoder sees."""

    def __init__(self, embedding: Embedding, transformer: Encoder) -> None:
        super().__init__()
        self.embedding, self.transformer = embedding, transformer

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        **_: Any,
    ) -> BaseModelOutput:
        """`attention_mask`: (batch, keys) or (batch, queries, keys); 0 is not attended to."""
        states, relative = self.embedding(input_ids, inputs_embeds)
        masked = None
        if attention_mask is not None:
            attended = attention_mask.bool()
            masked = ~(attended[:, None, None] if attended.ndim == 2 else attended[:, None])
        hidden_states, attentions = [states], []
        for layer in self.transformer.layers:
            states, weights = layer(states, masked, relative)
            hidden_states.append(states)
            attentions.append(weights)
        return BaseModelOutput(
            last_hidden_state=states,
            hidden_states=tuple(hidden_states) if output_hidden_states else None,
            attentions=tuple(attentions) if output_attentions else None,
        )


class LtgBertModel(LtgBertPreTrainedModel):
    """States of words. `output_hidden_states`: those before the first layer and after each."""

    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__(config)
        self.embedding = Embedding(config)
        self.transformer = Encoder(config)
        # no child of the model: checkpoints name embedding and transformer without a prefix
        object.__setattr__(self, "_states", States(self.embedding, self.transformer))
        self._finish(LtgBertModel)

    @property
    def base_model(self) -> nn.Module:
        states: nn.Module = self._states
        return states

    def _finish(self, kind: type) -> None:
        if type(self) is kind:
            self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        return self.embedding.word_embedding

    def set_input_embeddings(self, value: nn.Embedding) -> None:
        self.embedding.word_embedding = value

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        **_: Any,
    ) -> Any:
        return self.base_model(input_ids, attention_mask, inputs_embeds, output_hidden_states, output_attentions)


class LtgBertForMaskedLM(LtgBertModel):
    _tied_weights_keys: ClassVar[dict[str, str]] = {
        "classifier.nonlinearity.5.weight": "embedding.word_embedding.weight"
    }

    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__(config)
        self.classifier = Head(config, config.vocab_size, config.hidden_dropout_prob)
        self._finish(LtgBertForMaskedLM)

    def get_output_embeddings(self) -> nn.Module:
        return self.classifier.nonlinearity[5]

    def set_output_embeddings(self, value: nn.Module) -> None:
        self.classifier.nonlinearity[5] = value

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        *,
        labels: Tensor | None = None,
        **_: Any,
    ) -> MaskedLMOutput:
        output = self.base_model(input_ids, attention_mask, inputs_embeds, output_hidden_states, output_attentions)
        logits = self.classifier(output.last_hidden_state)
        loss = None if labels is None else nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return MaskedLMOutput(
            loss=loss, logits=logits, hidden_states=output.hidden_states, attentions=output.attentions
        )


class LtgBertForSequenceClassification(LtgBertModel):
    """By the state of the first word."""

    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        self.head = Head(config, config.num_labels, config.classifier_dropout)
        self._finish(LtgBertForSequenceClassification)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        *,
        labels: Tensor | None = None,
        **_: Any,
    ) -> SequenceClassifierOutput:
        output = self.base_model(input_ids, attention_mask, inputs_embeds, output_hidden_states, output_attentions)
        logits = self.head(output.last_hidden_state[:, 0])
        loss = None
        if labels is not None and self.num_labels == 1:
            loss = nn.functional.mse_loss(logits[:, 0], labels.float())
        elif labels is not None:
            loss = nn.functional.cross_entropy(logits, labels)
        return SequenceClassifierOutput(
            loss=loss, logits=logits, hidden_states=output.hidden_states, attentions=output.attentions
        )


class LtgBertForTokenClassification(LtgBertModel):
    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        self.head = Head(config, config.num_labels, config.classifier_dropout)
        self._finish(LtgBertForTokenClassification)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        *,
        labels: Tensor | None = None,
        **_: Any,
    ) -> TokenClassifierOutput:
        output = self.base_model(input_ids, attention_mask, inputs_embeds, output_hidden_states, output_attentions)
        logits = self.head(output.last_hidden_state)
        loss = None if labels is None else nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return TokenClassifierOutput(
            loss=loss, logits=logits, hidden_states=output.hidden_states, attentions=output.attentions
        )


AutoConfig.register("ltgbert", LtgBertConfig, exist_ok=True)
AutoModel.register(LtgBertConfig, LtgBertModel, exist_ok=True)
AutoModelForMaskedLM.register(LtgBertConfig, LtgBertForMaskedLM, exist_ok=True)
AutoModelForSequenceClassification.register(LtgBertConfig, LtgBertForSequenceClassification, exist_ok=True)
AutoModelForTokenClassification.register(LtgBertConfig, LtgBertForTokenClassification, exist_ok=True)
