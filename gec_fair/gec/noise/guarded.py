"""The words that noise leaves alone, so that no pair teaches a gender: pronouns and gendered nouns.

    target  She saw their sister there .      trace  she  their  sister  their
    source  She sow there sister there .      trace  she  their  sister  their      lawful: *there* sounds like *their*
    source  She saw his   sister there .      trace  she  his    sister  their      refused

PIE's tables corrupt *themselves* to *themself* in 15.8 % of its errors and *his* to *their* in 4.9 %; a corrector then
learns the way back, and `evaluate.bias.corpus` counts it. Here a source has its target's pronouns, word for
word, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.nouns import Nouns
from gec_fair.english.lexicons.paradigms import all_pronouns
from gec_fair.english.lexicons.word_lists import word_list

# Beside the third persons singular of lexicons/pronouns.tsv.
_OTHERS = word_list("other_personal_pronouns")
_THEY = word_list("they_words_with_misspellings")
# What may stand for one another: *there* for *their*, *you 're* for *your*, *it 's* for *its*.
_SOUNDS_LIKE: Mapping[str, str] = {"there": "their", "your": "you", "its": "it"}


@cache
def pronouns() -> frozenset[str]:
    """Every personal, possessive and reflexive pronoun, lower case, of every paradigm that is shipped."""
    return all_pronouns().union(_OTHERS)


@cache
def _nouns() -> Nouns:
    return lexicon.load().nouns


def is_gendered_noun(word: str) -> bool:
    """*aunt, policemen, stepfather*: a row of lexicons/nouns.tsv, or a compound by its rule (lower-cased word)."""
    nouns = _nouns()
    return (word,) in nouns.terms or (nouns.may_start(word) and nouns.compound(word) is not None)


@lru_cache(maxsize=100_000)
def is_guarded(word: str) -> bool:
    """Whether no noise may write or overwrite this lower-cased word."""
    return word in pronouns() or is_gendered_noun(word)


def is_they(word: str) -> bool:
    """Whether a lower-cased word is a form of *they*."""
    return word in _THEY


def trace(words: Iterable[str]) -> tuple[str, ...]:
    """What the law compares: pronouns and gendered nouns in order, whatever their case."""
    lower = (word.lower() for word in words)
    return tuple(_SOUNDS_LIKE.get(word, word) for word in lower if word in _SOUNDS_LIKE or is_guarded(word))


def keeps_guarded_words(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a text may say `new` for `old`: the same pronouns and gendered nouns, in the same order."""
    return trace(old) == trace(new)
