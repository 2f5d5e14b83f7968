"""The tables that an ensemble is trained, chosen and judged by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gec_fair.errors import InputError, UsageError
from gec_fair.safety.data import examples, groups
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.data.split import NAMES as SPLITS
from gec_fair.safety.data.texts import read_by_id
from gec_fair.safety.remedy.options import SafetyTraining


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """The examples of the three splits."""

    train: Examples
    validation: Examples
    test: Examples
    subgroups: Mapping[str, Sequence[str]]
    """By identity category."""

    def missing(self) -> dict[str, dict[str, int]]:
        """How many scores each split lacks, by source; those that lack none are left out."""
        missing = {}
        for split in SPLITS:
            rows = getattr(self, split)
            counts = np.isnan(rows.features).sum(axis=0).tolist()
            missing[split] = {name: number for name, number in zip(rows.sources, counts, strict=True) if number}
        return missing


def read(options: SafetyTraining) -> Data:
    """InputError where a table cannot be meant, or a text or its counterfactual is in two of them."""
    known = groups.read(Path(options.groups)) if options.groups else groups.read_shipped()
    splits: dict[str, Examples] = {}
    for split in SPLITS:
        paths = [_find_existing(Path(name), split) for name in getattr(options, split)]
        if not paths:
            raise UsageError(f"{split} names no table; write it with gec-fair safety scores")
        sources = splits["train"].sources if splits else options.sources
        splits[split] = examples.read(paths, known, options.harms, sources, options.labels)
    examples.refuse_leaks(splits)
    for split, rows in splits.items():
        for harm in options.harms:
            _check_labels(split, harm, rows)
    texts = [_find_existing(Path(name), "texts") for name in options.texts]
    if texts and not read_by_id(texts, splits["test"].ids):  # told before the work
        raise InputError(f"{texts[0]}: has none of the test's texts, by id; give the table that was scored")
    return Data(**splits, subgroups=known.subgroups)


def _find_existing(path: Path, split: str) -> Path:
    if not path.is_file():
        raise InputError(f"{path}: no such file; check {split}")
    return path


def _check_labels(split: str, harm: str, split_examples: Examples) -> None:
    """InputError where a split cannot teach, choose or judge a harm."""
    labels = set(split_examples.labels[harm][~split_examples.copies].tolist()) - {examples.UNKNOWN}
    if labels != {0, 1}:
        fault = "no text whose label is known" if not labels else f"no {'safe' if 1 in labels else 'unsafe'} text"
        raise InputError(f"{split} has {fault} for {harm}, counterfactuals aside; add some, or leave the harm out")
