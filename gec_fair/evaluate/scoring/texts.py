"""Hypotheses, sources and references as they come in files, checked against each other before anything is parsed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from gec_fair.data.compression import plain_path
from gec_fair.data.text_files import check_text, read_lines
from gec_fair.data.user_tables import FILES, valid_rows
from gec_fair.edits import Edits, edit_words, m2, words_of
from gec_fair.errors import InputError
from gec_fair.runs.digests import file_digest

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Sources and every annotator's edits, one entry a sentence; `names`: who they are, none where a sentence has no
    line of any."""

    path: Path
    sources: tuple[Words, ...]
    annotators: tuple[tuple[Edits, ...], ...]
    names: tuple[frozenset[str], ...]

    def __len__(self) -> int:
        return len(self.sources)


def read_reference(path: Path) -> Reference:
    """An M2 file. InputError with file and sentence for what is no M2, and for an empty file."""
    sources: list[Words] = []
    annotators: list[tuple[Edits, ...]] = []
    names: list[frozenset[str]] = []
    for number, block in enumerate(m2.blocks(read_lines(path)), start=1):
        try:
            read = m2.parse(block)
        except ValueError as fault:
            raise InputError(f"{path}: sentence {number}: {fault}; correct it or leave it out") from fault
        sources.append(read.source.words)
        annotators.append(tuple(their for _, their in read.annotators))
        names.append(frozenset(who for who, _ in read.annotators) if len(block) > 1 else frozenset())
    if not sources:
        raise InputError(f"{path}: no sentence in it; an M2 file has lines 'S …' and 'A …', a blank line between two")
    return Reference(path, tuple(sources), tuple(annotators), tuple(names))


def read_texts(path: Path) -> list[Words]:
    """One tokenised text a line; an M2 file gives its first annotator's corrected texts."""
    if is_m2(path):
        read = read_reference(path)
        return [edit_words(their[0], source) for source, their in zip(read.sources, read.annotators, strict=True)]
    if is_table(path) or plain_path(path).suffix.lower() in (".json", ".ndjson"):
        raise InputError(
            f"{path}: its name is that of a table or of JSON; write one text a line, in a file called .txt, or where "
            "tables are read, CSV, TSV or JSONL"
        )
    lines = read_lines(path)
    if with_tab := next((number for number, line in enumerate(lines, 1) if "\t" in line.strip()), 0):
        raise InputError(f"{path}:{with_tab}: holds a tab; name a table .tsv, or take the tab out of the text")
    return [words_of(line) for line in lines]


def is_m2(path: Path) -> bool:
    """Whether the name is that of an M2 file, compressed or not."""
    return plain_path(path).suffix.lower() == ".m2"


def is_table(path: Path) -> bool:
    """Whether the name is that of CSV, TSV or JSONL, compressed or not."""
    return plain_path(path).suffix.lower() in FILES


def has_m2(path: Path) -> bool:
    """Whether a file is M2, by its name, or because its lines begin as those of M2 do."""
    if is_m2(path) or is_table(path):
        return is_m2(path)
    lines = [line for line in read_lines(path) if line.strip()]
    return not lines or all(line.startswith(("S ", "A ")) or line.rstrip() == "S" for line in lines)


def read_parallel(path: Path, fields: Sequence[str]) -> tuple[list[list[str]], list[str] | None]:
    """For each sentence its corrected texts, and the sources where the file has them: of CSV, TSV and JSONL the columns
    `fields`, of TSV without such a header a source and its corrected texts a line, of other files a text a line.
    InputError for a file without a text."""
    if not is_table(path):
        texts = [[" ".join(words)] for words in read_texts(path)]
        if not texts:
            raise InputError(f"{path}: is empty; expected one corrected text a line")
        return texts, None
    if plain_path(path).suffix.lower() == ".tsv":
        lines = [line.split("\t") for line in read_lines(path)]
        if not lines:
            raise InputError(f"{path}: is empty; expected a source, a tab and its corrected text in each line")
        if not set(fields) <= set(lines[0]):
            if line := next((number for number, cells in enumerate(lines, 1) if len(cells) < 2), 0):
                raise InputError(f"{path}:{line}: has no tab; write a source, a tab and its corrected text")
            return [_references(cells) for cells in lines], [cells[0] for cells in lines]
    rows = [[text_in(cells, name, f"{path}:{n}") for name in fields] for n, cells in valid_rows(path)]
    return [_references(row) for row in rows], [row[0] for row in rows]


def _references(cells: Sequence[str]) -> list[str]:
    """The corrected texts of a row. An empty cell beside another does not count as one."""
    return [text for text in cells[1:] if text.strip()] or [cells[1]]


def text_in(cells: Mapping[str, Any], column: str, place: str) -> str:
    """The text of a row's column. InputError, with the row's place, where it has none."""
    if column not in cells:
        raise InputError(f"{place}: no column named {column!r}; there are {', '.join(map(str, cells))}")
    if not isinstance(cells[column], str):
        raise InputError(f"{place}: {column!r} is not a text; give a text in every row")
    return str(cells[column])


def read_stream(file: BinaryIO, name: str) -> list[str]:
    """What comes through a pipe, as `read_sources` has it from a file."""
    texts = [" ".join(words_of(line.decode())) for line in check_text(file, name)]
    if not any(text.strip() for text in texts):
        raise InputError(f"{name}: is empty; expected one text a line")
    return texts


def read_sources(path: Path) -> list[str]:
    """The texts to correct, one a line with single spaces; of an M2 file its sources. InputError for an empty file."""
    words = read_reference(path).sources if is_m2(path) else read_texts(path)
    texts = [" ".join(sentence) for sentence in words]
    if not any(text.strip() for text in texts):
        raise InputError(f"{path}: is empty; expected one text a line")
    return texts


def check_count(path: Path, texts: Sequence[Words], reference: Reference) -> None:
    """As many texts as sentences; InputError says how many of each."""
    check_lines(path, len(texts), len(reference), str(reference.path))


def check_annotators(reference: Reference) -> None:
    """Every sentence has been looked at by everyone; InputError names the first sentence that lacks somebody.

    Who found nothing says so with a `noop` line; no line at all may be a sentence that was lost.
    """
    everyone = frozenset().union(*reference.names)
    if len(everyone) < 2:
        return
    for number, name in enumerate(reference.names, start=1):
        if name != everyone:
            missing = ", ".join(sorted(everyone - name))
            raise InputError(
                f"{reference.path}: sentence {number}: annotator {missing} is missing; add a noop line where nothing "
                "was found, or take --annotators any to score it by those that it has (as errant_compare does)"
            )


def check_lines(path: Path, lines: int, expected: int, name: str) -> None:
    """As many lines as `name` has sentences; InputError says how many of each."""
    if lines != expected:
        raise InputError(
            f"{path}: {lines:,} lines, but {name} has {expected:,} sentences; "
            "one hypothesis a sentence, in the same order (an empty line is an empty hypothesis)"
        )


def check_sources(path: Path, texts: Sequence[Words], reference: Reference) -> None:
    """The same sentences, word by word; InputError shows the first that differs."""
    check_count(path, texts, reference)
    for line, (mine, theirs) in enumerate(zip(texts, reference.sources, strict=True), start=1):
        if mine != theirs:
            raise InputError(
                f"{path}:{line}: is not the source of {reference.path}\n  here   {' '.join(mine)}\n"
                f"  there  {' '.join(theirs)}\nGive the source that the reference was made from"
            )


def digest(path: Path) -> str:
    """The first eight digits of the content's sha256, for signatures."""
    return file_digest(path)["sha256"][:8]
