"""Small models with random weights, real architectures and vocabularies learned on the spot."""

from __future__ import annotations

import random
from pathlib import Path

SUBJECTS = ("he", "she", "they", "we", "my sister", "the old teacher", "a dog", "students", "people")
VERBS = {"go": "goes", "walk": "walks", "write": "writes", "sing": "sings", "live": "lives", "play": "plays"}
PLACES = ("home", "in the town", "with a friend", "to the well-known park", "every day", "at school", "by the sea")
SINGULAR = {"he", "she", "my sister", "the old teacher", "a dog"}


def pairs(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Sentences whose verb agrees, and half of the time a source in which it does not."""
    chance = random.Random(seed)
    drawn = []
    for _ in range(number):
        subject, (verb, third), place = (
            chance.choice(SUBJECTS),
            chance.choice(list(VERBS.items())),
            chance.choice(PLACES),
        )
        right, wrong = (third, verb) if subject in SINGULAR else (verb, third)
        said = f"{subject} {right} {place} ."
        drawn.append((f"{subject} {wrong} {place} ." if chance.random() < 0.5 else said, said))
    return drawn


def write_pairs(path: Path, number: int, seed: int = 0) -> Path:
    path.write_text("".join(f"{a}\t{b}\n" for a, b in pairs(number, seed)), encoding="utf-8")
    return path


OF_KIND = {
    "roberta": {"max_position_embeddings": 130, "layer_norm_eps": 1e-5},
    "modernbert": {
        "max_position_embeddings": 128,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "cls_token_id": 0,
        "sep_token_id": 2,
    },
    "xlnet": {"d_head": 16, "d_inner": 64},  # it counts distances, not positions
}


def encoder(folder: Path, *, kind: str = "roberta", hidden: int = 32, seed: int = 0) -> Path:
    """An encoder with a tokenizer, saved as Hugging Face saves them."""
    import torch
    from transformers import AutoConfig, AutoModel

    from gec_fair.models.configuration import no_pooler
    from gec_fair.trainer.vocabulary import learn

    torch.manual_seed(seed)
    tokenizer = learn([text for pair in pairs(200) for text in pair], 400)
    shape = {
        "vocab_size": len(tokenizer),
        "hidden_size": hidden,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 2 * hidden,
        "pad_token_id": tokenizer.pad_token_id,
    }
    config = AutoConfig.for_model(kind, **shape, **OF_KIND.get(kind, {"max_position_embeddings": 130}))
    AutoModel.from_config(config, **no_pooler(config)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def make_masked(folder: Path) -> Path:
    """A masked language model: an encoder with its head."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    encoder(folder)
    AutoModelForMaskedLM.from_pretrained(folder).save_pretrained(folder)
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    return folder


def causal(folder: Path, words: Path) -> Path:
    """A causal language model with the tokenizer of another."""
    from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

    tokenizer = AutoTokenizer.from_pretrained(words)
    config = GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=32, n_layer=2, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def sentencepieces(path: Path, *, first: tuple[str, ...]) -> Path:
    """A SentencePiece model, as encoders bring it that have no tokenizer.json; `first` are its special rows, in their
    order: padding, beginning, end, unknown."""
    import sentencepiece

    padding, begin, end, unknown = first
    texts = path.with_suffix(".txt")
    texts.write_text("".join(f"{side}\n" for pair in pairs(200) for side in pair))
    sentencepiece.SentencePieceTrainer.Train(
        input=str(texts),
        model_prefix=str(path.with_suffix("")),
        vocab_size=90,
        hard_vocab_limit=False,
        character_coverage=1.0,
        minloglevel=2,
        pad_id=0,
        bos_id=1,
        eos_id=2,
        unk_id=3,
        pad_piece=padding,
        bos_piece=begin,
        eos_piece=end,
        unk_piece=unknown,
    )
    texts.unlink()
    return path


def labels(folder: Path) -> Path:
    """The tags of the toy pairs."""
    from gec_fair.gec.gector.labels import build, count_tags
    from gec_fair.gec.gector.verbs import verb_forms

    words = [(a.split(), b.split()) for a, b in pairs(200)]
    build(count_tags(words, verb_forms()), 40).write(folder)
    return folder / "labels.txt"
