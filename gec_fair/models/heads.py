"""Models of ours: any Hugging Face encoder, and a few layers over what it says of each sub-word."""

from __future__ import annotations

from typing import Any

from torch import nn
from transformers import AutoConfig, AutoModel, PretrainedConfig, PreTrainedModel

from gec_fair.errors import InputError
from gec_fair.models.configuration import no_pooler, positions_of
from gec_fair.models.locate import CONFIG, first_line


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


def _recognise(kind: str) -> type[OverEncoderConfig]:
    """What stands in for the configuration of a model of ours until its own module is imported."""

    class Recognised(OverEncoderConfig):
        model_type = kind

        def __init__(self, encoder: Any = None, **more: Any) -> None:  # else transformers makes another
            super().__init__(encoder, **more)

    return Recognised


KINDS = ("gec-fair-gector", "gec-fair-editscorer")
for _kind in KINDS:
    AutoConfig.register(_kind, _recognise(_kind))


def build_encoder(config: PretrainedConfig) -> PreTrainedModel:
    """An encoder with new weights. InputError for a configuration that describes none."""
    try:
        return AutoModel.from_config(config, trust_remote_code=False, **no_pooler(config))
    except Exception as fault:  # whatever a size or a name that is none makes torch and transformers raise
        raise InputError(
            f"{config.name_or_path or 'the encoder'}: its {CONFIG} describes no model that can be built "
            f"({first_line(fault)}); copy it again"
        ) from fault


class OverEncoder(PreTrainedModel):
    """A model over the encoder of its configuration. What comes on it is initialised as torch does, as the heads of
    GECToR and EditScorer were by their authors."""

    base_model_prefix = "encoder"
    supports_gradient_checkpointing = True
    _supports_sdpa = _supports_flash_attn = _supports_attention_backend = True

    def __init__(self, config: OverEncoderConfig) -> None:
        super().__init__(config)
        self.encoder = build_encoder(config.encoder)

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            module.reset_parameters()
