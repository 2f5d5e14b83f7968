"""Settings files, small tables and sample texts that come with the package, by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError
from gec_fair.shipped import find_shipped

_ENDINGS = (".yaml", ".toml", ".csv", ".tsv", ".txt")
_SENTENCE_END = re.compile(r"(?<!\bal)[.:;] |  ")
_ABOUT = {
    "hatecheck-groups.csv": "Identity categories of HateCheck",
    "learner-pairs.tsv": "319 pairs as learners of English write them, with corrections",
    "people.txt": "Sentences about people",
    "perturber-corrections.tsv": "Rewritings by hand that distil-perturber adds to those of the rules",
}


@dataclass(frozen=True, slots=True)
class ShippedFile:
    """A file of `training` or `samples`: its name without an ending, its path for commands, and what it is for."""

    name: str
    path: str
    about: str


def list_files() -> list[ShippedFile]:
    """The settings, tables and texts in `training` and `samples`, by path."""
    files = []
    for folder in ("training", "training/recipes", "samples"):
        base = find_shipped(folder)
        for path in sorted(base.iterdir()) if base is not None else ():
            if path.suffix in _ENDINGS:
                name = f"recipes/{path.stem}" if folder.endswith("recipes") else path.stem
                files.append(ShippedFile(name, f"{folder}/{path.name}", _first_comment(path)))
    return files


def read_file(name: str) -> bytes:
    """The content of a file by its name or its path. UsageError for an unknown one, with the nearest name."""
    files = list_files()
    for file in files:
        path = find_shipped(file.path)
        if path is not None and name in (file.name, file.path, path.name, str(path)):
            return path.read_bytes()
    near = closest(name, [file.name for file in files])
    raise UsageError(f"no file is called {name!r}{near}; `gec-fair settings list` lists them")


def find_settings(path: Path) -> Path:
    """The settings file at a path, or the shipped one of that name; the path itself if there is neither."""
    if path.is_file():
        return path
    names = {file.name: file.path for file in list_files() if file.path.endswith(".yaml")}
    shipped = find_shipped(names[str(path)]) if str(path) in names else None
    return shipped or path


def suggest_settings(path: Path) -> str:
    """The words `; did you mean NAME?` for the shipped settings file that is most like a path; "" if none is."""
    return closest(path.stem, [file.name for file in list_files() if file.path.endswith(".yaml")])


def _first_comment(path: Path) -> str:
    """The first sentence of the comment at the head of a YAML file; the names of a table's columns; "" of a text."""
    lines = path.read_text(encoding="utf-8").split("\n")
    if path.suffix in (".yaml", ".toml"):
        comment = " ".join(
            line.removeprefix("#").strip() for line in takewhile(lambda line: line.startswith("#"), lines)
        )
        return _SENTENCE_END.split(re.sub(r" \([^)]*\)", "", comment))[0].removesuffix(".")
    return _ABOUT.get(path.name, "")
