"""Verb agreement inside a correction: which source verb stands for an agreeing verb of the target, and its new form."""

from __future__ import annotations

from collections.abc import Sequence

from gec_fair.augmentation.planning.swap import AgreementChange, Swap
from gec_fair.edits import Edit
from gec_fair.english import inflect
from gec_fair.english.agreement import ADVERBS
from gec_fair.english.lexicons.word_lists import word_list

_TAKES_PLAIN = word_list("before_a_plain_verb")
_IS_OR_HAS = word_list("contracted_is_or_has")
_GLUED = "-–—,.;:("
"""Signs that a writer may leave before a verb: *she -is*."""
_CLOSED_SINGULAR = frozenset(["is", "was", "has", "does"])


def agreement_edits(
    source: Sequence[str],
    used: set[int],
    swaps: Sequence[Swap],
    *,
    before: str,
    mirror: bool,
    subjects: Sequence[int] = (),
    may_vanish: bool = False,
) -> list[Edit] | str:
    """Edits of the source verbs that stand for the target's agreeing verbs, or the reason why there are none.

    `before` is the word left of the correction, `subjects` are the places of pronouns whose verbs change, −1 for
    that word, and `used` those of all gendered words; `mirror` and `may_vanish` as in `conflicts.Decider`.
    """
    verbs = [s for s in swaps if isinstance(s.change, AgreementChange)]
    free = [i for i in range(len(source)) if i not in used and source[i][-1:].isalpha()]
    if not verbs:
        return [edit for subject in subjects for edit in _keep_auxiliary(source, subject, free)]
    edits: list[Edit] = []
    words = [word.lstrip(_GLUED) for word in source]
    for swap, at in _match_verbs(verbs, words, free):
        if at is None:
            continue
        free.remove(at)
        after_modal = (words[at - 1] if at else before).lower() in _TAKES_PLAIN
        following = words[at + 1] if at + 1 < len(words) else ""
        new = words[at] if after_modal else _verb(words[at], swap, mirror, following)
        if new == "" and may_vanish:
            new = words[at]
        if new is None:
            return "agreement_unsure"
        if new == "":
            return "correction_lost"
        edits.append(Edit(at, at + 1, (source[at][: len(source[at]) - len(words[at])] + new,)))
    if any(words[i].lower() in _CLOSED_SINGULAR for i in free) and len(edits) < len(verbs):
        return "agreement_unsure"
    return edits


def _keep_auxiliary(source: Sequence[str], subject: int, free: Sequence[int]) -> list[Edit]:
    """*he [has] visited, she [also is] work*: an auxiliary that the correction removes agrees with the subject before
    it, which stands at `subject`."""
    at = next((i for i in range(subject + 1, len(source)) if source[i].lower() not in ADVERBS), -1)
    if at not in free or source[at].lower() not in _CLOSED_SINGULAR:
        return []
    new = inflect.plural_form(source[at])
    return [Edit(at, at + 1, (new,))] if new is not None else []


def _verb(word: str, swap: Swap, mirror: bool, following: str) -> str | None:
    """The source verb's new form; "" where its agreement error would vanish, None where the verb is unknown."""
    assert isinstance(swap.change, AgreementChange)
    if inflect.is_singular(word):
        if word.lower() in _IS_OR_HAS and following.endswith("ing"):
            return inflect.plural_form(word, lemma="be")  # *she 's going* for *she 'd go*
        return swap.change.realise(word)
    if not swap.silent and word.lower() != "be" and inflect.is_plain(word):
        mirrored = inflect.singular_form(word)
        return mirrored if mirror else ""
    return word


def _match_verbs(verbs: Sequence[Swap], source: Sequence[str], free: Sequence[int]) -> list[tuple[Swap, int | None]]:
    """Each agreeing verb of the target with its counterpart.

    Third person singular forms come first: the one of the same lemma, then, if the counts agree, all in order (*he is
    go* for *he goes*). A plain form of the same lemma is the counterpart only where no singular form is left.
    """
    left = list(free)
    places: dict[int, int] = {}
    for wanted in (inflect.is_singular, bool):
        for n, swap in enumerate(verbs):
            at = (
                None
                if n in places
                else next((i for i in left if wanted(source[i]) and _same_verb(source[i], swap)), None)
            )
            if at is not None:
                places[n] = at
                left.remove(at)
        open_verbs = [n for n in range(len(verbs)) if n not in places]
        singular = [i for i in left if inflect.is_singular(source[i])]
        if open_verbs and len(open_verbs) == len(singular):
            places.update(zip(open_verbs, singular, strict=True))
            left = [i for i in left if i not in singular]
    return [(swap, places.get(n)) for n, swap in enumerate(verbs)]


def _same_verb(word: str, swap: Swap) -> bool:
    assert isinstance(swap.change, AgreementChange)
    return inflect.verb_lemma(word) == swap.change.lemma
