"""Progress on stderr for anything over two seconds; silent where stderr is not a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from tqdm import tqdm

Item = TypeVar("Item")
Progress: TypeAlias = Callable[[int, int], None]
"""Told how many are done, of how many."""
_UNSIZED = {"ncols": 80, "nrows": 24}


def counted(items: Iterable[Item], title: str) -> Iterator[Item]:
    """The items, counted on stderr as they pass; how many will come is not known."""
    yield from tqdm(items, desc=title, **_bar_options())


@contextmanager
def unheard(title: str) -> Iterator[Progress]:
    """In place of `bar` where nobody wants to see how far the work is."""
    yield lambda done, total: None


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """Yields a function that hears (done, of how many)."""
    with tqdm(desc=title, **_bar_options()) as bar:

        def update(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield update


def _bar_options() -> dict[str, Any]:
    """For tqdm. A terminal that no one gave a size (`script`'s, a container's) says that it has neither columns nor
    rows, and tqdm would print nothing there."""
    options = {"unit": " texts", "delay": 2, "disable": not sys.stderr.isatty()}
    if options["disable"] or os.get_terminal_size(sys.stderr.fileno()).columns:
        return options
    return {**options, **_UNSIZED}
