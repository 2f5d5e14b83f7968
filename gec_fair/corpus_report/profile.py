"""One chunk measured: counts that add up over chunks, and figures that are means over them.

Words are what TextDescriptives (Hansen et al. 2023) counts: spaCy's tokens that are no punctuation and hold no
apostrophe; syllables are Pyphen's hyphenations and one. So figures compare with the paper's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from gec_fair.corpus_report.coherence import Measure
from gec_fair.english.lexicons.emotions import Emotions
from gec_fair.english.lexicons.topics import Topic, Topics
from gec_fair.english.running_text.spacy_tokens import tokens
from gec_fair.extras import require

_SOUND = re.compile(r"[^\W_]")
MEANS = ("syllables per word", "word length", "sentence length", "FKGL", "type-token ratio", "coherence")
"""Figures that are means over chunks."""


@dataclass(slots=True)
class Profile:
    """The figures of a chunk, or of several that were added up. `means`: the chunk's figures, each in a list of one;
    `topical`: the numbers of the sentences that hold a topic's word, from the chunk's first."""

    tokens: int = 0
    words: int = 0
    sentences: int = 0
    topics: Counter[Topic] = field(default_factory=Counter)
    emotions: Counter[str] = field(default_factory=Counter)
    expressive: int = 0
    """Tokens that the emotion lexicon knows."""
    means: dict[str, list[float]] = field(default_factory=dict)
    topical: dict[Topic, list[int]] = field(default_factory=dict)

    def add(self, more: Profile) -> None:
        """Sums, and the other's means behind."""
        self.tokens += more.tokens
        self.words += more.words
        self.sentences += more.sentences
        self.topics += more.topics
        self.emotions += more.emotions
        self.expressive += more.expressive
        for name, values in more.means.items():
            self.means.setdefault(name, []).extend(values)


@dataclass(frozen=True)
class Profiler:
    """Measures chunks. The tokenizer is loaded with the first."""

    topics: Topics
    emotions: Emotions
    coherence: Measure

    def __call__(self, sentences: Sequence[str]) -> Profile:
        """The profile of some sentences."""
        cut = [tokens(sentence) for sentence in sentences]
        types = Counter(token for words in cut for token in words)
        lower: Counter[str] = Counter()
        for token, number in types.items():
            lower[token.lower()] += number
        lowered = [[token.lower() for token in words] for words in cut]
        profile = Profile(sum(types.values()), sentences=len(sentences))
        profile.topics = self.topics.count(lower, lowered)
        for word in lower.keys() & self.emotions.keys():
            profile.expressive += lower[word]
            for emotion in self.emotions[word]:
                profile.emotions[emotion] += lower[word]
        for number, words in enumerate(lowered):
            if not self.topics.first.isdisjoint(words):
                for topic in self.topics.find(words):
                    profile.topical.setdefault(topic, []).append(number)
        self._read(profile, types, cut)
        return profile

    def _read(self, profile: Profile, types: Mapping[str, int], cut: Sequence[Sequence[str]]) -> None:
        """Readability, variety, coherence."""
        counted = {token: number for token, number in types.items() if is_word(token)}
        profile.words = sum(counted.values())
        if not profile.words:
            return
        sounds = sum(number * syllables(token) for token, number in counted.items()) / profile.words
        letters = sum(number * len(token) for token, number in counted.items()) / profile.words
        length = profile.words / sum(any(token in counted for token in words) for words in cut)
        kinds = len({token.lower() for token in counted})
        figures = {
            "syllables per word": sounds,
            "word length": letters,
            "sentence length": length,
            "FKGL": 0.39 * length + 11.8 * sounds - 15.59,
            "type-token ratio": kinds / profile.words,
        }
        coherence = self.coherence([[token for token in words if token in counted] for words in cut])
        if coherence is not None:
            figures["coherence"] = coherence
        profile.means = {name: [value] for name, value in figures.items()}


@lru_cache(maxsize=1 << 17)
def is_word(token: str) -> bool:
    """No punctuation, no part of a contraction that has the apostrophe."""
    return "'" not in token and _SOUND.search(token) is not None


@lru_cache(maxsize=1 << 17)
def syllables(word: str) -> int:
    """Hyphenations by Pyphen's English dictionary, and one."""
    return int(_hyphens().inserted(word.lower()).count("-")) + 1


@lru_cache(maxsize=1)
def _hyphens() -> Any:
    require("a corpus report", "corpus", "pyphen")
    import pyphen

    return pyphen.Pyphen(lang="en")
