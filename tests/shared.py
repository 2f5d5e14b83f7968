"""What takes long to make is made once in a run of the tests, whichever processes share them out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

PINNED = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has older libraries, whose figures differ")


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of that name, which `make` has filled; nobody may change what is in it."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"shared-{name}"
    done = folder.with_suffix(".done")
    with FileLock(folder.with_suffix(".lock")):
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
