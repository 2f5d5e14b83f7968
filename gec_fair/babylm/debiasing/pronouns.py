"""WinoBias (Zhao et al. 2018) as masked-pronoun prediction: each sentence with its pronouns hidden, and the occupations
that they could mean.

    3 [The baker] thanked the driver and said that [she] would call.

Where a sentence has two pronouns of one person, both are hidden: one would tell the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.data.winobias import Span, pattern_of, read_sentences, remove_article
from gec_fair.english.lexicons.paradigms import Gender, gendered_pronouns
from gec_fair.errors import InputError

PRONOUNS = gendered_pronouns(Gender.FEMININE) | gendered_pronouns(Gender.MASCULINE)


@dataclass(frozen=True, slots=True)
class Resolution:
    """A sentence, where its pronouns stand, and the first mention of each occupation in it."""

    text: str
    pronouns: tuple[Span, ...]
    occupations: tuple[Span, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The pronouns, as they stand."""
        return tuple(self.text[first:last] for first, last in self.pronouns)

    def with_pronouns(self, words: Sequence[str]) -> Resolution:
        """The same with other pronouns; its occupations are left out."""
        text, spans, at = "", [], 0
        for (first, last), word in zip(self.pronouns, words, strict=True):
            text += self.text[at:first]
            spans.append((len(text), len(text) + len(word)))
            text += word
            at = last
        return Resolution(text + self.text[at:], tuple(spans))


def read(paths: Sequence[Path]) -> list[Resolution]:
    """The sentences of WinoBias' own files. InputError with the line for one without a pronoun in brackets; InputError
    for no sentence."""
    rows: list[tuple[str, tuple[Span, ...]]] = []
    jobs: set[str] = set()
    for path in paths:
        for number, text, spans in read_sentences(path):
            pronouns = tuple(span for span in spans if text[slice(*span)].lower() in PRONOUNS)
            if not pronouns:
                raise InputError(f"{path}:{number}: expected a pronoun in brackets; give WinoBias' own files")
            rows.append((text, pronouns))
            jobs |= {remove_article(text[slice(*span)]).lower() for span in spans if span not in pronouns}
    if not rows:
        raise InputError(f"{', '.join(map(str, paths))}: no sentence in it; give WinoBias' files")
    named = pattern_of(jobs)
    return [Resolution(text, pronouns, _first_mentions(named, text) if jobs else ()) for text, pronouns in rows]


def _first_mentions(named: re.Pattern[str], text: str) -> tuple[Span, ...]:
    spans: dict[str, Span] = {}
    for match in named.finditer(text):
        spans.setdefault(match[1].lower(), match.span())
    return tuple(spans.values())
