"""An EditScorer in a folder: model.safetensors, config.json, tokenizer, editscorer.yaml (who proposes, how is decided)
and a model card. A hub name will do wherever a folder will."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import yaml

from gec_fair.config.settings import as_dict
from gec_fair.gec.editscorer.model import Ranker, RankerConfig
from gec_fair.gec.editscorer.options import SETUP, Setup
from gec_fair.gec.editscorer.pairs import Reader
from gec_fair.models.configuration import Use, attention
from gec_fair.models.digest import digest_of
from gec_fair.models.load import load_config, load_encoder, load_ours
from gec_fair.models.locate import model_file
from gec_fair.models.weights import check_rows, load_encoder_tokenizer, load_trained_tokenizer
from gec_fair.runs.atomic import write_text
from gec_fair.trainer.card import write_card


@dataclass(frozen=True, slots=True)
class Scorer:
    """A ranker, what turns sentences into its numbers, and how it is meant to be used."""

    model: Ranker
    reader: Reader
    setup: Setup

    def save(self, folder: Path, *, card: str = "") -> None:
        """All of it into a folder. `card` is said in the model card about where the weights come from."""
        config = self.model.config
        self.model.save_pretrained(folder)
        self.reader.tokenizer.save_pretrained(folder)
        write_text(folder / SETUP, yaml.safe_dump(as_dict(self.setup), sort_keys=False, allow_unicode=True))
        rows = {
            "encoder": f"{config.encoder.model_type}, {self.model.num_parameters():,} parameters in all",
            "padding": "attended to, as the authors' code does" if config.padding_attended else "masked",
            "candidates from": self.setup.generator or "not said",
            "decoding": json.dumps(as_dict(self.setup.decoding)),
        }
        write_card(folder, "An EditScorer", "editscorer", card, rows)

    def digest(self) -> str:
        """A name for everything that decides its scores: weights, sub-words, padding."""
        return digest_of(self.model, self.reader.tokenizer, str(self.reader.padding_attended))


def load(name: str, *, use: Use = "predicting", dropout: float | None = None) -> Scorer:
    """An EditScorer from a folder or the hub. InputError for what is none, MissingResource for what is not here."""
    model = load_ours(Ranker, name, use, title="EditScorer", dropout=dropout)
    reader = Reader(load_trained_tokenizer(name), padding_attended=model.config.padding_attended)
    return _make_scorer(name, model, reader, setup_of(name))


def setup_of(name: str) -> Setup:
    """How an EditScorer is meant to be used; of its folder or the hub's files no other is read."""
    return Setup.read(model_file(name, SETUP))


def new(
    encoder: str, setup: Setup, *, mlp_hidden: int, dropout: float | None, padding_attended: bool = False
) -> Scorer:
    """A ranker with an untrained head over any encoder; seed torch before. MissingResource for what is not here."""
    body = load_encoder(encoder, dropout=dropout)
    reader = Reader(load_encoder_tokenizer(encoder), padding_attended=padding_attended)
    config = RankerConfig(
        body.config,
        mlp_hidden,
        padding_attended=padding_attended,
        attn_implementation=attention("training", body.config),
    )
    model = Ranker(config)
    model.encoder.load_state_dict(body.state_dict())
    return _make_scorer(encoder, model, reader, setup)


def is_editscorer(name: str) -> bool:
    """Whether a folder or hub name holds an EditScorer of this package (rather than an encoder to build one on)."""
    return isinstance(load_config(name), RankerConfig)


def _make_scorer(name: str, model: Ranker, reader: Reader, setup: Setup) -> Scorer:
    check_rows(name, model.encoder, reader.tokenizer)
    return Scorer(model, reader, setup)
