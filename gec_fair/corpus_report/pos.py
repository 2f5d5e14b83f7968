"""The part-of-speech profile (appendix C.1, figures 10 and 11), by the package's tagger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gec_fair.english.running_text.spacy_tokens import tokens

_BATCH = 512
_UNUSED = ("parser", "ner", "senter", "lemmatizer", "trainable_lemmatizer")


def tags(sentences: Sequence[str]) -> dict[str, float]:
    """Universal parts of speech in percent of all tokens, the commonest first; {} for no sentence."""
    if not sentences:
        return {}
    from gec_fair.english import pipeline

    nlp = pipeline.load_shared()
    without = [name for name in nlp.pipe_names if name in _UNUSED]
    counts: Counter[str] = Counter()
    for first in range(0, len(sentences), _BATCH):
        texts = [words for sentence in sentences[first : first + _BATCH] if (words := tokens(sentence))]
        counts.update(token.pos_ for doc in pipeline.parse(nlp, texts, without=without) for token in doc)
    total = counts.total()
    return {name: 100 * number / total for name, number in counts.most_common()}


def ratio(shares: dict[str, float]) -> float | None:
    """Pronouns for a noun; None without nouns."""
    return shares.get("PRON", 0.0) / shares["NOUN"] if shares.get("NOUN") else None
