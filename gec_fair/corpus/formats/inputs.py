"""What the user named on the command line, checked before anything is written: files, their formats, their names."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.config.corpora import FORMATS, Format
from gec_fair.data.compression import COMPRESSIONS, MAGIC, plain_path
from gec_fair.errors import InputError, UsageError

_ARCHIVES = frozenset({".bz2", ".zip", ".7z", ".rar", ".tar", ".tgz", ".lz4", ".br"})
_BY_SUFFIX: dict[str, Format] = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".m2": "m2",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
_SIDE = re.compile(r"\.(src|tgt)(?=(\.txt)?$)")  # x.src, x.src.txt
_LFS = b"version https://git-lfs"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Source:
    """One input: a file, or the two files of a parallel corpus. `names` is what outputs call them."""

    format: Format
    paths: tuple[Path, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The first file's name, as messages and manifests have it."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file as the manifest knows it. `breaks` counts its line breaks, where that costs nothing to know."""

    name: str
    format: Format
    bytes: int
    sha256: str
    breaks: int | None = None


def resolve(inputs: Sequence[str | Path], format: Format | None = None) -> tuple[Source, ...]:
    """Check and name the inputs, in the order given. Raises InputError or UsageError, saying what to do.

    A parallel corpus is `x.src` (its `x.tgt` is found beside it), both paths one after the other, or the prefix
    `x`; with `format="parallel"` any two paths.
    """
    if not inputs:
        raise UsageError("no input given; name at least one file")
    queue = [Path(i) for i in inputs]
    groups: list[tuple[Format, tuple[Path, ...]]] = []
    while queue:
        path = _from_prefix(queue.pop(0))
        kind = format or format_of(path)
        paths = (path, _target_side(path, queue)) if kind == "parallel" else (path,)
        for input_path in paths:
            _check(input_path, kind)
        groups.append((kind, paths))
    names = iter(_names([p for _, paths in groups for p in paths]))
    return tuple(Source(kind, paths, tuple(next(names) for _ in paths)) for kind, paths in groups)


def format_of(path: Path) -> Format:
    """The format that a file's name tells, with or without `.gz` or `.zst`."""
    plain = _strip_ending(path)
    if _SIDE.search(plain):
        return "parallel"
    suffix = Path(plain).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if path.is_dir() or not path.exists():
        _check(path, "tsv")  # the plainer complaint first
    raise InputError(f"{path}: the name does not tell the format; say it with --format {'|'.join(FORMATS)}")


def measure(source: Source) -> tuple[InputFile, ...]:
    """Size and SHA-256 of each file as it lies on disk, in one pass."""
    return tuple(_measure(p, n, source.format) for p, n in zip(source.paths, source.names, strict=True))


def _measure(path: Path, name: str, format: Format) -> InputFile:
    digest = hashlib.sha256()
    size = breaks = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
            size += len(piece)
            breaks += piece.count(b"\n")
    countable = format in ("tsv", "jsonl", "parallel", "text") and path.suffix not in COMPRESSIONS
    return InputFile(name, format, size, digest.hexdigest(), breaks if countable else None)


def _strip_ending(path: Path) -> str:
    return plain_path(path).name


def _from_prefix(path: Path) -> Path:
    """`x` if there is a file `x.src` and none called `x`."""
    if path.exists():
        return path
    for end in (".src", ".src.txt"):
        for compression in ("", *COMPRESSIONS):
            side = path.with_name(path.name + end + compression)
            if side.is_file():
                return side
    return path


def _target_side(source: Path, queue: list[Path]) -> Path:
    side = _SIDE.search(_strip_ending(source))
    if side and side[1] == "tgt":
        raise InputError(f"{source}: the source side comes first; give the .src file, its .tgt is found beside it")
    if queue and (side is None or _side(queue[0]) == "tgt"):
        return queue.pop(0)
    if side is None:
        raise UsageError(f"{source}: a parallel corpus is two files; give the target side after it")
    plain = _strip_ending(source)
    target = plain[: side.start()] + ".tgt" + plain[side.end() :]
    for compression in (source.name.removeprefix(plain), "", *COMPRESSIONS):
        if (path := source.with_name(target + compression)).is_file():
            return path
    raise InputError(f"{source}: there is no {target} beside it; give both files, the source first")


def _side(path: Path) -> str | None:
    match = _SIDE.search(_strip_ending(path))
    return match[1] if match else None


def _names(paths: Sequence[Path]) -> list[str]:
    """The shortest ends of the paths that tell them apart: the file name, where no other input has it too.

    So outputs are the same on every machine, wherever the inputs lie.
    """
    absolute = [Path(os.path.abspath(p)) for p in paths]
    if len(set(absolute)) < len(absolute):
        twice = next(p for p in paths if absolute.count(Path(os.path.abspath(p))) > 1)
        raise UsageError(f"{twice} is given twice; name each input once")
    names = [p.name for p in absolute]
    depth = 1
    while len(set(names)) < len(names):
        depth += 1
        often = Counter(names)
        names = ["/".join(p.parts[-depth:]) if often[n] > 1 else n for n, p in zip(names, absolute, strict=True)]
    return names


def _check(path: Path, format: Format) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a directory; name the files in it, for example {path / '*.tsv'}")
    if str(path) == "-":
        raise InputError(
            "-: a run reads its inputs more than once, and continues after a kill; write them to a file first"
        )
    if not path.exists():
        raise InputError(f"{path}: there is no such file; check the spelling and the folder")
    if path.suffix.lower() in _ARCHIVES:
        raise InputError(f"{path}: {path.suffix} is not read; give it plain, or as {', '.join(sorted(COMPRESSIONS))}")
    if not path.is_file():
        raise InputError(f"{path} is not a regular file; write it to disk first: a run reads its inputs more than once")
    if format == "parquet" and path.suffix in COMPRESSIONS:
        raise InputError(f"{path}: decompress it first; Parquet is compressed inside")
    try:
        with path.open("rb") as file:
            head = file.read(256)
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); check its permissions") from fault
    _check_head(path, head)


def _check_head(path: Path, head: bytes) -> None:
    if head.startswith(_LFS) and b"\noid " in head:
        raise InputError(f"{path} is a Git LFS pointer, not the data; run `git lfs pull` where it was cloned")
    if head.startswith(_UTF16):
        raise InputError(f"{path} is UTF-16; convert it: iconv -f UTF-16 -t UTF-8")
    magic = MAGIC.get(path.suffix)
    if magic and head and not head.startswith(magic):
        raise InputError(f"{path}: the name says {path.suffix}, the content does not; rename it, or fetch it again")
