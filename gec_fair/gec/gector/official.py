"""Read checkpoints of the original GECToR (AllenNLP's `.th`), without AllenNLP.

Such a file is a plain dictionary of tensors; its names become ours by the table below. All rows of both heads stay, the
padding ones too, so that probabilities are those of the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import torch

from gec_fair.errors import InputError
from gec_fair.gec.gector.checkpoint import Tagger
from gec_fair.gec.gector.labels import CORRECT, DETECTION, INCORRECT, Labels
from gec_fair.gec.gector.model import Gector, GectorConfig
from gec_fair.gec.gector.options import InputOptions
from gec_fair.gec.gector.tags import START
from gec_fair.gec.gector.verbs import VerbForms
from gec_fair.gec.gector.words import Pieces
from gec_fair.models.foreign import fill, read_tensors, rename
from gec_fair.models.load import load_encoder_config
from gec_fair.models.weights import load_encoder_tokenizer
from gec_fair.trainer.vocabulary import warn_if_uncased

NAMES: Mapping[str, str] = {
    "text_field_embedder.token_embedder_bert.bert_model.": "encoder.",
    "tag_labels_projection_layer._module.": "tags_head.",
    "tag_detect_projection_layer._module.": "detection_head.",
}
"""Prefixes of the original's names → ours; read backwards to export."""
_EMBEDDINGS = ("word_embeddings.weight", "word_embedding.weight")  # the second is XLNet's


def read_official(
    path: Path, encoder: str, labels: Labels, verbs: VerbForms, *, detection: Sequence[str] = DETECTION
) -> Tagger:
    """Convert an official checkpoint. `encoder` is the Hugging Face name or folder of the encoder that it
    was built on (its configuration and tokenizer are read, its weights are not); `detection`, its d_tags.txt.

    InputError for a file that is not such a checkpoint, holds another encoder, or has not as many tags as `labels`.
    """
    ours = rename_tensors(read_tensors(path), path)
    _reorder(ours, detection, path)
    config = load_encoder_config(encoder)
    tokenizer = load_encoder_tokenizer(encoder)
    warn_if_uncased(encoder, tokenizer)
    tag_rows = ours["tags_head.bias"].shape[0]
    if tag_rows != len(labels):
        raise InputError(
            f"{path}: has {tag_rows:,} tags and the vocabulary {len(labels):,}; give the labels.txt that it was "
            "trained with (--labels)"
        )
    embedding = next((name for name in ours if name.endswith(_EMBEDDINGS)), None)
    rows = ours[embedding].shape[0] if embedding else config.vocab_size
    start_token = _has_start(rows, len(tokenizer), config.vocab_size, f"{path}: its encoder is not {encoder}")
    if start_token:
        tokenizer.add_tokens([START], special_tokens=True)
    config.vocab_size = rows
    options = InputOptions(start_token=start_token)
    model = Gector(
        GectorConfig(
            encoder=config,
            tags=list(labels.tags),
            detection_rows=ours["detection_head.bias"].shape[0],
            input=asdict(options),
        )
    )
    fill(model, ours, path, why=f"its encoder is not {encoder}; name the one that it was built on (--encoder)")
    return Tagger(model, Pieces(tokenizer, options, positions=model.config.positions), labels, verbs)


def _reorder(ours: dict[str, torch.Tensor], detection: Sequence[str], path: Path) -> None:
    """The rows of the detection head in our order, CORRECT first."""
    names = detection[: ours["detection_head.bias"].shape[0]]
    if not {CORRECT, INCORRECT} <= set(names):
        raise InputError(
            f"{path}: its {len(names)} rows of detection are, by the d_tags.txt, {', '.join(names)}; give "
            "the one that it was trained with, beside its labels.txt"
        )
    order = sorted(range(len(names)), key=lambda row: DETECTION.index(names[row]))
    for part in ("weight", "bias"):
        ours[f"detection_head.{part}"] = ours[f"detection_head.{part}"][order]


def _has_start(rows: int, known: int, padded: int, wrong: str) -> bool:
    """Whether `$START` has its own row (special_tokens_fix = 1), by the rows of the checkpoint, the sub-words that
    the tokenizer knows, and the encoder's rows, which may be more. InputError, beginning with `wrong`, for rows of
    another tokenizer, which would read the texts as other sub-words and never fail."""
    if rows == known + 1:
        return True
    if rows in (known, padded) and rows >= known:
        return False
    raise InputError(
        f"{wrong}: it has {rows:,} rows of sub-words and the tokenizer {known:,}; name the one that it "
        "was built on (--encoder), cased or uncased as that was"
    )


def rename_tensors(theirs: Mapping[str, torch.Tensor], path: Path) -> dict[str, torch.Tensor]:
    """The tensors under this package's names. InputError for a tensor without one, and without a head."""
    ours = rename(theirs, NAMES, path, title="a GECToR")
    missing = [part for part in ("tags_head.bias", "detection_head.bias") if part not in ours]
    if missing:
        raise InputError(f"{path}: holds no {' and no '.join(missing)}; it is not a GECToR checkpoint")
    return ours
