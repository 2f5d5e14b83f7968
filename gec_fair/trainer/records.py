"""A training run's folder: whose it is is written down first, what came of it last."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gec_fair import __version__
from gec_fair.config.settings import as_dict
from gec_fair.errors import InputError, ResumeError
from gec_fair.runs.atomic import write_text

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
    begun and has no complete checkpoint yet owns nothing. A finished one belongs to whoever asks for the same, with
    other versions or on another machine too.
    """

    def __init__(self, out: Path, identity: Mapping[str, Any]) -> None:
        self.out = out
        self.identity: dict[str, Any] = json.loads(json.dumps(identity))
        self._refuse_other(self._read(MANIFEST) or self._read(BEGUN), self.identity)

    def begin(self, on: Mapping[str, Any]) -> None:
        """Claim the folder. `on` says what the run computes on: a run that goes on may not change it, nor the versions
        of what computes, nor the commits of models of the hub. ResumeError where it did."""
        circumstances = {"versions": _versions(), "on": dict(on), "commits": self._commits()}
        self._refuse_other(self._read(BEGUN), circumstances)
        self._write(BEGUN, {**self.identity, **circumstances})

    def finished(self) -> Trained | None:
        """What came of a run that is at its end; None where it is not."""
        there = self._read(MANIFEST)
        return Trained(self.out / BEST, there["result"]) if there else None

    def finish(self, result: Mapping[str, Any]) -> Trained:
        """Write down what came of it; how long it took stands in the log, for that differs from machine to machine."""
        if is_main():
            told = {**self._read(BEGUN), **self.identity}
            self._write(MANIFEST, {"signature": signature(told), **told, "result": dict(result)})
            (self.out / BEGUN).unlink(missing_ok=True)
        return Trained(self.out / BEST, result)

    def _commits(self) -> dict[str, str]:
        """What the hub's names mean now, where that can be told."""
        from gec_fair.models.locate import commit_of

        inputs = self.identity.get("inputs", {}).items()
        named = {name: one["hub"] for name, one in inputs if isinstance(one, dict) and one.get("hub")}
        found = {name: commit_of(model) for name, model in named.items()}
        return {name: commit for name, commit in found.items() if commit}

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
        other = differences(there, now) if there else []
        if other:
            raise ResumeError(f"{self.out} holds a run with other {', '.join(other)}; choose another --output")


def differences(there: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What a record says that is not so now, as `option (there → now)`; of files and models, that they hold something
    else. What only the record has (its result) is no difference."""
    found: list[str] = []
    for name, one in now.items():
        if name == "inputs":
            before = there.get(name, {})
            found += [f"{each} (holds something else)" for each, value in one.items() if before.get(each) != value]
        elif name == "commits":  # offline nobody knows
            before = there.get(name, {})
            found += [f"{each} (another commit)" for each, value in one.items() if before.get(each, value) != value]
        else:
            found += _changed("" if name == "options" else name, there.get(name), one)
    return found


def signature(told: Mapping[str, Any]) -> str:
    """One line that names a training in the manner of sacreBLEU:
    `gector train|seed:0|train:3f2a91bc|start:0c2e55d1|gec-fair:0.1.0|torch:2.13.0|transformers:5.23.0|id:77d0e1f2`.

    What it read is told by the first eight hexadecimal digits of SHA-256 over its files' digests; `id` is that of the
    options, the seed and all inputs, whatever they are called, and of what it computed on.
    """
    read = {name: digests for name, given in told["inputs"].items() if (digests := _contents(given))}
    decisive = {**told, "inputs": read}
    seed = told["seed"] if "seed" in told else told["options"]["seed"]
    parts = [told["job"], f"seed:{seed}", *(f"{name}:{_eight(digests)}" for name, digests in read.items())]
    parts += (f"{name}:{found}" for name, found in told.get("versions", {}).items())
    return "|".join([*parts, f"id:{_eight(decisive)}"])


def _contents(given: Any) -> list[str]:
    """Digests of what one input names: a file, several, or a model of the hub by its name."""
    files = given if isinstance(given, list) else [given] if given else []
    return [file.get("sha256") or file["hub"] for file in files]


def _eight(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


def _changed(at: str, there: Any, now: Any) -> list[str]:
    if isinstance(there, Mapping) and isinstance(now, Mapping):
        keys = {**there, **now}
        return [name for key in keys for name in _changed(f"{at}.{key}".strip("."), there.get(key), now.get(key))]
    return [] if there == now else [f"{at} ({there} → {now})"]


def _versions() -> dict[str, str]:
    return {"gec-fair": __version__, **{name: version(name) for name in ("torch", "transformers")}}


def last_complete(checkpoints: Path) -> Path | None:
    """The complete checkpoint with the most updates."""
    found = [path.parent for path in checkpoints.glob(f"checkpoint-*/{COMPLETE}")]
    return max(found, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def is_main() -> bool:
    """Whether this is the one process, or the first of those that torchrun started: it alone writes."""
    return int(os.environ.get("RANK", "0")) == 0


def file_digest(path: Path) -> dict[str, str]:
    """A file's name and the sha256 of its bytes; it is read once, however often it is asked for. InputError where it
    cannot be read."""
    try:
        stat = path.stat()
        return {"name": path.name, "sha256": _sha256(str(path.absolute()), stat.st_size, stat.st_mtime_ns)}
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror})") from fault


@cache
def _sha256(path: str, size: int, changed: int) -> str:
    digest = sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def identity_of(options: Any, seed: int) -> dict[str, Any]:
    """All that decides the result of a training with these options, which name by `files` and `models` what they read:
    files count by their bytes, wherever they lie; models by what is in their folder, or by their name on the hub.

    InputError where training data are asked for and none are named, or a file cannot be read.
    """
    if "train" in options.files and not options.train:
        raise InputError("no training data are named; give --train FILE, or set train in the settings")
    read = {
        **{name: _file(getattr(options, name)) for name in options.files},
        **{name: model_read(getattr(options, name)) for name in options.models},
    }
    plain = {name: value for name, value in as_dict(options).items() if name not in read}
    return {"job": options.job, "options": plain, "seed": seed, "inputs": read}


def _file(given: str | tuple[str, ...]) -> Any:
    if isinstance(given, tuple):
        return [file_digest(Path(path)) for path in given]
    return file_digest(Path(given)) if given else None


def model_read(name: str) -> Any:
    """What names a model in a run's identity: the files of its folder, or its name on the hub."""
    folder = Path(name)
    if not name or not folder.is_dir():
        return {"hub": name} if name else None
    return [file_digest(path) for path in sorted(folder.iterdir()) if path.is_file() and path.name != "README.md"]
