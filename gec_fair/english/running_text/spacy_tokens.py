"""Text as spaCy's rules for English tokenise it, without a model."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

_VOCABULARY = 200_000  # words that spaCy remembers before it is loaded anew


def tokens(sentence: str) -> list[str]:
    """The tokens of a sentence, without white space. Each stretch between spaces is tokenised alone, because most of
    them have been seen before."""
    return [token for part in sentence.split() for token in _tokens_of(part)]


@lru_cache(maxsize=1 << 18)
def _tokens_of(part: str) -> tuple[str, ...]:
    tokenizer = _tokenizer()
    if len(tokenizer.vocab) > _VOCABULARY:
        _tokenizer.cache_clear()
        tokenizer = _tokenizer()
    return tuple(token.text for token in tokenizer(part))


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    import spacy

    from gec_fair.english.pipeline import keep_emoji

    tokenizer = spacy.blank("en").tokenizer
    keep_emoji(tokenizer)
    return tokenizer
