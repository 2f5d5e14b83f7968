"""Names to draw for the texts of training: so the words around decide what a word is, and not the name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from documents import Document, from_text
from texts import Text

from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Gender, forms_of
from gec_fair.people.reader import Kind

COMMON = 0.05
"""Percent of a gender that bear a name that is hardly anybody's surname."""


class Names:
    """First names and surnames to draw from: half by frequency, half evenly."""

    def __init__(self, texts: Iterable[Text]) -> None:
        entries = list(lexicon.load().names.entries.values())
        self.first = [entry.name for entry in entries]
        self.weights = [(entry.share or 0.002) ** 0.5 for entry in entries]
        self.shared = [entry.name for entry in entries if entry.reading == "shared" or entry.surname]
        family = {t.words[at] for t in texts for at, kind in t.kinds.items() if kind is Kind.SURNAME}
        self.family = sorted(word for word in family if word.istitle())
        only_first = [entry for entry in entries if not entry.surname and (entry.share or 0.0) >= COMMON]
        self.only_first = [entry.name for entry in only_first]
        self.only_first_weights = [entry.share or 0.0 for entry in only_first]
        self.rare = [entry.name for entry in entries if (entry.share or 0.0) < COMMON]
        self.family_too = [entry.name for entry in entries if entry.surname]

    def given_name(self, rng: Random) -> str:
        chance = rng.random()
        if chance < 0.1:
            return self.coined(rng)
        return rng.choices(self.first, self.weights)[0] if chance < 0.55 else rng.choice(self.first)

    def coined(self, rng: Random) -> str:
        """A name that no table lists, of two halves."""
        first, second = rng.choice(self.first), rng.choice(self.first)
        return first[: len(first) // 2 + 1] + second[len(second) // 2 :].lower()

    def second(self, rng: Random) -> str:
        return rng.choices(self.only_first, self.only_first_weights)[0]

    def surname(self, rng: Random) -> str:
        chance = rng.random()
        return rng.choice(self.family_too if chance < 0.35 else self.rare if chance < 0.45 else self.family)


def filled(
    templates: Sequence[list[tuple[str, Kind | None]]], names: Names, rng: Random, *, number: int
) -> Iterator[Document]:
    """Every template with names drawn anew. The gender of a name is that of the pronouns and nouns; without
    them, and of `{x}`, that of the table."""
    for at, template in enumerate(templates):
        words = [_word(word, kind, names, rng) for word, kind in template]
        kinds = {place: kind for place, (_, kind) in enumerate(template) if kind is not None}
        text = Text(f"template-{number}-{at}", "templates", words, [True] * len(words), kinds, frozenset(), [0])
        said = {gender for word in words for gender in _genders_of(word.lower())}
        genders = {}
        for place, kind in kinds.items():
            is_others = not said or template[place][0] == "{x}"
            gender = lexicon.load().names.gender(words[place]) if is_others else min(said, key=str)
            if kind is Kind.FIRST_NAME and gender is not None and (is_others or len(said) == 1):
                genders[place] = gender.value
        yield replace(from_text(text), genders=genders)


def _genders_of(word: str) -> set[Gender]:
    nouns = lexicon.load().nouns
    term = nouns.terms.get((word,)) or nouns.titles.get((word,))
    return {gender for gender, _ in forms_of(word)} | ({term.gender} if term is not None else set())


def _word(word: str, kind: Kind | None, names: Names, rng: Random) -> str:
    if word == "{h}":
        return names.second(rng)
    if word not in ("", "{x}"):
        return word
    if kind is Kind.FIRST_NAME:
        return names.given_name(rng)
    if kind is Kind.SURNAME:
        return names.surname(rng)
    return names.given_name(rng) if rng.random() < 0.5 else rng.choice(names.shared)
