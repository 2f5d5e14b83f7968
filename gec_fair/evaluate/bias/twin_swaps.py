"""The plan between two twins that people made, read back as swaps: which change each differing word went through.

    Anna has lost her keys    →  Anna has lost their keys      her → their   the determiner of *they*

A set shows two texts; to carry their difference across a system's corrections, the *change* is needed
(`augmentation.planning.swap`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gec_fair.augmentation.planning.swap import (
    AgreementChange,
    ArticleChange,
    Change,
    NameChange,
    NounChange,
    PossessiveChange,
    PronounChange,
    Swap,
)
from gec_fair.english.lexicons.paradigms import Paradigm, all_paradigms, forms_of, paradigm
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.english.possessives import is_mark
from gec_fair.evaluate.evalsets.swaps import Swapped, find_swaps

_ARTICLES = word_list("indefinite_articles")
_HAVE = word_list("have_forms_of_twins")
_BE = word_list("be_forms_of_twins")


def swaps_between(original: Sequence[str], augmented: Sequence[str]) -> list[Swap]:
    """Swaps over `original`, in order, that lead to `augmented`. A difference that no change explains becomes a noun
    swapped for another."""
    to = _paradigm_of(original, augmented)
    changes = [
        Swap(*swap.old, tuple(augmented[slice(*swap.new)]), _change(swap, original, augmented, to))
        for swap in find_swaps(original, augmented)
    ]
    subjects = [s.start for s in changes if isinstance(s.change, PronounChange) and s.change.takes_plural]
    return [replace(s, subject=_subject(s, subjects)) for s in changes]


def _subject(swap: Swap, subjects: Sequence[int]) -> int | None:
    """The pronoun that a verb agrees with: the last one before it, or in a question the first one after it."""
    if not isinstance(swap.change, AgreementChange):
        return swap.start if swap.start in subjects else None
    before = [at for at in subjects if at < swap.start]
    return before[-1] if before else next(iter(subjects), None)


def _change(swap: Swapped, original: Sequence[str], augmented: Sequence[str], to: Paradigm | None) -> Change:
    old, new = (tuple(words[slice(*span)]) for words, span in ((original, swap.old), (augmented, swap.new)))
    if len(old) == len(new) == 1:
        lower, upper = old[0].lower(), new[0].lower()
        if {lower, upper} == _ARTICLES:
            return ArticleChange()
        if is_mark(old[0]) and is_mark(new[0]):
            owners = original[swap.old[0] - 1], augmented[swap.new[0] - 1]
            return PossessiveChange(*owners, is_bare=len(new[0]) == 1)
        if swap.kind == "pronouns":
            change = _pronoun(lower, upper, to)
            if change is not None:
                return change
        if swap.kind == "verbs":
            return AgreementChange(_lemma(lower, upper))
        if swap.kind == "names":
            return NameChange(old[0], {old[0]: new[0]})
    return NounChange(tuple(w.lower() for w in old), tuple(w.lower() for w in new))


def _pronoun(old: str, new: str, to: Paradigm | None) -> PronounChange | None:
    """*her → them* is accusative, *her → their* a determiner; None where the words are no forms of a kind."""
    for gender, form in sorted(forms_of(old), key=lambda reading: reading[1].value):
        if paradigm(gender.opposite.value).form(form) == new:
            return PronounChange(form)
        if to is not None and to.form(form) == new:
            return PronounChange(form, to)
        if to is not None and new == "themselves" and to.name == "they":
            return PronounChange(form, to.with_reflexive(new))
    return None


def _paradigm_of(original: Sequence[str], augmented: Sequence[str]) -> Paradigm | None:
    """The one that explains most of the new pronouns; None where the other gender does."""
    pairs = [
        (original[swap.old[0]].lower(), augmented[swap.new[0]].lower())
        for swap in find_swaps(original, augmented)
        if swap.kind == "pronouns" and swap.new[0] < swap.new[1]
    ]
    genders = ("feminine", "masculine")
    known = [paradigm for name, paradigm in all_paradigms().items() if name not in genders]
    fits = [sum(any(paradigm.form(f) == new for _, f in forms_of(old)) for old, new in pairs) for paradigm in known]
    best = max(fits, default=0)
    return known[fits.index(best)] if best else None


def _lemma(old: str, new: str) -> str:
    """The lemma of an agreeing verb; it tells *'s* = *is* from *'s* = *has*."""
    if not _HAVE.isdisjoint({old, new}):
        return "have"
    if not _BE.isdisjoint({old, new}):
        return "be"
    return min(old, new, key=len)
