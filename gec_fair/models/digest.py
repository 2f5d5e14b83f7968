"""A model's folder as a name: of the files that decide its predictions, and of no others. Imports no torch."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from gec_fair.errors import InputError
from gec_fair.runs.digests import file_digest

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


def folder_digest(folder: str | Path) -> str:
    """A name for what a model predicts, from the bytes of its files, without loading it; the same wherever the folder
    lies. InputError for what is no folder, or one without any such file."""
    paths = sorted({path for pattern in DECIDING for path in Path(folder).glob(pattern) if path.is_file()})
    if not paths:
        raise InputError(f"{folder}: is no folder of a model; give one that holds config.json and weights")
    told = "".join("{name}\0{sha256}\n".format(**file_digest(path)) for path in paths)
    return sha256(told.encode()).hexdigest()[:20]
