"""A BART that corrects, in a folder: model.safetensors, config.json (with its conventions), tokenizer, a model card.

Any BART of Hugging Face's loads too: what it was trained to read is not written down there, so it is taken to be what
InputOptions says by default. Whatever its generation_config.json says (facebook/bart-large forbids to write any three
words twice, right for summaries and wrong here), ours takes its place.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    GenerationConfig,
    PreTrainedTokenizerBase,
)

from gec_fair.errors import InputError
from gec_fair.gec.bart.options import Decoding, InputOptions
from gec_fair.models.configuration import Use
from gec_fair.models.digest import digest_of
from gec_fair.models.load import load_config, read_conventions
from gec_fair.models.weights import check_rows, load_model, load_tokenizer
from gec_fair.trainer.card import write_card

RECORD = "gec_fair"  # the key of config.json under which InputOptions are kept


@dataclass(frozen=True, slots=True)
class Frame:
    """The rows around a text's sub-words."""

    bos: int | None
    """`<s>`; None where a text begins with its first sub-word."""
    eos: int
    padding: int
    start: int
    """What the decoder reads before anything is written: `</s>`."""

    @property
    def size(self) -> int:
        """How many they are."""
        return 1 if self.bos is None else 2

    def around(self, pieces: Sequence[int]) -> list[int]:
        """A text's sub-words with the special tokens before and after."""
        return [*([] if self.bos is None else [self.bos]), *pieces, self.eos]


@dataclass(frozen=True, slots=True)
class Corrector:
    """A model with all that turns texts into its numbers and its numbers into texts."""

    model: BartForConditionalGeneration
    tokenizer: PreTrainedTokenizerBase
    options: InputOptions

    @property
    def frame(self) -> Frame:
        """The special tokens that the model expects."""
        config = self.model.config
        bos = config.bos_token_id if self.options.bos else None
        return Frame(bos, config.eos_token_id, config.pad_token_id, config.decoder_start_token_id)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The sub-words of each text. `</s>` in a text is four characters and no end."""
        return cut(self.tokenizer, texts)

    def text(self, rows: Sequence[int]) -> str:
        """What sub-words spell, without the rows around them."""
        read: str = self.tokenizer.decode(rows, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return read.strip()

    def save(self, folder: Path, *, card: str = "") -> None:
        """All of it into a folder. `card` is said in the model card about where the weights come from."""
        setattr(self.model.config, RECORD, asdict(self.options))
        self.model.generation_config = generation(self, Decoding())
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        config = self.model.config
        shape = f"{config.encoder_layers} + {config.decoder_layers} layers of {config.d_model}"
        rows = {
            "shape": f"{shape}, {self.model.num_parameters():,} parameters",
            "rows": f"{config.vocab_size:,}",
            "input": json.dumps(asdict(self.options)),
            "sequences": "`<s> X </s>`, decoder `</s> <s> Y`" if self.options.bos else "`X </s>`, decoder `</s> Y`",
        }
        write_card(folder, "A BART that corrects", "bart", card, rows)

    def digest(self) -> str:
        """A name for everything that decides its predictions: weights, sub-words, conventions."""
        return digest_of(self.model, self.tokenizer, json.dumps(asdict(self.options), sort_keys=True))


def load(
    name: str,
    *,
    use: Use = "predicting",
    requested: InputOptions | None = None,
    dropout: float | None = None,
    attention_dropout: float | None = None,
) -> Corrector:
    """A BART from a folder or the hub, with its own conventions, or else the `requested` ones, or else the defaults.

    InputError for a model that is not a BART, and if `requested` contradicts what it was trained with;
    MissingResource for a model that is missing. The dropouts, if any, are those of training.
    """
    config = load_config(name)
    if not isinstance(config, BartConfig):
        raise InputError(
            f"{name}: is a {config.model_type}, not a BART; give facebook/bart-large or another BART, or convert a "
            "checkpoint of fairseq with gec-fair bart import"
        )
    options = _options(name, config, requested)
    for key, share in (("dropout", dropout), ("attention_dropout", attention_dropout)):
        if share is not None:
            setattr(config, key, share)
    model = load_model(BartForConditionalGeneration, name, config, use)
    corrector = Corrector(model, load_tokenizer(name), options)
    check_rows(name, model, corrector.tokenizer)
    _check_ends(name, corrector)
    model.generation_config = generation(corrector, Decoding())
    return corrector


def cut(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> list[list[int]]:
    """The sub-words of each text, without the rows around it."""
    if not texts:
        return []
    read = tokenizer(list(texts), add_special_tokens=False, split_special_tokens=True, return_attention_mask=False)
    rows: list[list[int]] = read["input_ids"]
    return rows


def generation(corrector: Corrector, decoding: Decoding) -> GenerationConfig:
    """Beam search as fairseq's: it ends when `beam` sentences are finished, scores are divided by length to the
    penalty, one sub-word is written at least, and the row of padding never (`<mask>` neither). At max_target it stops
    without an end, so that one sees which answers were cut off."""
    frame = corrector.frame
    masks = [] if corrector.tokenizer.mask_token_id is None else [corrector.tokenizer.mask_token_id]
    return GenerationConfig(
        num_beams=decoding.beam,
        length_penalty=decoding.length_penalty,
        early_stopping=decoding.beam > 1,
        do_sample=False,
        use_cache=True,
        max_new_tokens=corrector.options.max_target,
        min_new_tokens=frame.size,
        forced_bos_token_id=frame.bos,
        suppress_tokens=[frame.padding, *masks],
        bos_token_id=corrector.model.config.bos_token_id,
        eos_token_id=frame.eos,
        pad_token_id=frame.padding,
        decoder_start_token_id=frame.start,
    )


def _options(name: str, config: BartConfig, requested: InputOptions | None) -> InputOptions:
    record = getattr(config, RECORD, None)
    trained = None if record is None else read_conventions(InputOptions, name, record, title="BART")
    options = requested or trained or InputOptions()
    for key in ("text", "bos"):
        if trained is not None and (said := getattr(trained, key)) != getattr(options, key):
            raise InputError(
                f"{name}: was trained with input.{key} {json.dumps(said)}, not "
                f"{json.dumps(getattr(options, key))}; leave it out, or set it to that (--set input.{key}=…)"
            )
    longest = max(options.max_source, options.max_target)
    if longest > config.max_position_embeddings:
        raise InputError(
            f"{name}: reads {config.max_position_embeddings:,} sub-words, fewer than the {longest:,} of "
            "input.max_source and input.max_target; lower them"
        )
    return options


def _check_ends(name: str, corrector: Corrector) -> None:
    tokenizer, config = corrector.tokenizer, corrector.model.config
    for key in ("bos_token_id", "eos_token_id", "pad_token_id"):
        if getattr(tokenizer, key) != getattr(config, key):
            raise InputError(
                f"{name}: {key} is {getattr(config, key)} in config.json and {getattr(tokenizer, key)} in the "
                "tokenizer; they are not of one model"
            )
