"""Which language a text is in, by py3langid (Lui & Baldwin 2012): a rewriting in another one is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

SURE = 0.5
"""Probability of another language. Of 3,000 FEVER claims 0.6 % would be taken for one, and mostly for dialects."""
SAMPLE = 500
"""Texts by which a data set's language is recognised."""


class Languages:
    """The languages of a data set: `main` is the one that most of its texts are in."""

    def __init__(self, texts: Sequence[str]) -> None:
        every = max(1, len(texts) // SAMPLE)
        self.main = Counter(language(text)[0] for text in texts[::every]).most_common(1)[0][0]

    def is_foreign(self, text: str, original: str) -> bool:
        """Whether it is in another language than the data set, and than what it is to stand for."""
        detected, sure = language(text)
        return sure > SURE and detected not in (self.main, language(original)[0])


def language(text: str) -> tuple[str, float]:
    """Its ISO 639 code, and how probable that is among the languages that the model knows."""
    code, sure = _identifier().classify(text)
    return str(code), float(sure)


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
