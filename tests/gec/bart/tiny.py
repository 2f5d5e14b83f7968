"""A BART with random weights, its real architecture, and a vocabulary learned on the spot."""

from __future__ import annotations

import json
from pathlib import Path

from tests.gec.gector.tiny import pairs


def tokenizer():
    """BART's own tokenizer class over a few hundred rows: no space before the first word of a text."""
    from transformers import BartTokenizer

    from gec_fair.trainer.vocabulary import learn

    learned = json.loads(learn([text for pair in pairs(200) for text in pair], 400).backend_tokenizer.to_str())
    vocabulary = learned["model"]["vocab"]
    vocabulary["<mask>"] = len(vocabulary)
    return BartTokenizer(vocab=vocabulary, merges=[tuple(pair) for pair in learned["model"]["merges"]])


def model(rows: int, *, seed: int = 0, width: int = 32):
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(seed)
    shape = {
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 2 * width,
        "decoder_ffn_dim": 2 * width,
    }
    config = BartConfig(vocab_size=rows, d_model=width, max_position_embeddings=128, **shape, dropout=0.1)
    return BartForConditionalGeneration(config)


def bart(folder: Path, *, rows: int = 0) -> Path:
    """As Hugging Face saves one: nothing in it says how it was trained to correct. `rows` other than the tokenizer's
    make it a broken one."""
    words = tokenizer()
    model(rows or len(words)).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def copies(path: Path, number: int, seed: int = 0) -> Path:
    """Pairs in which nothing is to be corrected."""
    path.write_text("".join(f"{said}\t{said}\n" for _, said in pairs(number, seed)), encoding="utf-8")
    return path


def t5(folder: Path) -> Path:
    """A T5 with random weights and a unigram vocabulary, as Hugging Face saves one."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    words = Tokenizer(models.Unigram())
    words.normalizer = normalizers.NFKC()
    words.pre_tokenizer = pre_tokenizers.Metaspace()
    words.decoder = decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=300, special_tokens=special, unk_token="<unk>")
    words.train_from_iterator([text for pair in pairs(200) for text in pair], trainer)
    words.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="</s>", pad_token="<pad>", unk_token="<unk>")
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=32, d_ff=64, d_kv=16, num_layers=1, num_heads=2, dropout_rate=0.1
    )
    config.decoder_start_token_id, config.pad_token_id, config.eos_token_id = 0, 0, 1
    T5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
