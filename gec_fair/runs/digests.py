"""Digests of what a run reads: files by their bytes, models by the files of their folder."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError


def file_digest(path: Path) -> dict[str, str]:
    """A file's name and the sha256 of its bytes. Each version of a file is read once in a process. InputError if it
    cannot be read."""
    try:
        stat = path.stat()
        return {
            "name": path.name,
            "sha256": _sha256(str(path.absolute()), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns),
        }
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror})") from fault


@cache
def _sha256(path: str, *version: int) -> str:
    digest = sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def model_digests(name: str) -> Any:
    """How an identity names a model: the digests of its folder's files, `{"hub": name}` for a model of the hub, None
    for no model. A model card decides nothing."""
    folder = Path(name)
    if not name or not folder.is_dir():
        return {"hub": name} if name else None
    return [file_digest(path) for path in sorted(folder.iterdir()) if path.is_file() and path.name != "README.md"]


def short_digest(value: Any) -> str:
    """The first eight hexadecimal digits of the SHA-256 of a plain JSON value; the order of keys does not matter."""
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]
