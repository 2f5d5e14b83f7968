"""Progress on stderr for anything over two seconds; silent where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from gec_fair.gec.systems import Progress


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """Yields a function that hears (done, of how many)."""
    with tqdm(desc=title, unit=" texts", delay=2, disable=not sys.stderr.isatty()) as shown:

        def tell(done: int, whole: int) -> None:
            shown.total = whole
            shown.update(done - shown.n)

        yield tell
