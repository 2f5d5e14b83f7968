"""What the lexicon would do with some words, said in a line each: the answer to *why did it not swap this?*"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gec_fair.english.lexicons import slurs
from gec_fair.english.lexicons.lexicon import Lexicon
from gec_fair.english.lexicons.nouns import NounMatch
from gec_fair.english.lexicons.paradigms import forms_of


@dataclass(frozen=True, slots=True)
class Finding:
    """`word` becomes `swapped` (None: it stays); `kind` is pronoun, noun, name, fixed, exception or unknown."""

    word: str
    kind: str
    swapped: str | None
    note: str


def lookup(lexicon: Lexicon, words: Sequence[str]) -> list[Finding]:
    """One finding or more for each token or multi-word term of a tokenised text, in order."""
    findings: list[Finding] = []
    i = 0
    while i < len(words):
        match = lexicon.nouns.swap_noun(words, i)
        matches = [*_pronoun(lexicon, words[i]), *_noun(lexicon, words, i, match), *_name(lexicon, words, i)]
        findings += matches or [_leave(lexicon, words, i)]
        i = match.end if match else i + 1
    return findings


def lookup_slurs(words: Sequence[str]) -> list[Finding]:
    """The slurs of a tokenised text, in plain letters or in ROT13, each with its row."""
    rot13 = [slurs.decode(word.lower()) for word in words]
    return [
        Finding(
            " ".join(slur.words),
            "slur",
            None,
            f"slurs.tsv:{slur.line}, {slur.group}; {slur.source}, {slur.licence}; looked for, never written",
        )
        for tokens in (words, rot13)
        for _, slur in slurs.find(tokens)
    ]


def _pronoun(lexicon: Lexicon, word: str) -> Iterator[Finding]:
    for gender, form in sorted(forms_of(word.lower()), key=lambda reading: reading[1].value):
        counterpart = lexicon.paradigms[gender.opposite.value].form(form)
        yield Finding(word, "pronoun", counterpart, f"{gender.value} {form.value}")


def _noun(lexicon: Lexicon, words: Sequence[str], i: int, match: NounMatch | None) -> Iterator[Finding]:
    titled = lexicon.nouns.swap_noun(words, i, before_name=True)
    if match is not None:
        yield _of_match(words, match)
    if titled is not None and titled != match:
        yield _of_match(words, titled)


def _of_match(words: Sequence[str], match: NounMatch) -> Finding:
    readings = " or ".join(sorted(reading.value for reading in match.term.readings))
    number = "plural" if match.term.plural else "singular"
    note = f"{match.term.gender.value} {match.term.kind}, {number}; counts in reading: {readings}"
    return Finding(" ".join(words[match.start : match.end]), "noun", " ".join(match.term.replacement), note)


def _name(lexicon: Lexicon, words: Sequence[str], i: int) -> Iterator[Finding]:
    entry = lexicon.names.entries.get(words[i].lower())
    if entry is not None and not lexicon.nouns.is_fixed(words, i):
        share = "not counted" if entry.share is None else f"{entry.share} % of that gender"
        yield Finding(
            words[i], "name", entry.counterpart or None, f"{entry.gender.value}, {share}; reading: {entry.reading}"
        )


def _leave(lexicon: Lexicon, words: Sequence[str], i: int) -> Finding:
    nouns, word = lexicon.nouns, words[i]
    if nouns.is_fixed(words, i):
        return Finding(word, "fixed", None, "stands in a fixed expression of exceptions.tsv")
    if word.lower() in nouns.exceptions:
        return Finding(word, "exception", None, f"exceptions.tsv: {nouns.exceptions[word.lower()]}")
    return Finding(word, "unknown", None, "in no table, and no rule applies")
