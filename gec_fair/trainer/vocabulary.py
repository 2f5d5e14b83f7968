"""A byte-level vocabulary of one's own, with RoBERTa's special rows: BPE (Sennrich et al. 2016; Radford et al. 2019),
or WordPiece as LTG-BERT has it (Samuel et al. 2023): each digit by itself, no mark on what goes on a word.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Literal

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

from gec_fair.errors import InputError
from gec_fair.trainer.records import is_main

Kind = Literal["bpe", "wordpiece"]
SPECIAL = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>"}


def learn(texts: Iterable[str], size: int, *, raw: bool = False, kind: Kind = "bpe") -> PreTrainedTokenizerFast:
    """A vocabulary of `size` rows: `<s> <pad> </s> <unk>` first, `<mask>` last, as in RoBERTa. Words start with the
    space before them, the first one of a text too; of `raw` texts only where there is one, and a text stands between
    `<s>` and `</s>`: RoBERTa's way with both. The same texts give the same vocabulary."""
    first = [AddedToken(SPECIAL[name], special=True) for name in ("bos_token", "pad_token", "eos_token", "unk_token")]
    of_bytes = pre_tokenizers.ByteLevel(add_prefix_space=not raw)
    options: dict[str, Any] = {
        "vocab_size": size - 1,
        "special_tokens": first,
        "show_progress": False,
        "initial_alphabet": pre_tokenizers.ByteLevel.alphabet(),
    }
    if kind == "bpe":
        tokenizer = Tokenizer(models.BPE())
        trainer: Any = trainers.BpeTrainer(**options)
        tokenizer.pre_tokenizer = of_bytes
    else:
        tokenizer = Tokenizer(models.WordPiece(unk_token=SPECIAL["unk_token"], continuing_subword_prefix=""))
        trainer = trainers.WordPieceTrainer(**options, continuing_subword_prefix="")
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), of_bytes])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(SPECIAL["mask_token"], lstrip=True, special=True)])
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **SPECIAL, cls_token="<s>", sep_token="</s>", model_max_length=512
    )
    if raw:
        ensure_borders(wrapped)
    return wrapped


def ensure_borders(tokenizer: PreTrainedTokenizerFast, name: str = "the model") -> None:
    """`<s> text </s>` and `<s> text </s></s> text </s>` from now on, with the tokenizer's own special tokens, if it put
    nothing between two texts so far. InputError for a tokenizer without any."""
    if tokenizer.num_special_tokens_to_add(pair=True):
        return
    first, last = tokenizer.cls_token or tokenizer.bos_token, tokenizer.sep_token or tokenizer.eos_token
    if first is None or last is None:
        raise InputError(
            f"{name}: its tokenizer has no token to begin and to end a text with; set its cls_token and "
            "sep_token, and save it"
        )
    known = [(token, tokenizer.convert_tokens_to_ids(token)) for token in {first, last}]
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"{first} $A {last}", pair=f"{first} $A {last} {last} $B {last}", special_tokens=known
    )


def warn_if_uncased(name: str, tokenizer: Any) -> None:
    """Warn on stderr, in one process, if the tokenizer of a GEC model reads capitals as small letters."""
    capitals, small = (tokenizer([word]).input_ids[0] for word in ("The", "the"))
    if capitals == small and tokenizer.unk_token_id not in small and is_main():
        print(
            f"warning: {name} reads The and the as one word, so no correction of case can be learned or made; to "
            "correct case, take a cased encoder, such as roberta-base",
            file=sys.stderr,
        )
