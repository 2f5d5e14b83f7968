"""A language model whose last states are projected before its head reads them: debiased, and still a model that
`gec-fair lmbias` scores, `save_pretrained` keeps and `from_pretrained` reads.

    inner model's layers ─▶ last states ─▶ P ─▶ inner model's head

P is symmetric, so a row of states times P is P times the state.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    PretrainedConfig,
    PreTrainedModel,
)

from gec_fair.models.configuration import no_pooler

_SAME = (
    "vocab_size",
    "hidden_size",
    "max_position_embeddings",
    "pad_token_id",
    "bos_token_id",
    "eos_token_id",
    "is_decoder",
    "tie_word_embeddings",
    "predicts_next",
)


class ProjectedConfig(PretrainedConfig):
    """`encoder`: the inner model's configuration. `method`: how the projection was found, for whoever reads it."""

    model_type = "gec-fair-projected"

    def __init__(self, encoder: PretrainedConfig | dict[str, Any] | None = None, method: str = "", **more: Any) -> None:
        self.encoder: Any = AutoConfig.for_model(**encoder) if isinstance(encoder, dict) else encoder
        self.method = method
        same = {name: getattr(self.encoder, name) for name in _SAME if hasattr(self.encoder, name)}
        super().__init__(**{**more, **same})


class _Projected(PreTrainedModel):
    config_class = ProjectedConfig
    base_model_prefix = "model"
    _supports_sdpa = True
    _kind: ClassVar[Any]

    def __init__(self, config: ProjectedConfig) -> None:
        super().__init__(config)
        self.model = self._kind.from_config(
            config.encoder,
            trust_remote_code=False,
            attn_implementation=config._attn_implementation,
            **(no_pooler(config.encoder) if self._kind is AutoModel else {}),
        )
        self.register_buffer("projection", torch.eye(config.encoder.hidden_size))
        self.base_model.register_forward_hook(self._project)
        self.post_init()

    @classmethod
    def around(cls, model: PreTrainedModel, matrix: NDArray[np.float64], method: str) -> Any:
        """A model with a copy of another's weights, and its last states projected by (width, width)."""
        projected = cls(ProjectedConfig(model.config, method))
        projected.model.load_state_dict(model.state_dict())
        projected.projection.copy_(torch.from_numpy(matrix))
        return projected.eval()

    @property
    def base_model(self) -> nn.Module:
        layers: nn.Module = self.model.base_model
        return layers

    def _project(self, _: Any, __: Any, output: Any) -> Any:
        output["last_hidden_state"] = output["last_hidden_state"] @ self.projection
        return output

    def get_input_embeddings(self) -> nn.Module:
        return self.model.get_input_embeddings()  # type: ignore[no-any-return]

    def get_output_embeddings(self) -> nn.Module:
        return self.model.get_output_embeddings()  # type: ignore[no-any-return]

    def _init_weights(self, module: nn.Module) -> None:
        """The inner model's are its own."""

    def forward(self, input_ids: Tensor | None = None, **arguments: Any) -> Any:
        return self.model(input_ids, **arguments)


class ProjectedForMaskedLM(_Projected):
    """A masked model whose vectors are projected before its head reads them."""

    _kind = AutoModelForMaskedLM


class ProjectedForCausalLM(_Projected):
    """A causal model whose vectors are projected before its head reads them."""

    _kind = AutoModelForCausalLM


class ProjectedModel(_Projected):
    """The states alone."""

    _kind = AutoModel


AutoConfig.register(ProjectedConfig.model_type, ProjectedConfig, exist_ok=True)
AutoModel.register(ProjectedConfig, ProjectedModel, exist_ok=True)
AutoModelForMaskedLM.register(ProjectedConfig, ProjectedForMaskedLM, exist_ok=True)
AutoModelForCausalLM.register(ProjectedConfig, ProjectedForCausalLM, exist_ok=True)
