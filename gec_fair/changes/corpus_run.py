"""The changes of a run over a corpus (`corpus.run`), from its ledger and its outputs.

Plain text is whole: `rewritten.txt` and the ledger are read side by side, and the ledger's `undo` has the words that
were there. Of pairs, only the augmented ones are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from gec_fair.changes.change import AUGMENTED, UNCHANGED, Change, Rewritten, Side
from gec_fair.corpus.ledger import NAME as LEDGER
from gec_fair.corpus.ledger import edit_rows, read_ledger, undo_of
from gec_fair.corpus.manifest import Manifest, had_byte_order_mark, read_manifest
from gec_fair.corpus.writers import PAIRS, TEXT
from gec_fair.data.compression import COMPRESSIONS, REMEDIES
from gec_fair.data.text_files import BOM
from gec_fair.edits import Edit, Edits, Rewriting, Undo, apply, pieces_of, restore, split_spaces
from gec_fair.errors import InputError
from gec_fair.runs.json_files import refuse_other_content

Entry = Mapping[str, Any]
_PIECE = re.compile(rb"^\s+|\S+\s*")


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a run: how many lines were read from it, and how many bytes it has without a byte order mark; None if
    that is not known (an earlier version read it, compressed)."""

    name: str
    lines: int
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A line (or chunk) of a rewritten text, with the ledger's entry if it has one."""

    input: Input
    line: int
    text: bytes
    entry: Entry | None


def read_run(folder: Path, axis_of: Callable[[str], str] = lambda reason: "gender") -> Rewritten:
    """A finished run. `axis_of`: the demographic axis of a reason."""
    manifest = read_manifest(folder)
    title = f"{manifest.identity.job}: {', '.join(file['name'] for file in manifest.inputs)}"
    about = (manifest.signature,)
    if TEXT not in manifest.outputs:
        unchanged, total = manifest.counts["unchanged"], manifest.counts["lines"]
        return Rewritten(title, lambda: _pairs(folder, axis_of), unchanged, total - unchanged, about)
    inputs = [_input(file, manifest) for file in manifest.inputs if file["lines"]]  # a limit cuts the last of them
    tokens = manifest.identity.sections["reading"].get("tokens")

    def read() -> Iterator[Change]:
        rows = text_rows(folder / TEXT, inputs, read_ledger(folder), tokens=tokens)
        return (_text_change(row, axis_of) for row in rows)

    return Rewritten(title, read, total=manifest.counts["lines"], about=about)


def text_rows(
    path: Path, inputs: Sequence[Input], ledger: Iterator[Entry], *, tokens: int | None = None
) -> Iterator[Row]:
    """The rows of a rewritten text. `tokens`: words of a chunk, if the run read chunks. Raises InputError if text and
    ledger do not belong together."""
    entry = next(ledger, None)
    with path.open("rb") as file:
        stream = _Stream(file)
        for source in inputs:
            done = 0
            for line in range(1, source.lines + 1):
                mine = entry if entry and (entry["file"], entry["line"]) == (source.name, line) else None
                entry = next(ledger, None) if mine else entry
                undo = _undo(mine)
                is_last = line == source.lines and source is not inputs[-1]
                if mine and mine["outcome"] == "malformed" and mine["reason"] in REMEDIES:
                    text = b""  # the file broke off here
                elif is_last and source.bytes is not None:
                    text = stream.take(source.bytes - done + sum(_size(step.new) - _size(step.old) for step in undo))
                elif tokens is None:
                    text = stream.line()
                elif line == source.lines:
                    text = stream.rest()
                else:
                    text = stream.words(tokens + sum(_words(step.new) - _words(step.old) for step in undo))
                done += len(text) - sum(_size(step.new) - _size(step.old) for step in undo)
                try:
                    restore(text.decode() if undo else "", undo)
                except ValueError as fault:
                    raise InputError(f"{path}: is not what the run wrote ({fault}); make the run again") from fault
                yield Row(source, line, text, mine)


class _Stream:
    """A text read by lines, by words with the white space behind them, or by bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.buffer = file, b""

    def line(self) -> bytes:
        text = self.buffer + (b"" if self.buffer.endswith(b"\n") else self.file.readline())
        self.buffer = b""
        return text

    def take(self, size: int) -> bytes:
        text = (self.buffer + self.file.read(max(0, size - len(self.buffer))))[: max(0, size)]
        self.buffer = self.buffer[len(text) :]
        return text

    def rest(self) -> bytes:
        text, self.buffer = self.buffer + self.file.read(), b""
        return text

    def words(self, number: int) -> bytes:
        pieces: list[bytes] = []
        while number and (line := self.line()):
            for match in _PIECE.finditer(line):
                pieces.append(match.group())
                number -= not match.group().isspace()
                if not number:
                    self.buffer = line[match.end() :]
                    break
        return b"".join(pieces)


def _input(file: Mapping[str, Any], manifest: Manifest) -> Input:
    mark = len(BOM) * had_byte_order_mark(manifest, file["name"])
    is_plain = Path(file["name"]).suffix not in COMPRESSIONS
    return Input(file["name"], file["lines"], file["bytes"] - mark if is_plain else file.get("plain_bytes"))


def _undo(entry: Entry | None) -> list[Undo]:
    if entry is None or entry["outcome"] != AUGMENTED:
        return []
    with refuse_other_content(Path(LEDGER)):
        return undo_of(entry)


def _size(text: str) -> int:
    return len(text.encode())


def _words(text: str) -> int:
    return len(text.encode().split())


def _text_change(row: Row, axis_of: Callable[[str], str]) -> Change:
    text = row.text.decode(errors="replace").rstrip("\r\n")
    if row.entry is None:
        return Change(row.input.name, row.line, UNCHANGED, sides=(Side("", ((text, text),)),))
    undo = _undo(row.entry)
    pieces = tuple(_without_end(pieces_of(row.text.decode(), undo))) if undo else ((text, text),)
    replacements = tuple((edit["old"], edit["new"]) for edit in row.entry.get("edits", ()))
    return change_of(row.entry, axis_of, (Side("", pieces, replacements),))


def _without_end(pieces: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The last line end of both texts is not shown."""
    *first, (old, new) = pieces
    yield from first
    if old.rstrip("\r\n") or new.rstrip("\r\n"):
        yield old.rstrip("\r\n"), new.rstrip("\r\n")


def change_of(entry: Entry, axis_of: Callable[[str], str], sides: tuple[Side, ...] = ()) -> Change:
    """A ledger's entry as a change."""
    reason = str(entry.get("reason") or "")
    axis = axis_of(reason) if entry["outcome"] == AUGMENTED else ""
    detail, sure = str(entry.get("detail") or ""), entry.get("sure")
    return Change(entry["file"], entry["line"], entry["outcome"], reason, axis, detail, sides, sure=sure)


def _pairs(folder: Path, axis_of: Callable[[str], str]) -> Iterator[Change]:
    """The entries of the ledger; the augmented ones with both sides."""
    with (folder / PAIRS).open("rb") as file:
        for entry in read_ledger(folder):
            sides: tuple[Side, ...] = ()
            if entry["outcome"] == AUGMENTED:
                with refuse_other_content(folder / PAIRS):
                    source, _, target = file.readline().decode("utf-8").rstrip("\n").partition("\t")
                sides = (_side(source, entry, "source"), _side(target, entry, "target"))
            yield change_of(entry, axis_of, sides)


def _side(text: str, entry: Entry, name: str) -> Side:
    """InputError if the text is not what the edits lead to."""
    after, back, shift = split_spaces(text), list[Edit](), 0
    edits = [Edit(start, end, _split(new)) for start, end, _, new in edit_rows(entry, name)]
    for edit, (_, _, old, _) in zip(edits, edit_rows(entry, name), strict=True):
        start = edit.start + shift
        back.append(Edit(start, start + len(edit.replacement), _split(old)))
        shift += edit.growth
    try:
        before = apply(Edits(tuple(back), len(after)), after)
        return Side.of(Rewriting(before, Edits(tuple(edits), len(before)), after), name)
    except ValueError as fault:
        raise InputError(f"{PAIRS}: is not what the run wrote ({fault}); make the run again") from fault


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split(" ")) if words else ()
