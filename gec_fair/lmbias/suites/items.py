"""Items of a suite as they are read from its files, and what is wrong with one. An empty sentence is likelier than any
other, so none is ever scored."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile, ZipFile

from gec_fair.data.columns import is_blank
from gec_fair.data.compression import COMPRESSIONS, LONGEST_LINE
from gec_fair.data.text_files import read_lines
from gec_fair.errors import InputError
from gec_fair.runs.json_files import parse_json

Item = TypeVar("Item")
_FAULTS = (OSError, EOFError, zlib.error, BadZipFile, RuntimeError, csv.Error)  # of a file
_WRONG = (ValueError, KeyError, TypeError, IndexError, AttributeError)  # of an item


@contextmanager
def reading(place: object, kind: str, remedy: str) -> Iterator[None]:
    """Turns what is wrong with a file or an item into an InputError that says where it stands, and what to do."""
    try:
        yield
    except (*_FAULTS, *_WRONG) as fault:
        detail = f"no {fault}" if isinstance(fault, KeyError) else str(fault)
        raise InputError(f"{place}: not {kind} ({detail}); {remedy}") from fault


def get_anew(name: str) -> str:
    """The remedy for files of a public data set."""
    return f"get the files anew (gec-fair data fetch {name})"


def read_items(folder: Path, parse: Callable[[str, Any], Iterable[Item]], *, kind: str, remedy: str) -> list[Item]:
    """The items of every `NAME.jsonl` of a folder, compressed or not, and of the zip that lies there. `parse` is given
    NAME and a line's JSON. InputError with file and line for a line that is not of this kind, for a damaged file, and
    for a folder without items."""
    items: list[Item] = []
    for name, lines in _files(folder, remedy):
        for number, line in enumerate(lines, 1):
            if line.strip():
                with reading(f"{name}:{number}", kind, remedy):
                    items += parse(Path(name).name.split(".")[0], parse_json(line))
    return require_items(items, folder, remedy)


def require_items(items: list[Item], place: Path, remedy: str) -> list[Item]:
    """The items. InputError for none."""
    if not items:
        raise InputError(f"{place}: holds no item; {remedy}")
    return items


def _files(folder: Path, remedy: str) -> Iterator[tuple[str, list[str]]]:
    """Each file's name with its lines, by name; those of a zip come last."""
    endings = (".jsonl", *(f".jsonl{ending}" for ending in COMPRESSIONS), ".zip")
    paths = (path for ending in endings for path in folder.glob(f"*{ending}"))
    for path in sorted(paths, key=lambda path: (path.suffix == ".zip", path)):
        with reading(path, "a file that can be read", remedy):
            yield from _pack(path) if path.suffix == ".zip" else [(str(path), read_lines(path))]


def _pack(path: Path) -> Iterator[tuple[str, list[str]]]:
    with ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".jsonl") and "__MACOSX" not in name:
                if archive.getinfo(name).file_size > LONGEST_LINE:
                    raise InputError(f"{path}/{name}: more than {LONGEST_LINE >> 20} MiB; get it anew")
                yield f"{path}/{name}", archive.read(name).decode("utf-8-sig").split("\n")


def read_text(row: Any, name: str) -> str:
    """The text of a field. KeyError if the row does not have it, TypeError for a value that is not text and for a row
    that is not an object, ValueError for a text that is empty, or holds only white space and invisible signs."""
    text = check_row(row)[name]
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r}, and a text is wanted")
    if is_blank(text):
        raise ValueError(f"{name} is empty")
    return text


def read_list(row: Any, name: str) -> list[Any]:
    """The list of a field. Raises KeyError or TypeError as `read_text` does."""
    rows = check_row(row)[name]
    if not isinstance(rows, list):
        raise TypeError(f"{name} is {rows!r}, and a list is wanted")
    return rows


def check_row(row: Any) -> Mapping[str, Any]:
    """The row. TypeError if it is not an object."""
    if not isinstance(row, Mapping):
        raise TypeError(f"{row!r} stands where fields are wanted")
    return row


def refuse_equal(texts: Mapping[str, str]) -> None:
    """Raises ValueError for two texts, by the names of their fields, that differ in white space at most."""
    first: dict[str, str] = {}
    for name, text in texts.items():
        if (same_name := first.setdefault(" ".join(text.split()), name)) != name:
            raise ValueError(f"{same_name} and {name} are the same")
