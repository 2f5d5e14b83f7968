"""Files that ship with the package: lexicons, evaluation sets, recipes.

In a wheel they are below `gec_fair/_data`; in a checkout they are where they are edited, beside the package.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_FOLDERS = ("lexicons", "evalsets", "training", "samples")


def find_shipped(name: str) -> Path | None:
    """A file or folder by its path in the repository, such as `lexicons/names.tsv`; None if it is not installed."""
    candidates = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    return next((path for path in candidates if path.exists()), None)


def resolve_shipped(word: str) -> str:
    """A word of a command line; `training/bart.yaml` (or `start=training/…`) becomes the installed file where the
    current folder has none, so that the commands of the documentation work in any folder."""
    name, equals, value = word.rpartition("=")
    if value.startswith("[") and value.endswith("]"):  # a list of a setting
        return f"{name}{equals}[{','.join(map(_resolve_path, value[1:-1].split(',')))}]"
    return f"{name}{equals}{_resolve_path(value)}"


def _resolve_path(path: str) -> str:
    if path.partition("/")[0] not in _FOLDERS or Path(path).exists():
        return path
    return str(find_shipped(path) or path)
