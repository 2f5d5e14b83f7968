"""How surprising each word and sub-word of a text is: −log2 p, in bits.

causal   given the start and the sub-words before it in the text (Hale 2001; Levy 2008)
masked   given all other sub-words of the text: pseudo-surprisal (Salazar et al. 2020)

A word's surprisal is the sum over its sub-words (the chain rule, for a causal model).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from math import log

import numpy as np

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.batching import Cut, growing
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import QUESTIONS, Scoring, fits
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.progress import Progress

UNITS = ("word", "subword")
_AT_ONCE = {"masked": 128, "causal": 512}  # texts whose questions, many or one each, are held at a time


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and where it stands for messages: `FILE:LINE`, or its number."""

    line: int
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Surprisal:
    """A word, or a sub-word, of a text. `line` and `word` count from 1; `start` and `end` are characters of the text,
    half-open; `subwords` are entries of the vocabulary. `bits` is None for the first sub-word of a causal model
    without a start, and for its word."""

    line: int
    word: int
    start: int
    end: int
    text: str
    subwords: tuple[str, ...]
    bits: float | None


def subword_surprisals(
    model: Masked | Causal, texts: Sequence[Text], *, scoring: Scoring = "original", progress: Progress | None = None
) -> list[Surprisal]:
    """Every sub-word of every text, in order; special sub-words are left out. InputError for a tokenizer written in
    Python alone, and for a text that the model cannot read at once; raises as `likelihood.fits` does."""
    fits(model, scoring)
    if not model.tokenizer.is_fast:
        raise InputError(
            "the model's tokenizer is one in Python alone, which does not say where in a text a sub-word stands; "
            "give a model with a fast one (tokenizer.json)"
        )
    rows: list[Surprisal] = []
    done = 0
    for batch in growing(texts, _AT_ONCE[model.kind]):
        cuts = [_cut(model, text) for text in batch]
        bits = _masked(model, cuts, scoring) if isinstance(model, Masked) else _causal(model, cuts)
        for text, cut, values in zip(batch, cuts, bits, strict=True):
            rows += _rows(model, text, cut, values)
        done += len(batch)
        if progress is not None:
            progress(done, len(texts))
    return rows


def word_surprisals(rows: Sequence[Surprisal], texts: Sequence[Text]) -> list[Surprisal]:
    """The words of `subword_surprisals`, apart by white space. A word has no row where the tokenizer drops all of
    it."""
    text_of = {text.line: text.text for text in texts}
    return [
        _word(list(parts), text_of[line]) for (line, _), parts in groupby(rows, key=lambda row: (row.line, row.word))
    ]


def _word(parts: Sequence[Surprisal], text: str) -> Surprisal:
    start, end = _words(text)[parts[0].word - 1]
    known = [part.bits for part in parts if part.bits is not None]
    bits = sum(known) if len(known) == len(parts) else None
    subwords = tuple(chain.from_iterable(part.subwords for part in parts))
    return replace(parts[0], start=start, end=end, text=text[start:end], subwords=subwords, bits=bits)


def _cut(model: Masked | Causal, text: Text) -> Cut:
    """InputError with the text's place for one that is too long."""
    try:
        if isinstance(model, Masked):
            return model.cut([text.text])[0]
        return model.cut([text.text], special=False, more=int(model.start is not None))[0]
    except InputError as fault:
        raise InputError(f"{text.place}: {fault}, or break the line, for lines are read one by one") from fault


def _masked(model: Masked, cuts: Sequence[Cut], scoring: str) -> Iterator[list[float | None]]:
    questions = [list(QUESTIONS[scoring](model, cut)) for cut in cuts]
    log_probs = iter(model.log_probs(list(chain.from_iterable(questions))))
    for clozes in questions:
        yield [_bits(next(log_probs)) for _ in clozes]


def _causal(model: Causal, cuts: Sequence[Cut]) -> Iterator[list[float | None]]:
    begin = () if model.start is None else (model.start,)
    for cut, log_probs in zip(cuts, model.log_probs([begin + cut.ids for cut in cuts]), strict=True):
        unscored = len(cut.ids) - len(log_probs)  # the first sub-word, where nothing stands before it
        yield [None if place < unscored else _bits(log_probs[place - unscored]) for place in cut.places]


def _bits(log_prob: float) -> float:
    return float(-log_prob / log(2)) + 0.0  # not -0.0 for what is certain


def _rows(model: Masked | Causal, text: Text, cut: Cut, values: Sequence[float | None]) -> Iterator[Surprisal]:
    entries = model.tokenizer.convert_ids_to_tokens([cut.ids[place] for place in cut.places])
    ends = np.array([end for _, end in _words(text.text)])
    for place, entry, bits in zip(cut.places, entries, values, strict=True):
        start, end = cut.starts[place], cut.ends[place]
        word = min(int(np.searchsorted(ends, end)), len(ends) - 1)
        yield Surprisal(text.line, word + 1, start, end, text.text[start:end], (entry,), bits)


def _words(text: str) -> list[tuple[int, int]]:
    """Start and end of what is between white space. A sub-word belongs to the first of them that reaches as far as it
    does, so that a space counts with the word that follows it."""
    return [match.span() for match in re.finditer(r"\S+", text)]
