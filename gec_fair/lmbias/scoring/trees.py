"""Rows of sub-words that begin alike, read as trees: a common beginning is read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gec_fair.lmbias.scoring.model import View


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


def tree_of(requests: Sequence[Request]) -> Tree:
    """The tree of the rows without their last sub-words, which nobody reads."""
    return Tree.from_rows([row[:-1] for row, _ in requests])


def view(requests: Sequence[Sequence[Request]]) -> View:
    """Trees as rows. Where each has one row, its padding stands behind it, and no place sees it."""
    trees = [tree_of(alike) for alike in requests]
    places = [
        (n, node)
        for n, tree in enumerate(trees)
        for path, request in zip(tree.paths, requests[n], strict=True)
        for node in path[request.first - 1 :]
    ]
    rows = [tree.ids for tree in trees]
    if all(len(tree.paths) == 1 for tree in trees):
        return View(rows, places)
    return View(rows, places, np.stack([tree.seen(max(map(len, rows))) for tree in trees]))
