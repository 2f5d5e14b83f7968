"""The score as the authors' published code computes it; it is not the paper's (docs/how-to/razor-published.md).

A document is a matrix, a row for each word of the vocabulary: the share of its words that are this one, times the
element-wise product of the encodings of its places (eight dimensions, Vaswani et al.'s exponent; no idf, no |d| − 1).
Its likeness is the mean, over the whole vocabulary, of the cosine of its row and the mean row of the other labels'
documents; a word that it does not hold counts 0, so that long documents are like and short ones unlike. Here the score
is 1 − likeness: they rewrite what is least like.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gec_fair.razor.documents.words import Vocabulary
from gec_fair.razor.scoring.spaces import positions_table, unit

DIMENSIONS = 8
Vector = NDArray[np.float64]


class Published:
    """Scores of the texts as they are given; their code makes one pass, so that nothing takes another's place."""

    def __init__(self, texts: Sequence[str], labels: Sequence[str], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.names, self.labels = np.unique(labels, return_inverse=True)
        occurrences = vocabulary.number_words(texts)
        width = max(len(vocabulary), 1)
        keys, self._which, self._often = np.unique(occurrences.keys(width), return_inverse=True, return_counts=True)
        self._texts, self._words = keys // width, keys % width
        self._rows = np.ones((len(keys), DIMENSIONS))
        """The rows that are not 0: (texts' different words, 8)."""
        encoded = positions_table(int(occurrences.sizes.max(initial=0)), DIMENSIONS, "standard")[occurrences.places]
        np.multiply.at(self._rows, self._which, encoded)
        self._rows *= (self._often / occurrences.sizes[self._texts])[:, None]
        self._sums = np.stack([self._sum(self.labels[self._texts] == y, width) for y in range(len(self.names))])

    def scores(self) -> Vector:
        """(documents): 1 − likeness; the higher, the more of a shortcut."""
        return 1 - np.bincount(self._texts, self._alike(), len(self.labels)) / max(len(self.vocabulary), 1)

    def shares(self) -> Vector:
        """(words of all documents): what each adds to its document's score; they add up to it, less 1."""
        parts = self._alike() / np.maximum(self._often, 1) / max(len(self.vocabulary), 1)
        return np.asarray(-parts[self._which])

    def _alike(self) -> Vector:
        """(rows): the cosine of each row and the mean row of the other labels' documents."""
        sums = np.zeros(len(self._rows))
        for y in range(len(self.names)):
            mine = self.labels[self._texts] == y
            others = unit(self._sums.sum(0) - self._sums[y])
            sums[mine] = (unit(self._rows[mine]) * others[self._words[mine]]).sum(1)
        return sums

    def _sum(self, mask: NDArray[np.bool_], width: int) -> Vector:
        """(vocabulary, 8): the rows of these documents added up; their mean points the same way."""
        rows, words = self._rows[mask], self._words[mask]
        adding = sparse.csr_array((np.ones(len(words)), (words, np.arange(len(words)))), shape=(width, len(words)))
        return np.asarray(adding @ rows)
