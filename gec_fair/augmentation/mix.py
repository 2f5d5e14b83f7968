"""Training mixes of original and augmented pairs, as systems 1–4 of Lund et al. 2023, §4.4.

    system1  original        system2  original + ST        system3  original + MF        system4  original + MF + ST

System 0, the checkpoint before fine-tuning, has no data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.augmentation.options import MixOptions, MixRunOptions
from gec_fair.config.options import part
from gec_fair.corpus.formats.pair_lines import Lines
from gec_fair.corpus.ledger import NAME, read_ledger
from gec_fair.errors import InputError
from gec_fair.report.results import Result
from gec_fair.report.table import Table
from gec_fair.runs.atomic import write_bytes
from gec_fair.runs.digests import file_digest
from gec_fair.runs.identity import Identity
from gec_fair.runs.json_files import read_object
from gec_fair.runs.record import Record
from gec_fair.version import __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SYSTEMS: Mapping[int, tuple[str, ...]] = {1: ("orig",), 2: ("orig", "st"), 3: ("orig", "mf"), 4: ("orig", "mf", "st")}


@dataclass(frozen=True, slots=True, repr=False)
class Mixed(Result):
    """Where a mix lies, what each system holds, and what the caller should tell its user."""

    directory: Path
    systems: Mapping[str, Mapping[str, int]]
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The folder and the number of pairs of each kind in each system."""
        systems = {name: dict(kinds) for name, kinds in self.systems.items()}
        return {"directory": str(self.directory), "systems": systems, "warnings": list(self.warnings)}

    def tables(self) -> Sequence[Table]:
        """A row for each system."""
        records = [{"system": name, **kinds} for name, kinds in self.systems.items()]
        return [Table("mix", f"Pairs of each kind, in {self.directory}", records, unknown="–")]


def mix(original: Path, out: Path, options: MixRunOptions) -> Mixed:
    """Write `out/system{1..4}/train.tsv` and `out/manifest.json`.

    The same inputs and options give the same bytes. Malformed lines are left out with a warning; with `strict` they
    are an InputError, as is a file that cannot be read. ResumeError for a directory that holds another mix.
    """
    st, mf = Path(options.st), Path(options.mf)
    sources = {
        "orig": Lines(original),
        "st": Lines(_pairs(st, ("st", "neo"))),
        "mf": Lines(_pairs(mf, ("fm",))),
    }
    ledgers = {kind: run / NAME for kind, run in (("st", st), ("mf", mf)) if options.surest}
    identity = Identity(
        "mix",
        asdict(part(options, MixOptions)),
        {
            kind: {"name": lines.path.name, "lines": len(lines), "malformed": lines.malformed, "sha256": lines.sha256()}
            for kind, lines in sources.items()
        }
        | {f"{kind} ledger": file_digest(path) for kind, path in ledgers.items()},
        {"gec-fair": __version__},
    )
    for lines in sources.values():
        if lines.malformed and (options.strict or not len(lines)):
            raise InputError(lines.complaint())
    numbers = {kind: _draw(kind, lines, options, ledgers.get(kind)) for kind, lines in sources.items()}
    systems = {f"system{n}": {kind: len(numbers[kind]) for kind in kinds} for n, kinds in SYSTEMS.items()}
    warnings = tuple(
        f"{kind}: {lines.malformed:,} malformed lines are left out, the first is {lines.complaint()}"
        for kind, lines in sources.items()
        if lines.malformed
    )
    few = [kind for kind in ("st", "mf") if len(numbers[kind]) < options.per_kind]
    note = f"fewer than the {options.per_kind:,} asked for; all of them are in the mix"
    warnings += tuple(f"{kind}: {len(numbers[kind]):,} pairs, {note}" for kind in few)
    record = Record(out, identity, overwrite=options.overwrite, remedy="choose another --output, or --overwrite")
    if record.find_finished():
        return Mixed(out, systems, warnings)
    record.begin()
    for number, kinds in SYSTEMS.items():
        _write(out / f"system{number}" / "train.tsv", sources, numbers, kinds, options.seed)
    record.finish({"systems": systems, "warnings": warnings})
    return Mixed(out, systems, warnings)


def _draw(kind: str, lines: Lines, options: MixOptions, ledger: Path | None) -> NDArray[np.int64]:
    """Line numbers: all of the original, and of the others a seeded sample, or the surest by the ledger."""
    import numpy as np

    chance = np.random.Generator(np.random.PCG64([options.seed, _number(kind)]))
    ranked = None if ledger is None else _surest_first(ledger, len(lines), chance)
    if kind == "orig" or len(lines) <= options.per_kind:
        return np.arange(len(lines))
    if ranked is None:
        return np.sort(chance.choice(len(lines), options.per_kind, replace=False))
    return np.sort(ranked[: options.per_kind])


def _surest_first(path: Path, size: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """Line numbers such that the first N hold the surest of each kind of change, each kind with its share of the run;
    `chance` orders those that are as sure."""
    import numpy as np

    pairs = (entry for entry in read_ledger(path.parent) if entry["outcome"] == "augmented")
    again = "run gec-fair augment again with --overwrite, or leave out --surest"
    try:
        rows = np.fromiter(((entry["kind"], entry["sure"]) for entry in pairs), "S8,f8")
    except (KeyError, TypeError, ValueError) as fault:
        raise InputError(f"{path}: does not say how sure each pair is; {again}") from fault
    if len(rows) != size:
        raise InputError(f"{path}: has {len(rows):,} pairs, but pairs.tsv has {size:,}; {again}")
    _, kinds, sizes = np.unique(rows["f0"], return_inverse=True, return_counts=True)
    order = np.lexsort((chance.random(size), -rows["f1"], kinds))
    ranks = np.arange(size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order[np.argsort(ranks / np.repeat(sizes, sizes), kind="stable")]


def _write(
    path: Path,
    sources: Mapping[str, Lines],
    numbers: Mapping[str, NDArray[np.int64]],
    kinds: Sequence[str],
    seed: int,
) -> None:
    """All pairs of the kinds in a seeded order."""
    import numpy as np

    kind_numbers = np.concatenate([np.full(len(numbers[kind]), n) for n, kind in enumerate(kinds)])
    line = np.concatenate([numbers[kind] for kind in kinds])
    order = np.random.Generator(np.random.PCG64([seed, _number(path.parent.name)])).permutation(len(line))
    files = [sources[kind] for kind in kinds]

    # a killed mix leaves no half file behind
    write_bytes(path, (files[kind_numbers[place]][line[place]] + b"\n" for place in order))


def _pairs(directory: Path, jobs: Sequence[str]) -> Path:
    """The pairs of a finished run of one of the jobs, so that --st and --mf cannot be exchanged unnoticed."""
    if not (directory / "manifest.json").is_file():
        run = directory.parent if directory.is_file() else directory
        raise InputError(f"{directory}: not the folder of a finished run; run gec-fair augment … -o {run} first")
    job = read_object(directory / "manifest.json").get("job")
    if job not in jobs:
        raise InputError(f"{directory}: a run of {job}, expected {' or '.join(jobs)}; are --st and --mf exchanged?")
    return directory / "pairs.tsv"


def _number(name: str) -> int:
    """A stable number for a name, so that each draw has its own stream."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
