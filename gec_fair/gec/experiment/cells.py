"""A cell: one system, one seed, one folder.

    OUT/cells/SYSTEM/SEED/   the training run (begun.json, checkpoints/, best/, manifest.json), SET/{orig,aug}.txt and
                             full.txt, outputs.json (what each was made from), scores.json (written last)

OUT/cells is what `gec-fair compare` reads as RUNS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.errors import UsageError
from gec_fair.gec.experiment.options import BASELINE, Experiment
from gec_fair.stats.seeds import list_seeds

CELLS = "cells"


@dataclass(frozen=True, slots=True)
class Cell:
    """`pairs` is "" for the baseline, which is not trained."""

    system: str
    seed: int
    pairs: str
    folder: Path

    @property
    def name(self) -> str:
        """`SYSTEM/SEED`."""
        return f"{self.system}/{self.seed}"


def cells(experiment: Experiment, out: Path) -> list[Cell]:
    """All cells, in the order in which they are run: seed after seed, so that an early look shows every system."""
    cells_in_order = [Cell(BASELINE, 0, "", out / CELLS / BASELINE / "0")] if experiment.baseline else []
    for seed in list_seeds(experiment.seeds):
        cells_in_order += [
            Cell(name, seed, pairs, out / CELLS / name / str(seed)) for name, pairs in experiment.names.items()
        ]
    return cells_in_order


def select_cells(every: Sequence[Cell], names: Sequence[str]) -> list[Cell]:
    """The cells of the given names, SYSTEM/SEED or SYSTEM. UsageError for one that is none."""
    selected: list[Cell] = []
    for name in names:
        matches = [cell for cell in every if name in (cell.name, cell.system)]
        if not matches:
            raise UsageError(f"no cell {name}; cells are {every[0].name} … {every[-1].name}")
        selected += matches
    return list(dict.fromkeys(selected)) if names else list(every)
