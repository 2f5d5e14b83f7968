"""A linear classifier of a claim alone, or of a claim and its evidence: words, which of them the evidence has, and how
its numbers stand to the evidence's.

All methods of debiasing train it: with weights of examples (ReW), with what a biased model says added to its own (a
product of experts), or as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers.protocol import Text
from gec_fair.errors import InputError
from gec_fair.razor.documents.words import words

Vector = NDArray[np.float64]
STRENGTH = 4.0
"""C: how much the examples count against small weights; chosen by hand."""
NEAR = 2.0
"""A number of the evidence within this factor may be the one that the claim speaks of; of 1.5, 2, 3 and 5 the two
smallest were best for VitaminC's training pages, in three folds."""
BEFORE = 3
"""Words before a number that say what it is. Chosen by hand: *sold more than 3*; the subject is farther."""
_PLAIN = re.compile(r"\d[\d,]*(?:\.\d+)?|\w+")
_ROUNDS = 200  # of L-BFGS


def features(text: Text) -> Iterator[str]:
    """The features of a text are its words and pairs of words; of a claim with evidence (the first field) also which
    of its words the evidence has, or has not, which words of the evidence it has not, and how its numbers stand to the
    evidence's."""
    claim = words(text[-1])
    yield from claim
    yield from (f"{a} {b}" for a, b in pairwise(claim))
    if len(text) > 1:
        evidence = words(text[0])
        in_evidence, said = set(evidence), set(claim)
        yield from (f"{'=' if word in in_evidence else '+'}{word}" for word in claim)
        yield from ("=" if word in in_evidence else "+" for word in claim)
        yield from (f"-{word}" for word in in_evidence - said)
        yield from _numbers(*(_PLAIN.findall(part.casefold()) for part in (text[-1], text[0])))


def _numbers(claim: Sequence[str], evidence: Sequence[str]) -> Iterator[str]:
    """How each number of a claim stands to those of the evidence that are near it: `=` it is there, `<` a smaller one
    is, `>` a larger one; alone, and behind each of the three words before it (*more than 20*, of which 25 is a >)."""
    numbers = [value for word in evidence if (value := _value(word)) is not None]
    for i, word in enumerate(claim):
        if (value := _value(word)) is None:
            continue
        near = [candidate for candidate in numbers if value and 1 / NEAR < candidate / value < NEAR]
        signs = {"=" if candidate == value else "<" if candidate < value else ">" for candidate in near}
        stands = f"#{''.join(sorted(signs))}"
        yield stands
        yield from (f"{claim[i - n]} {stands}" for n in range(1, min(i, BEFORE) + 1))
        yield f"{' '.join(claim[max(0, i - 2) : i])} {stands}"


def _value(word: str) -> float | None:
    try:
        return float(word.replace(",", "")) if word[0].isdigit() else None
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Fitted:
    """`labels` in the order of the columns; `logits`: (texts, labels), of which the softmax is the answer."""

    labels: tuple[str, ...]
    version: str
    vectorizer: Any
    weights: Vector
    borders: Vector
    curve: tuple[()] = ()

    def logits(self, texts: Sequence[Text]) -> Vector:
        """(texts, labels)."""
        return np.asarray(self.vectorizer.transform(texts) @ self.weights.T + self.borders)

    def scores(self, texts: Sequence[Text]) -> Vector:
        """(texts, labels): probabilities."""
        return softmax(self.logits(texts))


class Linear:
    """The backbone of a linear classifier (`methods.Backbone`); nothing in it is drawn."""

    version = "linear"
    draws = False

    def fit(
        self,
        texts: Sequence[Text],
        answers: Sequence[str],
        *,
        seed: int = 0,
        weights: Vector | None = None,
        expert_scores: Vector | None = None,
    ) -> Fitted:
        """Multinomial logistic regression over TF-IDF; the seed changes nothing. `weights`: (texts), how much each
        counts. `expert_scores`: (texts, labels) logarithms that are added to the model's own in training and not
        afterwards: a product of experts."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        labels = tuple(sorted(set(answers)))
        numbers = {label: n for n, label in enumerate(labels)}
        fewest = 2 if len(texts) > 1000 else 1  # by hand
        vectorizer = TfidfVectorizer(analyzer=features, sublinear_tf=True, min_df=fewest)
        try:
            rows = vectorizer.fit_transform(texts)
        except ValueError as fault:  # no feature is in it, or in two texts
            raise InputError(
                "the training texts have hardly a word in common, and nothing can be learned; give more"
            ) from fault
        right = np.array([numbers[answer] for answer in answers])
        sample_weights = np.ones(len(right)) if weights is None else weights
        fitted = (
            _sklearn(rows, right, sample_weights)
            if expert_scores is None
            else _with_expert(rows, right, sample_weights, expert_scores)
        )
        return Fitted(labels, "linear", vectorizer, *fitted)


def softmax(logits: Vector) -> Vector:
    """Probabilities (texts, labels) of logits of that shape."""
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def _sklearn(rows: Any, right: NDArray[np.int64], weights: Vector) -> tuple[Vector, Vector]:
    from sklearn.linear_model import LogisticRegression

    expert = LogisticRegression(C=STRENGTH, max_iter=_ROUNDS * 10).fit(rows, right, sample_weight=weights)
    if len(expert.classes_) == 2:  # one row, of the second label
        return np.vstack([-expert.coef_ / 2, expert.coef_ / 2]), np.concatenate(
            [-expert.intercept_, expert.intercept_]
        ) / 2
    return expert.coef_, expert.intercept_


def _with_expert(rows: Any, right: NDArray[np.int64], weights: Vector, expert_scores: Vector) -> tuple[Vector, Vector]:
    """The same loss with another's logarithms added, which scikit-learn has no place for: by L-BFGS. Of two labels
    scikit-learn has one row of weights, which are twice as dear as the same in two rows."""
    from scipy.optimize import minimize

    classes, width = expert_scores.shape[1], rows.shape[1]
    strength = STRENGTH / 2 if classes == 2 else STRENGTH
    wanted = np.eye(classes)[right]

    def loss(flat: Vector) -> tuple[float, Vector]:
        matrix = flat.reshape(classes, width + 1)
        coefficients, borders = matrix[:, :width], matrix[:, width]
        logits = rows @ coefficients.T + borders + expert_scores
        top = logits.max(1, keepdims=True)
        log_sum = top[:, 0] + np.log(np.exp(logits - top).sum(1))
        value = strength * float((weights * (log_sum - logits[np.arange(len(right)), right])).sum())
        error = strength * weights[:, None] * (np.exp(logits - log_sum[:, None]) - wanted)
        slope = np.hstack([(rows.T @ error).T + coefficients, error.sum(0)[:, None]])
        return value + float((coefficients**2).sum()) / 2, np.asarray(slope).ravel()

    solution = minimize(
        loss, np.zeros(classes * (width + 1)), jac=True, method="L-BFGS-B", options={"maxiter": _ROUNDS}
    )
    matrix = solution.x.reshape(classes, width + 1)
    return matrix[:, :width], matrix[:, width]
