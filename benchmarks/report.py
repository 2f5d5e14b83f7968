"""Write a benchmark's figures with the command, the commit, the machine and the versions they were measured with."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("gec-fair", "spacy", "lemminflect", "rapidfuzz", "numpy")


FOLDER = Path(__file__).parent


def record(
    path: Path | None,
    name: str,
    figures: Mapping[str, object],
    packages: tuple[str, ...] = (),
    *,
    checkout: Path = FOLDER,
) -> None:
    """`figures` as JSON at `path`; nothing when `path` is None. `checkout`: a folder in the one that was measured."""
    if path is None:
        return
    content = {
        "benchmark": name,
        "command": command(),
        "commit": commit(checkout),
        "machine": machine(),
        "versions": versions(PACKAGES + packages),
        **figures,
    }
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"written to {path}", file=sys.stderr)


def seconds(folder: Path) -> float:
    """How long a training's updates took, by its log; of one that was killed and went on, those after."""
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    times = [json.loads(line).get("train_runtime") for line in lines]
    return round(next((t for t in reversed(times) if t is not None), 0.0), 1)


def command() -> str:
    """What was typed, with relative paths."""
    return shlex.join(["python", *(os.path.relpath(word) if os.path.isabs(word) else word for word in sys.argv)])


def commit(checkout: Path) -> str:
    """The commit that was measured, and whether files differed from it."""
    finished = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"],
        capture_output=True,
        text=True,
        check=False,
        cwd=checkout,
    )
    return finished.stdout.strip() or "unknown"


def machine() -> dict[str, object]:
    """The machine, in words that do not name it."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _cpuinfo() if line.startswith("model name")), platform.processor()
    )
    cpu = {"cpu": model, "cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()}
    torch = sys.modules.get("torch")  # a benchmark that did not import it did not use a GPU
    return {**cpu, "gpu": torch.cuda.get_device_name()} if torch and torch.cuda.is_available() else cpu


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    versions: dict[str, str] = {}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []
