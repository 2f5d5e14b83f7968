"""A part of a suite, drawn by seed and item: which items come does not depend on how many others there are."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from hashlib import sha256


def drawn(items: Sequence[str], number: int, seed: int) -> list[str]:
    """`number` of the items (all, if there are fewer), in their order: those whose digests are the smallest."""
    first = set(sorted(items, key=lambda item: sha256(f"{seed}\0{item}".encode()).digest())[:number])
    return [item for item in items if item in first]


def shares(sizes: Mapping[Hashable, int], number: int) -> dict[Hashable, int]:
    """How many of each stratum come: in proportion, by largest remainders, but at least one of each."""
    total = sum(sizes.values())
    if number >= total:
        return dict(sizes)
    exact = {name: number * size / total for name, size in sizes.items()}
    numbers = {name: max(1, int(share)) for name, share in exact.items()}
    by_remainder = sorted(exact, key=lambda name: int(exact[name]) - exact[name])
    for name in by_remainder:
        if sum(numbers.values()) >= number:
            break
        numbers[name] = min(numbers[name] + 1, sizes[name])
    return numbers
