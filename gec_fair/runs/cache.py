"""What was computed once, on disk: parses by sentence, edits by pair, each under the models that made them.

One SQLite file; a key is a digest of everything that decides the value. Several processes may use it at once, and a
killed one leaves it whole. Delete it whenever you like.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from gec_fair.errors import DiskFull, InputError
from gec_fair.runs.atomic import is_for_want_of_room

_AT_ONCE = 500  # keys in a query


def cache_directory() -> Path:
    """`GEC_FAIR_CACHE`, else gec_fair's folder in the user's cache directory."""
    folder = os.environ.get("GEC_FAIR_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(folder).expanduser() if folder else Path(base).expanduser() / "gec_fair"


def key(*parts: str) -> bytes:
    """sha256 of the parts, each ended by its length, so that no two lists of parts share a key."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(data + b"\0%d\0" % len(data))
    return digest.digest()


class Store:
    """Texts by key in one table of one file. `path` None keeps nothing.

    InputError for a file that is not a store: it is the user's to remove, and holds nothing that cannot be computed
    again."""

    def __init__(self, path: Path | None, table: str) -> None:
        self.path, self.table = path, table
        if path is not None:
            with self._open(path) as base, base:
                base.execute("PRAGMA journal_mode=WAL")
                base.execute(f"CREATE TABLE IF NOT EXISTS {table} (key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID")

    def get(self, keys: Sequence[bytes]) -> dict[bytes, str]:
        """The values that are there."""
        entries: dict[bytes, str] = {}
        if self.path is None:
            return entries
        with self._open(self.path) as base:
            for first in range(0, len(keys), _AT_ONCE):
                block = keys[first : first + _AT_ONCE]
                marks = ",".join("?" * len(block))
                entries.update(base.execute(f"SELECT key, value FROM {self.table} WHERE key IN ({marks})", block))
        return entries

    def put(self, values: Mapping[bytes, str]) -> None:
        """All of them, or none if the process dies now."""
        if self.path is not None:
            with self._open(self.path) as base, base:
                base.executemany(f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?)", values.items())

    @contextmanager
    def _open(self, path: Path) -> Iterator[sqlite3.Connection]:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path, timeout=60)) as base:
                yield base
        except (sqlite3.Error, OSError) as fault:
            if is_for_want_of_room(fault):
                raise DiskFull(f"{path}: no room for it; make room, or set GEC_FAIR_CACHE to another folder") from fault
            raise InputError(
                f"{path}: cannot be used as a store ({fault}); delete it, set GEC_FAIR_CACHE to another "
                "folder, or use --no-cache"
            ) from fault
