"""Models of ours: any Hugging Face encoder, and a few layers over what it says of each sub-word."""

from __future__ import annotations

import sys
from typing import Any

from torch import nn
from transformers import AutoConfig, AutoModel, PretrainedConfig, PreTrainedModel

from gec_fair.pretrain.hub import no_pooler

UNLIMITED = sys.maxsize


class OverEncoderConfig(PretrainedConfig):
    """A configuration that holds its encoder's."""

    sub_configs = {"encoder": AutoConfig}  # noqa: RUF012

    def __init__(self, encoder: Any = None, **more: Any) -> None:
        self.encoder = AutoConfig.for_model(**encoder) if isinstance(encoder, dict) else encoder
        super().__init__(**more)

    @property
    def positions(self) -> int:
        """The longest sequence, in sub-words, that the encoder has positions for; UNLIMITED where it counts distances
        alone (XLNet says −1)."""
        most = int(getattr(self.encoder, "max_position_embeddings", None) or -1)
        if most < 0:
            return UNLIMITED
        return most - self.encoder.pad_token_id - 1 if self.encoder.model_type in _COUNT_FROM_PADDING else most


class OverEncoder(PreTrainedModel):
    """A model over the encoder of its configuration. What comes on it is initialised as torch does, as the heads of
    GECToR and EditScorer were by their authors."""

    base_model_prefix = "encoder"
    supports_gradient_checkpointing = True
    _supports_sdpa = _supports_flash_attn = _supports_attention_backend = True

    def __init__(self, config: OverEncoderConfig) -> None:
        super().__init__(config)
        self.encoder = AutoModel.from_config(config.encoder, **no_pooler(config.encoder))

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            module.reset_parameters()


# the first sub-word's position is the one after the padding's: RoBERTa with 514 rows reads 512
_COUNT_FROM_PADDING = frozenset([
    "camembert", "data2vec-text", "esm", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm",
    "xlm-roberta", "xlm-roberta-xl", "xmod",
])  # fmt: skip
