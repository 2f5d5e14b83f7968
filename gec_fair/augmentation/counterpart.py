"""Which word of the target a source word stands for, and what the target's change makes of it.

source   … sisters … him …          a partner has the same word, or else the same form or noun; order is kept
              │       │
target   … sister  … her …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gec_fair.augmentation.planning.gendered import Gendered
from gec_fair.augmentation.planning.spelling import is_slip, same_slip
from gec_fair.augmentation.planning.swap import NameChange, NounChange, PronounChange, Swap, match_case
from gec_fair.edits import Edit
from gec_fair.english.letters import capitalise, like
from gec_fair.english.lexicons.paradigms import Form, Gender, forms_of, pronoun_tokens
from gec_fair.english.lexicons.word_lists import word_list

_SMALL_WORDS = word_list("one_slip_from_a_pronoun")


@dataclass(frozen=True, slots=True)
class Side:
    """A gendered word of the target: `swap` is None where the plan leaves it (another cluster's pronoun)."""

    item: Gendered
    swap: Swap | None


def match(source_words: Sequence[Gendered], target_words: Sequence[Side]) -> list[tuple[Gendered, Side | None]]:
    """Pair source items with target items, in order, for the best total fit; None beside an item without a partner.

    Small dynamic programme over (source items, target items); both are rarely more than three.
    """
    best: list[list[tuple[int, tuple[int | None, ...]]]] = [[(0, ())] * (len(target_words) + 1)]
    for item in source_words:
        row = [(best[-1][0][0], (*best[-1][0][1], None))]
        for j, side in enumerate(target_words):
            score, pairing = best[-1][j]
            fit = _fit(item, side)
            above, skipped = best[-1][j + 1]
            options = [row[j], (above, (*skipped, None))]
            options += [(score + fit, (*pairing, j))] if fit else []
            row.append(max(options, key=lambda o: o[0]))
        best.append(row)
    return [
        (item, None if j is None else target_words[j]) for item, j in zip(source_words, best[-1][-1][1], strict=True)
    ]


def _fit(item: Gendered, side: Side) -> int:
    """How well a source item fits a target item: 4 same word, 3 same form or noun, 1 another one; 0 not at all."""
    target_word = side.item
    if item.kind != target_word.kind:
        return 0
    if _lower(item.words) == _lower(target_word.words):
        return 4
    if item.kind == "pronoun":
        forms = {form for _, form in forms_of(item.words[0].lower())}
        theirs = (
            {side.swap.change.form}
            if side.swap and isinstance(side.swap.change, PronounChange)
            else {form for _, form in forms_of(target_word.words[0].lower())}
        )
        return 3 if forms & theirs else 1 if genders(item) & genders(target_word) else 0
    if item.kind == "noun":
        key, swapped = _noun_key(item.words), _noun_key(item.to)
        return 3 if _noun_key(target_word.words) in (key, swapped) else 1
    return 2 if is_slip(item.words[0], target_word.words[0]) else 0


def misspelt(item: Gendered, side: Side | None) -> bool:
    """Whether a name was paired with one that is spelt otherwise, or a word that is none with a noun."""
    if side is None or item.kind == "pronoun" or _lower(item.words) == _lower(side.item.words):
        return False
    written, meant = item.words[0], side.item.words[0]
    return item.kind == "name" or (is_slip(written, meant) and not _is_word(written))


def genders(item: Gendered) -> set[Gender]:
    """The genders of the pronoun that an item begins with; empty for other words."""
    return {gender for gender, _ in forms_of(item.words[0].lower())}


@lru_cache(maxsize=10_000)
def _noun_key(words: tuple[str, ...]) -> tuple[str, ...]:
    """A term without its number."""
    from lemminflect import getLemma

    lower = [w.lower() for w in words]
    lemmas = getLemma(lower[-1], "NOUN", lemmatize_oov=False)
    return (*lower[:-1], lemmas[0] if lemmas else lower[-1])


def realise(item: Gendered, swap: Swap) -> Edit:
    """The swap's change on the source's own words."""
    change = swap.change
    new: tuple[str, ...] = item.words
    if isinstance(change, PronounChange):
        new = (_pronoun(item.words[0], change, owns=item.owns),)
    elif isinstance(change, NounChange):
        new = match_case(item.words, item.to) if change.to else item.words
    elif isinstance(change, NameChange):
        new = (_name(item.words[0], change),)
    words = [item.before + new[0], *new[1:]]
    words[-1] += item.after
    return Edit(item.start, item.end, tuple(words))


def became_alike(edit: Edit, item: Gendered, side: Side) -> bool:
    """Whether words that the correction told apart (*his* → *her*) are now the same (*their*)."""
    if side.swap is None or item.owns or _lower(item.words) == _lower(side.item.words):
        return False
    return _lower(edit.replacement) == _lower(side.swap.new)


def _lower(words: Sequence[str]) -> list[str]:
    return [w.lower() for w in words]


def _name(word: str, change: NameChange) -> str:
    """The counterpart in the source's own case, with the source's own slip."""
    new = change.mapping.get(word, change.mapping[change.name])
    if word not in change.mapping and word.lower() != change.name.lower():
        new = capitalise(same_slip(word, change.name, new.lower()) or new.lower())
    if word.isupper() and len(word) > 1:
        return new.upper()
    if word[:1].islower():
        return new.lower()
    return capitalise(new.lower()) if new.isupper() or new.islower() else new


def _pronoun(word: str, change: PronounChange, *, owns: bool) -> str:
    """The new pronoun in the word's own form; *her 's* for *hers* has the form of a determiner."""
    if owns:
        return PronounChange(Form.DETERMINER, change.to, change.only).realise(word) or word
    same_form = change.realise(word)
    if same_form is not None:
        return same_form
    source_form = next(form for _, form in sorted(forms_of(word.lower()), key=lambda r: list(Form).index(r[1])))
    return PronounChange(source_form, change.to, change.only).realise(word) or word


def slips(source: Sequence[str], used: set[int], open_sides: Sequence[Side]) -> list[Edit]:
    """Misspelt counterparts of target words that no source word was paired with."""
    edits: list[Edit] = []
    for side in open_sides:
        if side.swap is None or len(side.item.words) != 1 or len(side.swap.new) != 1:
            continue
        meant = side.item.words[0]
        for i, written in enumerate(source):
            if i not in used and is_slip(written, meant) and not _is_word(written):
                new = same_slip(written, meant, side.swap.new[0].lower())
                if new is not None:
                    used.add(i)
                    edits.append(Edit(i, i + 1, (like(written, new),)))
                break
    return edits


@lru_cache(maxsize=10_000)
def _is_word(text: str) -> bool:
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(text.lower())) or text.lower() in pronoun_tokens() or text.lower() in _SMALL_WORDS
