"""A GECToR in a folder: model.safetensors, config.json (with the tags), tokenizer, labels.txt, and a model card.

Loading goes through Hugging Face's own `from_pretrained`, so a hub name will do wherever a folder will.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gec_fair.corpus.atomic import write_text
from gec_fair.gec.gector.labels import DETECTION, Labels
from gec_fair.gec.gector.model import Gector, GectorConfig
from gec_fair.gec.gector.options import InputOptions
from gec_fair.gec.gector.tags import START
from gec_fair.gec.gector.verbs import VerbForms, verb_forms
from gec_fair.gec.gector.words import Pieces
from gec_fair.pretrain.card import write_card
from gec_fair.pretrain.hub import (
    Use,
    attention,
    check_rows,
    config_of,
    digest_of,
    encoder_of,
    own,
    spaced_tokenizer,
    take_over,
)
from gec_fair.pretrain.loop import quiet

quiet()
VERBS_FILE = "verb-form-vocab.txt"


@dataclass(frozen=True, slots=True)
class Tagger:
    """A model with all that turns words into its numbers and its numbers into words."""

    model: Gector
    pieces: Pieces
    labels: Labels
    verbs: VerbForms

    def save(self, folder: Path, *, card: str = "") -> None:
        """All of it into a folder. `card` is said in the model card about where the weights come from."""
        config = self.model.config
        self.model.save_pretrained(folder)
        self.pieces.tokenizer.save_pretrained(folder)
        self.labels.write(folder)
        if self.verbs is not verb_forms():
            write_text(folder / VERBS_FILE, "".join(line + "\n" for line in self.verbs.lines()))
        rows = {
            "encoder": f"{config.encoder.model_type}, {self.model.num_parameters():,} parameters in all",
            "tags": f"{len(self.labels):,} (`labels.txt`); detection {', '.join(DETECTION[: config.detection_rows])}",
            "input": json.dumps(config.input),
            "verb forms": "lemminflect" if self.verbs is verb_forms() else VERBS_FILE,
        }
        write_card(folder, "A GECToR", "gector", card, rows)

    def digest(self) -> str:
        """A name for everything that decides its predictions: weights, tags, sub-words, verb forms."""
        read = json.dumps(plain(self.pieces.options), sort_keys=True)
        more = ("\n".join(self.labels.tags), read, "\n".join(self.verbs.lines()))
        return digest_of(self.model, self.pieces.tokenizer, *more)


def load(name: str, *, use: Use = "predicting", dropout: float | None = None) -> Tagger:
    """A GECToR from a folder or the hub. InputError for what is none, MissingResource for what is not here."""
    model = own(Gector, name, use, title="GECToR", dropout=dropout)
    labels = Labels(tuple(model.config.tags))
    pieces = Pieces(spaced_tokenizer(name), model.config.input_options)
    check_rows(name, model.encoder, pieces.tokenizer)
    kept = Path(name) / VERBS_FILE
    return Tagger(model, pieces, labels, verb_forms(kept if kept.exists() else None))


def new(encoder: str, labels: Labels, options: InputOptions, verbs: VerbForms, *, dropout: float | None) -> Tagger:
    """A GECToR with untrained heads over any encoder; seed torch before. MissingResource for what is not here."""
    body = encoder_of(encoder, dropout=dropout)
    tokenizer = spaced_tokenizer(encoder)
    if options.start_token:
        tokenizer.add_tokens([START], special_tokens=True)
        if body.get_input_embeddings().weight.shape[0] < len(tokenizer):
            # the new row is drawn as the others were at first; its mean would be no word's neighbour
            body.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    model = Gector(
        GectorConfig(
            encoder=body.config,
            tags=list(labels.tags),
            input=plain(options),
            attn_implementation=attention("training"),
        )
    )
    take_over(model.encoder, body, encoder)
    check_rows(encoder, model.encoder, tokenizer)
    return Tagger(model, Pieces(tokenizer, options), labels, verbs)


def is_gector(name: str) -> bool:
    """Whether a folder or hub name holds a GECToR of ours (rather than an encoder that one can be built on)."""
    return isinstance(config_of(name), GectorConfig)


def plain(options: InputOptions) -> dict[str, Any]:
    """The options as a configuration file holds them."""
    return asdict(options)
