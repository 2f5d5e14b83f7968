"""The embedded sources: different views of one text, small and quick, and weaker than any neural model.

    words offensive, words hate      logistic regression over hashed words and pairs of them: tweets
    letters toxic, letters hateful   the same over the letters of words: tweets and statements about groups
    lexicon …                        shares of words that express an emotion, or speak well or ill

Made by `training/safety_views.py`; `views.npz` has weights of hash buckets and no word of the data.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from gec_fair.classifiers.toxicity import WORDS, plain, vectors
from gec_fair.english.lexicons.emotions import load_emotions, table_path
from gec_fair.extras import require
from gec_fair.safety.data.scores import Floats

MODEL = Path(__file__).with_name("views.npz")
HEADS = ("words offensive", "words hate", "letters toxic", "letters hateful")
_TAGS = ("anger", "disgust", "fear", "negative", "positive")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


class Views:
    """Probabilities of `HEADS`, by the weights of training data where both classes are as frequent; then shares of
    words."""

    attributes = (*HEADS, *(f"lexicon {tag}" for tag in _TAGS))

    def __init__(self, *, model: Path = MODEL) -> None:
        require("the embedded sources", "safety", "sklearn")
        self.version = f"views:{hashlib.sha256(model.read_bytes() + table_path().read_bytes()).hexdigest()[:20]}"
        with np.load(model, allow_pickle=False) as stored:
            self._weights = {head: stored[head].astype(np.float64) for head in HEADS}
            self._intercepts = dict(zip(HEADS, stored["intercepts"].tolist(), strict=True))

    @cached_property
    def _tags(self) -> dict[str, Floats]:
        emotions = load_emotions()
        return {word: np.array([tag in tags for tag in _TAGS], dtype=np.float64) for word, tags in emotions.items()}

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, attributes): probabilities of HEADS, then shares of words."""
        rows = vectors().transform([plain(text) for text in texts])
        parts = {"words": rows[:, :WORDS], "letters": rows[:, WORDS:]}
        logits = [parts[head.split()[0]] @ self._weights[head] + self._intercepts[head] for head in HEADS]
        return np.hstack([1 / (1 + np.exp(-np.column_stack(logits))), self._shares(texts)])

    def _shares(self, texts: Sequence[str]) -> Floats:
        tag_scores = np.zeros((len(texts), len(_TAGS)))
        for n, text in enumerate(texts):
            words = _WORD.findall(text.lower())
            tag_scores[n] = sum(self._tags[word] for word in words if word in self._tags) / max(1, len(words))
        return tag_scores
