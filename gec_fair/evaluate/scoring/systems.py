"""Which outputs are seeds of one system: only those are averaged.

gector=run1.txt  gector=run2.txt                   seeds of gector: they share a name
runs/gector/0/full.txt  runs/gector/1/full.txt     seeds too: only the number of a folder differs
gector.txt  bart.txt                               different systems
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.errors import UsageError
from gec_fair.stats.estimate import Estimate, Kind
from gec_fair.stats.seeds import over_seeds

SPREAD = Kind.TWO_SD
"""Of the seeds of GEC systems, as Lund et al. (2023) print it."""


@dataclass(frozen=True, slots=True)
class Output:
    """A system's corrected texts. `system` is the name that the user gave, or else the path, with `*` for the folder
    that has a seed's number as its name."""

    path: Path
    system: str
    is_named: bool


def parse_output(text: str) -> Output:
    """`FILE` or `NAME=FILE`. A file that has the sign in its own path is found as it is. UsageError for half of it."""
    name, sign, file = text.partition("=")
    if not sign or "/" in name or Path(text).exists():
        return Output(Path(text), _without_seed(Path(text)), is_named=False)
    if not name or not file:
        raise UsageError(f"--hyp wants FILE or NAME=FILE, not {text!r}")
    return Output(Path(file), name, is_named=True)


def seeds_of_systems(outputs: Sequence[Output]) -> dict[str, list[int]]:
    """The systems of several outputs, each with the places of its seeds. UsageError for a file that appears twice among
    the seeds of a system."""
    places: dict[str, list[int]] = {}
    for place, output in enumerate(outputs):
        if output.path in (outputs[earlier].path for earlier in places.setdefault(output.system, [])):
            raise UsageError(f"--hyp {output.path}: is given twice for {output.system}; give each seed once")
        places[output.system].append(place)
    return {system: seeds for system, seeds in places.items() if len(seeds) > 1}


def average(rows: Sequence[Mapping[str, float]], columns: Sequence[str]) -> dict[str, Estimate]:
    """The mean of each column over a system's seeds, ± 2 s.d."""
    return {column: over_seeds([row[column] for row in rows], SPREAD) for column in columns}


def _without_seed(path: Path) -> str:
    """The path with `*` for its last folder that has a number as its name."""
    parts = list(path.parts)
    numbers = [place for place, part in enumerate(parts[:-1]) if part.isdigit()]
    if numbers:
        parts[numbers[-1]] = "*"
    return str(Path(*parts))
