"""Files that are whole or not there: a temporary name in the same folder, fsync, rename.

    a regular file, or a new one   replaced when the new content is whole; its mode and its access list stay
    a write-protected file         refused
    a file mounted by itself       gets the new content when it is whole
    a link                         stays, and what it leads to is replaced
    a device, a pipe, a socket     is written to as it comes (`/dev/fd/63` of a process substitution)
    what this process prints to    the same, also where it is a file (`/dev/stdout`, and a link to it)

A temporary file (`.NAME.CHANCE.partial`) is never opened through a link and never shared. The next write to NAME
removes those that killed processes left. Another hard link to a file keeps the old content.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from gec_fair.errors import DiskFull, UsageError

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says of a full disk, a quota that is used up, and a file that is larger than it may be."""
_NO_ROOM_IN_WORDS = (*map(os.strerror, NO_ROOM), "file write failed", "unexpected pos", "database or disk is full")
"""The same by safetensors, torch's file writer and SQLite, which do not raise an OSError."""
_OWN_STREAM = re.compile(r"/dev/(?:(stdin|stdout|stderr)|fd/(\d+))|/proc/self/fd/(\d+)")
_NAMED = ("stdin", "stdout", "stderr")
_NO_RUN = "{}: is a link or not a regular file, so no run made it; remove it"
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # opening a pipe without a reader would block
_CHANCE = 8  # bytes in the name of a temporary file
_ATTEMPTS = 100  # at a temporary file that no other process takes for one that was left
_LONGEST_NAME = 200  # bytes; with its ending it fits into the 255 that file systems take
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def write_text(path: Path, text: str) -> None:
    """The text as UTF-8; see `write_bytes`."""
    write_bytes(path, [text.encode("utf-8")])


def write_json(path: Path, value: Any) -> None:
    """The value as indented JSON with a line end."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def write_bytes(path: Path, parts: Iterable[bytes]) -> None:
    """The parts, one after the other; see `open_whole`."""
    with open_whole(path) as file:
        for part in parts:
            with _naming(path):
                file.write(part)


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends; its folder is made.

    An exception in the block leaves the old file as it was, and no other. Raises DiskFull if the disk is full,
    UsageError for a folder, and OSError, with the file's name, for whatever else the system refuses.
    """
    if is_stream(path):
        with _naming(path):
            file = _open_stream(path)
        try:
            yield file
            with _naming(path):
                file.flush()
        finally:
            _close(file)
        return
    with ExitStack() as stack:
        with _naming(path):
            final = final_path(path)
            before = _status(final)
            _make_folder(final.parent, stack)
            fresh, file = _open_fresh(final, before)
            stack.callback(fresh.unlink, missing_ok=True)
            stack.callback(_close, file)
        try:
            yield file
        except OSError as fault:
            if fault.errno in NO_ROOM and fault.filename is None:  # a library that writes to the file
                raise _full(path, fault) from fault
            raise
        with _naming(path):
            file.flush()
            os.fsync(file.fileno())
            if not _replace(fresh, final):
                return
        stack.pop_all()  # all that there is to undo
        _close(file)
        sync(final.parent)


def is_stream(path: Path) -> bool:
    """Whether a temporary file cannot take the place of a path: a device, a pipe, a socket, or what this process prints
    to."""
    if own_stream(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def own_stream(path: Path) -> int | None:
    """The number under which this process has a path open: by its name, or because it is what the process prints to,
    whatever leads there."""
    if (match := _OWN_STREAM.fullmatch(str(path))) is not None:
        return _NAMED.index(match[1]) if match[1] else int(match[2] or match[3])
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(number)):
                return number
    return None


def final_path(path: Path) -> Path:
    """Where the content of a file goes: what a link leads to. UsageError for a folder, for links in a circle, and for a
    file that is write-protected."""
    final = Path(os.path.realpath(path))
    if final.is_symlink():
        raise UsageError(f"{path}: its links lead in a circle; remove it, or name another file")
    if final.is_dir():
        raise UsageError(f"{path}: is a folder; name a file")
    if final.exists() and not os.access(final, os.W_OK):
        raise UsageError(f"{path}: is write-protected; name another file, or remove it")
    return final


def open_own(path: Path, *, size: int | None = None) -> BinaryIO:
    """A log or an unfinished file of a run, to append to; cut to `size` bytes first. UsageError for a link, and for
    anything else that is not a regular file or has fewer bytes."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK | _NO_WAIT, 0o666)
    except OSError as fault:
        if fault.errno not in (errno.ELOOP, errno.EMLINK, errno.ENXIO):  # a link, or a pipe without a reader
            raise
        raise UsageError(_NO_RUN.format(path)) from fault
    file = os.fdopen(handle, "ab")
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        _close(file)
        raise UsageError(_NO_RUN.format(path))
    if size is not None and size > os.fstat(handle).st_size:
        _close(file)
        raise UsageError(f"{path}: is shorter than the run left it; choose another --output, or --overwrite")
    if size is not None:
        file.truncate(size)
    return file


def is_for_want_of_room(fault: BaseException | None) -> bool:
    """Whether an error, whichever library raised it, comes from a disk without room."""
    while fault is not None:
        if getattr(fault, "errno", None) in NO_ROOM or any(words in str(fault) for words in _NO_ROOM_IN_WORDS):
            return True
        fault = fault.__cause__ or fault.__context__
    return False


def refuse_used(folder: Path, *, overwrite: bool, remedy: str = "take another folder, or --overwrite") -> None:
    """UsageError for a file where a folder should be, and for a folder that has files, unless they may be
    overwritten."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is a file; take another folder")
    if folder.exists() and any(folder.iterdir()) and not overwrite:
        raise UsageError(f"{folder}: is not empty; {remedy}")


@contextmanager
def leave_nothing(folder: Path) -> Iterator[None]:
    """A block that writes files into a folder; if it fails, those that are new are removed, and the folder if it is.
    For commands that refuse a folder with files in it, so that they can be run again."""
    before = set(folder.rglob("*")) if folder.exists() else None
    try:
        yield
    except BaseException:
        if before is None:
            shutil.rmtree(folder, ignore_errors=True)
        for path in sorted(set(folder.rglob("*")) - (before or set()), reverse=True) if folder.exists() else ():
            with suppress(OSError):
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        raise


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


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Faults of the system with the name that the user gave."""
    try:
        yield
    except OSError as fault:
        if fault.errno in NO_ROOM:
            raise _full(path, fault) from fault
        if not isinstance(fault, BrokenPipeError):
            fault.filename = str(path)
        raise


def _full(path: Path, fault: OSError) -> DiskFull:
    return DiskFull(f"{path}: no room for it ({fault.strerror}); make room and run the same command again")


def _close(file: BinaryIO) -> None:
    """Without a second complaint about what could not be written."""
    with suppress(OSError):
        file.close()


def _open_stream(path: Path) -> BinaryIO:
    """Open a copy of this process's own stream, so that what is printed and what is written follow each other."""
    number = own_stream(path)
    if number is None:
        return path.open("wb")
    sys.stdout.flush()
    return os.fdopen(os.dup(number), "wb")


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _make_folder(folder: Path, undo: ExitStack) -> None:
    """Also the folders above it; they go again, as far as they are new and empty."""
    for new in [place for place in (*reversed(folder.parents), folder) if not place.exists()]:
        undo.callback(_remove_empty, new)
    folder.mkdir(parents=True, exist_ok=True)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _open_fresh(final: Path, before: os.stat_result | None) -> tuple[Path, BinaryIO]:
    """A temporary file beside `final`, with the mode and the owner of what it will replace."""
    name = os.fsdecode(os.fsencode(final.name)[:_LONGEST_NAME])
    _remove_left(final.parent, name)
    # no more than the owner may, until it has the rights of the file that it replaces
    mode = 0o666 if before is None else 0o600
    for _ in range(_ATTEMPTS):
        fresh = final.with_name(f".{name}.{secrets.token_hex(_CHANCE)}.partial")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, mode)
        if _is_ours(fresh, handle):
            if before is not None and os.name == "posix":
                _give_rights(final, before, handle)
            return fresh, os.fdopen(handle, "wb")
        os.close(handle)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(final))


def _replace(fresh: Path, final: Path) -> bool:
    """Put a temporary file in the place of another. False where the content was copied instead: a file that is mounted
    by itself, as containers do, cannot be replaced."""
    try:
        os.replace(fresh, final)
    except OSError as fault:
        if fault.errno != errno.EBUSY:
            raise
        shutil.copyfile(fresh, final)
        return False
    return True


def _give_rights(final: Path, before: os.stat_result, handle: int) -> None:
    """Those of the file that will be replaced: owner, mode, and what else the system keeps, such as its access list."""
    if (before.st_uid, before.st_gid) != (os.getuid(), os.getgid()):
        with suppress(OSError):  # only the superuser may give files away
            os.fchown(handle, before.st_uid, before.st_gid)
    with suppress(OSError, AttributeError):  # a file system without attributes, or another system than Linux
        for attribute in os.listxattr(final):
            with suppress(OSError):  # some are the superuser's
                os.setxattr(handle, attribute, os.getxattr(final, attribute))
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


def _remove_left(folder: Path, name: str) -> None:
    """Temporary files of processes that are gone: each held its lock."""
    try:
        import fcntl
    except ImportError:  # no such locks: it may be another process's
        return
    left = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{{2 * _CHANCE}}}\.partial")
    with suppress(OSError):  # a folder that cannot be read
        for fresh in [folder / entry for entry in os.listdir(folder) if left.fullmatch(entry)]:
            with suppress(OSError):
                handle = os.open(fresh, os.O_WRONLY | _NO_WAIT | _NO_LINK)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    fresh.unlink()
                finally:
                    os.close(handle)


def _is_ours(fresh: Path, handle: int) -> bool:
    """Lock a new temporary file; False if another process takes it for one that was left."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return True
    except OSError as fault:
        return fault.errno not in (errno.EWOULDBLOCK, errno.EAGAIN)  # storage without locks
    with suppress(OSError):
        return os.path.samestat(os.fstat(handle), fresh.lstat())
    return False
