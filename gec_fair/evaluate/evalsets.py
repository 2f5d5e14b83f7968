"""Evaluation sets: twins of source, target and gold edits, original and augmented, found by name or in a folder.

STEM_orig.{src.txt,tgt.txt,m2}          what learners wrote
STEM_{st,mf}_aug.{src.txt,tgt.txt,m2}   the same sentences with singular they, or with the other gender
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.evaluate.store import cache_directory

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KINDS = ("st", "mf")
_PACKAGE = Path(__file__).resolve().parents[1]
_ENDINGS = (".src.txt", ".tgt.txt", ".m2")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a set; `target` is None where only source and M2 are there."""

    source: Path
    target: Path | None
    m2: Path


@dataclass(frozen=True, slots=True)
class EvalSet:
    """`kind`: `st` (singular they) or `mf` (feminine/masculine). Sentence n of both sides are twins."""

    name: str
    kind: str
    orig: Side
    aug: Side


@cache
def known() -> Mapping[str, Mapping[str, Any]]:
    """The shipped manifest: name → what there is to know of a set."""
    for path in (_PACKAGE / "_data" / "evalsets" / "manifest.toml", _PACKAGE.parent / "evalsets" / "manifest.toml"):
        if path.is_file():
            return tomllib.loads(path.read_text(encoding="utf-8"))
    raise MissingResource("the package's evaluation sets are missing; reinstall gec-fair")


def find(name: str) -> EvalSet:
    """A set by name, or by the folder that holds its files.

    `GEC_FAIR_EVALSETS` (folders, separated as in PATH) is searched before the user's cache. Raises UsageError for a
    name that nobody knows, MissingResource for a known set that is not here, InputError for files that are not what
    they should be.
    """
    if Path(name).is_dir():
        return _in_folder(Path(name))
    if name not in known():
        raise UsageError(f"no evaluation set is called {name!r}; known: {', '.join(known())}; or give a folder")
    entry = known()[name]
    for folder in folders(name):
        if all((folder / f"{entry[side]}.m2").is_file() for side in ("orig", "aug")):
            _check(folder, entry["sha256"])
            sides = (_side(folder, entry["orig"]), _side(folder, entry["aug"]))
            return EvalSet(name, entry["kind"], *sides)
    raise MissingResource(f"{name} is not here; {_how_to_get(entry)}")


def present() -> list[str]:
    """Names of the known sets whose files are here and whole."""
    found = []
    for name in known():
        try:
            find(name)
        except MissingResource:
            continue
        found.append(name)
    return found


def folders(name: str) -> Iterator[Path]:
    """Where the files of a set may lie, in order."""
    given = os.environ.get("GEC_FAIR_EVALSETS", "")
    for base in (
        *(Path(part).expanduser() for part in given.split(os.pathsep) if part),
        cache_directory() / "evalsets",
    ):
        yield base / name
        yield base


def _in_folder(folder: Path) -> EvalSet:
    augmented = [(path, kind) for kind in KINDS for path in sorted(folder.glob(f"*_{kind}_aug*.m2"))]
    if len(augmented) != 1:
        found = ", ".join(path.name for path, _ in augmented) or "none"
        raise InputError(f"{folder}: expected one file *_st_aug*.m2 or *_mf_aug*.m2, found {found}; one set a folder")
    path, kind = augmented[0]
    stem = path.name.removesuffix(".m2")
    return EvalSet(folder.name, kind, _side(folder, stem.replace(f"_{kind}_aug", "_orig", 1)), _side(folder, stem))


def _side(folder: Path, stem: str) -> Side:
    source, target, m2 = (folder / f"{stem}{ending}" for ending in _ENDINGS)
    for path in (source, m2):
        if not path.is_file():
            raise InputError(f"{path}: is missing; a side of a set has {', '.join(stem + e for e in _ENDINGS)}")
    return Side(source, target if target.is_file() else None, m2)


def _check(folder: Path, digests: Mapping[str, str]) -> None:
    for name, expected in digests.items():
        path = folder / name
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            raise InputError(f"{path}: is not the published file (its sha256 differs); remove it and get it again")


def _how_to_get(entry: Mapping[str, Any]) -> str:
    files = f"{entry['orig']}.* and {entry['aug']}.*"
    where = f" from github.com/{entry['repository']}, folder {entry['folder']}," if "repository" in entry else ""
    return f"put {files}{where} into a folder and set GEC_FAIR_EVALSETS to it"
