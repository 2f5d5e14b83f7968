"""Names for what decides a model's predictions, and nothing else: of a folder's files, or of a model in memory. Imports
no torch before a model is given."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.errors import InputError
from gec_fair.runs.digests import file_digest

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

DECIDING = (
    "config.json",
    "*.safetensors",
    "*.safetensors.index.json",
    "pytorch_model*.bin",
    "pytorch_model*.bin.index.json",
    "tokenizer*.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "*vocab*.json",
    "*vocab*.txt",
    "merges.txt",
    "bpe.codes",
    "dict.txt",
    "*.model",
    "*.spm",
    "labels.txt",
)
"""Configuration, weights (in parts too), sub-words, and the tags and verb forms of a GECToR. A card, a training's
options and its optimizer's state decide nothing."""

_DECIDES_NOTHING = re.compile(
    r"_name_or_path|transformers_version|architectures|(torch_)?dtype|use_cache|gec_fair"  # how it was saved
    r"|init.*|.*drop.*|problem_type|label_smoothing|loss_average"  # of training
)
"""Keys of a configuration that change no prediction: every model is read in full precision, and its reader adds what
stands under `gec_fair`."""


def folder_digest(folder: str | Path) -> str:
    """A name for what a model predicts, from the bytes of its files, without loading it; the same wherever the folder
    lies. InputError for a path that is not a folder, or a folder without any such file."""
    paths = sorted({path for pattern in DECIDING for path in Path(folder).glob(pattern) if path.is_file()})
    if not paths:
        raise InputError(f"{folder}: is not a model folder; give one that holds config.json and weights")
    content = "".join("{name}\0{sha256}\n".format(**file_digest(path)) for path in paths)
    return sha256(content.encode()).hexdigest()[:20]


def digest_of(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *more: str) -> str:
    """A name for everything that decides a model's predictions, the same wherever its folder lies: its kind, its
    configuration, weights, sub-words, and `more`."""
    parts = (type(model).__name__, config_text(model.config), weights_digest(model), tokenizer_text(tokenizer), *more)
    return sha256("\0".join(parts).encode()).hexdigest()[:20]


def weights_digest(model: PreTrainedModel) -> str:
    """A name for a model's weights."""
    import torch

    digest = sha256()
    for name, values in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(values.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def config_text(config: PretrainedConfig) -> str:
    """What a configuration, and that of an encoder inside it, says of the computation: heads, activation, positions."""
    return json.dumps(_deciding(json.loads(config.to_json_string())), sort_keys=True)


def _deciding(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: _deciding(entry) for key, entry in value.items() if not _DECIDES_NOTHING.fullmatch(key)}


def tokenizer_text(tokenizer: PreTrainedTokenizerBase) -> str:
    """What decides how words are cut, where a text ends and which rows are special. How the last batch was padded or
    cut short, which a tokenizer keeps too, is left out."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    pieces = {"vocabulary": tokenizer.get_vocab()} if backend is None else json.loads(backend.to_str())
    more = {"special": tokenizer.special_tokens_map, "longest": tokenizer.model_max_length}
    return json.dumps({**pieces, "padding": None, "truncation": None, **more}, sort_keys=True)
