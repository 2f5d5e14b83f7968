"""Text files in UTF-8, plain or compressed, a line at a time. Only LF and CRLF end a line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from glob import glob
from pathlib import Path
from string import Template

from gec_fair.data.compression import fault_of, lines_of, open_bytes
from gec_fair.errors import InputError

BOM = b"\xef\xbb\xbf"
_LARGEST = 1 << 30
"""Bytes of a file that is read as a whole."""
_PATTERN = re.compile(r"[*?\[]")
LONGEST_TEXT = 1_000_000
"""Characters of a text that is parsed; spaCy refuses more."""


def length_fault(text: str, where: str = "") -> InputError | None:
    """What is wrong with a text that is too long to be parsed; None where it is not. `where`: file and line, or its
    id."""
    if len(text) <= LONGEST_TEXT:
        return None
    before = f"{where}: " if where else ""
    reason = f"a text of {len(text):,} characters, more than {LONGEST_TEXT:,}"
    return InputError(f"{before}{reason}; cut it into paragraphs, or leave it out")


def refuse_endless(text: str, where: str = "") -> None:
    """InputError for a text that is too long to be parsed."""
    if (fault := length_fault(text, where)) is not None:
        raise fault


def read_lines(path: Path) -> list[str]:
    """The lines of a file without their ends, all in memory. Raises as `text_lines` does, and InputError for a file of
    more than 1 GiB."""
    lines: list[str] = []
    size = 0
    for line in text_lines(path):
        size += len(line)
        if size > _LARGEST:
            raise InputError(f"{path}: more than {_LARGEST >> 30} GiB of text; give it in parts")
        lines.append(line.removesuffix(b"\n").removesuffix(b"\r").decode())
    return lines


def find_texts(texts: Iterable[str]) -> list[Path]:
    """The text files that settings name under `texts`, those of a pattern (`*.train`) in their names' order; variables
    of the environment are filled in. InputError for one that is not there."""
    named = [Template(text).safe_substitute(os.environ) for text in texts]
    is_pattern = {name: bool(_PATTERN.search(name)) and not Path(name).is_file() for name in named}
    by_name = {name: sorted(glob(name)) if is_pattern[name] else [name] for name in named}
    if empty := [name for name, paths in by_name.items() if not paths]:
        raise InputError(f"{', '.join(empty)}: no file is called so; name text files under texts")
    paths = [Path(path) for name in named for path in by_name[name]]
    if missing := next((path for path in paths if not path.is_file()), None):
        data = os.environ.get("GEC_FAIR_DATA") or "not set"
        raise InputError(f"{missing}: no such file; name text files under texts (GEC_FAIR_DATA: {data})")
    return paths


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends. Unlike `str.splitlines`, nothing but LF and CRLF ends a line."""
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


def text_lines(path: Path, *, wrapped: bool = False) -> Iterator[bytes]:
    """The lines with their ends, a byte order mark taken off. In a `wrapped` file a paragraph ends at an empty line:
    paragraphs and empty lines.

    InputError, with file and line, for a NUL byte or bytes that are not UTF-8, and for a file that cannot be read or
    breaks off.
    """
    yield from _paragraphs(_read_checked(path)) if wrapped else _read_checked(path)


def _paragraphs(lines: Iterable[bytes]) -> Iterator[bytes]:
    paragraph: list[bytes] = []
    for line in lines:
        if line.strip():
            paragraph.append(line.strip())
            continue
        if paragraph:
            yield b" ".join(paragraph) + b"\n"
        yield line
        paragraph = []
    if paragraph:
        yield b" ".join(paragraph) + b"\n"


def check_text(lines: Iterable[bytes], name: str | Path) -> Iterator[bytes]:
    """The lines of a text, a byte order mark taken off the first. InputError, with name and line, for a NUL byte or
    bytes that are not UTF-8."""
    for number, line in enumerate(lines, 1):
        if number == 1:
            line = line.removeprefix(BOM)
        if b"\0" in line:
            raise InputError(f"{name}:{number}: holds a NUL byte, so it is not text; give text in UTF-8")
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise InputError(f"{name}:{number}: not UTF-8 (byte {fault.start}); convert it, e.g. with iconv") from fault
        yield line


def _read_checked(path: Path) -> Iterator[bytes]:
    try:
        with open_bytes(path) as file:
            for line in check_text(lines_of(file, path), path):
                yield line if line.endswith(b"\n") else line + b"\n"
            damage = fault_of(file)
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror or fault}); give a text file") from fault
    if damage is not None:
        raise InputError(f"{path}: {damage.detail or damage.reason}; {damage.refusal}")
