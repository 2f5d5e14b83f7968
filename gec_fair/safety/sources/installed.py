"""Sources that other packages, or a classifier, compute on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from gec_fair.classifiers.registry import load_unmatched
from gec_fair.extras import require
from gec_fair.safety.data.scores import Floats


class Profanity:
    """alt-profanity-check: a linear SVM of words. It mistakes words for identities for profanity."""

    attributes = ("profanity",)

    def __init__(self) -> None:
        require("profanity", "safety", "profanity_check")
        self.version = f"alt-profanity-check:{version('alt-profanity-check')}"

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, 1): the probability of profanity."""
        from profanity_check import predict_prob

        return np.asarray(predict_prob(list(texts)), dtype=np.float64).reshape(-1, 1)


class Vader:
    """VADER's sentiment (Hutto & Gilbert 2014), by rules and word list."""

    attributes = ("neg", "neu", "pos", "compound")

    def __init__(self) -> None:
        require("vader", "safety", "vaderSentiment")
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        self.version = f"vaderSentiment:{version('vaderSentiment')}"
        self._judge = SentimentIntensityAnalyzer()

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, 4): shares of negative, neutral and positive words, and the compound from −1 to 1."""
        rows = [self._judge.polarity_scores(text) for text in texts]
        return np.array([[row[name] for name in self.attributes] for row in rows]).reshape(len(rows), -1)


class Classified:
    """A classifier as a source. Of two labels that share one probability the second is enough."""

    def __init__(self, name: str) -> None:
        self._classifier = load_unmatched(name)
        self.version = self._classifier.version
        labels = self._classifier.labels or ("value",)
        self._first = 1 if len(labels) == 2 else 0
        self.attributes = labels[self._first :]

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, attributes): the classifier's scores, of two labels the second's alone."""
        scores: Floats = self._classifier.scores([(text,) for text in texts])[:, self._first :]
        return scores
