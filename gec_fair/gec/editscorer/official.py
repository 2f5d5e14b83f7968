"""Read the checkpoints of Sorokin 2022: a RoBERTa with a head, saved by torch as tensors by name.

Those models were trained with padding of zeros and no attention mask; they keep that (`padding_attended`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from gec_fair.errors import InputError
from gec_fair.gec.editscorer.checkpoint import Scorer
from gec_fair.gec.editscorer.model import Ranker, RankerConfig
from gec_fair.gec.editscorer.options import Setup
from gec_fair.gec.editscorer.pairs import Reader
from gec_fair.models.foreign import fill, read_tensors, rename
from gec_fair.models.load import load_encoder_config
from gec_fair.models.weights import load_encoder_tokenizer
from gec_fair.runs.json_files import parse_json
from gec_fair.trainer.vocabulary import warn_if_uncased

NAMES: Mapping[str, str] = {"model.": "encoder.", "mlp.0.": "mlp.", "proj_layer.": "projection."}
"""Prefixes of the original's names → ours; read backwards to export."""
_PLAIN: Mapping[str, Any] = {"cls": "VariantScoringModel", "position_mode": "first", "use_origin": False}
"""What the original's config.json says of the one architecture that was published."""


def read_official(path: Path, encoder: str, setup: Setup) -> Scorer:
    """Convert an official checkpoint. `encoder` is the Hugging Face name or folder of the encoder that it was
    built on (its configuration and tokenizer are read, its weights are not).

    InputError for a file that is not such a checkpoint, one of another architecture, or of another encoder.
    """
    _refuse_other(path.parent / "config.json")
    ours = rename_tensors(read_tensors(path), path)
    config = load_encoder_config(encoder)
    model = Ranker(RankerConfig(config, ours["mlp.bias"].shape[0], padding_attended=True))
    fill(model, ours, path, why=f"its encoder is not {encoder}; name the one that it was built on (--encoder)")
    tokenizer = load_encoder_tokenizer(encoder)
    warn_if_uncased(encoder, tokenizer)
    return Scorer(model, Reader(tokenizer, padding_attended=True), setup)


def rename_tensors(theirs: Mapping[str, torch.Tensor], path: Path) -> dict[str, torch.Tensor]:
    """The tensors under this package's names. InputError for a tensor without one, or an incomplete head."""
    ours = rename(theirs, NAMES, path, title="an EditScorer")
    missing = [name for name in ("mlp.weight", "mlp.bias", "projection.weight", "projection.bias") if name not in ours]
    if missing:
        raise InputError(
            f"{path}: holds no {', '.join(missing)}; it is not an EditScorer checkpoint (trained with -M 768)"
        )
    return ours


def _refuse_other(config: Path) -> None:
    """The config.json that the original writes beside its checkpoints, if it is there."""
    if not config.is_file():
        return
    try:
        said = parse_json(config.read_text(encoding="utf-8"))
    except ValueError as fault:
        raise InputError(f"{config}: is not valid JSON ({fault}); it belongs to the checkpoint beside it") from fault
    for key, value in _PLAIN.items():
        if said.get(key, value) != value:
            raise InputError(f"{config}: {key} is {said[key]!r}; only {value!r}, the published models', can be read")
