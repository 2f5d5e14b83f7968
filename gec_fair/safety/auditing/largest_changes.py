"""Which texts a remedy changed most, by id (Tables 4 and 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gec_fair.safety.data.scores import Floats, Scored


@dataclass(frozen=True, slots=True)
class Changed:
    """One text, or two counterfactuals, by id: scores before and after."""

    kind: str
    ids: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


def largest(before: Scored, after: Floats, *, most: int = 5) -> list[Changed]:
    """What changed most for the better, and for the worse: scores of safe texts (towards false positives, whatever the
    threshold), of unsafe ones (towards false negatives), and differences within counterfactual pairs (Tables 4, 5)."""
    old = before.scores
    changes: list[Changed] = []
    for kind, rows, gain in (
        ("false positive", ~before.labels, old - after),
        ("false negative", before.labels, after - old),
    ):
        order = np.flatnonzero(rows)[np.argsort(-gain[rows], kind="stable")]
        for better, ordered in (("better", order[:most]), ("worse", order[::-1][:most])):
            changes += [
                Changed(f"{kind}, {better}", (before.ids[n],), (float(old[n]),), (float(after[n]),))
                for n in ordered
                if (gain[n] > 0) == (better == "better") and gain[n] != 0
            ]
    pairs = _pairs(before, after)
    for up in (True, False):
        for gain_, first, second in sorted(pairs, key=lambda pair: -pair[0] if up else pair[0])[:most]:
            if gain_ and (gain_ > 0) == up:
                ids = before.ids[first], before.ids[second]
                changes.append(
                    Changed(
                        f"counterfactual pair, {'better' if up else 'worse'}",
                        ids,
                        (float(old[first]), float(old[second])),
                        (float(after[first]), float(after[second])),
                    )
                )
    return changes


def _pairs(before: Scored, after: Floats) -> list[tuple[float, int, int]]:
    """For each set the two texts whose difference shrank most, and grew most: by how much, and which."""
    members: dict[int, list[int]] = {}
    for n, at in enumerate(before.sets.tolist()):
        if at < len(before.named):
            members.setdefault(at, []).append(n)
    pairs = []
    for indices in members.values():
        one, second = np.triu_indices(len(indices), 1)
        if not len(one):
            continue
        rows = np.array(indices)
        gain = np.abs(before.scores[rows[one]] - before.scores[rows[second]]) - np.abs(
            after[rows[one]] - after[rows[second]]
        )
        pairs += [
            (float(gain[at]), int(rows[one[at]]), int(rows[second[at]]))
            for at in dict.fromkeys((int(gain.argmax()), int(gain.argmin())))
        ]
    return pairs
