"""The (pseudo-)log-likelihood of sentences: sums over their sub-words, in natural logarithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.options import Scoring
from gec_fair.lmbias.scoring.batching import Cut, growing
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.masked import Cloze, Masked, alone, left_to_right
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.progress import Progress

QUESTIONS: Mapping[str, Callable[[Masked, Cut], Iterator[Cloze]]] = {
    "original": alone,
    "within-word-l2r": left_to_right,
}
_AT_ONCE = {"masked": 512, "causal": 2048}  # distinct texts whose questions, many or one each, are held at a time


def fits(model: Masked | Causal, scoring: str, *, needs_places: bool = False) -> None:
    """UsageError for a scoring that there is not, or that asks nothing of a causal model; InputError for a tokenizer
    that does not say what is asked of it."""
    if scoring not in QUESTIONS:
        raise UsageError(f"no scoring is called {scoring!r}; there are {', '.join(QUESTIONS)}")
    if scoring != "original" and isinstance(model, Causal):
        raise UsageError(
            f"{scoring} hides sub-words of a masked model, and a causal one has none hidden; leave --scoring out"
        )
    if (scoring == "within-word-l2r" or needs_places) and not model.tokenizer.is_fast:
        raise InputError(
            "the model's tokenizer is one in Python alone, which does not say where in a text a sub-word "
            "stands, as within-word-l2r, surprisal and texts behind contexts need; give a model with a fast one "
            "(tokenizer.json)"
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

    InputError for a text that is longer than the model reads, and for one of which no sub-word is scored: nothing is
    likelier than any text. Raises as `fits` does.
    """
    fits(model, scoring, needs_places=any(after or ()))
    requests = list(zip(texts, after or [0] * len(texts), strict=True))
    distinct = list(dict.fromkeys(requests))
    scores: dict[tuple[str, int], float] = {}
    for batch in growing(distinct, _AT_ONCE[model.kind], progress):
        cuts = [cut.after(at) for cut, (_, at) in zip(read(model, [text for text, _ in batch]), batch, strict=True)]
        rows = log_probs(model, cuts, scoring)
        if unscored := [text for (text, _), row in zip(batch, rows, strict=True) if {*row} <= {None}]:
            raise InputError(
                f"{unscored[0][:60]!r}: the model's tokenizer leaves no sub-word of it to be scored; leave it out, or "
                "give another model"
            )
        scores.update(zip(batch, (float(sum(filter(None, row))) for row in rows), strict=True))
    return np.array([scores[request] for request in requests])


def read(model: Masked | Causal, texts: Sequence[str]) -> list[Cut]:
    """The sub-words of each text: of a causal model without the special ones that its tokenizer may add, for its start
    alone stands before them."""
    if isinstance(model, Masked):
        return model.cut(texts)
    return model.cut(texts, special=False, more=int(model.start is not None))


def log_probs(model: Masked | Causal, cuts: Sequence[Cut], scoring: str) -> list[list[float | None]]:
    """For each text (places): log p of the sub-words that are its own; None for a first one that nothing precedes."""
    if isinstance(model, Masked):
        questions = [list(QUESTIONS[scoring](model, cut)) for cut in cuts]
        scores = iter(model.log_probs(list(chain.from_iterable(questions))))
        return [[float(next(scores)) for _ in clozes] for clozes in questions]
    begin = () if model.start is None else (model.start,)
    shift = len(begin)
    first = [max(1, shift + min(cut.places, default=len(cut.ids))) for cut in cuts]
    rows = model.log_probs([begin + cut.ids for cut in cuts], first=first)
    return [
        [float(row[shift + place - at]) if shift + place else None for place in cut.places]
        for cut, row, at in zip(cuts, rows, first, strict=True)
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
