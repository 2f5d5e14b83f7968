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
from typing import Any, ClassVar

from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForSequenceClassification,
    PreTrainedModel,
)
from transformers.modeling_outputs import (
    BaseModelOutput,
    MaskedLMOutput,
    SequenceClassifierOutput,
)

from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.ltg_bert.layers import Embedding, Encoder, Head


class LtgBertPreTrainedModel(PreTrainedModel):
    """Initialisation and the settings that transformers reads."""

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
        """The part of the model that gives states."""
        states: nn.Module = self._states
        return states

    def _finish(self, kind: type) -> None:
        if type(self) is kind:
            self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        """The word embedding."""
        return self.embedding.word_embedding

    def set_input_embeddings(self, value: nn.Embedding) -> None:
        """Replace the word embedding."""
        self.embedding.word_embedding = value

    def forward(self, input_ids: Tensor | None = None, attention_mask: Tensor | None = None, **more: Any) -> Any:
        """(texts, length) of ids → states, (texts, length, hidden); `more` as `States` takes it."""
        return self.base_model(input_ids, attention_mask, **more)


class LtgBertForMaskedLM(LtgBertModel):
    """LTG-BERT that predicts hidden sub-words."""

    _tied_weights_keys: ClassVar[dict[str, str]] = {
        "classifier.nonlinearity.5.weight": "embedding.word_embedding.weight"
    }

    def __init__(self, config: LtgBertConfig) -> None:
        super().__init__(config)
        self.classifier = Head(config, config.vocab_size, config.hidden_dropout_prob)
        self._finish(LtgBertForMaskedLM)

    def get_output_embeddings(self) -> nn.Module:
        """The last linear layer, which is tied to the word embedding."""
        return self.classifier.nonlinearity[5]

    def set_output_embeddings(self, value: nn.Module) -> None:
        """Replace the last linear layer."""
        self.classifier.nonlinearity[5] = value

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        labels: Tensor | None = None,
        **more: Any,
    ) -> MaskedLMOutput:
        """(texts, length) of ids → logits, (texts, length, vocabulary)."""
        output = self.base_model(input_ids, attention_mask, **more)
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
        *,
        labels: Tensor | None = None,
        **more: Any,
    ) -> SequenceClassifierOutput:
        """(texts, length) of ids → logits, (texts, labels)."""
        output = self.base_model(input_ids, attention_mask, **more)
        logits = self.head(output.last_hidden_state[:, 0])
        loss = None
        if labels is not None and self.num_labels == 1:
            loss = nn.functional.mse_loss(logits[:, 0], labels.float())
        elif labels is not None:
            loss = nn.functional.cross_entropy(logits, labels)
        return SequenceClassifierOutput(
            loss=loss, logits=logits, hidden_states=output.hidden_states, attentions=output.attentions
        )


AutoConfig.register("ltgbert", LtgBertConfig, exist_ok=True)
AutoModel.register(LtgBertConfig, LtgBertModel, exist_ok=True)
AutoModelForMaskedLM.register(LtgBertConfig, LtgBertForMaskedLM, exist_ok=True)
AutoModelForSequenceClassification.register(LtgBertConfig, LtgBertForSequenceClassification, exist_ok=True)
