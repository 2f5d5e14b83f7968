"""The bytes of a file, decompressed as they come.

A compressed file that ends too early or is damaged yields everything before the damage and then simply ends; its
`fault` says what happened. So nothing that could be read is lost to an exception.
"""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZipFile, is_zipfile

import zstandard

from gec_fair.errors import InputError

COMPRESSIONS = (".gz", ".xz", ".zst")
MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00", ".zst": b"\x28\xb5\x2f\xfd"}

_PIECE = 8192  # compressed bytes at a time, small because they may swell a thousandfold
_BUFFER = 1 << 18
LONGEST_LINE = 1 << 26
"""Bytes of a line. A few kilobytes of a compressed file can hold a line that no memory does."""
_DENSEST, _SWOLLEN = 200, 1 << 27
"""Bytes for one compressed byte, of a file with so many bytes. Texts have four, and hardly ever twenty."""
_MOST_MEMORY = 1 << 29
"""Bytes that reading .xz may take; its own compressor never needs more than 65 MiB."""

REMEDIES = {
    "corrupt": "fetch the file again; lines shortly before this place may be wrong too",
    "truncated": "fetch the file again; everything before this place was used",
    "swollen": "give a file of texts; decompress it yourself if these are texts",
}


@dataclass(frozen=True, slots=True)
class Damage:
    """Why a compressed file ends early; `reason` is a key of `REMEDIES`."""

    reason: str
    detail: str

    @property
    def remedy(self) -> str:
        """What to do about the damage."""
        return REMEDIES[self.reason]

    @property
    def refusal(self) -> str:
        """What to do where nothing of the file is used."""
        return self.remedy.partition("; everything")[0]


def open_bytes(path: Path) -> io.BufferedReader:
    """A buffered reader over the plain content of `path`, whatever its compression."""
    file = path.open("rb", buffering=0)
    decoder = _decoder(path)
    return io.BufferedReader(Inflated(file, decoder) if decoder else file, _BUFFER)


def check_archive(path: Path) -> None:
    """Raise InputError for a ZIP file that says it holds far more than its size, before anything of it is read.
    BadZipFile for a damaged one; any other file is let through."""
    if not (path.is_file() and is_zipfile(path)):
        return
    with ZipFile(path) as archive:
        plain = sum(part.file_size for part in archive.infolist())
    if plain > max(_SWOLLEN, _DENSEST * path.stat().st_size):
        raise InputError(f"{path}: the compressed file holds more than {_DENSEST} times its size; get it again")


def plain_path(path: Path) -> Path:
    """The path without the ending that says how the file is compressed."""
    return path.with_suffix("") if path.suffix in COMPRESSIONS else path


def lines_of(file: BinaryIO, name: str | Path) -> Iterator[bytes]:
    """The lines with their ends. Only a line feed ends a line: a lone carriage return, U+2028, U+0085 or a form feed
    is part of the text. InputError, with the number of the line, for one of more than 64 MiB."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE), b""), 1):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            raise InputError(
                f"{name}:{number}: a line of more than {LONGEST_LINE >> 20} MiB, which is not text; "
                "give a file with a text a line"
            )
        yield line


def fault_of(reader: io.BufferedReader) -> Damage | None:
    """Why the reader ended before its file did; None while all is well."""
    return getattr(reader.raw, "fault", None)


class Inflated(io.RawIOBase):
    """A compressed file as plain bytes; ends at damage, leaving the reason in `fault`."""

    def __init__(self, file: BinaryIO | io.FileIO, decoder: Callable[[], Any]) -> None:
        self._file, self._decoder = file, decoder
        self._pieces = self._inflate()
        self._left = memoryview(b"")
        self.fault: Damage | None = None

    def readable(self) -> bool:
        """True: the bytes can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with decompressed bytes; return how many, 0 at the end."""
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = memoryview(piece)
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size

    def close(self) -> None:
        """Close the compressed file too."""
        self._file.close()
        super().close()

    def _inflate(self) -> Iterator[bytes]:
        """Several members or frames after each other are one stream; zeros after the last are padding."""
        decoder = self._decoder()
        packed = plain = 0
        try:
            while piece := self._file.read(_PIECE):
                packed += len(piece)
                while piece:
                    if decoder.eof:
                        piece = piece.lstrip(b"\0")
                        decoder = self._decoder() if piece else decoder
                        continue
                    content = decoder.decompress(piece)
                    plain += len(content)
                    if plain > max(_SWOLLEN, _DENSEST * packed):
                        self.fault = Damage("swollen", f"the compressed file holds more than {_DENSEST} times its size")
                        return
                    yield content
                    piece = decoder.unused_data if decoder.eof else b""
        except (lzma.LZMAError, zlib.error, zstandard.ZstdError) as damage:
            self.fault = Damage("corrupt", f"the compressed file is damaged here ({damage})")
            return
        if not decoder.eof:
            self.fault = Damage("truncated", "the compressed file breaks off here")


def _decoder(path: Path) -> Callable[[], Any] | None:
    if path.suffix == ".gz":
        return lambda: zlib.decompressobj(wbits=31)
    if path.suffix == ".xz":
        return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
    if path.suffix == ".zst":
        return lambda: zstandard.ZstdDecompressor().decompressobj()
    return None
