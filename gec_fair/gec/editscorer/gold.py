"""Which candidates are right: those that the gold correction makes, whole or word by word (Sorokin 2022, §3).

A gold edit of several words may be proposed in parts, and several gold edits that touch as one; both are right, parts
only if all of them are proposed: half a correction is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gec_fair.edits import Edit
from gec_fair.gec.editscorer.candidates import changes


def judge_candidates(candidates: Sequence[Edit], gold: Sequence[Edit], words: Sequence[str]) -> list[bool]:
    """For each candidate whether it is right. Edits carry no `kind`."""
    wanted, proposed = set(gold), set(candidates)
    accepted = wanted.copy()
    for edit in gold:
        for split in splits(edit, words):
            if proposed.issuperset(split):
                accepted.update(split)
    return [
        candidate in accepted or any(wanted.issuperset(split) for split in splits(candidate, words))
        for candidate in candidates
    ]


def splits(edit: Edit, words: Sequence[str]) -> Iterator[tuple[Edit, ...]]:
    """The ways to do an edit word by word; parts that change nothing are left out.

    + a b        + a, + b                      w → a b    + a, w → b    or    w → a, + b
    v w → a b    v → a, w → b                  v w → a    v → a, w →    or    v →, w → a
    v w →        v →, w →
    """
    start, end, new = edit.start, edit.end, edit.replacement
    ways: list[list[Edit]] = []
    if start == end:
        ways.append([Edit(start, start, (word,)) for word in new])
    elif not new or end - start == len(new):
        replacements: list[tuple[str, ...]] = [(word,) for word in new] or [()] * (end - start)
        ways.append([Edit(at, at + 1, word) for at, word in enumerate(replacements, start)])
    elif (end - start, len(new)) == (1, 2):
        ways.append([Edit(start, start, new[:1]), Edit(start, end, new[1:])])
        ways.append([Edit(start, end, new[:1]), Edit(end, end, new[1:])])
    elif (end - start, len(new)) == (2, 1):
        ways.append([Edit(start, start + 1, new), Edit(start + 1, end, ())])
        ways.append([Edit(start, start + 1, ()), Edit(start + 1, end, new)])
    for way in ways:
        parts = tuple(part for part in way if changes(part, words))
        if parts and parts != (edit,):
            yield parts
