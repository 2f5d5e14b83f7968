"""Many systems, many seeds, several sets: every gap, and the difference of gaps between any two systems.

RUNS/SYSTEM/SEED/SET/{orig,aug}.txt     without SET where there is only one
RUNS/SYSTEM/SEED/full.txt               the system on a whole development set, where there is a reference for it
RUNS/runs.json                          what the maker of RUNS says of them; need not be there

Everything is annotated in one go, so ten seeds cost little more than what they do not share.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path

from gec_fair.edits import Edits
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.evaluate.gap import bea_dev, significance
from gec_fair.evaluate.gap.gap import Gap, gap, judge
from gec_fair.evaluate.gap.loaded_set import Both, LoadedSet, open_set
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.hypotheses import AS_TOKENS, HypothesisOptions
from gec_fair.evaluate.scoring.score import Score, judge_all
from gec_fair.extras import require
from gec_fair.progress import note
from gec_fair.runs.atomic import write_json
from gec_fair.runs.json_files import parse_json
from gec_fair.stats.bootstrap import RESAMPLES
from gec_fair.stats.estimate import Estimate

ORIG, AUG, FULL = "orig.txt", "aug.txt", "full.txt"
RECORD = "runs.json"
NOT_COMPARABLE = (
    "the sets' references are automatic ERRANT edits, not BEA's human spans: "
    "scores on the subsets are not comparable with those on the full development set"
)


@dataclass(frozen=True, slots=True)
class RunsFile:
    """What RUNS/runs.json says: sets by name or folder, the reference of the full.txt, and what each system was trained
    on where it is one of the paper's (`orig`, `mf`, `st`)."""

    sets: tuple[str, ...] = ()
    full: str = ""
    trained_on: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Output:
    """One seed of a system on one set, given by its name or folder; `set` is the name."""

    set_path: str
    set: str
    system: str
    seed: str
    orig: Path
    aug: Path


@dataclass(frozen=True, slots=True)
class Row:
    """A system on a set. `seeds` are their names, in the order of `gap.seeds`."""

    system: str
    seeds: tuple[str, ...]
    gap: Gap


@dataclass(frozen=True, slots=True)
class Difference:
    """Gap of `second` minus gap of `first` on one set; `holm`: p after Holm's correction over all differences. The
    p-values are None for fewer than ten sentences."""

    set: str
    first: str
    second: str
    delta: Estimate
    holm: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """`sets` by name; `full`: scores of each system's seeds on the whole development set, and `part`: which
    part of BEA-dev that is (`bea_dev`)."""

    sets: Mapping[str, LoadedSet]
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    full: Mapping[str, Sequence[Score]]
    part: str = ""


def compare(
    outputs: Sequence[Output],
    options: ScoreOptions,
    annotator: Annotator,
    *,
    full: tuple[Path, Mapping[str, Sequence[Path]]] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    reading: HypothesisOptions = AS_TOKENS,
    prose: Collection[tuple[str, str]] = (),
) -> Compared:
    """Judge every output. `full` is a reference and each system's outputs for it; `prose`: systems and sets whose
    prose has been tokenised already.

    InputError where a file and its set do not match, before anything is annotated.
    """
    places = dict.fromkeys((o.set, o.set_path) for o in outputs)
    loaded_sets = {name: open_set(catalogue.find(place), options, annotator) for name, place in places}
    texts = [loaded_sets[o.set].read(o.orig, o.aug, reading) for o in outputs]
    edits = _annotate([(loaded_sets[o.set], mine) for o, mine in zip(outputs, texts, strict=True)], annotator)
    seeds: dict[tuple[str, str], list[int]] = {}
    for n, output in enumerate(outputs):
        seeds.setdefault((output.set, output.system), []).append(n)
    rows = tuple(
        Row(
            system,
            tuple(outputs[n].seed for n in numbers),
            gap(
                loaded_sets[name],
                [judge(loaded_sets[name], edits[n]) for n in numbers],
                resamples=resamples,
                seed=seed,
                is_prose=(system, name) in prose or any(side.is_prose for n in numbers for side in texts[n]),
            ),
        )
        for (name, system), numbers in seeds.items()
    )
    full_scores: dict[str, Sequence[Score]] = {}
    if full is not None:
        reference, files = full
        paths = [path for paths in files.values() for path in paths]
        every = judge_all(paths, reference, options, annotator, reading=reading)
        at = iter(every)
        full_scores = {system: [next(at) for _ in paths] for system, paths in files.items()}
    part = bea_dev.part_of(full[0]) if full is not None else ""
    return Compared(loaded_sets, rows, differences(rows, options.beta, resamples, seed), full_scores, part)


def differences(rows: Sequence[Row], beta: float, resamples: int, seed: int) -> tuple[Difference, ...]:
    """Between any two systems on the same set that have a gap, in order."""
    comparable = [row for row in rows if not row.gap.no_gap]
    pairs = [(left, right) for left, right in combinations(comparable, 2) if left.gap.set.name == right.gap.set.name]
    if not pairs:
        return ()
    require("comparing systems", "evaluate", "statsmodels")
    from statsmodels.stats.multitest import multipletests

    differences = [
        significance.difference(left.gap.counts, right.gap.counts, beta=beta, resamples=resamples, seed=seed)
        for left, right in pairs
    ]
    tested = [difference.p for difference in differences if difference.p is not None]
    holm = iter(multipletests(tested, method="holm")[1] if tested else ())
    return tuple(
        Difference(left.gap.set.name, left.system, right.system, delta, None if delta.p is None else float(next(holm)))
        for (left, right), delta in zip(pairs, differences, strict=True)
    )


def discover(runs: Path, sets: Sequence[str] = ()) -> list[Output]:
    """The outputs under `runs`, sorted by set, system and seed; `sets`: only these, and the set of files that lie
    directly in a seed's folder where it is the only one.

    InputError for a half of a pair, for files whose set cannot be told, and where there is nothing.
    """
    if not runs.is_dir():
        raise InputError(f"{runs}: no such folder; give RUNS with SYSTEM/SEED/{{{ORIG[:-4]},{AUG[:-4]}}}.txt in it")
    places = name_places(sets)
    outputs = []
    sides = (path for depth in range(5) for name in (ORIG, AUG) for path in runs.glob("*/" * depth + name))  # links too
    for path in (folders := sorted({path.parent for path in sides})):
        for name in (ORIG, AUG):
            if not (path / name).is_file():
                raise InputError(f"{path / name}: is missing; a system's outputs for both sides stand side by side")
        outputs.append(_output(runs, path, places, is_required=bool(sets)))
    matching = [o for o in outputs if o is not None and (not sets or o.set in places)]
    systems = {path.relative_to(runs).parts[0] for path in folders}
    if not matching:
        raise InputError(f"{runs}: no SYSTEM/SEED/{ORIG} and {AUG} in it" + (f" for {', '.join(sets)}" if sets else ""))
    for output in matching:
        if sum((o.set, o.system, o.seed) == (output.set, output.system, output.seed) for o in matching) > 1:
            raise InputError(f"{output.orig}: {output.system}, seed {output.seed}, has {output.set} twice; remove one")
    if lost := sorted(systems - {output.system for output in matching}):
        note(f"{runs}: {', '.join(lost)} left out: no output for {', '.join(sets)}")
    return in_order(matching, list(places))


def in_order(outputs: Iterable[Output], sets: Sequence[str] = ()) -> list[Output]:
    """Outputs by set, in the order of `sets` or in which sets come first, then by system and seed."""
    every = list(outputs)
    order = list(sets or dict.fromkeys(output.set for output in every))
    return sorted(every, key=lambda o: (order.index(o.set), _natural(o.system), _natural(o.seed)))


def full_outputs(runs: Path) -> dict[str, list[Path]]:
    """Each system's outputs for a whole development set."""
    folders: dict[str, list[Path]] = {}
    paths = [*runs.glob(f"*/{FULL}"), *runs.glob(f"*/*/{FULL}")]
    for path in sorted(paths, key=lambda p: [_natural(part) for part in p.parts]):
        folders.setdefault(path.relative_to(runs).parts[0], []).append(path)
    return folders


def read_run_record(runs: Path) -> RunsFile:
    """What runs.json says, or nothing. InputError for one that is not ours."""
    path = runs / RECORD
    try:
        record = parse_json(path.read_text(encoding="utf-8")) if path.is_file() else {}
        sets, full, trained_on = record.get("sets", []), record.get("full", ""), record.get("trained_on", {})
        known = {name: tuple(parts) for name, parts in trained_on.items()}
        return RunsFile(tuple(sets), os.fspath(full), known)
    except (ValueError, AttributeError, TypeError) as fault:
        raise InputError(
            f"{path}: was not written by this command ({fault}); remove it, and name sets with --evalset"
        ) from fault


def tell_of(runs: Path, record: RunsFile) -> None:
    """Write runs.json, whole or not at all."""
    write_json(runs / RECORD, asdict(record))


def _output(runs: Path, folder: Path, places: Mapping[str, str], *, is_required: bool) -> Output | None:
    """None for a set that no one asked for."""
    parts = list(folder.relative_to(runs).parts)
    name = parts.pop() if parts and (parts[-1] in places or parts[-1] in catalogue.read_known()) else ""
    if is_required and len(parts) == 3:
        return None
    if not 1 <= len(parts) <= 2:
        raise InputError(f"{folder}: is neither SYSTEM/SEED nor SYSTEM/SEED/SET under {runs}")
    if not name and len(places) != 1:
        raise InputError(
            f"{folder / ORIG}: its folder does not say of which set it is ({', '.join(places)}); name the set with "
            "--evalset, or put the files into a folder of its name"
        )
    name = name or next(iter(places))
    system, seed = (*parts, "0")[:2]
    return Output(places.get(name, name), name, system, seed, folder / ORIG, folder / AUG)


def name_places(sets: Sequence[str]) -> dict[str, str]:
    """Name → what was given for it, of the sets that may be meant: those asked for, else those that are here.
    UsageError for two sets of one name."""
    places: dict[str, str] = {}
    for place in sets or catalogue.present():
        name = catalogue.find(place).name
        if name in places:
            raise UsageError(f"--evalset {place}: a set called {name} is given already; rename one of the folders")
        places[name] = place
    return places


def _annotate(jobs: Sequence[tuple[LoadedSet, Both]], annotator: Annotator) -> list[list[Edits]]:
    """Edits of each output, all annotated at once."""
    pairs = [loaded.pairs(texts) for loaded, texts in jobs]
    every = annotator([pair for mine in pairs for pair in mine])
    gaps, at = [], 0
    for mine in pairs:
        gaps.append(every[at : at + len(mine)])
        at += len(mine)
    return gaps


def _natural(name: str) -> tuple[int, int, str]:
    """Seeds 2 and 10 in the order of numbers, names after them."""
    return (0, int(name), "") if name.isdigit() else (1, 0, name)
