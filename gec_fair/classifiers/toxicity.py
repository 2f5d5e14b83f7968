"""The embedded toxicity model: logistic regression over hashed words, pairs of words and letters. Small, quick, and
weaker than any neural one: it knows words, hardly what is said with them (docs/how-to/fairscore.md has its figures).

Made by `training/toxicity.py`; `toxicity.npz` has weights of hash buckets and no word of the data.
"""

from __future__ import annotations

import hashlib
import html
import re
from array import array
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.classifiers.protocol import Scores, Text
from gec_fair.extras import require

MODEL = Path(__file__).with_name("toxicity.npz")
LABELS = ("non-toxic", "toxic")
WORDS, LETTERS = 2**15, 2**16
_NOISE = re.compile(r"https?://\S+|\brt\b|[@#&]\w+|[^\w\s'!?]")
_LENGTHENED = re.compile(r"(.)\1{2,}")


class Toxicity:
    """`scores` are probabilities by the weights of the training data, where toxic text is as frequent as other text:
    to be compared, not read as frequencies."""

    labels = LABELS

    def __init__(self, labels: Sequence[str] = (), *, model: Path = MODEL) -> None:
        require("the embedded toxicity model", "fairscore", "sklearn")
        self.version = f"toxicity:{hashlib.sha256(model.read_bytes()).hexdigest()[:20]}"
        with np.load(model, allow_pickle=False) as stored:
            self._weights = np.concatenate([stored["words"], stored["letters"]]).astype(np.float64)
            self._intercept = float(stored["intercept"])

    @cached_property
    def _vectors(self) -> Any:
        return vectors()

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, 2) probabilities."""
        rows = self._vectors.transform([plain(" ".join(fields)) for fields in texts])
        toxic = 1 / (1 + np.exp(-(rows @ self._weights + self._intercept)))
        return np.column_stack([1 - toxic, toxic])


def vectors() -> Any:
    """Sparse vectors of plain texts: buckets of words and pairs of them, then of words' letters, each part of length
    1."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.pipeline import FeatureUnion
    from sklearn.preprocessing import FunctionTransformer

    same: dict[str, Any] = {"alternate_sign": False, "binary": True, "lowercase": False}
    words = HashingVectorizer(n_features=WORDS, ngram_range=(1, 2), token_pattern=r"[\w']+|[!?]", norm="l2", **same)
    letters = HashingVectorizer(n_features=LETTERS, analyzer="char_wb", ngram_range=(3, 5), norm=None, **same)
    return FeatureUnion([("words", words), ("letters", FunctionTransformer(partial(_letters, letters)))])


def _letters(vectorizer: Any, texts: Sequence[str]) -> Any:
    """Letter features of the texts, scaled to length 1. Letters never span words, so each word is read once."""
    from scipy.sparse import csr_array
    from sklearn.preprocessing import normalize

    places: dict[str, int] = {}
    columns, ends = array("i"), array("i", [0])
    for text in texts:
        columns.extend({places.setdefault(word, len(places)) for word in text.split()})
        ends.append(len(columns))
    if not places:
        return csr_array((len(texts), LETTERS))
    words = csr_array((np.ones(len(columns)), columns, ends), shape=(len(texts), len(places)))
    word_features = words @ csr_array(vectorizer.transform(list(places)))
    word_features.data.fill(1)
    word_features.sort_indices()
    return normalize(word_features, copy=False)


def plain(text: str) -> str:
    """Without what only tweets have: addresses, names, entities, lengthened words."""
    return _LENGTHENED.sub(r"\1\1", _NOISE.sub(" ", html.unescape(text).lower()))
