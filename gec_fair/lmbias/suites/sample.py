"""A part of a suite, drawn by seed and item: which items come does not depend on how many others there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

Key = TypeVar("Key")


def draw(items: Sequence[str], number: int, seed: int) -> list[str]:
    """`number` of the items (all, if there are fewer), in their order: those whose digests are the smallest."""
    first = set(sorted(items, key=lambda item: sha256(f"{seed}\0{item}".encode()).digest())[:number])
    return [item for item in items if item in first]


def shares(sizes: Mapping[Key, int], number: int) -> dict[Key, int]:
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


def places(keys: Sequence[str], strata: Sequence[str], number: int, seed: int, *, minimum: int = 0) -> list[int]:
    """Places of the items that come, in order: `minimum` of each stratum where that is given, else shares of `number`
    in proportion."""
    by_stratum: dict[str, dict[str, int]] = {}
    for place, (key, stratum) in enumerate(zip(keys, strata, strict=True)):
        by_stratum.setdefault(stratum, {})[f"{key}\t{place}"] = place
    numbers = (
        dict.fromkeys(by_stratum, minimum) if minimum else shares({n: len(m) for n, m in by_stratum.items()}, number)
    )
    return sorted(
        members[key] for name, members in by_stratum.items() for key in draw(list(members), numbers[name], seed)
    )
