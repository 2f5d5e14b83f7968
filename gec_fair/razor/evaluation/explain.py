"""Whether a set of words is a shortcut of a classifier (Yang et al. 2024, definition 1 and lemma 1).

A part ď of a document d is one where the classifier f answers from it alone what it answers from all of d (equation 1),
where that is wrong (equation 2), and where ď is no more than the rest of d (equation 3). The lemma says that then the
mean attribution of ď is at least the rest's: ‖Σ h(t)‖ over ď, divided by its words, against the same of the rest (4–6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers.protocol import Classifier, Text, predictions
from gec_fair.errors import UsageError
from gec_fair.razor.documents.documents import Document
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Part, Table

Attribution: TypeAlias = Callable[[Document, Sequence[str]], NDArray[np.float64]]
"""h: of a document and its words, (words, ℓ): what each word has in the prediction, in ℓ numbers."""


_ANSWERS = {True: "yes", False: "no"}
_CRITERIA = (
    Column("criterion", header=""),
    Column("holds", lambda row: _ANSWERS.get(row["holds"]), "", unknown="–"),
    Column("detail", header=""),
)


@dataclass(frozen=True, slots=True, repr=False)
class Examined(Result):
    """`places` of the part in `words`. `prediction` and `alone`: the label of all words and of the part alone.
    `mean`, `rest`: mean attribution of the part and of the rest, lemma 1's two sides; None where one has no words."""

    words: tuple[str, ...]
    places: tuple[int, ...]
    label: str
    prediction: str
    alone: str
    mean: float | None
    rest: float | None

    @property
    def same(self) -> bool:
        """Equation 1."""
        return self.prediction == self.alone

    @property
    def wrong(self) -> bool:
        """Equation 2."""
        return self.prediction != self.label

    @property
    def small(self) -> bool:
        """Equation 3."""
        return len(self.places) <= len(self.words) - len(self.places)

    @property
    def is_shortcut(self) -> bool:
        """Equations 1 to 3 together, definition 1."""
        return self.same and self.wrong and self.small

    @property
    def carries(self) -> bool | None:
        """Equation 4; None where it says nothing."""
        return None if self.mean is None or self.rest is None else self.mean >= self.rest

    def to_dict(self) -> dict[str, Any]:
        """The words, the part, and whether each criterion holds."""
        return {
            "words": self.words,
            "part": [self.words[i] for i in self.places],
            "label": self.label,
            "predicted": self.prediction,
            "predicted_from_part": self.alone,
            "same": self.same,
            "wrong": self.wrong,
            "at_most_half": self.small,
            "shortcut": self.is_shortcut,
            "mean_attribution": self.mean,
            "mean_attribution_of_the_rest": self.rest,
            "carries": self.carries,
        }

    def tables(self) -> Sequence[Table]:
        """Whether each criterion holds."""
        means = "–" if self.mean is None or self.rest is None else f"{self.mean:.4g} against {self.rest:.4g}"
        rows = (
            ("the same prediction from the part alone (equation 1)", self.same, f"{self.prediction}, {self.alone}"),
            ("the prediction is wrong (equation 2)", self.wrong, f"{self.prediction}, the label is {self.label}"),
            ("at most half of the words (equation 3)", self.small, f"{len(self.places)} of {len(self.words)}"),
            ("a shortcut (definition 1)", self.is_shortcut, ""),
            ("mean attribution at least the rest's (lemma 1)", self.carries, means),
        )
        records = [dict(zip(("criterion", "holds", "detail"), row, strict=True)) for row in rows]
        return [Table("criteria", "Is it a shortcut?", records, columns=_CRITERIA)]

    def parts(self) -> Sequence[Part]:
        """The text with the part marked, and the table."""
        marked = " ".join(f"*{word}*" if i in self.places else word for i, word in enumerate(self.words))
        return [marked, "", *self.tables()]


def examine(classifier: Classifier, document: Document, attribution: Attribution, part: Sequence[str] = ()) -> Examined:
    """The words of `part`, wherever they stand in the document, case apart; without any the fewest of those with the
    highest attribution from which the classifier answers the same, if half of the words will do.

    UsageError for a word that the document does not have, or a document without words.
    """
    words = document.text.split()
    if not words:
        raise UsageError(f"document {document.id} has no words; choose another")
    attributed = attribution(document, words)
    prediction = predictions(classifier, [fields(document, words)])[0]
    places = _places(document, words, part) if part else _fewest(classifier, document, words, attributed, prediction)
    alone = predictions(classifier, [fields(document, [words[i] for i in places])])[0]
    others = [i for i in range(len(words)) if i not in places]
    means = _mean(attributed, places), _mean(attributed, others)
    return Examined(tuple(words), tuple(places), document.label, prediction, alone, *means)


def fields(document: Document, words: Sequence[str]) -> Text:
    """What a classifier reads: the evidence, which stays, and these words."""
    text = " ".join(words)
    return (document.evidence, text) if document.evidence else (text,)


def occlusion(classifier: Classifier) -> Attribution:
    """What the scores of all labels lose without a word, (words, labels): for any classifier."""

    def attribute_words(document: Document, words: Sequence[str]) -> NDArray[np.float64]:
        without = [fields(document, [*words[:i], *words[i + 1 :]]) for i in range(len(words))]
        full_score, *rest = classifier.scores([fields(document, words), *without])
        return np.asarray(full_score - np.array(rest), dtype=np.float64)

    return attribute_words


def _places(document: Document, words: Sequence[str], part: Sequence[str]) -> list[int]:
    wanted = {word.casefold() for word in part}
    positions = [i for i, word in enumerate(words) if word.casefold() in wanted]
    if missing := wanted - {words[i].casefold() for i in positions}:
        raise UsageError(f"document {document.id} has no {', '.join(sorted(missing))}; its words are {' '.join(words)}")
    return positions


def _fewest(
    classifier: Classifier, document: Document, words: Sequence[str], attributed: NDArray[np.float64], prediction: str
) -> list[int]:
    """The first of the words in order of attribution that are enough; where half are not, those."""
    order = np.argsort(-np.linalg.norm(attributed, axis=1), kind="stable")
    parts = [sorted(order[:size].tolist()) for size in range(1, max(len(words) // 2, 1) + 1)]
    answers = predictions(classifier, [fields(document, [words[i] for i in places]) for places in parts])
    return next((places for places, answer in zip(parts, answers, strict=True) if answer == prediction), parts[-1])


def _mean(attributed: NDArray[np.float64], places: Sequence[int]) -> float | None:
    """‖Σ h(t)‖₂ / number."""
    return float(np.linalg.norm(attributed[list(places)].sum(0))) / len(places) if places else None
