"""The (pseudo-)log-likelihood of sentences: sums over their sub-words, in natural logarithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal

import numpy as np

from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.scoring.batching import Cut, growing
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.masked import Cloze, Masked, alone, left_to_right
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.progress import Progress

Scoring = Literal["original", "within-word-l2r"]
QUESTIONS: Mapping[str, Callable[[Masked, Cut], Iterator[Cloze]]] = {
    "original": alone,
    "within-word-l2r": left_to_right,
}
SCORINGS = tuple(QUESTIONS)
_AT_ONCE = {"masked": 512, "causal": 2048}  # distinct texts whose questions, many or one each, are held at a time


def fits(model: Masked | Causal, scoring: str, *, after: Sequence[int] = ()) -> None:
    """UsageError for a scoring that there is not, or that asks nothing of a causal model; InputError for a tokenizer
    that does not say what is asked of it."""
    if scoring not in SCORINGS:
        raise UsageError(f"no scoring is called {scoring!r}; there are {', '.join(SCORINGS)}")
    if scoring != "original" and isinstance(model, Causal):
        raise UsageError(
            f"{scoring} hides sub-words of a masked model, and a causal one has none hidden; leave --scoring out"
        )
    if (scoring == "within-word-l2r" or any(after)) and not model.tokenizer.is_fast:
        raise InputError(
            "the model's tokenizer is one in Python alone, which does not say where in a text a sub-word "
            "stands; give a model with a fast one (tokenizer.json), or leave out within-word-l2r and "
            "pairs with contexts"
        )


def likelihoods(
    model: Masked | Causal,
    texts: Sequence[str],
    *,
    after: Sequence[int] | None = None,
    scoring: Scoring = "original",
    progress: Progress | None = None,
) -> Floats:
    """(texts): log p of each; with `after`, of what follows so many characters of it, given those. Of a masked model
    the sum over its sub-words, each hidden in turn; of a causal one over all that follow the start. Special sub-words
    are not scored; a text that comes twice is read once.

    InputError for a text that is longer than the model reads; raises as `fits` does.
    """
    fits(model, scoring, after=after or ())
    requests = list(zip(texts, after or [0] * len(texts), strict=True))
    distinct = list(dict.fromkeys(requests))
    scores_by_text: dict[tuple[str, int], float] = {}
    for batch in growing(distinct, _AT_ONCE[model.kind]):
        scores = _masked(model, batch, scoring) if isinstance(model, Masked) else _causal(model, batch)
        scores_by_text.update(zip(batch, scores, strict=True))
        if progress is not None:
            progress(len(scores_by_text), len(distinct))
    return np.array([scores_by_text[request] for request in requests])


def _masked(model: Masked, requests: Sequence[tuple[str, int]], scoring: str) -> list[float]:
    cut = model.cut([text for text, _ in requests])
    questions = [list(QUESTIONS[scoring](model, text.after(at))) for text, (_, at) in zip(cut, requests, strict=True)]
    scores = iter(model.log_probs(list(chain.from_iterable(questions))))
    return [float(sum(next(scores) for _ in its)) for its in questions]


def _causal(model: Causal, requests: Sequence[tuple[str, int]]) -> list[float]:
    """Without the special sub-words that a tokenizer may add, the start excepted."""
    begin = () if model.start is None else (model.start,)
    cut = model.cut([text for text, _ in requests], special=False, more=len(begin))
    places = [
        [place for place in text.after(at).places if place + len(begin)]  # a first sub-word needs a start
        for text, (_, at) in zip(cut, requests, strict=True)
    ]
    first = [len(begin) + min(its, default=len(text.ids)) for its, text in zip(places, cut, strict=True)]
    scores = model.log_probs([begin + text.ids for text in cut], first=first)
    return [
        float(sum(row[len(begin) + place - start] for place in its))
        for its, row, start in zip(places, scores, first, strict=True)
    ]


def geometric_means(model: Causal, rows: Sequence[tuple[int, ...]]) -> Floats:
    """(rows): the geometric mean of the probabilities of a row's sub-words, the first after the start alone, the others
    without it (Meade et al. 2022). InputError for a model without a start."""
    if model.start is None:
        raise InputError(
            "the model's tokenizer has neither a beginning nor an end, so nothing says how likely a first "
            "word is; give another model"
        )
    firsts = model.log_probs([(model.start, row[0]) for row in rows])
    others = model.log_probs(rows)
    return np.array(
        [np.exp((first.sum() + rest.sum()) / len(row)) for first, rest, row in zip(firsts, others, rows, strict=True)]
    )
