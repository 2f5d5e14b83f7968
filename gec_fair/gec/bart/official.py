"""Read BART checkpoints of fairseq (Lewis et al. 2020), without fairseq. Nothing in the file is executed.

A checkpoint is a dictionary: `model` (tensors by name), and the options it was trained with, an argparse.Namespace
under `args` (older) or `cfg["model"]` (newer). Shapes tell layers and widths; how many heads, only the options do.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import BartConfig, BartForConditionalGeneration

from gec_fair.errors import InputError
from gec_fair.gec.bart.checkpoint import Corrector
from gec_fair.gec.bart.loss import NEVER
from gec_fair.gec.bart.options import InputOptions, Text
from gec_fair.gec.bart.vocabulary import Vocabulary, read_merges, read_vocabulary
from gec_fair.models.foreign import fill, load_foreign, rename

Tensors = dict[str, torch.Tensor]

NAMES: Mapping[str, str] = {"encoder.": "model.encoder.", "decoder.": "model.decoder."}
"""Prefixes of fairseq's names → Hugging Face's; what comes after is the same. Read backwards to export."""
SHARED = "decoder.embed_tokens.weight"
"""One matrix under three names there …"""
TIED = ("encoder.embed_tokens.weight", "decoder.output_projection.weight")
OURS = (
    "model.shared.weight",
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
)
"""… and under four here."""
DROPPED = ("encoder.version", "decoder.version")
COPIES = tuple(f"{part}_{kind}" for part in ("in_proj", "out_proj", "fc1", "fc2") for kind in ("weight", "bias"))
"""fairseq 0.12's second copies of an encoder layer's weights, with an underscore: filled when a checkpoint is loaded
and never trained, so those of a fine-tuned checkpoint are the weights from before."""

_SIDES = ("encoder", "decoder")
SHAPE: Mapping[str, str] = {
    **{f"{side}_{name}": f"{side}_{name}" for side in _SIDES for name in ("layers", "attention_heads")},
    **{f"{side}_ffn_dim": f"{side}_ffn_embed_dim" for side in _SIDES},
    "d_model": "encoder_embed_dim",
}
"""BartConfig → fairseq's options."""
_MADE_BY: tuple[Any, ...] = tuple(value.__reduce__()[0] for value in (np.zeros(1), np.float64(1)))
ALLOWED = (
    Namespace,
    *_MADE_BY,
    *((maker, f"numpy.core.multiarray.{maker.__name__}") for maker in _MADE_BY),  # as NumPy 1 calls them
    np.ndarray,
    np.dtype,
    *(type(np.dtype(kind)) for kind in ("int64", "float64", "float32")),
)
"""Python's objects in a checkpoint: the options, and the arrays and numbers that `--eval-bleu` leaves in it."""
DROPOUTS = ("dropout", "attention_dropout", "activation_dropout")
"""The same in both."""
ACTIVATIONS: Mapping[str, str] = {
    "gelu": "gelu",  # the exact one
    "gelu_accurate": "gelu_new",  # by tanh
    "gelu_fast": "gelu_new",
    "relu": "relu",
}


@dataclass(frozen=True, slots=True)
class Saved:
    """What a checkpoint holds."""

    tensors: Tensors
    options: Mapping[str, Any]
    task: str
    """`translation`, `denoising`, …; "" where it is not said."""

    @property
    def rows(self) -> int:
        """The rows of its vocabulary."""
        return len(self.tensors[SHARED])


def read_fairseq(
    path: Path, *, dictionary: Path | None = None, bpe: str, text: Text | None = None, bos: bool | None = None
) -> tuple[Corrector, Vocabulary]:
    """A fairseq BART as a corrector of ours, and the vocabulary that it has.

    `dictionary` None looks for dict.txt beside the checkpoint; `bpe` are GPT-2's merges, a file or a tokenizer's name.
    `text` and `bos` None: as the checkpoint's task has it. Correctors are trained as `translation`, on tokenised text
    and without `<s>`; any other task is taken to be BART's own training, on prose and with it.

    InputError for a file that is not a complete checkpoint, holds another architecture, or has another number of rows
    than the dictionary.
    """
    saved = read_checkpoint(path)
    config = shape_of(saved, path)
    vocabulary = read_vocabulary(dictionary or _find_dictionary(path), read_merges(bpe))
    if saved.rows not in (vocabulary.trained, vocabulary.trained + 1):
        raise InputError(
            f"{path}: has {saved.rows:,} rows and its dictionary {vocabulary.trained:,} (with <mask> one more); give "
            "the dict.txt that it was trained with (--dict), for example the one in its data-bin folder"
        )
    config.vocab_size = len(vocabulary.rows)
    ours = rename_tensors(saved.tensors, path)
    shared, bias = extend_embedding(saved.tensors[SHARED].float(), len(vocabulary.rows), vocabulary.rows.index("<unk>"))
    ours |= dict.fromkeys(OURS, shared)
    ours["final_logits_bias"] = bias
    corrects = saved.task == "translation"
    options = InputOptions(text=text or ("tokenised" if corrects else "raw"), bos=not corrects if bos is None else bos)
    return Corrector(_fill(config, ours, path), vocabulary.tokenizer(), options), vocabulary


def read_checkpoint(path: Path) -> Saved:
    """What torch saved there; of Python's objects those in ALLOWED may be in it and no other."""
    saved = load_foreign(path, allowed=ALLOWED)
    state = saved.get("model") if isinstance(saved, Mapping) else None
    if not isinstance(state, Mapping) or not all(isinstance(values, torch.Tensor) for values in state.values()):
        raise InputError(f"{path}: holds no model as fairseq saves one; give a checkpoint_best.pt or model.pt")
    options, task = _options(saved)
    return Saved(dict(state), options, task)


def shape_of(saved: Saved, path: Path) -> BartConfig:
    """The configuration, from options and shapes; rows of the vocabulary aside."""
    missing = [name for name in (*SHAPE.values(), "activation_fn") if name not in saved.options]
    if missing:
        raise InputError(
            f"{path}: its options do not say {missing[0]} ({len(missing)} such); it is not a BART of "
            "fairseq, or was saved without its options"
        )
    parts = ("embed_positions", "layernorm_embedding")
    for name in (SHARED, *(f"{side}.{part}.weight" for side in _SIDES for part in parts)):
        if name not in saved.tensors:
            raise InputError(f"{path}: has no {name}: it is another architecture of fairseq, not a BART")
    for name in TIED:
        if name in saved.tensors and not torch.equal(saved.tensors[name], saved.tensors[SHARED]):
            raise InputError(f"{path}: {name} is not {SHARED}: a BART has one embedding for both sides")
    activation = saved.options["activation_fn"]
    if activation not in ACTIVATIONS:
        raise InputError(f"{path}: its activation is {activation}; known are {', '.join(ACTIVATIONS)}")
    return BartConfig(
        **{ours: saved.options[theirs] for ours, theirs in SHAPE.items()},
        **{name: saved.options[name] for name in DROPOUTS if name in saved.options},
        activation_function=ACTIVATIONS[activation],
        scale_embedding=not saved.options.get("no_scale_embedding", True),
        max_position_embeddings=len(saved.tensors["encoder.embed_positions.weight"]) - 2,
    )


def rename_tensors(theirs: Tensors, path: Path) -> Tensors:
    """The tensors under Hugging Face's names, in single precision, the embedding aside. InputError where one has no
    name there."""
    skipped = (*DROPPED, *TIED, SHARED)
    weights = {
        name: values.float()
        for name, values in theirs.items()
        if name not in skipped and name.rpartition(".")[2] not in COPIES
    }
    return rename(weights, NAMES, path, title="a BART that writes")


def extend_embedding(shared: torch.Tensor, rows: int, unknown: int) -> tuple[torch.Tensor, torch.Tensor]:
    """An embedding (rows, width) with rows for what the checkpoint has none for, and the bias (1, rows) of its logits.

    `fairseq-train` cuts the row of `<mask>` from a BART when it fine-tunes one. What has no row is read as `<unk>`, as
    fairseq reads it, and is never written: its bias makes its probability 0, and leaves the others as they were.
    """
    missing = rows - len(shared)
    bias = torch.zeros(1, rows)
    if missing:
        bias[0, -missing:] = NEVER
        shared = torch.cat([shared, shared[unknown].expand(missing, -1)])
    return shared, bias


def _fill(config: BartConfig, ours: Tensors, path: Path) -> BartForConditionalGeneration:
    with torch.device("meta"):  # nothing is drawn that the checkpoint replaces
        model = BartForConditionalGeneration(config)
    fill(model, ours, path, why="it is another architecture of fairseq, not a BART", assign=True)
    model.tie_weights()
    return model.eval()


def _options(saved: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The options of the model, and the name of the task."""
    cfg = saved.get("cfg")
    if isinstance(cfg, Mapping):
        task = _plain(cfg.get("task"))
        return _plain(cfg.get("model")), str(task.get("_name", ""))
    options = _plain(saved.get("args"))
    return options, str(options.get("task", ""))


def _plain(options: Any) -> dict[str, Any]:
    if isinstance(options, Namespace):
        return vars(options)
    return dict(options) if isinstance(options, Mapping) else {}


def _find_dictionary(path: Path) -> Path:
    for name in ("dict.txt", "dict.src.txt"):
        if (path.parent / name).is_file():
            return path.parent / name
    raise InputError(f"{path}: no dict.txt lies beside it; name the one that it was trained with (--dict)")
