"""The (pseudo-)log-likelihood of sentences: sums over their sub-words, in natural logarithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal

import numpy as np

from gec_fair.errors import InputError, UsageError
from gec_fair.gec.systems import Progress
from gec_fair.lmbias.causal import Causal
from gec_fair.lmbias.cut import Cut
from gec_fair.lmbias.masked import Cloze, Masked, alone, left_to_right
from gec_fair.lmbias.reading import Floats

Scoring = Literal["original", "within-word-l2r"]
_QUESTIONS: Mapping[str, Callable[[Masked, Cut], Iterator[Cloze]]] = {
    "original": alone,
    "within-word-l2r": left_to_right,
}
SCORINGS = tuple(_QUESTIONS)
_AT_ONCE = 2048  # distinct texts whose questions are held at a time


def likelihoods(
    model: Masked | Causal, texts: Sequence[str], *, scoring: Scoring = "original", progress: Progress | None = None
) -> Floats:
    """(texts): log p of each. Of a masked model the sum over its sub-words, each hidden in turn; of a causal one over
    all that follow the start. Special sub-words are not scored; a text that comes twice is read once.

    InputError for a text that is longer than the model reads.
    """
    if scoring not in SCORINGS:
        raise UsageError(f"no scoring is called {scoring!r}; there are {', '.join(SCORINGS)}")
    distinct = list(dict.fromkeys(texts))
    found: dict[str, float] = {}
    for first in range(0, len(distinct), _AT_ONCE):
        some = distinct[first : first + _AT_ONCE]
        scores = _masked(model, some, scoring) if isinstance(model, Masked) else _causal(model, some)
        found.update(zip(some, scores, strict=True))
        if progress is not None:
            progress(len(found), len(distinct))
    return np.array([found[text] for text in texts])


def _masked(model: Masked, texts: Sequence[str], scoring: str) -> list[float]:
    questions = [list(_QUESTIONS[scoring](model, text)) for text in model.cut(texts)]
    scores = iter(model.log_probs(list(chain.from_iterable(questions))))
    return [float(sum(next(scores) for _ in its)) for its in questions]


def _causal(model: Causal, texts: Sequence[str]) -> list[float]:
    """Without the special sub-words that a tokenizer may add, the start excepted."""
    begin = () if model.start is None else (model.start,)
    rows = [begin + each.ids for each in model.cut(texts, special=False)]
    return [float(each.sum()) for each in model.log_probs(rows)]


def geometric_means(model: Causal, rows: Sequence[tuple[int, ...]]) -> Floats:
    """(rows): the geometric mean of the probabilities of a row's sub-words, the first after the start alone, the others
    without it (Meade et al. 2022). InputError for a model without a start."""
    if model.start is None:
        raise InputError("the model's tokenizer has neither a beginning nor an end, so nothing says how likely a first "
                         "word is; give another model")  # fmt: skip
    firsts = model.log_probs([(model.start, row[0]) for row in rows])
    others = model.log_probs(rows)
    return np.array([np.exp((first.sum() + rest.sum()) / len(row))
                     for first, rest, row in zip(firsts, others, rows, strict=True)])  # fmt: skip
