"""The error family: what a user must act on.

    GecFairError
    ├── UsageError        wrong options, or options that contradict each other        exit 2
    │   └── ArgumentError an argument of the Python API of another type; a TypeError
    ├── InputError        a file that cannot be read, or a line that cannot be used   exit 2
    │   └── MalformedLine one line of an input; counted by default, fatal with --strict
    ├── MissingResource   a model, data set or extra that is not here                 exit 2
    ├── DiskFull          there is no room for what is written                        exit 2
    └── ResumeError       the output directory holds a run made with other options    exit 2

Each message says what, where, and what to do now. They are caught once, in `gec_fair.cli`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class GecFairError(Exception):
    """Base of everything that the command line reports without a traceback."""

    exit_code = 2


class UsageError(GecFairError):
    """Options that cannot be meant."""


class ArgumentError(UsageError, TypeError):
    """An argument of another type than the function takes."""

    def __init__(self, name: str, got: str, expected: str) -> None:
        super().__init__(f"{name} is {got}; give {expected}")


class InputError(GecFairError):
    """A file that cannot be read or understood."""


class MalformedLine(InputError):
    """One input line that cannot be used; `where` is `file:line`."""

    def __init__(self, where: str, reason: str, remedy: str = "") -> None:
        self.where, self.reason, self.remedy = where, reason, remedy
        super().__init__(f"{where}: {reason}" + (f"; {remedy}" if remedy else ""))


class MissingResource(GecFairError):
    """A model, a data set or an optional dependency that is not installed; the message says how to get it."""


class DiskFull(GecFairError):
    """The disk has no room for a file. Files that were complete stay as they were."""


class ResumeError(GecFairError):
    """An output directory that belongs to a run with other inputs or options."""


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Turn what reading a missing or damaged file raises into MissingResource."""
    import zlib
    from zipfile import BadZipFile

    try:
        yield
    except (InputError, OSError, EOFError, ValueError, KeyError, IndexError, BadZipFile, zlib.error) as error:
        raise MissingResource(f"{path} cannot be loaded ({error}); reinstall gec-fair") from error
