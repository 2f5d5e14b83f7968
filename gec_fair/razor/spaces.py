"""Shortcut spaces: where a document's surface is a vector (Yang et al. 2024, §3.2; figure 4's ablation).

positions  ĝ(d) = Σ S(t_j) τ(j) / (|d| − 1), equation 10: what is rare stands where, no matter which word it is
tfidf      Σ S(t_j) e(t_j): which words, no matter where
encoder    a sentence encoder's mean state

Each vector is scaled to length 1, as the cosine does; 1/|d| and 1/(|d| − 1) fall out of it, so that one word alone has
a vector too. A text without words, or with none that says anything (ln(|D|/df) = 0), is the zero vector: it is like no
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gec_fair.razor.words import Occurrences, Vocabulary

Encoding = Literal["paper", "standard"]
DIMENSIONS = 64


class Space(Protocol):
    """`vectors`: (texts, width), of length 1 or 0; dense or sparse, width may grow from call to call. `parts`: a text's
    vector as a sum over its words, (words, width) in order."""

    @property
    def name(self) -> str: ...

    def vectors(self, texts: Sequence[str]) -> Any: ...

    def parts(self, text: str) -> Any: ...


def positions_table(length: int, dimensions: int, encoding: Encoding) -> NDArray[np.float64]:
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
        return f"positions:{self.dimensions}:{self.encoding}"

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return _unit(self._whole(self.vocabulary.numbered(texts)))

    def parts(self, text: str) -> NDArray[np.float64]:
        found = self.vocabulary.numbered([text])
        rows = self.vocabulary.weights(found)[:, None] * self._table(len(found.ids))
        return rows / (_length(rows.sum(0)) or 1.0)

    def _whole(self, found: Occurrences) -> NDArray[np.float64]:
        """(texts, λ): ĝ times |d| − 1. The weights by place, times the encodings of the places."""
        longest = int(found.sizes.max(initial=0))
        shape = (len(found.sizes), longest)
        placed = sparse.csr_array((self.vocabulary.weights(found), (found.texts, found.places)), shape=shape)
        return np.asarray(placed @ self._table(longest))

    def _table(self, length: int) -> NDArray[np.float64]:
        return positions_table(length, self.dimensions, self.encoding)


class TfIdf:
    """Equation 7's weights by word."""

    name = "tfidf"

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def vectors(self, texts: Sequence[str]) -> Any:
        found = self.vocabulary.numbered(texts)
        # an occurrence has the document's whole count in it already: the words are each counted once
        cells = (self.vocabulary.weights(found) / found.repeats, (found.texts, found.ids))
        rows = sparse.csr_array(cells, shape=(len(texts), len(self.vocabulary)))
        rows.sum_duplicates()
        lengths = np.sqrt(rows.multiply(rows).sum(1))
        return sparse.csr_array(rows.multiply(1 / np.where(lengths > 0, lengths, 1.0)[:, None]))

    def parts(self, text: str) -> Any:
        found = self.vocabulary.numbered([text])
        weights = self.vocabulary.weights(found) / found.repeats
        width = len(self.vocabulary)
        rows = sparse.csr_array((weights, (found.places, found.ids)), shape=(len(weights), width))
        return rows / (_length(rows.sum(0)) or 1.0)


class Encoded:
    """Any sentence encoder, asked in batches; `states` answers (texts, width). It has no words to tell apart."""

    def __init__(self, name: str, states: Any) -> None:
        self.name, self._states = name, states

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return _unit(np.asarray(self._states(texts), dtype=np.float64))

    def parts(self, text: str) -> None:
        return None


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.sqrt((rows * rows).sum(1))
    return rows / np.where(lengths > 0, lengths, 1.0)[:, None]


def _length(row: NDArray[np.float64]) -> float:
    return float(np.sqrt((row * row).sum()))
