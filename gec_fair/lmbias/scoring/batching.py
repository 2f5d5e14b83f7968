"""Texts as rows of sub-words, with what belongs to the text itself; and a suite's items in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase

from gec_fair.errors import InputError

Item = TypeVar("Item")
_FIRST = 8  # items


@dataclass(frozen=True, slots=True)
class Cut:
    """A text's sub-words with the special ones around them. `own`: the places that are the text's; `words`: the number
    of the word that each place belongs to, None for special ones; `starts`, `ends`: its characters, half-open. All of
    one length but `own`; a tokenizer in Python alone tells none of these, and they are empty."""

    ids: tuple[int, ...]
    places: tuple[int, ...]
    words: tuple[int | None, ...]
    ends: tuple[int, ...]
    starts: tuple[int, ...] = ()

    def after(self, character: int) -> Cut:
        """The same with only those sub-words its own that reach beyond a character: what follows a context."""
        if not character:
            return self
        return replace(self, places=tuple(place for place in self.places if self.ends[place] > character))


def cut(
    texts: Sequence[str],
    tokenizer: PreTrainedTokenizerBase,
    *,
    longest: int,
    special: bool = True,
    place: str = "at once",
    marks: bool = False,
) -> list[Cut]:
    """Every text, whole. InputError for one that is longer than the model reads; `place`: where, for the message.
    `marks`: the name of a special token in a text is that token, else it is text."""
    if not texts:
        return []
    encoded = tokenizer(
        list(texts),
        add_special_tokens=special,
        split_special_tokens=not marks,
        return_special_tokens_mask=True,
        return_offsets_mapping=tokenizer.is_fast,
    )
    texts_ = []
    for n, text in enumerate(texts):
        ids = tuple(encoded["input_ids"][n])
        if len(ids) > longest:
            raise InputError(
                f"a text of {len(ids):,} sub-words, and the model reads {longest:,} {place}: "
                f"{text[:60]!r}…; leave it out, or give a model that reads more"
            )
        own_tokens = tuple(
            place for place, is_special in enumerate(encoded["special_tokens_mask"][n]) if not is_special
        )
        words = tuple(encoded.word_ids(n)) if tokenizer.is_fast else ()
        ends = tuple(end for _, end in encoded["offset_mapping"][n]) if tokenizer.is_fast else ()
        starts = tuple(start for start, _ in encoded["offset_mapping"][n]) if tokenizer.is_fast else ()
        texts_.append(Cut(ids, own_tokens, words, ends, starts))
    return texts_


class Request(NamedTuple):
    """What is asked of a row of sub-words: how likely those from the place `first` on are."""

    row: tuple[int, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Tree:
    """Rows of sub-words, with what they share at the beginning once. `ids` and `parents` are those of the nodes, a
    parent before its children, -1 for none; `paths` has the nodes of each row."""

    ids: tuple[int, ...]
    parents: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[int, ...]]) -> Tree:
        """The tree of some rows. Cost O(sub-words)."""
        nodes: dict[tuple[int, int], int] = {}
        paths = []
        for row in rows:
            path = [-1]
            for token in row:
                path.append(nodes.setdefault((path[-1], token), len(nodes)))
            paths.append(tuple(path[1:]))
        parents, ids = zip(*nodes, strict=True)
        return cls(ids, parents, tuple(paths))

    def seen(self, size: int) -> NDArray[np.bool_]:
        """(size, size): whether a node is the other one or behind it in a row; beyond the tree, places see
        themselves."""
        seen = np.eye(size, dtype=bool)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                seen[node] |= seen[parent]
        return seen


def in_trees(requests: Sequence[Request], most: int) -> Iterator[list[Request]]:
    """Sorted requests in parts, each of one row or of rows that make a tree of at most `most` nodes. Attention is over
    the whole tree, so a row that shares less than half of itself joins only half as large a one."""
    part: list[Request] = []
    nodes = 0
    for request in requests:
        before = part[-1].row if part else ()
        shared = sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(before, request.row, strict=False)))
        fresh = len(request.row) - shared
        nodes += fresh
        if part and nodes > (most if shared > fresh else most // 2):
            yield part
            part, nodes = [], len(request.row)
        part.append(request)
    if part:
        yield part


def growing(items: Sequence[Item], most: int) -> Iterator[Sequence[Item]]:
    """Parts of a suite, in order: a few items, then twice as many each time, up to `most`. The first are soon through,
    so that a bar is there early; the later ones fill their batches."""
    first, size = 0, _FIRST
    while first < len(items):
        yield items[first : first + size]
        first, size = first + size, min(2 * size, most)
