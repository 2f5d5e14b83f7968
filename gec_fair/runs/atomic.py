"""Files that are whole or not there: a temporary name, fsync, rename."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_text(path: Path, text: str) -> None:
    """The text as UTF-8; see `write_bytes`."""
    write_bytes(path, [text.encode("utf-8")])


def write_json(path: Path, value: Any) -> None:
    """The value as indented JSON with a line end."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def write_bytes(path: Path, parts: Iterable[bytes]) -> None:
    """The parts, one after the other; makes the folder. An exception while they are made leaves what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".partial")
    with fresh.open("wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)
    sync(path.parent)


def sync_tree(folder: Path) -> None:
    """Make a folder's files last, whoever wrote them."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        elif path.is_dir():
            sync(path)
    sync(folder)


def sync(directory: Path) -> None:
    """Make renames last."""
    if os.name == "posix":
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
