"""Files that ship with the package: lexicons, evaluation sets, recipes.

In a wheel they are below `gec_fair/_data`; in a checkout they are where they are edited, beside the package.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def find_shipped(name: str) -> Path | None:
    """A file or folder by its path in the repository, such as `lexicons/names.tsv`; None if it is not installed."""
    candidates = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    return next((path for path in candidates if path.exists()), None)
