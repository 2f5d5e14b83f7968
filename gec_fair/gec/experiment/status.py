"""The state of a cell: the one place where a cell's records are compared with the settings.

    manifest.json, begun.json   options, seed, digests of files and weights   ┐
    scores.json, outputs.json   digests of model, sources, references         ┴─ compared with experiment and settings

The commands run, status and table, and jobs on other machines, all use it. Imports no torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair.errors import ResumeError
from gec_fair.gec.editscorer.options import SETUP, Setup
from gec_fair.gec.experiment.cells import Cell
from gec_fair.gec.experiment.options import Experiment
from gec_fair.gec.experiment.outputs import Part, digest_content, find_unwritten, parts_of, read, scores_of
from gec_fair.report.table import Column, Table
from gec_fair.runs.record import MANIFEST, START_FILE
from gec_fair.trainer.records import CHECKPOINTS, identity_of, last_complete


@dataclass(frozen=True, slots=True)
class Request:
    """What every cell is to contain. `settings` are those of the model's training, without the pairs."""

    experiment: Experiment
    settings: Any
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class CellStatus:
    """The state of a cell.

    `model` is the digest of its model, "" before it is trained. `updates` are the updates done and all updates of an
    unfinished training. `differences` names what its training used and the request does not. `stale` names parts
    whose scores were made from something else than the request names, and why. `waiting` names the parts to be made,
    the stale ones among them. `is_model_here` is false for a baseline without a local folder; the hub may have it."""

    model: str
    updates: tuple[int, int] | None
    differences: tuple[str, ...]
    stale: tuple[str, ...]
    waiting: tuple[str, ...]
    scored: bool
    is_model_here: bool = True

    @property
    def finished(self) -> bool:
        """Whether the model is there, of these options, and no part is left to make."""
        return bool(self.model) and not self.differences and not self.waiting

    def describe(self) -> str:
        """How far it has come, for people."""
        rows = (
            (not self.is_model_here and (bool(self.stale) or not self.scored), "no model here"),
            (bool(self.differences or self.stale), "other settings"),
            (self.finished, "finished"),
            (bool(self.model) and self.scored, f"lacks {', '.join(self.waiting)}"),
            (bool(self.model), "trained"),
            (self.updates is not None, "{:,} of {:,} updates".format(*(self.updates or (0, 0)))),
        )
        return next((words for true, words in rows if true), "")


def read_request(experiment: Experiment, settings: Any) -> Request:
    """An experiment as a request, with its sets found and its development set read. Raises for those that fail."""
    return Request(experiment, settings, parts_of(experiment))


def read_status(cell: Cell, request: Request) -> CellStatus:
    """Reads the records of a cell, and each file that they speak of once in a process."""
    settings = replace(request.settings, train=cell.pairs) if cell.pairs else None
    manifest = read(cell.folder / MANIFEST)
    last = last_complete(cell.folder / CHECKPOINTS)
    started = read(cell.folder / START_FILE) if last is not None else {}
    record = manifest or started
    differences = tuple(identity_of(settings, cell.seed).differences(record)) if cell.pairs and record else ()
    model = _model(cell, request.experiment, trained=bool(manifest))
    scores = scores_of(cell.folder)
    stale = {part.name: why for part in request.parts if model and (why := _stale(scores.get(part.name), part, model))}
    waiting = [
        part.name
        for part in request.parts
        if part.name in stale or part.name not in scores or not model or find_unwritten(cell.folder, part, model)
    ]
    state = read(last / "trainer_state.json") if last is not None else {}
    updates = (state["global_step"], state["max_steps"]) if state else None
    is_here = bool(cell.pairs) or (Path(request.experiment.baseline) / "config.json").is_file()
    return CellStatus(model, updates, differences, tuple(stale.values()), tuple(waiting), bool(scores), is_here)


def refuse_differing(statuses: Mapping[Cell, CellStatus]) -> None:
    """ResumeError naming the cells that were trained with other settings or data, and what differs; nothing in them is
    touched."""
    different = {cell.name: status.differences for cell, status in statuses.items() if status.differences}
    if different:
        raise ResumeError(
            f"{_list_reasons(different)}\nthese cells hold runs with other settings or data; choose another "
            "--output, or ask for what is there"
        )


def refuse_stale(statuses: Mapping[Cell, CellStatus]) -> None:
    """ResumeError naming the cells whose scores are not those that the request describes."""
    stale = {cell.name: (*status.differences, *status.stale) for cell, status in statuses.items() if status.scored}
    stale = {name: why for name, why in stale.items() if why}
    if stale:
        raise ResumeError(
            f"{_list_reasons(stale)}\nthe scores of these cells are of something else than is asked for; ask "
            "for what is there, choose another --output, or run the experiment again"
        )


def _list_reasons(cells: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(f"{name}: {', '.join(why)}" for name, why in cells.items())


def _model(cell: Cell, experiment: Experiment, *, trained: bool) -> str:
    """A digest of all that decides what the cell's model writes: of the training that made it, or of every file of a
    baseline's folder (thresholds and tags lie beside the weights)."""
    if cell.pairs:
        return digest_content(cell.folder / MANIFEST) if trained else ""
    folder = Path(experiment.baseline)
    generator = Setup.read(folder / SETUP).generator_of(folder)
    named = "".join(_list_digests(name) for name in (experiment.baseline, generator) if name)
    return sha256(named.encode()).hexdigest()


def _list_digests(model: str) -> str:
    """Every file of a model's folder but the card, with its digest; the name of a model of the hub."""
    folder = Path(model)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "README.md"]
    return "".join(f"{path.relative_to(folder)}\0{digest_content(path)}\n" for path in files) or model


def _stale(score: Mapping[str, Any] | None, part: Part, model: str) -> str:
    """What a part's score was made from that is not asked for; "" where it is as asked, or not there."""
    identity = (score or {}).get("identity")
    if identity is None:
        return ""
    different = [name for name, value in part.identify(model).items() if identity.get(name) != value]
    return f"{part.name} (scored with other {', '.join(different)})" if different else ""


def tabulate(statuses: Mapping[Cell, CellStatus]) -> Table:
    """A row for each system, a column for each seed."""
    states = {cell.name: status.describe() for cell, status in statuses.items()}
    seeds = sorted({cell.seed for cell in statuses})
    records = [
        {"system": system, **{f"seed {seed}": states.get(f"{system}/{seed}") for seed in seeds}}
        for system in dict.fromkeys(cell.system for cell in statuses)
    ]
    columns = (Column("system"), *(Column(f"seed {seed}", unknown="–") for seed in seeds))
    return Table("status", "Cells", records, columns=columns)
