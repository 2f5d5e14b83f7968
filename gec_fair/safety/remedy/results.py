"""What one seed of a training found; written as JSON, read back by the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gec_fair.errors import ResumeError
from gec_fair.runs.atomic import write_json
from gec_fair.runs.json_files import parse_json

Row = Mapping[str, Any]
"""Figures by name, as tables and files have them."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Training texts that are not counterfactuals; the size of the balanced data; by slice, texts without all their
    copies; texts that name several subgroups of a category."""

    originals: int
    balanced: float
    without_a_copy: Mapping[str, int]
    several: int


@dataclass(frozen=True, slots=True)
class HarmResult:
    """One harm. `models`: measures of each of `one_seed.MODELS` on the test texts; `changes` against the baseline;
    `sources` by themselves; `contributions` of sources to a model; `largest` changes of single texts; `shares` drawn by
    reweighting in each round, and slices that the last one `left_out`; `warning` is empty if there is none."""

    models: Mapping[str, Row]
    changes: Mapping[str, Row]
    sources: tuple[Row, ...]
    contributions: Mapping[str, tuple[Row, ...]]
    largest: tuple[Row, ...]
    reweighting: Row
    balance: Balance
    shares: tuple[Row, ...]
    left_out: Mapping[str, tuple[str, ...]]
    sweeps: tuple[Row, ...]
    warning: str


@dataclass(frozen=True, slots=True)
class SeedResult:
    """The results of one seed. `missing`: by split and source, empty cells of the tables."""

    seed: int
    missing: Mapping[str, Mapping[str, int]]
    harms: Mapping[str, HarmResult]


def write_seed(path: Path, result: SeedResult) -> None:
    """Whole or not at all."""
    write_json(path, asdict(result))


def read_seed(path: Path) -> SeedResult:
    """ResumeError for another file."""
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
        harms = {
            name: HarmResult(**{**harm, "balance": Balance(**harm["balance"])})
            for name, harm in content.pop("harms").items()
        }
        return SeedResult(**content, harms=harms)
    except (ValueError, KeyError, TypeError) as fault:
        raise ResumeError(f"{path}: not a result written by gec-fair ({fault}); remove it") from fault
