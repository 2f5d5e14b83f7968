"""A training's folder: its record (`runs.record`), its checkpoints, and the best model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gec_fair.config.settings import as_dict
from gec_fair.errors import InputError
from gec_fair.runs.digests import file_digest, model_digests
from gec_fair.runs.identity import Identity
from gec_fair.runs.record import Record
from gec_fair.version import __version__

BEST = "best"
CHECKPOINTS = "checkpoints"
COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training: the model's folder, and what was counted and measured."""

    directory: Path
    result: Mapping[str, Any]

    @property
    def steps(self) -> int:
        """How many updates were made."""
        return int(self.result["steps"])

    @property
    def losses(self) -> tuple[float, ...]:
        """Validation losses, in order."""
        return tuple(self.result["losses"])


class Run:
    """The training that `identity` describes, in the folder `out`.

    ResumeError if the folder belongs to a training with another identity: nothing in it is touched then. A training
    that was begun and has no complete checkpoint yet owns nothing. A finished one may be used by later versions and on
    other machines.
    """

    def __init__(self, out: Path, identity: Identity) -> None:
        self.out, self.identity = out, identity.as_json()
        self._record = Record(
            out, identity, has_begun=lambda: last_complete(out / CHECKPOINTS) is not None, is_writer=is_main()
        )

    def begin(self, on: Mapping[str, Any]) -> None:
        """Claim the folder. `on` says what the training computes on. A resumed training may not change it, nor the
        versions of what computes, nor the commits of models of the hub: ResumeError if one of them changed."""
        self._record.begin({"versions": _versions(), "on": dict(on), "commits": self._commits()})

    def find_result(self) -> Trained | None:
        """The result of a finished training; None before that."""
        manifest = self._record.find_finished()
        return Trained(self.out / BEST, manifest["result"]) if manifest else None

    def finish(self, result: Mapping[str, Any]) -> Trained:
        """Write the result down. How long it took is in the log, because that differs from machine to machine."""
        self._record.finish({"result": dict(result)})
        return Trained(self.out / BEST, result)

    def _commits(self) -> dict[str, str]:
        """The commits that names of the hub stand for now, if known."""
        from gec_fair.models.locate import commit_of

        inputs = self.identity.get("inputs", {}).items()
        models = {role: digests["hub"] for role, digests in inputs if isinstance(digests, dict) and digests.get("hub")}
        commits = {role: commit_of(model) for role, model in models.items()}
        return {role: commit for role, commit in commits.items() if commit}


def _versions() -> dict[str, str]:
    return {"gec-fair": __version__, **{name: version(name) for name in ("torch", "transformers")}}


def last_complete(checkpoints: Path) -> Path | None:
    """The complete checkpoint with the most updates."""
    complete = [path.parent for path in checkpoints.glob(f"checkpoint-*/{COMPLETE}")]
    return max(complete, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def is_main() -> bool:
    """Whether this is the one process, or the first of those that torchrun started: it alone writes."""
    return int(os.environ.get("RANK", "0")) == 0


def identity_of(options: Any, seed: int) -> Identity:
    """The identity of a training with these options, whose `files` and `models` name the options that are read: files
    count by their bytes, wherever they are; models by the files of their folder, or by their name on the hub.

    InputError if training data are required and not named, or a file cannot be read.
    """
    if "train" in options.files and not options.train:
        raise InputError("no training data are named; give --train FILE, or set train in the settings")
    options = options.resolve() if hasattr(options, "resolve") else options
    inputs = {
        **{name: _file_digests(getattr(options, name)) for name in options.files},
        **{name: model_digests(getattr(options, name)) for name in options.models},
    }
    plain = {name: value for name, value in as_dict(options).items() if name not in inputs}
    return Identity(options.job, plain, inputs, sections={"seed": seed})


def _file_digests(paths: str | tuple[str, ...]) -> Any:
    if isinstance(paths, tuple):
        return [file_digest(Path(path)) for path in paths]
    return file_digest(Path(paths)) if paths else None
