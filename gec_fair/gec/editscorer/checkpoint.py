"""An EditScorer in a folder: model.safetensors, config.json, tokenizer, editscorer.yaml (who proposes, how is decided)
and a model card. A hub name will do wherever a folder will."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import torch
import yaml
from transformers import AutoModel

from gec_fair.corpus.atomic import write_text
from gec_fair.corpus.settings import as_dict, read_settings
from gec_fair.errors import InputError, MissingResource
from gec_fair.gec.editscorer.model import Ranker, RankerConfig, no_pooler
from gec_fair.gec.editscorer.options import Setup
from gec_fair.gec.editscorer.pairs import Reader
from gec_fair.gec.gector.checkpoint import set_dropout, tokenizer_of
from gec_fair.pretrain.hub import Use, attention, config_of, first_line, located, tokenizer_text
from gec_fair.pretrain.loop import quiet

quiet()
SETUP = "editscorer.yaml"


@dataclass(frozen=True, slots=True)
class Scorer:
    """A ranker, what turns sentences into its numbers, and how it is meant to be used."""

    model: Ranker
    reader: Reader
    setup: Setup

    def save(self, folder: Path, *, card: str = "") -> None:
        """All of it into a folder. `card` is said in the model card about where the weights come from."""
        self.model.save_pretrained(folder)
        self.reader.tokenizer.save_pretrained(folder)
        write_text(folder / SETUP, yaml.safe_dump(as_dict(self.setup), sort_keys=False, allow_unicode=True))
        write_text(folder / "README.md", _card(self, card))

    def digest(self) -> str:
        """A name for everything that decides its scores: weights, sub-words, padding."""
        found = sha256()
        for name, values in sorted(self.model.state_dict().items()):
            found.update(name.encode())
            found.update(values.detach().cpu().contiguous().view(torch.uint8).numpy().tobytes())
        found.update(tokenizer_text(self.reader.tokenizer).encode())
        found.update(str(self.reader.padding_attended).encode())
        return found.hexdigest()[:20]


def load(name: str, *, use: Use = "predicting", dropout: float | None = None) -> Scorer:
    """An EditScorer from a folder or the hub. InputError for what is none, MissingResource for what is not here."""
    config = config_of(name)
    if not isinstance(config, RankerConfig):
        raise InputError(
            f"{name}: is a {config.model_type}, no EditScorer of ours; convert an official checkpoint with gec-fair "
            "editscorer import, or train one on this encoder with gec-fair editscorer train"
        )
    if dropout is not None:
        set_dropout(config.encoder, dropout)
    where, how = located(name)
    try:
        model = Ranker.from_pretrained(
            where, config=config, dtype=torch.float32, attn_implementation=attention(use), **how
        )
    except RuntimeError as fault:
        raise InputError(f"{name}: its weights do not fit its configuration ({first_line(fault)})") from fault
    except OSError as fault:
        raise MissingResource(f"{name}: its weights cannot be read ({first_line(fault)})") from fault
    own = Path(name) / SETUP
    setup = read_settings(own, Setup) if own.exists() else Setup()
    return _whole(name, model, Reader(tokenizer_of(name), padding_attended=config.padding_attended), setup)


def new(encoder: str, setup: Setup, *, mlp_hidden: int, dropout: float | None) -> Scorer:
    """A ranker with an untrained head over any encoder; seed torch before. MissingResource for what is not here."""
    config = config_of(encoder)
    if dropout is not None:
        set_dropout(config, dropout)
    reader = Reader(tokenizer_of(encoder))
    where, how = located(encoder)
    try:
        # weights may be kept in half precision; training computes its updates in full
        body = AutoModel.from_pretrained(where, config=config, dtype=torch.float32, **how, **no_pooler(config))
    except (OSError, ValueError, RuntimeError) as fault:
        raise MissingResource(f"{encoder}: is no encoder that transformers can load ({first_line(fault)})") from fault
    model = Ranker(RankerConfig(body.config, mlp_hidden, attn_implementation=attention("training")))
    missing = model.encoder.load_state_dict(body.state_dict(), strict=False).missing_keys
    if missing:
        raise InputError(f"{encoder}: its weights lack {', '.join(missing[:3])}; it is no whole encoder")
    return _whole(encoder, model, reader, setup)


def is_editscorer(name: str) -> bool:
    """Whether a folder or hub name holds an EditScorer of ours (rather than an encoder to build one on)."""
    return isinstance(config_of(name), RankerConfig)


def _whole(name: str, model: Ranker, reader: Reader, setup: Setup) -> Scorer:
    rows = model.encoder.get_input_embeddings().weight.shape[0]
    if len(reader.tokenizer) > rows:
        raise InputError(f"{name}: the tokenizer has {len(reader.tokenizer):,} rows and the encoder {rows:,}; they are "
                         "not of one model")  # fmt: skip
    return Scorer(model, reader, setup)


def _card(scorer: Scorer, origin: str) -> str:
    config = scorer.model.config
    return f"""---
library_name: gec_fair
tags: [grammatical-error-correction, editscorer]
language: en
---
# An EditScorer

{origin or "Made by gec_fair."}

| | |
| --- | --- |
| encoder | {config.encoder.model_type}, {sum(p.numel() for p in scorer.model.parameters()):,} parameters in all |
| padding | {"attended to, as the authors' code does" if config.padding_attended else "masked"} |
| candidates from | {scorer.setup.generator or "not said"} |
| decoding | {json.dumps(as_dict(scorer.setup.decoding))} |

    gec-fair editscorer predict THIS_FOLDER learner.txt -o corrected.txt
"""
