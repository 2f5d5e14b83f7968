"""The layers of an LTG-BERT, from words to states, and the head over them; `model` has the formulas."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, layer_norm, scaled_dot_product_attention

from gec_fair.models.ltg_bert.config import LtgBertConfig


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
        """Layer normalisation without weights, over the last dimension."""
        return layer_norm(states, self.shape, eps=self.eps)


class Gated(nn.Module):
    """GEGLU: the first half, by the GELU of the second (tanh)."""

    def forward(self, states: Tensor) -> Tensor:
        """GEGLU: from (…, 2 n) to (…, n)."""
        values, gate = states.chunk(2, -1)
        return values * gelu(gate, approximate="tanh")


class Embedding(nn.Module):
    """Sub-word vectors, and the vectors of relative positions that all layers share."""

    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.word_embedding = nn.Embedding(config.vocab_size, width)
        self.word_layer_norm = Bare(width, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.relative_embedding = nn.Parameter(torch.empty(2 * config.position_bucket_size - 1, width))
        self.relative_layer_norm = nn.LayerNorm(width, eps=config.layer_norm_eps)

    def forward(self, ids: Tensor | None, states: Tensor | None) -> tuple[Tensor, Tensor]:
        """(texts, length) of ids → the word states, (texts, length, hidden), and the relative positions."""
        words = self.word_embedding(ids) if states is None else states
        return self.dropout(self.word_layer_norm(words)), self.relative_layer_norm(self.relative_embedding)


class Attention(nn.Module):
    """Disentangled attention: content to content, content to position, position to content."""

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
        """(…, hidden) → (…, hidden)."""
        added: Tensor = self.mlp(states)
        return added


class Layer(nn.Module):
    """Attention and a gated feed-forward part, each with its residual."""

    def __init__(self, config: LtgBertConfig, number: int) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.mlp = Mlp(config, number)

    def forward(self, states: Tensor, masked: Tensor | None, relative: Tensor) -> tuple[Tensor, Tensor | None]:
        """The states after the layer, and the attention weights if they are wanted."""
        added, weights = self.attention(states, masked, relative)
        states = states + added
        return states + self.mlp(states), weights


class Encoder(nn.Module):
    """All layers, one after the other."""

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
        """(…, hidden) → logits, (…, classes)."""
        logits: Tensor = self.nonlinearity(states)
        return logits
