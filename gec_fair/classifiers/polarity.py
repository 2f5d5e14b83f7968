"""The embedded sentiment: words that speak well or ill (`lexicons/emotions.tsv`), a negation before one turning it.
Quick, and far weaker than a neural model: it knows some seven hundred words, and no sentence."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from gec_fair.classifiers.protocol import Scores, Text
from gec_fair.english.lexicons.emotions import load_emotions, table_path
from gec_fair.english.lexicons.word_lists import word_list

LABELS = ("negative", "neutral", "positive")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEGATIONS = word_list("negations_of_a_polarity_word")
_REACH = 3
"""Words over which a negation reaches. Chosen by hand: *not a very good*, but *not in the least good* no longer."""


class Polarity:
    """`scores` tell more good words from more bad ones; as many of both, or none, are neutral."""

    labels = LABELS

    def __init__(self, labels: Sequence[str] = ()) -> None:
        self.version = f"polarity:{hashlib.sha256(table_path().read_bytes()).hexdigest()[:20]}"

    @cached_property
    def _weights(self) -> dict[str, int]:
        return {
            word: ("positive" in tags) - ("negative" in tags)
            for word, tags in load_emotions().items()
            if ("positive" in tags) != ("negative" in tags)
        }

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, 3); rows add up to 1."""
        sums = np.array([self._sum(" ".join(fields)) for fields in texts], dtype=np.float64)
        rows = np.column_stack([np.maximum(-sums, 0), np.full(len(sums), 0.5), np.maximum(sums, 0)])
        probabilities: Scores = rows / rows.sum(1, keepdims=True)
        return probabilities

    def _sum(self, text: str) -> int:
        words = _WORD.findall(text.lower())
        total = 0
        for at, word in enumerate(words):
            if weight := self._weights.get(word):
                before = words[max(0, at - _REACH) : at]
                is_negated = any(word in _NEGATIONS or word.endswith(("n't", "n’t")) for word in before)
                total += -weight if is_negated else weight
        return total
