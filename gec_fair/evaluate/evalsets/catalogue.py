"""Evaluation sets: twins of source, target and gold edits, original and augmented, found by name or in a folder.

STEM_orig.{src.txt,tgt.txt,m2}              what learners wrote
STEM_{st,mf,neo}_aug.{src.txt,tgt.txt,m2}   the same sentences with singular they, the other gender, or a neopronoun

Names are those of the shipped manifest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gec_fair.config.values import read_toml
from gec_fair.data.compression import COMPRESSIONS, plain_path
from gec_fair.english.lexicons.tables import read_table
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.evaluate.scoring.texts import Reference, check_sources, is_m2, read_reference, read_texts
from gec_fair.runs.cache import cache_directory
from gec_fair.runs.digests import file_digest
from gec_fair.shipped import find_shipped

KINDS = ("st", "mf", "neo")
ENDINGS = (".src.txt", ".tgt.txt", ".m2")
ITEM_COLUMNS = ("antecedent", "provokes", "gender", "text")  # of an items.tsv
LABELS = ("antecedent",)  # those that say what kind of sentence it is


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a set; `target` is None where only source and M2 are there."""

    source: Path
    target: Path | None
    m2: Path


@dataclass(frozen=True, slots=True)
class EvalSet:
    """`kind`: `st` (singular they), `mf` (feminine/masculine) or `neo` (neopronouns). Sentence n of both sides are
    twins. `items`: a table with a row a sentence, where there is one."""

    name: str
    kind: str
    orig: Side
    aug: Side
    items: Path | None = None


@cache
def read_known() -> Mapping[str, Mapping[str, Any]]:
    """Name → what there is to know of a set."""
    return read_toml(_manifest(), "reinstall gec-fair")


def find(name: str) -> EvalSet:
    """A set by name, or by the folder that holds its files.

    `GEC_FAIR_EVALSETS` (folders, separated as in PATH) is searched before the user's cache. Raises UsageError for a
    name that nobody knows, MissingResource for a known set that is not here, InputError for files that are not what
    they should be.
    """
    if name not in read_known():
        if Path(name).is_dir():
            return in_folder(Path(name))
        raise UsageError(f"no evaluation set is called {name!r}; known: {', '.join(read_known())}; or give a folder")
    entry = read_known()[name]
    for folder in folders(name):
        if all((folder / f"{entry[side]}.m2").is_file() for side in ("orig", "aug")):
            check_digests(folder, entry.get("sha256", {}))
            items = folder / "items.tsv"
            return EvalSet(
                name,
                entry["kind"],
                side(folder, entry["orig"]),
                side(folder, entry["aug"]),
                items if entry.get("shipped") and items.is_file() else None,
            )
    raise MissingResource(f"{name} is not here; {_how_to_get(name, entry)}")


def present() -> list[str]:
    """Names of the known sets whose files are here and whole."""
    present = []
    for name in read_known():
        try:
            find(name)
        except MissingResource:
            continue
        present.append(name)
    return present


def folders(name: str) -> Iterator[Path]:
    """Where the files of a set may lie, in order; shipped sets last."""
    folders = os.environ.get("GEC_FAIR_EVALSETS", "")
    bases = [Path(part).expanduser() for part in folders.split(os.pathsep) if part]
    for base in (*bases, own_folder()):
        yield base / name
        yield base
    yield from sorted(folder for folder in _manifest().parent.iterdir() if folder.is_dir())


def own_folder() -> Path:
    """Where sets are fetched to, a folder each."""
    return cache_directory() / "evalsets"


def in_folder(folder: Path) -> EvalSet:
    """The one set whose files lie in a folder; InputError where there are none, or several."""
    augmented = [(path, kind) for kind in KINDS for path in sorted(folder.glob(f"*_{kind}_aug*.m2*")) if is_m2(path)]
    if len(augmented) != 1:
        present = ", ".join(path.name for path, _ in augmented) or "none"
        patterns = " or ".join(f"*_{kind}_aug*.m2" for kind in KINDS)
        raise InputError(f"{folder}: expected one file {patterns}, found {present}; one set a folder")
    path, kind = augmented[0]
    stem = plain_path(path).name.removesuffix(".m2")
    return EvalSet(
        folder.resolve().name, kind, side(folder, stem.replace(f"_{kind}_aug", "_orig", 1)), side(folder, stem)
    )


def side(folder: Path, stem: str) -> Side:
    """The files of one side. InputError for a missing source or M2 file, and for a link out of the folder."""
    source, target, m2 = (_find_packed(folder / f"{stem}{ending}") for ending in ENDINGS)
    for path in (source, m2):
        if not path.is_file():
            raise InputError(f"{path}: is missing; a side of a set has {', '.join(stem + e for e in ENDINGS)}")
    for path in (source, target, m2):
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"{path}: is a link that leads out of its folder; put a copy of the file there")
    return Side(source, target if target.is_file() else None, m2)


def _find_packed(path: Path) -> Path:
    """The file, or where it is missing the same one compressed."""
    packed = (path.with_name(path.name + ending) for ending in COMPRESSIONS)
    return path if path.exists() else next((file for file in packed if file.exists()), path)


def labels(evalset: EvalSet, items: int) -> dict[str, tuple[str, ...]]:
    """What a set's table says of its sentences, by column (`LABELS`): they-probe's kinds of antecedents. Empty for
    sets without a table; InputError where it has another number of rows."""
    if evalset.items is None:
        return {}
    rows = read_table(evalset.items, ITEM_COLUMNS)
    if len(rows) != items:
        raise InputError(f"{evalset.items}: {len(rows)} rows, but the set has {items} sentences; get it again")
    return {name: tuple(row.cells[ITEM_COLUMNS.index(name)] for row in rows) for name in LABELS}


def read_twins(evalset: EvalSet) -> tuple[Reference, Reference]:
    """The references of both sides. InputError where sources and M2 do not match, or the sides are no twins."""
    orig, aug = (read_reference(side.m2) for side in (evalset.orig, evalset.aug))
    for side, reference in ((evalset.orig, orig), (evalset.aug, aug)):
        check_sources(side.source, read_texts(side.source), reference)
    if len(orig) != len(aug):
        raise InputError(f"{aug.path}: {len(aug)} sentences, but {orig.path} has {len(orig)}: no twins")
    return orig, aug


def check_digests(folder: Path, digests: Mapping[str, str]) -> None:
    """InputError for a file that is there and is another than the published one."""
    for name, expected in digests.items():
        path = folder / name
        if path.is_file() and file_digest(path)["sha256"] != expected:
            raise InputError(f"{path}: is not the file that it was (its sha256 differs); remove it and get it again")


@cache
def _manifest() -> Path:
    if path := find_shipped("evalsets/manifest.toml"):
        return path
    raise MissingResource("the package's evaluation sets are missing; reinstall gec-fair")


def _how_to_get(name: str, entry: Mapping[str, Any]) -> str:
    put = f"put {entry['orig']}.* and {entry['aug']}.* into a folder and set GEC_FAIR_EVALSETS to it"
    return f"`gec-fair evalset fetch {name}` gets it; or {put}" if "repository" in entry else put
