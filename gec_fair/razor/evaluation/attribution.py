"""h of lemma 1 for a Hugging Face classifier: how much attention a word gets (the paper's), or integrated gradients by
captum, where that is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gec_fair.classifiers.hugging_face import HuggingFace
from gec_fair.errors import InputError
from gec_fair.extras import require
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.evaluation.explain import Attribution, fields

_STEPS = 50
"""Of the integral from an empty text to this one."""


def attention(classifier: HuggingFace) -> Attribution:
    """(words, layers × heads): the attention that a word's sub-words get, added up, in the mean over all that look."""
    model = classifier.model
    model.set_attn_implementation("eager")  # the fused ones do not tell

    @torch.inference_mode()
    def attribute_words(document: Document, words: Sequence[str]) -> NDArray[np.float64]:
        rows, holders = _read(classifier, document, words)
        attentions = model(**rows, output_attentions=True).attentions
        got = torch.stack(
            [layer[0].mean(1) for layer in attentions]
        )  # (layers, heads, sub-words): over what looks at them
        return _by_word(got.flatten(0, 1).T, holders, len(words))

    return attribute_words


def gradients(classifier: HuggingFace) -> Attribution:
    """(words, width): integrated gradients of the predicted label's score in the word embeddings (Sundararajan et al.
    2017), from padding to the text. Needs captum."""
    require("attribution by gradients", "attribution", "captum")
    from captum.attr import LayerIntegratedGradients

    model = classifier.model

    def logits(ids: Any, rest: Any) -> Any:
        return model(input_ids=ids, **rest).logits

    def attribute_words(document: Document, words: Sequence[str]) -> NDArray[np.float64]:
        rows, holders = _read(classifier, document, words)
        ids = rows.pop("input_ids")
        with torch.inference_mode():
            label = int(logits(ids, rows).argmax())
        blank = torch.full_like(ids, classifier.tokenizer.pad_token_id)
        attributions = LayerIntegratedGradients(logits, model.get_input_embeddings()).attribute(
            ids, blank, target=label, additional_forward_args=(rows,), n_steps=_STEPS
        )
        return _by_word(attributions[0].detach(), holders, len(words))

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
    """Of each sign its word; a space belongs to the one behind it."""
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
