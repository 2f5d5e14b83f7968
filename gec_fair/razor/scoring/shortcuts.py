"""The shortcut score of every document, without comparing two of them (Yang et al. 2024, equations 12 and 14).

With û a document's unit vector (0 where it has none), T_y the sum of those with label y, T of all, n_y and n how many:

    γ(i) = 1 − mean over other labels' documents of cos  =  1 − û_i · (T − T_y) / (n − n_y)
    Σ over pairs of documents with different labels of cos  =  ½ (‖T‖² − Σ ‖T_y‖²)          equation 14
    c in the place of i changes that by (û_c − û_i) · (T − T_y)

The mean over nothing is 0: of one label alone, γ is 1 everywhere.

`contrast` is ours, in the same closed form: how much more a document is like its own label's others than like the other
labels', û_i · (T_y − û_i) / (n_y − 1) − û_i · (T − T_y) / (n − n_y). Over words it finds what γ, which does not see
which word stands where, cannot find (docs/how-to/razor.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gec_fair.razor.scoring.spaces import Space

Form = Literal["gamma", "contrast"]
Vector = NDArray[np.float64]
_BLOCK = 8192  # texts whose words are weighed at once


class Sums:
    """T_y and n_y. A change costs the vector's width, no matter how many documents there are."""

    def __init__(self, units: Any, labels: NDArray[np.int64], classes: int) -> None:
        self.counts = np.bincount(labels, minlength=classes)
        self.by_label = np.stack([_dense(units[labels == y].sum(0)) for y in range(classes)])
        self.total = self.by_label.sum(0)

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.by_label.shape[1])

    def widen(self, width: int) -> None:
        """New words are new columns."""
        if width > self.width:
            self.total = np.pad(self.total, (0, width - self.width))
            self.by_label = np.pad(self.by_label, ((0, 0), (0, width - self.width)))

    def others(self, label: int) -> Vector:
        """The mean of the other labels' documents, 0 where there are none."""
        many = self.counts.sum() - self.counts[label]
        return np.asarray((self.total - self.by_label[label]) / max(many, 1))

    def exchange(self, label: int, old: Vector, new: Vector) -> None:
        """Put the vector `new` in the place of `old` in a label's sum and in the total."""
        self.by_label[label] += new - old
        self.total += new - old

    @property
    def objective(self) -> float:
        """Equation 14."""
        return float(self.total @ self.total - (self.by_label * self.by_label).sum()) / 2

    @property
    def pairs(self) -> int:
        """Pairs of documents with different labels."""
        return int(self.counts.sum() ** 2 - (self.counts**2).sum()) // 2

    @property
    def likeness(self) -> float | None:
        """Equation 14 as a mean: of the cosines of all such pairs; None without one."""
        return self.objective / self.pairs if self.pairs else None

    @property
    def cosine(self) -> float | None:
        """The cosine of the two labels' means; None for another number of labels, or where one has no vector. On raw
        text it is near 1 before anything is rewritten."""
        lengths = np.sqrt((self.by_label * self.by_label).sum(1))
        if len(lengths) != 2 or not lengths.all():
            return None
        return float(self.by_label[0] @ self.by_label[1] / lengths.prod())

    @property
    def mmd(self) -> float:
        """‖m_y − m_z‖², the squared distance of the labels' means (the maximum mean discrepancy with a linear kernel),
        added up over all pairs of labels."""
        means = self.by_label[self.counts > 0] / self.counts[self.counts > 0, None]
        total = means.sum(0)
        return float(len(means) * (means * means).sum() - total @ total)


class Shortcuts:
    """Scores in one space, and what becomes of them when a text takes another's place. What the space knows of the data
    (document frequencies) stays as it was: in one pass the objective cannot fall by an exchange that lowers γ."""

    def __init__(self, texts: Sequence[str], labels: Sequence[str], space: Space, form: Form) -> None:
        self.space, self.form = space, form
        self.names, self.labels = np.unique(labels, return_inverse=True)
        self.units = space.vectors(texts)
        self.sums = Sums(self.units, self.labels, len(self.names))
        self._exchanged: dict[int, Vector] = {}

    def scores(self) -> Vector:
        """(documents): the higher, the more of a shortcut."""
        scores = np.zeros(len(self.labels))
        for y in range(len(self.names)):
            mine = np.flatnonzero(self.labels == y)
            units = self.units[mine]
            width = units.shape[1]
            scores[mine] = (self.form == "gamma") - _dense(units @ self.sums.others(y)[:width])
            if self.form == "contrast":
                own_similarity = _dense(units @ self.sums.by_label[y, :width]) - _dense((units * units).sum(1))
                scores[mine] += own_similarity / max(self.sums.counts[y] - 1, 1)
        for i, unit in self._exchanged.items():
            scores[i] = self._value(int(self.labels[i]), self._wide(unit), self._wide(unit))
        return scores

    def unit(self, i: int) -> Vector:
        """Document i's vector, as wide as the sums are."""
        return self._wide(self._exchanged[i] if i in self._exchanged else _dense(self.units[[i]]))

    def candidates(self, i: int, texts: Sequence[str]) -> Vector:
        """(texts): the score that document i would have if it read so."""
        return np.array([self._value(int(self.labels[i]), unit, self.unit(i)) for unit in self._vectors(texts)])

    def replace(self, i: int, text: str) -> None:
        """Document i reads so from now on."""
        unit = self._vectors([text])[0]
        self.sums.exchange(int(self.labels[i]), self.unit(i), unit)
        self._exchanged[i] = unit

    def shares(self, rows: NDArray[np.int64], texts: Sequence[str]) -> Vector | None:
        """(words of these documents, which read so): what each word adds to its document's score; those of a document
        add up to it, less 1 for γ. None in a space without words."""
        nothing = np.zeros(self.sums.width)
        directions = np.stack([self._direction(y, nothing) for y in range(len(self.names))])
        less = 1.0 / np.maximum(self.sums.counts - 1, 1) * (self.form == "contrast")
        blocks: list[Vector] = [np.empty(0)]
        for first in range(0, len(texts), _BLOCK):
            block = slice(first, first + _BLOCK)
            shares = self.space.shares(texts[block], self.labels[rows[block]], directions, less)
            if shares is None:
                return None
            blocks.append(shares)
        return np.concatenate(blocks)

    def _vectors(self, texts: Sequence[str]) -> list[Vector]:
        rows = self.space.vectors(texts)
        self.sums.widen(rows.shape[1])
        return [_dense(rows[[i]]) for i in range(len(texts))]

    def _wide(self, row: Vector) -> Vector:
        return row if len(row) == self.sums.width else np.pad(row, (0, self.sums.width - len(row)))

    def _value(self, label: int, unit: Vector, old: Vector) -> float:
        return float(unit @ self._direction(label, old)) + (self.form == "gamma")

    def _direction(self, label: int, old: Vector) -> Vector:
        """What a document of this label that stands where `old` stood is measured along."""
        others = self.sums.others(label)
        if self.form == "gamma":
            return -others
        own_mean = (self.sums.by_label[label] - old) / max(self.sums.counts[label] - 1, 1)
        return np.asarray(own_mean - others)


def _dense(row: Any) -> Vector:
    """A row or column, sparse or not, as one array."""
    return np.asarray(row.toarray() if hasattr(row, "toarray") else row, dtype=np.float64).ravel()
