"""One of each kind of plug-in, as small as it can be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gec_fair.classifiers.protocol import Scores, Text
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.candidates import Candidate


class Capitals:
    """A GEC system that corrects the case of the first letter."""

    version = "capitals-1"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        return [text[:1].upper() + text[1:] for text in texts]


class Shouting:
    """A classifier that finds texts in capitals toxic. It is called with the labels of the task, if any."""

    version = "shouting-1"

    def __init__(self, labels: Sequence[str] = ()) -> None:
        self.labels = tuple(labels) or ("fine", "toxic")

    def scores(self, texts: Sequence[Text]) -> Scores:
        toxic = [float(" ".join(text).isupper()) for text in texts]
        return np.array([(1 - score, score) for score in toxic], dtype=np.float64)


class WithoutNot:
    """A rewriter for RAZOR that removes the word *not*."""

    version = "without-not-1"
    draws = False

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        return [
            [Candidate(document.text.replace(" not ", " "))] if " not " in document.text else []
            for document in documents
        ]
