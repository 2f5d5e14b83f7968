"""A byte-level BPE vocabulary of one's own (Sennrich et al. 2016; Radford et al. 2019), with RoBERTa's special rows."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

SPECIAL = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>"}


def learn(texts: Iterable[str], size: int) -> PreTrainedTokenizerFast:
    """A vocabulary of `size` rows: `<s> <pad> </s> <unk>` first, `<mask>` last, as in RoBERTa. Words start with the
    space before them, the first one of a text too. The same texts give the same vocabulary."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    first = [SPECIAL[name] for name in ("bos_token", "pad_token", "eos_token", "unk_token")]
    trainer = trainers.BpeTrainer(
        vocab_size=size - 1,
        special_tokens=[AddedToken(token, special=True) for token in first],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(SPECIAL["mask_token"], lstrip=True, special=True)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **SPECIAL, cls_token="<s>", sep_token="</s>", model_max_length=512
    )
