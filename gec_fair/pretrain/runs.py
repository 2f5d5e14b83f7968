"""A training run's folder: whose it is is written down first, what came of it last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair import __version__
from gec_fair.corpus.atomic import write_text
from gec_fair.corpus.settings import as_dict
from gec_fair.errors import InputError, ResumeError

MANIFEST = "manifest.json"
BEGUN = "begun.json"


class Run:
    """The folder `out`, claimed for the run that `identity` describes (all that decides its result).

    ResumeError where the folder belongs to a run with another identity: nothing in it is touched then.
    """

    def __init__(self, out: Path, identity: Mapping[str, Any]) -> None:
        import torch
        import transformers

        versions = {"gec-fair": __version__, "torch": torch.__version__, "transformers": transformers.__version__}
        self.out = out
        self.identity: dict[str, Any] = json.loads(json.dumps({**identity, "versions": versions}))
        for name in (MANIFEST, BEGUN):
            if (out / name).exists():
                self._refuse_other(json.loads((out / name).read_text(encoding="utf-8")))
        if not (out / MANIFEST).exists() and not (out / BEGUN).exists():
            write_text(out / BEGUN, json.dumps(self.identity, indent=1) + "\n")

    def finished(self) -> dict[str, Any] | None:
        """The result of a run that has come to its end."""
        path = self.out / MANIFEST
        if not path.exists():
            return None
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["result"]
        return found

    def finish(self, result: Mapping[str, Any]) -> None:
        """Write down what came of it; how long it took stands in the log, for that differs from machine to machine."""
        told = {**self.identity, "result": dict(result)}
        write_text(self.out / MANIFEST, json.dumps(told, indent=1) + "\n")
        (self.out / BEGUN).unlink(missing_ok=True)

    def _refuse_other(self, there: Mapping[str, Any]) -> None:
        other = sorted(_differences("", there, self.identity))
        if other:
            raise ResumeError(f"{self.out} holds a run with other {', '.join(other)}; choose another --output")


def _differences(at: str, there: Any, now: Any) -> list[str]:
    """Dotted names of the values that differ; what only the older file holds (its result) is none."""
    if isinstance(there, Mapping) and isinstance(now, Mapping):
        return [name for key in now for name in _differences(f"{at}.{key}".strip("."), there.get(key), now[key])]
    return [] if there == now else [f"{at} ({there} → {now})"]


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


def training_run(out: Path, job: str, options: Any, seed: int) -> Run:
    """The folder of one seed's training on `options.train` pairs, with `options.dev` for validation if named: files
    count by their bytes, wherever they lie. InputError where no training pairs are named or a file cannot be read."""
    if not options.train:
        raise InputError("no training pairs are named; set train to a file of source<TAB>target lines")
    files = ("train", "dev")
    inputs = {name: file_digest(Path(getattr(options, name))) for name in files if getattr(options, name)}
    plain = {name: value for name, value in as_dict(options).items() if name not in files}
    return Run(out, {"job": job, "options": plain, "seed": seed, "inputs": inputs})
