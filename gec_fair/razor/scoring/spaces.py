"""Shortcut spaces: where a document's surface is a vector (Yang et al. 2024, §3.2; figure 4's ablation).

positions  ĝ(d) = Σ S(t_j) τ(j) / (|d| − 1), equation 10: what is rare stands where, no matter which word it is
tfidf      Σ S(t) e(t) over different words: which, no matter where
encoder    a sentence encoder's mean state

Each vector is scaled to length 1, as the cosine does; 1/|d| and 1/(|d| − 1) fall out of it, so that one word alone has
a vector too. A text without words, or with none that says anything (ln(|D|/df) = 0), is the zero vector: it is like no
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gec_fair.errors import InputError
from gec_fair.razor.documents.words import Occurrences, Vocabulary
from gec_fair.razor.options import DIMENSIONS

Encoding = Literal["paper", "standard"]
Vector: TypeAlias = NDArray[np.float64]


class Space(Protocol):
    """A text's vector is a sum over its words."""

    @property
    def name(self) -> str:
        """The name of the space, with its settings."""
        ...

    def vectors(self, texts: Sequence[str]) -> Any:
        """(texts, width), of length 1 or 0; dense or sparse, width may grow from call to call."""
        ...

    def shares(
        self, texts: Sequence[str], labels: NDArray[np.int64], directions: Vector, less: Vector
    ) -> Vector | None:
        """(words of all texts): the product of each word's part with directions[label of its text] − less[that label]
        × the text's own vector, directions (labels, width). None in a space without words."""
        ...


def positions_table(length: int, dimensions: int, encoding: Encoding) -> Vector:
    """(length, dimensions): sin (k even) or cos (k odd) of pos / 10000^(2k/λ), equation 9. `standard`: with 2⌊k/2⌋ in
    place of 2k, as Vaswani et al. 2017 have it."""
    k = np.arange(dimensions)
    power = (2 * k if encoding == "paper" else 2 * (k // 2)) / dimensions
    angles = np.arange(length)[:, None] / 10_000.0**power
    return np.where(k % 2 == 0, np.sin(angles), np.cos(angles))


class Positions:
    """Equation 10's ĝ, in λ `dimensions`."""

    def __init__(self, vocabulary: Vocabulary, dimensions: int = DIMENSIONS, encoding: Encoding = "paper") -> None:
        self.vocabulary, self.dimensions, self.encoding = vocabulary, dimensions, encoding

    @property
    def name(self) -> str:
        """`positions:DIMENSIONS:ENCODING`."""
        return f"positions:{self.dimensions}:{self.encoding}"

    def vectors(self, texts: Sequence[str]) -> Vector:
        """(texts, dimensions), of length 1 or 0."""
        return unit(self._text_terms(self.vocabulary.number_words(texts)))

    def shares(self, texts: Sequence[str], labels: NDArray[np.int64], directions: Vector, less: Vector) -> Vector:
        """(words of all texts): what each adds by its weight and its place."""
        occurrences = self.vocabulary.number_words(texts)
        norms = self._text_terms(occurrences)
        table = self._table(int(occurrences.sizes.max(initial=0)))
        along = (table @ directions.T)[occurrences.places, labels[occurrences.texts]]
        if less.any():
            along -= less[labels[occurrences.texts]] * (table[occurrences.places] * unit(norms)[occurrences.texts]).sum(
                1
            )
        return np.asarray(self.vocabulary.weights(occurrences) * along / _lengths(norms)[occurrences.texts])

    def _text_terms(self, occurrences: Occurrences) -> Vector:
        """(texts, λ): ĝ times |d| − 1. The weights by place, times the encodings of the places."""
        longest = int(occurrences.sizes.max(initial=0))
        shape = (len(occurrences.sizes), longest)
        placed = sparse.csr_array(
            (self.vocabulary.weights(occurrences), (occurrences.texts, occurrences.places)), shape=shape
        )
        return np.asarray(placed @ self._table(longest))

    def _table(self, length: int) -> Vector:
        return positions_table(length, self.dimensions, self.encoding)


class TfIdf:
    """Equation 7's weights by word."""

    name = "tfidf"

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def vectors(self, texts: Sequence[str]) -> Any:
        """(texts, words of the vocabulary), sparse, of length 1 or 0."""
        occurrences = self.vocabulary.number_words(texts)
        weights, lengths = self._weigh(occurrences)
        rows = sparse.csr_array(
            (weights / lengths[occurrences.texts], (occurrences.texts, occurrences.ids)),
            shape=(len(texts), len(self.vocabulary)),
        )
        rows.sum_duplicates()
        return rows

    def shares(self, texts: Sequence[str], labels: NDArray[np.int64], directions: Vector, less: Vector) -> Vector:
        """(words of all texts): what each adds by its weight; repeats share their word's part evenly."""
        occurrences = self.vocabulary.number_words(texts)
        weights, lengths = self._weigh(occurrences)
        parts = weights / lengths[occurrences.texts]
        directions = np.pad(directions, ((0, 0), (0, len(self.vocabulary) - directions.shape[1])))
        mine = labels[occurrences.texts]
        return np.asarray(parts * (directions[mine, occurrences.ids] - less[mine] * parts * occurrences.repeats))

    def _weigh(self, occurrences: Occurrences) -> tuple[Vector, Vector]:
        """(words) each occurrence's part of its word's weight, and (texts) how long the whole is."""
        repeats = occurrences.repeats
        weights = self.vocabulary.weights(occurrences) / repeats  # n(t, d) is in it already: each adds its part of that
        squares = np.bincount(occurrences.texts, weights * weights * repeats, len(occurrences.sizes))
        return weights, np.where(squares > 0, np.sqrt(squares), 1.0)


class Encoded:
    """Any sentence encoder, asked in batches; `states` answers (texts, width). It has no words to tell apart."""

    def __init__(self, name: str, states: Any) -> None:
        self.name, self._states = name, states

    def vectors(self, texts: Sequence[str]) -> Vector:
        """(texts, width), of length 1 or 0. InputError for states that are not numbers."""
        states = np.asarray(self._states(texts), dtype=np.float64)
        if not np.isfinite(states).all():
            raise InputError(
                f"{self.name}: a text's state is not a number (NaN or infinite); look at the encoder's weights, or "
                "name another --space"
            )
        return unit(states)

    def shares(self, texts: Sequence[str], labels: NDArray[np.int64], directions: Vector, less: Vector) -> None:
        """None: the space has no words."""
        return


def unit(rows: Vector) -> Vector:
    """(rows, width): rows of length 1; a zero vector stays."""
    return np.asarray(rows / _lengths(rows)[:, None])


def _lengths(rows: Vector) -> Vector:
    """The lengths of vectors; 1 for a zero vector, so that it can be divided by."""
    lengths = np.sqrt((rows * rows).sum(1))
    return np.where(lengths > 0, lengths, 1.0)
