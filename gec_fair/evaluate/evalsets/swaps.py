"""Which words a set swapped, and of what kind: a feminine/masculine gap of a spelling corrector is nearly all names.

pronouns   he → they, her → his          nouns   actress → actor (and the article before it)
names      Anna → Adam                   verbs   goes → go, which singular they asks for
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gec_fair.edits import diff
from gec_fair.english import inflect
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import all_pronouns

_CLITICS = frozenset(["'s", "'re", "'ve", "’s", "’re", "’ve"])
KINDS = ("pronouns", "nouns", "names", "verbs")


@dataclass(frozen=True, slots=True)
class Swapped:
    """Tokens `old` of the original became tokens `new` of its twin; both half-open spans."""

    old: tuple[int, int]
    new: tuple[int, int]
    kind: str


def find_swaps(original: Sequence[str], augmented: Sequence[str]) -> tuple[Swapped, ...]:
    """Where two twins differ, word by word where a segment keeps its length. Deterministic; needs no parse."""
    swaps: list[Swapped] = []
    shift = 0
    for edit in diff(original, augmented):
        size = len(edit.replacement)
        if edit.growth:
            start = edit.start + shift
            old = original[edit.start : edit.end]
            swaps.append(Swapped((edit.start, edit.end), (start, start + size), kind(old, edit.replacement)))
        else:
            for i, new in zip(range(edit.start, edit.end), edit.replacement, strict=True):
                swaps.append(Swapped((i, i + 1), (i + shift, i + shift + 1), kind([original[i]], [new])))
        shift += edit.growth
    return tuple(swaps)


def kind(old: Sequence[str], new: Sequence[str]) -> str:
    """One of `KINDS`, by the words alone: closed classes first, then verbs, then the lexicon's nouns and names."""
    if any(word.lower() in all_pronouns() for word in old):
        return "pronouns"
    if len(old) == len(new) == 1 and _agree(old[0], new[0]):
        return "verbs"
    known = lexicon.load()
    if all(known.nouns.swap_noun([w.lower() for w in side], 0) is None for side in (old, new) if side) and (
        any(known.names.is_name(word, proper=True) for word in (*old, *new)) or _is_capitalised(old, new)
    ):
        return "names"
    return "nouns"


def _agree(old: str, new: str) -> bool:
    """*goes* and *go*, *'s* and *'re*: the same verb with another agreement."""
    if {old.lower(), new.lower()} <= _CLITICS:
        return True
    pair = (old.lower(), new.lower())
    return any(a != b and inflect.is_singular(a) and inflect.plural_form(a) == b for a, b in (pair, pair[::-1]))


def _is_capitalised(old: Sequence[str], new: Sequence[str]) -> bool:
    return all(word[:1].isupper() for word in (*old, *new))
