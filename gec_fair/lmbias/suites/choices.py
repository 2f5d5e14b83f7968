"""Multiple choice by likelihood: which of several continuations a model finds likeliest after a context.

A causal model is asked for the continuation given the context, a masked one for the continuation's sub-words, each
hidden in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import Scoring, likelihoods
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.progress import Progress


@dataclass(frozen=True, slots=True)
class Choice:
    """Continuations of a context. The context is not scored; white space between them belongs to either."""

    context: str
    options: tuple[str, ...]


def score(
    model: Masked | Causal,
    choices: Sequence[Choice],
    *,
    scoring: Scoring = "original",
    progress: Progress | None = None,
) -> list[Floats]:
    """For each choice (options): log likelihoods, in natural logarithms. Raises as `likelihoods` does."""
    texts = [choice.context + option for choice in choices for option in choice.options]
    after = [len(choice.context) for choice in choices for _ in choice.options]
    scores = likelihoods(model, texts, after=after, scoring=scoring, progress=progress)
    ends = np.cumsum([len(choice.options) for choice in choices], dtype=int)
    return np.split(scores, ends[:-1])


def chosen(scores: Floats) -> Floats:
    """(options): 1 for the likeliest option, 0 for the others; options that are as likely share it."""
    best = scores == scores.max()
    return np.asarray(best / best.sum())


def margins(scores: Sequence[Floats], right: Sequence[int]) -> Floats:
    """(choices): by how much the right option is likelier than the best other one; 0 for a tie."""
    return np.array([float(values[at] - np.delete(values, at).max()) for values, at in zip(scores, right, strict=True)])


def hits(differences: Floats) -> Floats:
    """1 for a positive margin, 1/2 for a tie, 0 for a negative one."""
    return (np.sign(differences) + 1) / 2
