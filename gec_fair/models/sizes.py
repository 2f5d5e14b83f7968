"""Refuse a model's configuration that is invalid, or whose sizes no model has, before anything of them is allocated."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from gec_fair.data.compression import check_archive
from gec_fair.errors import InputError
from gec_fair.models.locate import CONFIG, model_file

_LARGEST_FILE = 64 << 20  # bytes
_LARGEST = (
    (re.compile(r"position|n_ctx|length"), 2_000_000_000),
    (re.compile(r"layers?$"), 1_000),
    (re.compile(r"layer|block|heads|(^|_)n_head"), 10_000),
    (re.compile(r"label"), 1_000_000),  # each gets a name
    (re.compile(r"bucket|expert|type_vocab|window"), 10_000_000),
    (re.compile(r"hidden|embd|embed|d_model|dim|ffn|intermediate|inner|d_ff|d_kv|width"), 1_000_000),
    (re.compile(r"vocab"), 100_000_000),
)
"""The largest whole number that a key of a configuration may have; the first pattern that fits counts."""
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_PER_BYTE = 100
"""Numbers that the weights may have for each byte of their files; no format has more than 8."""
_SMALL = 100_000_000
"""Numbers that are allocated without a look at the files."""


def check_config_file(name: str) -> None:
    """Raise InputError for a config.json that is not a JSON object, or has a size that no model has. A model without
    the file is left to transformers."""
    path = model_file(name, CONFIG)
    if path is None:
        return
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise ValueError(f"it has more than {_LARGEST_FILE >> 20} MB")
        try:
            config = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as fault:
            raise ValueError(f"it is not valid JSON: {fault}") from fault
        if not isinstance(config, dict):
            raise ValueError("it is not an object")
        _check_numbers(config)
        kinds = config.get("architectures") or []
        if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
            raise ValueError("its architectures are not a list of names")
    except (OSError, ValueError, RecursionError) as fault:
        raise InputError(
            f"{name}: its {CONFIG} cannot be used ({str(fault) or 'too deep'}); copy the model again"
        ) from fault


def _check_numbers(config: dict[str, Any]) -> None:
    for key, value in config.items():
        if isinstance(value, dict):
            _check_numbers(value)
        elif isinstance(value, (int, float)):
            limit = next((limit for pattern, limit in _LARGEST if pattern.search(key)), None)
            if value != value:
                raise ValueError(f"{key} is not a number")
            if limit is not None and abs(value) > limit:
                raise ValueError(f"{key} is {value}, and at most {limit:,} is possible")


def check_size(name: str, config: Any) -> None:
    """Raise InputError for a folder whose weights are far too small for the sizes of its configuration, or compressed,
    which torch's never are."""
    paths = [path for pattern in _WEIGHTS for path in Path(name).glob(pattern)]
    weights = sum(path.stat().st_size for path in paths)
    for path in paths:
        with suppress(OSError, BadZipFile):  # the loader says what is wrong
            check_archive(path)
    for part in (config, *(getattr(config, key, None) for key in getattr(config, "sub_configs", ()))):
        numbers = _count_numbers(part)
        if weights and numbers > _SMALL + _PER_BYTE * weights:
            raise InputError(
                f"{name}: its {CONFIG} wants about {numbers:,} numbers, and its weights have {weights:,} bytes; they "
                "are not of one model"
            )


def _count_numbers(config: Any) -> int:
    """About how many numbers a model has: embeddings and layers, by the names that most configurations know."""

    def size(*names: str) -> int:
        values = (getattr(config, name, None) for name in names)
        return max((value for value in values if type(value) is int), default=0)

    hidden = size("hidden_size")
    inner = size("intermediate_size", "ffn_dim", "encoder_ffn_dim", "decoder_ffn_dim", "d_ff", "n_inner", "hidden_dim")
    layers = size("num_hidden_layers", "encoder_layers", "decoder_layers")
    return hidden * (size("vocab_size") + layers * (4 * hidden + 2 * inner))
