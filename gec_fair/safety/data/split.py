"""Texts into training, validation and test: whole counterfactual sets, never rows, each by its name and the seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gec_fair.errors import UsageError
from gec_fair.safety.data.scores import cell

NAMES = ("train", "validation", "test")


def split(
    table: Iterable[Mapping[str, Any]], shares: Sequence[float], *, seed: int = 0
) -> dict[str, list[Mapping[str, Any]]]:
    """Rows by split, in order; `shares` of the sets. A set goes where it goes whatever others there are. UsageError for
    shares that cannot be meant."""
    if len(shares) != len(NAMES) or not all(0 < share < float("inf") for share in shares):
        raise UsageError(f"give three shares above 0, for {', '.join(NAMES)}; for example 60,20,20")
    ends = [sum(shares[: n + 1]) / sum(shares) for n in range(len(NAMES))]
    by_split: dict[str, list[Mapping[str, Any]]] = {name: [] for name in NAMES}
    rows = list(table)
    sets = {cell(row.get("id")): cell(row.get("set_id")) for row in rows}
    for row in rows:
        name = cell(row.get("set_id")) or sets.get(cell(row.get("copy_of"))) or set_of(row)
        draw = int.from_bytes(hashlib.sha256(f"{seed}:{name}".encode()).digest()[:8], "big") / 2**64
        by_split[next(name for name, end in zip(NAMES, ends, strict=True) if draw < end)].append(row)
    return by_split


def set_of(row: Mapping[str, Any]) -> str:
    """The set that a row belongs to, by the first of set_id, copy_of and id that it has. UsageError where it has
    none."""
    for name in ("set_id", "copy_of", "id"):
        if set_name := cell(row.get(name)):
            return set_name
    raise UsageError("a row has neither set_id nor id; give each text an id")
