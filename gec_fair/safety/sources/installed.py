"""Sources that other packages, or a classifier, compute on this machine."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from gec_fair.classifiers.command import Command
from gec_fair.classifiers.protocol import Classifier
from gec_fair.classifiers.registry import load_unmatched
from gec_fair.errors import InputError
from gec_fair.extras import require
from gec_fair.safety.data.scores import Floats

_PROFANITY = """
import json, sys
sys.path = sys.argv[1:]
from profanity_check import predict_prob
for score in predict_prob([json.loads(line)[0] for line in sys.stdin]): print(float(score))
"""


class Profanity:
    """alt-profanity-check: a linear SVM of words. It mistakes words for identities for profanity. It unpickles its
    model, so it runs in a separate process, without the variables of this one, which may be keys."""

    attributes = ("profanity",)

    def __init__(self) -> None:
        require("profanity", "safety", "profanity_check")
        self.version = f"alt-profanity-check:{version('alt-profanity-check')}"
        words = ("env", "-i", sys.executable, "-I", "-c", _PROFANITY, *filter(None, sys.path))
        self._command = Command(shlex.join(words), ())

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, 1): the probability of profanity."""
        return self._command.scores([(text,) for text in texts]).reshape(-1, 1)


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
    """A classifier as a source, by its name. Of two labels that share one probability the second is enough, unless
    `every_label` is wanted."""

    def __init__(self, classifier: str | Classifier, *, every_label: bool = False) -> None:
        self._classifier = load_unmatched(classifier) if isinstance(classifier, str) else classifier
        self.version = self._classifier.version
        labels = self._classifier.labels or ("value",)
        self._first = 1 if len(labels) == 2 and not every_label else 0
        self.attributes = labels[self._first :]

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, attributes): the classifier's scores."""
        scores: Floats = self._classifier.scores([(text,) for text in texts])[:, self._first :]
        return scores


class FunctionSource:
    """A function from a list of texts to one score from 0 to 1 for each, under the name of `attribute`."""

    def __init__(self, function: Callable[[list[str]], Any], attribute: str) -> None:
        self._function = function
        self.attributes = (attribute,)
        self.version = f"function:{getattr(function, '__qualname__', type(function).__name__)}"

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, 1): the function's scores. InputError for another number of them."""
        try:
            values = np.asarray(self._function(list(texts)), dtype=np.float64)
        except (AttributeError, TypeError, ValueError) as fault:
            raise InputError(
                f"{self.version}: {type(fault).__name__}: {fault}; a classifier takes a list of texts and "
                "returns one number from 0 to 1 for each"
            ) from fault
        if values.shape != (len(texts),):
            raise InputError(
                f"{self.version}: answered {values.shape} for {len(texts)} texts; return one score from 0 to 1 for each"
            )
        return values[:, None]
