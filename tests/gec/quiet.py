"""No progress."""

from contextlib import contextmanager


@contextmanager
def bar(title):
    yield lambda done, total: None
