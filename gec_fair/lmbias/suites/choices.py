"""Multiple choice by likelihood: which of several texts, or of several continuations of a context, a model finds
likeliest.

A causal model is asked for the continuation given the context, a masked one for the continuation's sub-words, each
hidden in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from gec_fair.lmbias.options import Scoring
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.progress import Progress

Item = TypeVar("Item")


class Question(Protocol):
    """What a model chooses from: `texts`, of which the first `context_lengths` characters are not scored."""

    @property
    def texts(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def context_lengths(self) -> tuple[int, ...]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Choice:
    """Continuations of a context. The context is not scored; white space between them belongs to either."""

    context: str
    options: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Each option behind the context."""
        return tuple(self.context + option for option in self.options)

    @property
    def context_lengths(self) -> tuple[int, ...]:
        """The length of the context, for each option."""
        return (len(self.context),) * len(self.options)


def score(
    model: Masked | Causal,
    questions: Sequence[Question],
    *,
    scoring: Scoring = "original",
    progress: Progress | None = None,
) -> list[Floats]:
    """For each question (texts): log likelihoods, in natural logarithms. Raises as `likelihoods` does."""
    texts = [text for question in questions for text in question.texts]
    lengths = [length for question in questions for length in question.context_lengths]
    scores = likelihoods(model, texts, after=lengths, scoring=scoring, progress=progress)
    ends = np.cumsum([len(question.texts) for question in questions], dtype=int)
    return np.split(scores, ends[:-1])


def score_items(
    ask: Callable[[Item], Sequence[Question]], model: Masked | Causal, items: Sequence[Item], **options: Any
) -> list[Floats]:
    """The same of the questions that are asked of items."""
    return score(model, [question for item in items for question in ask(item)], **options)


def choose(scores: Floats) -> Floats:
    """(texts): 1 for the likeliest, 0 for the others; those that are as likely share it."""
    best = scores == scores.max()
    return np.asarray(best / best.sum())


def margin(scores: Floats) -> float:
    """By how much the first text is likelier than the best other one; 0 for a tie."""
    return float(scores[0] - scores[1:].max())


def hits(differences: Floats) -> Floats:
    """1 for a positive difference, 1/2 for a tie, 0 for a negative one."""
    return (np.sign(differences) + 1) / 2
