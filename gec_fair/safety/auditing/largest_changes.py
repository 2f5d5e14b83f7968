"""Which texts a remedy changed most, by id (Tables 4 and 5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gec_fair.safety.data.scores import Floats, Scored


def largest(before: Scored, after: Floats, *, most: int = 5) -> list[dict[str, Any]]:
    """What changed most for the better, and for the worse: scores of safe texts (towards false positives, whatever the
    threshold), of unsafe ones (towards false negatives), and differences within counterfactual pairs (Tables 4, 5).
    Each with its kind, the ids of one text or of two, and their scores before and after."""
    old = before.scores
    changes: list[dict[str, Any]] = []

    def add(kind: str, better: bool, *rows: int) -> None:
        scores = {"before": [float(old[n]) for n in rows], "after": [float(after[n]) for n in rows]}
        kind = f"{kind}, {'better' if better else 'worse'}"
        changes.append({"kind": kind, "ids": [before.ids[n] for n in rows], **scores})

    for kind, rows, gain in (
        ("false positive", ~before.labels, old - after),
        ("false negative", before.labels, after - old),
    ):
        order = np.flatnonzero(rows)[np.argsort(-gain[rows], kind="stable")]
        for better, ordered in ((True, order[:most]), (False, order[::-1][:most])):
            for n in ordered:
                if gain[n] and (gain[n] > 0) == better:
                    add(kind, better, n)
    pairs = _pairs(before, after)
    for better in (True, False):
        for change, first, second in sorted(pairs, key=lambda pair: -pair[0] if better else pair[0])[:most]:
            if change and (change > 0) == better:
                add("counterfactual pair", better, first, second)
    return changes


def _pairs(before: Scored, after: Floats) -> list[tuple[float, int, int]]:
    """For each set the two texts whose difference shrank most, and grew most: by how much, and which."""
    members: dict[int, list[int]] = {}
    for n, at in enumerate(before.sets.tolist()):
        if at < len(before.named):
            members.setdefault(at, []).append(n)
    pairs = []
    for indices in members.values():
        left, right = np.triu_indices(len(indices), 1)
        if not len(left):
            continue
        rows = np.array(indices)
        gain = np.abs(before.scores[rows[left]] - before.scores[rows[right]]) - np.abs(
            after[rows[left]] - after[rows[right]]
        )
        pairs += [
            (float(gain[at]), int(rows[left[at]]), int(rows[right[at]]))
            for at in dict.fromkeys((int(gain.argmax()), int(gain.argmin())))
        ]
    return pairs
