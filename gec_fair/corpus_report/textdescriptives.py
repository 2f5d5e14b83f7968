"""TextDescriptives' own figures (Hansen et al. 2023), some sixty, over drawn chunks: the paper's instrument, where it
is installed. Its `quality` part does not start under spaCy 3.8 as it is called (lists for pairs); its settings are
given here."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from gec_fair.extras import require

_PARTS: dict[str, dict[str, Any]] = {
    "textdescriptives/descriptive_stats": {},
    "textdescriptives/readability": {},
    "textdescriptives/dependency_distance": {},
    "textdescriptives/pos_proportions": {},
    "textdescriptives/quality": {
        "top_ngram_range": (2, 4),
        "top_ngram_min_count": 3,
        "duplicate_n_gram_fraction_range": (5, 10),
    },
}
_COHERENCE = "textdescriptives/coherence"


def described(texts: Sequence[str], english: str) -> dict[str, float]:
    """Means over the texts, by TextDescriptives' names; what it cannot tell of any is left out. MissingResource where
    it, or the pipeline, is not installed."""
    if not texts:
        return {}
    require("TextDescriptives' figures", "textdescriptives", "textdescriptives")
    import textdescriptives

    from gec_fair.english.pipeline import load

    nlp = load(english)
    for name, config in _PARTS.items():
        nlp.add_pipe(name, config=config)
    if nlp.vocab.vectors_length:
        nlp.add_pipe(_COHERENCE)
    nlp.max_length = max([nlp.max_length, *map(len, texts)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = textdescriptives.extract_dict(nlp.pipe(texts, batch_size=8), include_text=False)
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value:
                columns.setdefault(name, []).append(float(value))
    return {name: fmean(values) for name, values in columns.items()}
