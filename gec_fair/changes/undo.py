"""Restore what a run rewrote, byte for byte, and check it against the digests that the run noted of its inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from gec_fair.changes.change import Original, Rewritten
from gec_fair.errors import InputError, UsageError
from gec_fair.runs.atomic import write_bytes


def undo(run: Rewritten, path: Path) -> bool:
    """Write the original to `path`, several inputs one after the other; whole or not at all. Answers whether digests
    confirm it: a run that read compressed inputs, or only their first lines, has none to compare.

    UsageError for a run that does not keep all its lines; InputError if the text is not what the run wrote."""
    if run.undo is None:
        raise UsageError(f"{run.title}: cannot be undone: {run.no_undo}")
    write_bytes(path, check_digests(run.undo(), run.originals))
    return bool(run.originals)


def check_digests(parts: Iterator[bytes], originals: Sequence[Original]) -> Iterator[bytes]:
    """The same parts. Raises InputError after the last one if they are not the originals, one after the other."""
    waiting, digest = list(originals), sha256()
    left = waiting[0].bytes if waiting else 0
    for part in parts:
        rest = memoryview(part)
        while waiting and left is not None and len(rest) >= left:
            digest.update(rest[:left])
            rest = rest[left:]
            _compare(waiting.pop(0), digest.hexdigest())
            digest, left = sha256(), waiting[0].bytes if waiting else 0
        if waiting:
            digest.update(rest)
            left = None if left is None else left - len(rest)
        elif rest and originals:
            raise InputError(f"{originals[-1].name}: cannot be restored; the text is too long")
        yield part
    for original in waiting:
        _compare(original, digest.hexdigest())
        digest = sha256()


def _compare(original: Original, digest: str) -> None:
    if digest != original.sha256:
        raise InputError(f"{original.name}: cannot be restored; the files of the run are not what it wrote")
