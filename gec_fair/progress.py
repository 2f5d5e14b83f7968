"""Progress on stderr for anything over two seconds; silent where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from tqdm import tqdm

from gec_fair.gec.systems import Progress

Item = TypeVar("Item")


def counted(items: Iterable[Item], title: str) -> Iterator[Item]:
    """The items, counted on stderr as they pass; how many will come is not known."""
    yield from tqdm(items, desc=title, unit=" texts", delay=2, disable=not sys.stderr.isatty())


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """Yields a function that hears (done, of how many)."""
    with tqdm(desc=title, unit=" texts", delay=2, disable=not sys.stderr.isatty()) as shown:

        def tell(done: int, whole: int) -> None:
            shown.total = whole
            shown.update(done - shown.n)

        yield tell
