"""From a pair to tags: what each source word must become, by the alignment core and a small table of costs.

Between two words that both texts share stands a block of source words and one of target words. Inside it, a source
word is matched with the target word that a transformation makes of it (cost 0) or that is spelt most like it; words
that join or split are matched together; what is left over is deleted or appended. A word that needs several tags gets
the first now, the rest in the next round: tags are meant to be applied again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

from gec_fair.edits.diff import diff
from gec_fair.gec.gector.tags import APPEND, DELETE, KEEP, MERGES, REPLACE, SPLIT_HYPHEN, transformation
from gec_fair.gec.gector.verbs import VerbForms

_ALONE = 1.0  # a word deleted or appended
_REPLACED = 0.5  # a word replaced, and up to 1 more the less alike the two are: always less than delete and append
_LONGEST_JOIN = 4  # words that become one, or parts of one
_TOO_MANY = 250_000  # pairs of a block's words: two texts with nothing in common, which no alignment explains


def tag_sentence(source: Sequence[str], target: Sequence[str], verbs: VerbForms) -> list[str]:
    """The n + 1 tags of the first round for n source words (the first is `$START`'s)."""
    return [ops[0] if ops else KEEP for ops in operations(source, target, verbs)]


def operations(source: Sequence[str], target: Sequence[str], verbs: VerbForms) -> list[list[str]]:
    """All that each of the n + 1 places needs, in order; nothing for a place that is kept."""
    tags_by_place: list[list[str]] = [[] for _ in range(len(source) + 1)]
    for edit in diff(source, target):
        for place, tag in _block(source[edit.start : edit.end], edit.replacement, verbs):
            tags_by_place[edit.start + place].append(tag)
    return tags_by_place


class _Step(NamedTuple):
    """The cheapest way to the pair of offsets it stands at: where it came from and which tags it took."""

    cost: float
    back: tuple[int, int]
    tags: tuple[tuple[int, str], ...]
    """(place, tag): place 0 is the word before the block, 1 the block's first word."""

    def then(self, place: tuple[int, int], cost: float, *tags: tuple[int, str]) -> _Step:
        """The step that leads on from `place`, where this one ends."""
        return _Step(self.cost + cost, place, tags)


def _block(before: Sequence[str], after: Sequence[str], verbs: VerbForms) -> list[tuple[int, str]]:
    """Tags for one block, in the order of places; cost O(words before × words after)."""
    if not before:
        return [(0, APPEND + word) for word in after]
    if not after:
        return [(place, DELETE) for place in range(1, len(before) + 1)]
    if len(before) * len(after) > _TOO_MANY:
        return _word_for_word(before, after)
    best: dict[tuple[int, int], _Step] = {(0, 0): _Step(0.0, (0, 0), ())}
    for i in range(len(before) + 1):
        for j in range(len(after) + 1):
            if (i, j) == (0, 0):
                continue
            best[i, j] = min(_ways(before, after, i, j, best, verbs), key=lambda step: step.cost)
    path: list[_Step] = []
    at = (len(before), len(after))
    while at != (0, 0):
        path.append(best[at])
        at = best[at].back
    return [tag for step in reversed(path) for tag in step.tags]


def _word_for_word(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, str]]:
    """Each word by the one at its place, what is left over deleted or appended."""
    tags = [(place, REPLACE + word) for place, word in enumerate(after[: len(before)], 1)]
    tags += [(place, DELETE) for place in range(len(after) + 1, len(before) + 1)]
    return tags + [(len(before), APPEND + word) for word in after[len(before) :]]


def _ways(
    before: Sequence[str],
    after: Sequence[str],
    i: int,
    j: int,
    best: dict[tuple[int, int], _Step],
    verbs: VerbForms,
) -> Iterator[_Step]:
    """Every last step that leads to i words before and j after; of equal ones the first is taken."""
    if i and j:
        cost, tag = _match(before[i - 1], after[j - 1], verbs)
        yield best[i - 1, j - 1].then((i - 1, j - 1), cost, *([] if tag is None else [(i, tag)]))
        for back, tags in _joins_and_splits(before, after, i, j):
            yield best[back].then(back, 0.0, *tags)
    if i:
        yield best[i - 1, j].then((i - 1, j), _ALONE, (i, DELETE))
    if j:
        yield best[i, j - 1].then((i, j - 1), _ALONE, (i, APPEND + after[j - 1]))


def _match(word: str, target: str, verbs: VerbForms) -> tuple[float, str | None]:
    """What it costs to make one word of another, and the tag; None for a word that is shared, but that the cheapest
    diff did not pair."""
    if word == target:
        return 0.0, None
    tag = transformation(word, target, verbs)
    return (0.0, tag) if tag is not None else (_REPLACED + Indel.normalized_distance(word, target), REPLACE + target)


def _joins_and_splits(
    before: Sequence[str], after: Sequence[str], i: int, j: int
) -> Iterator[tuple[tuple[int, int], list[tuple[int, str]]]]:
    """Words before i as the one before j, or that before i as several; each with where it begins, and its tags."""
    for size in range(2, min(i, _LONGEST_JOIN) + 1):
        for merge, glue in MERGES.items():
            if glue.join(before[i - size : i]) == after[j - 1]:
                yield (i - size, j - 1), [(place, merge) for place in range(i - size + 1, i)]
    parts = [part for part in before[i - 1].split("-") if part] if "-" in before[i - 1] else []
    if 1 < len(parts) <= j and list(after[j - len(parts) : j]) == parts:
        yield (i - 1, j - len(parts)), [(i, SPLIT_HYPHEN)]
