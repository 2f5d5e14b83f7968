"""A run in progress lives in `DIR/.partial` until it is whole; a kill at any moment loses seconds, never bytes.

    .partial/checkpoint.json   identity, counts and file sizes as of the last fsync     → resume from there
    .partial/manifest.json     everything is written, the files are on their way out    → only move the rest
    DIR/manifest.json          the run is finished; it is moved last

Checkpoints count lines, not blocks, so that a run may go on with another number of workers or lines a block.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gec_fair.corpus import ledger, manifest
from gec_fair.corpus.manifest import Manifest, Tally, as_tally
from gec_fair.corpus.writers import KNOWN, Rendered
from gec_fair.errors import ResumeError, UsageError
from gec_fair.runs.atomic import open_own, sync, write_json
from gec_fair.runs.identity import Identity
from gec_fair.runs.lock import Busy, lock
from gec_fair.runs.record import MANIFEST, read_record, refuse_other

PARTIAL = ".partial"
_CHECKPOINT = "checkpoint.json"
_REMEDY = "choose another --output, or --overwrite"


class Draft:
    """The open output files of a run and the tally of what is in them."""

    def __init__(self, directory: Path, identity: Identity, tally: Tally, sizes: Mapping[str, int]) -> None:
        self.directory, self.identity, self.tally = directory, identity, tally
        self.sizes = dict(sizes)
        self._files = {name: open_own(directory / PARTIAL / name, size=size) for name, size in sizes.items()}
        self._saved = time.monotonic()

    @property
    def partial(self) -> Path:
        """The folder of the unfinished outputs."""
        return self.directory / PARTIAL

    def add(self, rendered: Rendered, *, every: float) -> None:
        """Append a block; after `every` seconds, make everything so far safe."""
        entries = ledger.number_entries(rendered.outputs[ledger.NAME], self.tally.rows)
        outputs = {**rendered.outputs, ledger.NAME: entries}
        for name, data in outputs.items():
            self._files[name].write(data)
        for name, data in outputs.items():  # only now: a full disk leaves the tally as it was
            self.sizes[name] += len(data)
        self.tally.counts += rendered.counts
        self.tally.inputs[rendered.source] += rendered.noticed + Counter(lines=rendered.lines)
        if time.monotonic() - self._saved >= every:
            self.save()

    def save(self) -> None:
        """Data first, then the checkpoint that vouches for it."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())
        state = {**self.identity.as_json(), "tally": self.tally.as_json(), "sizes": self.sizes}
        write_json(self.partial / _CHECKPOINT, state)
        self._saved = time.monotonic()

    def publish(self, final: Manifest) -> None:
        """Move the finished files out; from here on a killed run only has to be moved."""
        self.save()
        self.close()
        write_json(self.partial / MANIFEST, final.as_json())
        _move_out(self.directory, final)

    def discard(self) -> None:
        """Remove everything that this run has written."""
        self.close()
        shutil.rmtree(self.partial, ignore_errors=True)
        with suppress(OSError):  # it holds other files
            self.directory.rmdir()

    def close(self) -> None:
        """Close the files; errors are ignored."""
        for file in self._files.values():
            with suppress(OSError):  # what is not safe by now is not vouched for either
                file.close()


@contextmanager
def hold_lock(directory: Path) -> Iterator[None]:
    """One run at a time in a directory; the lock dies with its process. UsageError for a link in place of the folder
    that holds the unfinished run: no run made it."""
    if (directory / PARTIAL).is_symlink():
        raise UsageError(f"{directory / PARTIAL}: is a link, which no run made; remove it")
    try:
        (directory / PARTIAL).mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UsageError(f"{directory}: cannot be written ({fault.strerror}); choose another --output") from fault
    try:
        with lock(directory / PARTIAL):
            yield
    except Busy as busy:
        raise ResumeError(f"{directory}: another run is writing here; wait for it to end") from busy


def find_finished(directory: Path, identity: Identity, *, overwrite: bool) -> Manifest | None:
    """The manifest of a finished run of the same identity. Raises where something else is in the way."""
    if directory.exists() and not directory.is_dir():
        raise UsageError(f"{directory} is a file; an output is a directory")
    if overwrite or find_unfinished(directory) is not None:
        return None
    if (directory / MANIFEST).exists():
        previous = _readable(directory / MANIFEST)
        refuse_other(directory, previous, identity.as_json(), _REMEDY)
        if (directory / PARTIAL).exists():  # killed when all was done but this
            with hold_lock(directory):
                shutil.rmtree(directory / PARTIAL, ignore_errors=True)
        return manifest.as_manifest(previous)
    strangers = [name for name in KNOWN if (directory / name).exists()]
    if strangers:
        raise ResumeError(f"{directory} holds {strangers[0]}, which no run here wrote; choose another or --overwrite")
    return None


def find_unfinished(directory: Path) -> Mapping[str, Any] | None:
    """What a run that was stopped has left: its manifest, its checkpoint, or None."""
    for name in (MANIFEST, _CHECKPOINT):
        if (directory / PARTIAL / name).exists():
            return _readable(directory / PARTIAL / name)
    return None


def begin(
    directory: Path, identity: Identity, names: Sequence[str], inputs: int, *, overwrite: bool
) -> Draft | Manifest:
    """A draft, new or resumed; a manifest where all that was left to do was to move the files out."""
    left = find_unfinished(directory)
    if left is not None and identity.differences(manifest.as_identity(left).as_json()):
        if not overwrite:
            refuse_other(directory, left, identity.as_json(), _REMEDY)
        left = None
    if left is not None and "tally" not in left:
        final = manifest.as_manifest(left)
        _move_out(directory, final)
        return final
    if left is not None:
        return Draft(directory, identity, as_tally(left["tally"]), left["sizes"])
    (directory / PARTIAL / _CHECKPOINT).unlink(missing_ok=True)
    (directory / PARTIAL / MANIFEST).unlink(missing_ok=True)
    draft = Draft(directory, identity, Tally(Counter(), [Counter() for _ in range(inputs)]), dict.fromkeys(names, 0))
    draft.save()
    return draft


def _move_out(directory: Path, final: Manifest) -> None:
    """Idempotent, so that a run killed here is finished by the next."""
    partial = directory / PARTIAL
    (partial / _CHECKPOINT).unlink(missing_ok=True)
    (directory / MANIFEST).unlink(missing_ok=True)  # never a manifest beside files that are not its own
    for name in KNOWN:
        if (partial / name).exists() and name in final.outputs:
            os.replace(partial / name, directory / name)
        elif name not in final.outputs:
            (directory / name).unlink(missing_ok=True)
    sync(directory)
    os.replace(partial / MANIFEST, directory / MANIFEST)
    sync(directory)
    shutil.rmtree(partial, ignore_errors=True)


def _readable(path: Path) -> Mapping[str, Any]:
    """The record of a run over a corpus. ResumeError for anything else."""
    content = read_record(path, _REMEDY)
    try:
        manifest.as_identity(content)
    except (KeyError, TypeError, AttributeError) as fault:
        raise ResumeError(f"{path}: not a record written by gec-fair; remove it, or {_REMEDY}") from fault
    return content
