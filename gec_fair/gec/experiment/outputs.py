"""What a cell is judged on: each evaluation set is a part, the whole development set is another.

    source ── the cell's model ──▶ output ── reference ──▶ score
                outputs.json: of which model, from which source      scores.json: of which model, source, reference

A part is made by itself and knows by digests what it was made from: a part that is as asked is not made again, and
nothing is removed for the sake of another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gec_fair.errors import MissingResource, UsageError
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.evaluate.evalsets.catalogue import EvalSet
from gec_fair.evaluate.gap.gap import measure, short
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.score import judge
from gec_fair.evaluate.scoring.texts import read_reference, read_sources
from gec_fair.gec.experiment.options import Experiment
from gec_fair.gec.systems.protocol import System, count_passed
from gec_fair.runs.atomic import write_text
from gec_fair.runs.digests import file_digest
from gec_fair.runs.json_files import read_object

SCORES = "scores.json"
OUTPUTS = "outputs.json"
FULL = "full"
_RESERVED = frozenset({"best", "checkpoints", "tensorboard", FULL})
"""Names in a cell's folder that a set cannot have."""


@dataclass(frozen=True, slots=True)
class Part:
    """`sources` maps outputs, as paths in the cell's folder, to the files that they correct. `set_name` is the set's
    name or folder as the settings have it. `evalset` is None for the development set."""

    name: str
    sources: Mapping[str, Path]
    references: tuple[Path, ...]
    set_name: str = ""
    evalset: EvalSet | None = None

    def identify(self, model: str) -> dict[str, Any]:
        """What its score must have been made from, with the model of that digest."""
        return {
            "model": model,
            "sources": [digest_content(path) for path in self.sources.values()],
            "references": [digest_content(path) for path in self.references],
        }


def parts_of(experiment: Experiment) -> tuple[Part, ...]:
    """All parts, the development set last. Errors for a set or an M2 that cannot be used; UsageError for two sets that
    would share a folder, MissingResource where nothing could be judged."""
    parts = [_make_part(name_or_folder) for name_or_folder in experiment.sets or catalogue.present()]
    if not parts:
        raise MissingResource("no evaluation set is here; `gec-fair evalset list` names them, `fetch` gets them")
    names = [part.name for part in parts]
    for name in names:
        if name in _RESERVED or names.count(name) > 1:
            why = "is a name that a cell needs itself" if name in _RESERVED else "is the name of two sets"
            raise UsageError(f"sets: {name} {why}; rename the folder, or remove one")
    if experiment.full:
        path = Path(experiment.full)
        read_reference(path)
        parts.append(Part(FULL, {f"{FULL}.txt": path}, (path,)))
    return tuple(parts)


def _make_part(name_or_folder: str) -> Part:
    evalset = catalogue.find(name_or_folder)
    sides = {"orig": evalset.orig, "aug": evalset.aug}
    sources = {f"{evalset.name}/{name}.txt": side.source for name, side in sides.items()}
    return Part(evalset.name, sources, tuple(side.m2 for side in sides.values()), name_or_folder, evalset)


def digest_content(path: Path) -> str:
    """A file's sha256. InputError where it cannot be read."""
    return file_digest(path)["sha256"]


def read(path: Path) -> dict[str, Any]:
    """A JSON record of a cell; empty where there is none. InputError for another file."""
    return read_object(path, "remove the folder of this cell, and run the experiment again") if path.exists() else {}


def scores_of(folder: Path) -> dict[str, Any]:
    """Name of each part → its scores, of a cell's folder."""
    scores = read(folder / SCORES)
    return {**scores.get("sets", {}), **({FULL: scores[FULL]} if FULL in scores else {})}


def find_unwritten(folder: Path, part: Part, model: str) -> list[str]:
    """Outputs that are not there as that model writes them from these sources."""
    record = read(folder / OUTPUTS)
    return [name for name, source in part.sources.items() if not _as_asked(folder, name, source, model, record)]


def _as_asked(folder: Path, name: str, source: Path, model: str, record: Mapping[str, Any]) -> bool:
    """The record holds the output's own digest too, so it cannot speak of another file than the one that is there."""
    path, entry = folder / name, record.get(name, {})
    expected = {"model": model, "source": digest_content(source)}
    return path.is_file() and {**entry, **expected} == entry and entry.get("output") == digest_content(path)


def predict(folder: Path, part: Part, model: str, system: Callable[[], System]) -> None:
    """Write the outputs of a part that are not there as asked; `system` answers the model of that digest, read."""
    for name in find_unwritten(folder, part, model):
        source = part.sources[name]
        corrects = system()
        before = count_passed(corrects)
        answers = corrects(read_sources(source))
        write_text(folder / name, "".join(answer + "\n" for answer in answers))
        entry = {
            "model": model,
            "source": digest_content(source),
            "output": digest_content(folder / name),
            "passed_through": count_passed(corrects) - before,
        }
        write_text(folder / OUTPUTS, json.dumps({**read(folder / OUTPUTS), name: entry}, indent=1) + "\n")


def score(folder: Path, part: Part, model: str, annotator: Annotator) -> dict[str, Any]:
    """The figures of a part whose outputs are there; how many texts the system passed through as too long."""
    record = read(folder / OUTPUTS)
    provenance = {
        "identity": part.identify(model),
        "passed_through": [record[name]["passed_through"] for name in part.sources],
    }
    options = ScoreOptions()
    if part.evalset is None:
        scores = judge(folder / f"{FULL}.txt", part.references[0], options, annotator)
        return {**short(scores), "signature": scores.signature, **provenance}
    orig, aug = (folder / name for name in part.sources)
    measured = measure(part.evalset, [(orig, aug)], options, annotator).as_json()
    return {key: measured[key] for key in ("orig", "aug", "delta", "ci95", "p", "bias", "signature")} | provenance


def keep(folder: Path, parts: Sequence[Part], scores: Mapping[str, Any]) -> dict[str, Any]:
    """Write the scores, in the order of the parts; those of sets that are not asked for now stay, behind them."""
    names = [*(part.name for part in parts), *scores]
    sets = {name: scores[name] for name in dict.fromkeys(names) if name in scores and name != FULL}
    record = {"sets": sets, **({FULL: scores[FULL]} if FULL in scores else {})}
    write_text(folder / SCORES, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return record
