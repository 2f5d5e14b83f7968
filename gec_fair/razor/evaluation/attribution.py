"""h of lemma 1 for a Hugging Face classifier, the paper's: how much attention a word gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gec_fair.classifiers.hugging_face import HuggingFace
from gec_fair.errors import InputError
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.evaluation.explain import Attribution, fields


def attention(classifier: HuggingFace) -> Attribution:
    """(words, layers × heads): the attention that a word's sub-words get, added up, in the mean over all that look."""
    model = classifier.model
    model.set_attn_implementation("eager")  # the fused ones do not tell

    @torch.inference_mode()
    def attribute_words(document: Document, words: Sequence[str]) -> NDArray[np.float64]:
        rows, holders = _read(classifier, document, words)
        attentions = model(**rows, output_attentions=True).attentions
        got = torch.stack([layer[0].mean(1) for layer in attentions])  # (layers, heads, sub-words), over all that look
        return _by_word(got.flatten(0, 1).T, holders, len(words))

    return attribute_words


def _read(classifier: HuggingFace, document: Document, words: Sequence[str]) -> tuple[dict[str, Any], list[int]]:
    """What the model reads, and of each sub-word which word of the text it belongs to, −1 for none."""
    texts = fields(document, words)
    read = classifier.tokenizer(
        *texts, truncation=True, max_length=classifier.longest, return_tensors="pt", return_offsets_mapping=True
    )
    if not read.encodings:
        raise InputError(
            f"{classifier.version}: its tokenizer does not tell where its sub-words stand; use --attribution occlusion"
        )
    at = np.repeat(np.arange(len(words)), [len(word) + (n > 0) for n, word in enumerate(words)])
    """The word of each sign; a space belongs to the one behind it."""
    part = len(texts) - 1
    offsets = read.pop("offset_mapping")[0].tolist()
    holders = [
        int(at[min(max(end - 1, start), len(at) - 1)]) if sequence == part and end > start else -1
        for (start, end), sequence in zip(offsets, read.sequence_ids(0), strict=True)
    ]
    return dict(read.to(classifier.device)), holders


def _by_word(rows: torch.Tensor, holders: Sequence[int], words: int) -> NDArray[np.float64]:
    """(words, ℓ): the sub-words' rows (sub-words, ℓ) added up."""
    sums = np.zeros((words, rows.shape[1]))
    for row, word in zip(rows.double().cpu().numpy(), holders, strict=True):
        if word >= 0:
            sums[word] += row
    return sums
