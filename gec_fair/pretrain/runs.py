"""A training run's folder: whose it is is written down first, what came of it last."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair import __version__
from gec_fair.corpus.atomic import write_text
from gec_fair.corpus.settings import as_dict
from gec_fair.errors import InputError, ResumeError

MANIFEST = "manifest.json"
BEGUN = "begun.json"
BEST = "best"
CHECKPOINTS = "checkpoints"
COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training: where the model lies, and what was counted and measured."""

    directory: Path
    result: Mapping[str, Any]

    @property
    def steps(self) -> int:
        return int(self.result["steps"])

    @property
    def losses(self) -> tuple[float, ...]:
        """Validation, in order."""
        return tuple(self.result["losses"])


class Run:
    """The folder `out`, for the run that `identity` describes (all that decides its result).

    ResumeError where the folder belongs to a run with another identity: nothing in it is touched then. A run that was
    begun and has no complete checkpoint yet owns nothing.
    """

    def __init__(self, out: Path, identity: Mapping[str, Any]) -> None:
        import torch
        import transformers

        versions = {"gec-fair": __version__, "torch": torch.__version__, "transformers": transformers.__version__}
        self.out = out
        self.identity: dict[str, Any] = json.loads(json.dumps({**identity, "versions": versions}))
        for name in (MANIFEST, BEGUN):
            self._refuse_other(self._read(name), self.identity)

    def begin(self, on: Mapping[str, Any]) -> None:
        """Claim the folder. `on` says what the run computes on, which a resumed run may not change though a finished
        one may be asked for from anywhere. ResumeError where it did."""
        self._refuse_other(self._read(BEGUN).get("on", {}), on)
        self._write(BEGUN, {**self.identity, "on": on})

    def finished(self) -> Trained | None:
        """What came of a run that is at its end; None where it is not."""
        there = self._read(MANIFEST)
        return Trained(self.out / BEST, there["result"]) if there else None

    def finish(self, result: Mapping[str, Any]) -> Trained:
        """Write down what came of it; how long it took stands in the log, for that differs from machine to machine."""
        self._write(MANIFEST, {**self._read(BEGUN), **self.identity, "result": dict(result)})
        if is_main():
            (self.out / BEGUN).unlink(missing_ok=True)
        return Trained(self.out / BEST, result)

    def _read(self, name: str) -> dict[str, Any]:
        path = self.out / name
        if not path.exists() or (name == BEGUN and last_complete(self.out / CHECKPOINTS) is None):
            return {}
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found

    def _write(self, name: str, content: Mapping[str, Any]) -> None:
        if is_main():
            write_text(self.out / name, json.dumps(content, indent=1) + "\n")

    def _refuse_other(self, there: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        other = sorted(_differences("", there, now)) if there else []
        if other:
            raise ResumeError(f"{self.out} holds a run with other {', '.join(other)}; choose another --output")


def _differences(at: str, there: Any, now: Any) -> list[str]:
    """Dotted names of the values that differ; what only the older file holds (its result) is none, nor what one of them
    does not know (None)."""
    if isinstance(there, Mapping) and isinstance(now, Mapping):
        return [name for key in now for name in _differences(f"{at}.{key}".strip("."), there.get(key), now[key])]
    return [] if there == now or now is None else [f"{at} ({there} → {now})"]


def last_complete(checkpoints: Path) -> Path | None:
    """The complete checkpoint with the most updates."""
    found = [path.parent for path in checkpoints.glob(f"checkpoint-*/{COMPLETE}")]
    return max(found, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def is_main() -> bool:
    """Whether this is the one process, or the first of those that torchrun started: it alone writes."""
    return int(os.environ.get("RANK", "0")) == 0


def file_digest(path: Path) -> dict[str, str]:
    """A file's name and the sha256 of its bytes. InputError where it cannot be read."""
    try:
        with path.open("rb") as file:
            digest = sha256()
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror})") from fault
    return {"name": path.name, "sha256": digest.hexdigest()}


def _model(name: str) -> Any:
    """What is known of a model's bytes."""
    from gec_fair.pretrain.hub import commit_of

    folder = Path(name)
    if not name or not folder.is_dir():
        return {"commit": commit_of(name) if name else None}
    return [file_digest(path) for path in sorted(folder.iterdir()) if path.is_file() and path.name != "README.md"]


def training_run(
    out: Path,
    job: str,
    options: Any,
    seed: int,
    *,
    files: Sequence[str] = ("train", "dev"),
    models: Sequence[str] = ("start",),
) -> Run:
    """The folder of one seed's training. The options in `files` are paths, or tuples of them, which count by their
    bytes, wherever they lie; those in `models` by their name and, where it is a folder's, the bytes of what is in it,
    else the commit of the hub's repository, if it can be told.

    InputError where no training data are named or a file cannot be read.
    """
    if not options.train:
        raise InputError("no training data are named; give --train FILE, or set train in the settings")
    inputs: dict[str, Any] = {}
    for name in files:
        value = getattr(options, name)
        if isinstance(value, tuple):
            inputs[name] = [file_digest(Path(path)) for path in value]
        elif value:
            inputs[name] = file_digest(Path(value))
    for name in models:
        inputs[name] = _model(getattr(options, name))
    plain = {name: value for name, value in as_dict(options).items() if name not in files}
    return Run(out, {"job": job, "options": plain, "seed": seed, "inputs": inputs})
