"""Texts into training, validation and test: whole counterfactual sets, never rows, each by its name and the seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gec_fair.errors import UsageError
from gec_fair.safety.data.cells import cell
from gec_fair.safety.data.scores import find_sets

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
    for row, set_id in zip(rows, find_sets(map(_read_ids, rows)), strict=True):
        digest = hashlib.sha256(f"{seed}:{set_id or set_of(row)}".encode()).digest()
        draw = int.from_bytes(digest[:8], "big") / 2**64
        by_split[next(name for name, end in zip(NAMES, ends, strict=True) if draw < end)].append(row)
    return by_split


def set_of(row: Mapping[str, Any]) -> str:
    """The set of a row by itself, or its id. UsageError where it has none."""
    if set_id := find_sets([_read_ids(row)])[0] or cell(row.get("id")):
        return set_id
    raise UsageError("a row has neither set_id nor id; give each text an id")


def _read_ids(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return cell(row.get("id")), cell(row.get("set_id")), cell(row.get("copy_of"))
