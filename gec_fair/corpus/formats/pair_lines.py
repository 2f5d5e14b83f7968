"""The `source<TAB>target` lines of a file by number: mapped, not read, so that millions of them need memory for their
offsets alone."""

from __future__ import annotations

import hashlib
import mmap
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from gec_fair.corpus.formats.parsing import Layout, parse_tsv
from gec_fair.corpus.outcome import Malformed
from gec_fair.data.compression import COMPRESSIONS, fault_of, lines_of, open_bytes
from gec_fair.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PAIR = Layout("tsv", max_words=sys.maxsize)
_BLOCK = 1 << 20  # bytes that are decoded at once to see whether they are text
_EMPTY = "{}: the file is empty; give one of source<TAB>target lines"
_SPACE = (*range(33), 0xC2, 0xE1, 0xE2, 0xE3)  # the first bytes of whatever is white space, in UTF-8


class Lines:
    """The pairs of a text file, plain, .gz, .xz or .zst, as lines without their ends. Lines that `parse_tsv` takes for
    no pair (other than two columns, no UTF-8, no source, a NUL) are counted in `malformed` and left out; `complaint`
    says what is wrong with the first. InputError if it is not a file, or is empty."""

    def __init__(self, path: Path) -> None:
        import numpy as np

        if not path.is_file():
            raise InputError(f"{path}: no such file; give one of source<TAB>target lines")
        if path.stat().st_size == 0:
            raise InputError(_EMPTY.format(path))
        self.path = path
        self.data = _map_file(path)
        content = np.frombuffer(self.data, np.uint8)
        ends = np.flatnonzero(content == ord("\n"))
        if not len(ends) or ends[-1] != len(content) - 1:
            ends = np.append(ends, len(content))
        first = 3 if self.data[:3] == b"\xef\xbb\xbf" else 0  # a byte order mark does not belong to the first line
        starts = np.concatenate(([first], ends[:-1] + 1))
        faults = {}
        for line in np.flatnonzero(_suspects(self.data, content, starts, ends)).tolist():
            pair = parse_tsv(self.data[starts[line] : ends[line]], _PAIR, path.name, line + 1)
            if isinstance(pair, Malformed):
                faults[line] = pair
        fit = np.ones(len(starts), dtype=bool)
        fit[list(faults)] = False
        self.starts: NDArray[np.int64] = starts[fit]
        self.ends: NDArray[np.int64] = ends[fit]
        self.malformed = len(faults)
        self._first = next(iter(faults.items()), None)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> bytes:
        return self.data[self.starts[number] : self.ends[number]].removesuffix(b"\r")

    def text(self, number: int) -> str:
        """A line as text, without its line break."""
        return self[number].decode()

    def sha256(self) -> str:
        """The digest of the file's bytes, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    def complaint(self) -> str:
        """What is wrong with the first malformed line; "" if there is none."""
        if self._first is None:
            return ""
        line, fault = self._first
        return f"{self.path}:{line + 1}: {fault.detail}; give source<TAB>target lines"


def pairs_of(path: Path) -> Lines:
    """The lines of a file that must hold pairs. InputError for one without."""
    lines = Lines(path)
    if not len(lines):
        raise InputError(lines.complaint())
    return lines


def _suspects(
    data: mmap.mmap, content: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Lines that may be no pair, among them all that are none: few, so that these alone are parsed."""
    import numpy as np

    tabs = np.flatnonzero(content == ord("\t"))
    is_malformed: NDArray[np.bool_] = np.searchsorted(tabs, ends) - np.searchsorted(tabs, starts) != 1
    is_malformed |= np.isin(content[np.minimum(starts, len(content) - 1)], _SPACE)
    is_malformed[np.searchsorted(ends, np.flatnonzero(content == 0))] = True
    blocks = np.unique(np.searchsorted(ends, range(0, len(content), _BLOCK))).tolist()
    for first, last in zip(blocks, [*blocks[1:], len(ends)], strict=True):
        try:
            data[starts[first] : ends[last - 1]].decode()
        except UnicodeDecodeError:
            is_malformed[first:last] = True
    return is_malformed


def _map_file(path: Path) -> mmap.mmap:
    """The file's content as memory that the system pages in; compressed files are unpacked to disk first."""
    with path.open("rb") if path.suffix not in COMPRESSIONS else TemporaryFile() as file:
        if path.suffix in COMPRESSIONS:
            with open_bytes(path) as packed:
                file.writelines(lines_of(packed, path))
                fault = fault_of(packed)
            if fault is not None:
                raise InputError(f"{path}: {fault.detail or fault.reason}; {fault.refusal}")
            file.flush()
            if not file.tell():
                raise InputError(_EMPTY.format(path))
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
