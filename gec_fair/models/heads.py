"""Models of ours: any Hugging Face encoder, and a few layers over what it says of each sub-word."""

from __future__ import annotations

from typing import Any

from torch import nn
from transformers import AutoConfig, AutoModel, PretrainedConfig, PreTrainedModel

from gec_fair.models.configuration import no_pooler, positions_of


class OverEncoderConfig(PretrainedConfig):
    """A configuration that holds its encoder's."""

    sub_configs = {"encoder": AutoConfig}  # noqa: RUF012

    def __init__(self, encoder: Any = None, **more: Any) -> None:
        self.encoder = AutoConfig.for_model(**encoder) if isinstance(encoder, dict) else encoder
        super().__init__(**more)

    @property
    def positions(self) -> int:
        """The longest sequence, in sub-words, that the encoder reads."""
        return positions_of(self.encoder)


class OverEncoder(PreTrainedModel):
    """A model over the encoder of its configuration. What comes on it is initialised as torch does, as the heads of
    GECToR and EditScorer were by their authors."""

    base_model_prefix = "encoder"
    supports_gradient_checkpointing = True
    _supports_sdpa = _supports_flash_attn = _supports_attention_backend = True

    def __init__(self, config: OverEncoderConfig) -> None:
        super().__init__(config)
        self.encoder = AutoModel.from_config(config.encoder, trust_remote_code=False, **no_pooler(config.encoder))

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            module.reset_parameters()
