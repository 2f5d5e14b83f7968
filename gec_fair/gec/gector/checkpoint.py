"""A GECToR in a folder: model.safetensors, config.json (with the tags), tokenizer, labels.txt, and a model card.

verb-form-vocab.txt stands there too where the verb forms are not lemminflect's, decoding.yaml where thresholds were
chosen. A hub name will do wherever a folder will.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gec_fair.gec.gector.labels import DETECTION, Labels
from gec_fair.gec.gector.model import Gector, GectorConfig
from gec_fair.gec.gector.options import InputOptions
from gec_fair.gec.gector.tags import START
from gec_fair.gec.gector.verbs import LEMMINFLECT, VerbForms, verb_forms
from gec_fair.gec.gector.words import Pieces
from gec_fair.models.configuration import Use, attention
from gec_fair.models.digest import digest_of
from gec_fair.models.load import load_config, load_encoder, load_ours, read_conventions
from gec_fair.models.locate import model_file
from gec_fair.models.weights import check_rows, load_encoder_tokenizer, load_trained_tokenizer
from gec_fair.runs.atomic import write_text
from gec_fair.trainer.card import write_card

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
        foreign = self.verbs.source != LEMMINFLECT
        if foreign:
            write_text(folder / VERBS_FILE, "".join(line + "\n" for line in self.verbs.lines()))
        rows = {
            "encoder": f"{config.encoder.model_type}, {self.model.num_parameters():,} parameters in all",
            "tags": f"{len(self.labels):,} (`labels.txt`); detection {', '.join(DETECTION[: config.detection_rows])}",
            "input": json.dumps(config.input),
            "verb forms": VERBS_FILE if foreign else LEMMINFLECT,
        }
        write_card(folder, "A GECToR", "gector", card, rows)

    def digest(self) -> str:
        """A name for everything that decides its predictions: weights, tags, sub-words, verb forms."""
        read = json.dumps(asdict(self.pieces.options), sort_keys=True)
        more = ("\n".join(self.labels.tags), read, "\n".join(self.verbs.lines()))
        return digest_of(self.model, self.pieces.tokenizer, *more)


def load(name: str, *, use: Use = "predicting", dropout: float | None = None) -> Tagger:
    """A GECToR from a folder or the hub. InputError for what is none, MissingResource for what is not here."""
    model = load_ours(Gector, name, use, title="GECToR", dropout=dropout)
    labels = read_conventions(Labels, name, {"tags": model.config.tags}, title="GECToR")
    options = read_conventions(InputOptions, name, model.config.input, title="GECToR")
    tokenizer = load_trained_tokenizer(name)
    check_rows(name, model.encoder, tokenizer)
    pieces = Pieces(tokenizer, options, positions=model.config.positions)
    return Tagger(model, pieces, labels, verb_forms(model_file(name, VERBS_FILE)))


def new(encoder: str, labels: Labels, options: InputOptions, verbs: VerbForms, *, dropout: float | None) -> Tagger:
    """A GECToR with untrained heads over any encoder; seed torch before. InputError for an incomplete
    encoder, MissingResource for one that is missing."""
    body = load_encoder(encoder, dropout=dropout)
    tokenizer = load_encoder_tokenizer(encoder)
    if options.start_token:
        tokenizer.add_tokens([START], special_tokens=True)
        if body.get_input_embeddings().weight.shape[0] < len(tokenizer):
            # the new row is drawn as the others were at first; its mean would be no word's neighbour
            body.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    model = Gector(
        GectorConfig(
            encoder=body.config,
            tags=list(labels.tags),
            input=asdict(options),
            attn_implementation=attention("training", body.config),
        )
    )
    model.encoder.load_state_dict(body.state_dict())
    check_rows(encoder, model.encoder, tokenizer)
    return Tagger(model, Pieces(tokenizer, options, positions=model.config.positions), labels, verbs)


def reading(tagger: Tagger, options: InputOptions) -> Tagger:
    """The same model, reading longer or shorter sentences and words from now on."""
    tagger.model.config.input = asdict(options)
    return replace(tagger, pieces=Pieces(tagger.pieces.tokenizer, options, positions=tagger.pieces.positions))


def is_gector(name: str) -> bool:
    """Whether a folder or hub name holds a GECToR of this package (rather than an encoder that one can be built on)."""
    return isinstance(load_config(name), GectorConfig)
