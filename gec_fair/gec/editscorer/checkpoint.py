"""An EditScorer in a folder: model.safetensors, config.json, tokenizer, editscorer.yaml (who proposes, how is decided)
and a model card. A hub name will do wherever a folder will."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import yaml

from gec_fair.corpus.atomic import write_text
from gec_fair.corpus.settings import as_dict, read_settings
from gec_fair.errors import InputError
from gec_fair.gec.editscorer.model import Ranker, RankerConfig
from gec_fair.gec.editscorer.options import Setup
from gec_fair.gec.editscorer.pairs import Reader
from gec_fair.gec.gector.checkpoint import spaced_tokenizer
from gec_fair.pretrain.hub import (
    Use,
    attention,
    check_rows,
    config_of,
    encoder_of,
    model_of,
    set_dropout,
    take_over,
    tokenizer_text,
    weights_digest,
)
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
        reader = (tokenizer_text(self.reader.tokenizer), str(self.reader.padding_attended))
        return sha256("\0".join((weights_digest(self.model), *reader)).encode()).hexdigest()[:20]


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
    model = model_of(Ranker, name, config, use)
    own = Path(name) / SETUP
    setup = read_settings(own, Setup) if own.exists() else Setup()
    return _whole(name, model, Reader(spaced_tokenizer(name), padding_attended=config.padding_attended), setup)


def new(encoder: str, setup: Setup, *, mlp_hidden: int, dropout: float | None) -> Scorer:
    """A ranker with an untrained head over any encoder; seed torch before. MissingResource for what is not here."""
    body = encoder_of(encoder, dropout=dropout)
    reader = Reader(spaced_tokenizer(encoder))
    model = Ranker(RankerConfig(body.config, mlp_hidden, attn_implementation=attention("training")))
    take_over(model.encoder, body, encoder)
    return _whole(encoder, model, reader, setup)


def is_editscorer(name: str) -> bool:
    """Whether a folder or hub name holds an EditScorer of ours (rather than an encoder to build one on)."""
    return isinstance(config_of(name), RankerConfig)


def _whole(name: str, model: Ranker, reader: Reader, setup: Setup) -> Scorer:
    check_rows(name, model.encoder, reader.tokenizer)
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
