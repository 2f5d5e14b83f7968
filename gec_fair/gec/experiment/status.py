"""How a cell stands to what is asked of it now: the one place where a cell's records are compared with the settings.

    manifest.json, begun.json   options, seed, digests of files and weights   ┐
    scores.json, outputs.json   digests of model, sources, references         ┴─ compared with experiment and settings

Running, looking, tabulating and sending elsewhere all go by the answer. Imports no torch.
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
from gec_fair.gec.experiment.outputs import Part, content, parts_of, read, scores_of, unwritten
from gec_fair.runs.record import BEGUN, MANIFEST
from gec_fair.trainer.records import CHECKPOINTS, identity_of, last_complete


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every cell; `settings` are those of the model's training, without the pairs."""

    experiment: Experiment
    settings: Any
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """`model`: the digest of the cell's model, "" before it is trained. `updates`: of an unfinished training, so many
    of so many. `other`: what its training was made with and is not asked for now. `stale`: parts whose scores are of
    something else than is asked for, and why. `waiting`: names of the parts that are to be made, the stale ones among
    them. `here`: false for a baseline that is in no folder here; the hub may have it."""

    model: str
    updates: tuple[int, int] | None
    other: tuple[str, ...]
    stale: tuple[str, ...]
    waiting: tuple[str, ...]
    scored: bool
    here: bool = True

    @property
    def finished(self) -> bool:
        return bool(self.model) and not self.other and not self.waiting

    def told(self) -> str:
        """How far it has come, for people."""
        rows = (
            (not self.here and (bool(self.stale) or not self.scored), "no model here"),
            (bool(self.other or self.stale), "other settings"),
            (self.finished, "finished"),
            (bool(self.model) and self.scored, f"lacks {', '.join(self.waiting)}"),
            (bool(self.model), "trained"),
            (self.updates is not None, "{:,} of {:,} updates".format(*(self.updates or (0, 0)))),
        )
        return next((words for true, words in rows if true), "")


def asked_of(experiment: Experiment, settings: Any) -> Asked:
    """What is asked, with the sets found and the development set read. Errors for those that cannot be used."""
    return Asked(experiment, settings, parts_of(experiment))


def standing(cell: Cell, asked: Asked) -> Standing:
    """Reads the records of a cell, and each file that they speak of once in a process."""
    settings = replace(asked.settings, train=cell.pairs) if cell.pairs else None
    manifest = read(cell.folder / MANIFEST)
    last = last_complete(cell.folder / CHECKPOINTS)
    begun = read(cell.folder / BEGUN) if last is not None else {}
    there = manifest or begun
    other = tuple(identity_of(settings, cell.seed).differences(there)) if cell.pairs and there else ()
    model = _model(cell, asked.experiment, trained=bool(manifest))
    scores = scores_of(cell.folder)
    stale = {part.name: why for part in asked.parts if model and (why := _stale(scores.get(part.name), part, model))}
    waiting = [
        part.name
        for part in asked.parts
        if part.name in stale or part.name not in scores or not model or unwritten(cell.folder, part, model)
    ]
    state = read(last / "trainer_state.json") if last is not None else {}
    updates = (state["global_step"], state["max_steps"]) if state else None
    here = bool(cell.pairs) or (Path(asked.experiment.baseline) / "config.json").is_file()
    return Standing(model, updates, other, tuple(stale.values()), tuple(waiting), bool(scores), here)


def refuse_other(found: Mapping[Cell, Standing]) -> None:
    """ResumeError naming the cells that were trained with other settings or data, and what differs; nothing in them is
    touched."""
    other = {cell.name: each.other for cell, each in found.items() if each.other}
    if other:
        raise ResumeError(
            f"{_listed(other)}\nthese cells hold runs with other settings or data; choose another "
            "--output, or ask for what is there"
        )


def refuse_untrue(found: Mapping[Cell, Standing]) -> None:
    """ResumeError naming the cells whose scores are not those of what is asked for."""
    untrue = {cell.name: (*each.other, *each.stale) for cell, each in found.items() if each.scored}
    untrue = {name: why for name, why in untrue.items() if why}
    if untrue:
        raise ResumeError(
            f"{_listed(untrue)}\nthe scores of these cells are of something else than is asked for; ask "
            "for what is there, choose another --output, or run the experiment again"
        )


def _listed(cells: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(f"{name}: {', '.join(why)}" for name, why in cells.items())


def _model(cell: Cell, experiment: Experiment, *, trained: bool) -> str:
    """A digest of all that decides what the cell's model writes: of the training that made it, or of every file of a
    baseline's folder (thresholds and tags lie beside the weights)."""
    if cell.pairs:
        return content(cell.folder / MANIFEST) if trained else ""
    folder = Path(experiment.baseline)
    generator = Setup.read(folder / SETUP).generator_of(folder)
    named = "".join(_digested(name) for name in (experiment.baseline, generator) if name)
    return sha256(named.encode()).hexdigest()


def _digested(model: str) -> str:
    """Every file of a model's folder but the card, with its digest; the name of a model of the hub."""
    folder = Path(model)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "README.md"]
    return "".join(f"{path.relative_to(folder)}\0{content(path)}\n" for path in files) or model


def _stale(score: Mapping[str, Any] | None, part: Part, model: str) -> str:
    """What a part's score was made from that is not asked for; "" where it is as asked, or not there."""
    there = (score or {}).get("identity")
    if there is None:
        return ""
    other = [name for name, value in part.asked(model).items() if there.get(name) != value]
    return f"{part.name} (scored with other {', '.join(other)})" if other else ""
