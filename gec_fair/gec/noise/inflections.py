"""Forms of verbs, nouns, adjectives and adverbs by lemminflect's tables, each word and lemma looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

TAGS: Mapping[str, tuple[str, ...]] = {
    "VERB": ("VB", "VBZ", "VBG", "VBD", "VBN"),
    "NOUN": ("NN", "NNS"),
    "ADJ": ("JJ", "JJR", "JJS"),
    "ADV": ("RB", "RBR", "RBS"),
}
_POS = {tag: pos for pos, tags in TAGS.items() for tag in tags}
_BASES = frozenset(tags[0] for tags in TAGS.values())
_SAME_FORM = {"VBN": "VBD", "VBD": "VBN", "RBR": "JJR", "RBS": "JJS"}  # the tables name it once
# lemminflect's first form is American, rare, or none of everyday English.
_USUAL_FORMS = {
    "get": {"VBN": ("got", "gotten")},
    "travel": {"VBG": ("travelling", "traveling"), "VBD": ("travelled", "traveled")},
    "person": {"NNS": ("people", "persons")},
}
_USUAL_LEMMAS = {"people": {"NOUN": ("person",)}}


def form(lemma: str, tag: str) -> str | None:
    """The usual form of a lemma; None where the tables have none."""
    spellings = _spellings(lemma, tag)
    return spellings[0] if spellings else None


def has_form(lower: str, lemma: str, tag: str) -> bool:
    """Whether the word is that form of the lemma, in any of its spellings (*learned, learnt*)."""
    return lower in _spellings(lemma, tag)


@lru_cache(maxsize=100_000)
def lemma(lower: str, tag: str) -> str | None:
    """The lemma of a form that has this tag; None if no known word has it."""
    return next((candidate for candidate in _lemmas(lower).get(_POS[tag], ()) if has_form(lower, candidate, tag)), None)


def readings(lower: str) -> frozenset[str]:
    """Every tag that the tables allow a word; comparative adverbs are tagged as adjectives."""
    tags = {
        tag
        for pos, lemmas in _lemmas(lower).items()
        for lemma in lemmas
        for tag in TAGS.get(pos, ())
        if has_form(lower, lemma, tag)
    }
    return frozenset(tag.replace("RBR", "JJR").replace("RBS", "JJS") for tag in tags)


def are_forms_of_one(first: str, second: str) -> bool:
    """Whether two words are forms of one verb, noun, adjective or adverb (*time, timed*; not *quick, quickly*)."""
    lemmas = _lemmas(second)
    return any(not set(first_lemmas).isdisjoint(lemmas.get(pos, ())) for pos, first_lemmas in _lemmas(first).items())


def _spellings(lemma: str, tag: str) -> tuple[str, ...]:
    if tag in _BASES:
        return (lemma,)
    forms = _forms(lemma)
    return forms.get(tag) or forms.get(_SAME_FORM.get(tag, ""), ())


@lru_cache(maxsize=100_000)
def _lemmas(lower: str) -> Mapping[str, tuple[str, ...]]:
    from lemminflect import getAllLemmas

    return {**getAllLemmas(lower), **_USUAL_LEMMAS.get(lower, {})}


@lru_cache(maxsize=100_000)
def _forms(lemma: str) -> Mapping[str, tuple[str, ...]]:
    from lemminflect import getAllInflections

    return {**getAllInflections(lemma), **_USUAL_FORMS.get(lemma, {})}
