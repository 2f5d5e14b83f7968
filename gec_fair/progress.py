"""Progress on stderr for anything over two seconds, silent where stderr is neither a terminal nor a notebook; notes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

Item = TypeVar("Item")
Progress: TypeAlias = Callable[[int, int], None]
"""Told how many are done, of how many."""
_UNSIZED = {"ncols": 80, "nrows": 24}


def note(text: str) -> None:
    """Tell what a user should know, on stderr."""
    print(f"note: {text}", file=sys.stderr)


def show_progress(items: Iterable[Item], title: str, *, total: int | None = None) -> Iterator[Item]:
    """The items, counted on stderr as they pass; `total` is how many will come, where it is known."""
    from tqdm import tqdm

    yield from tqdm(items, desc=title, total=total, **_bar_options())


@contextmanager
def unheard(title: str) -> Iterator[Progress]:
    """In place of `bar` where nobody wants to see how far the work is."""
    yield lambda done, total: None


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """Yields a function that hears (done, of how many)."""
    from tqdm import tqdm

    with tqdm(desc=title, **_bar_options()) as bar:

        def update(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield update


def _bar_options() -> dict[str, Any]:
    """For tqdm. A terminal without a size (`script`'s, a container's) reports 0 columns or 0 rows, and tqdm would print
    nothing there; a notebook's cell has no size at all."""
    notebook = type(sys.stderr).__module__.partition(".")[0] == "ipykernel"
    options = {"unit": " texts", "delay": 2, "disable": not (notebook or sys.stderr.isatty())}
    return options if options["disable"] or _has_size() else {**options, **_UNSIZED}


def _has_size() -> bool:
    try:
        return all(os.get_terminal_size(sys.stderr.fileno()))
    except (AttributeError, OSError, ValueError):
        return False
