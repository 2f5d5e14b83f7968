"""Corpora to pretrain on: the original one, and what interventions make of it, a folder each.

CORPORA/original/corpus.txt                   the texts, one after the other, or a drawn share of their documents
CORPORA/NAME/corpus.txt (or what is named)    what the intervention made of it
CORPORA/NAME/manifest.json                    written last: whose corpus it is, and what was counted
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from gec_fair.data.text_files import find_texts, text_lines
from gec_fair.english.running_text.sentence_pieces import pieces
from gec_fair.errors import InputError, ResumeError, UsageError
from gec_fair.progress import note
from gec_fair.runs.atomic import write_bytes
from gec_fair.runs.digests import file_digest
from gec_fair.runs.identity import Identity
from gec_fair.runs.lock import wait_for_lock
from gec_fair.runs.record import MANIFEST, Record
from gec_fair.version import __version__

CORPORA = "corpora"
"""The folder of an experiment's corpora."""
CORPUS = "corpus.txt"
ORIGINAL = "original"
_FEW = 20  # documents of which a share says nothing; chosen by hand: a tenth of 19 is one or two


@dataclass(frozen=True, slots=True)
class BuiltCorpus:
    """A corpus that is there. `counts` is plain JSON."""

    folder: Path
    corpus: Path
    counts: Mapping[str, Any]
    options: Mapping[str, Any]
    signature: str


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where an intervention works: its folder, the original corpus, and the corpora that it `needs`, by name."""

    folder: Path
    original: Path
    needed: Mapping[str, BuiltCorpus]
    workers: int = 1


class Intervention(Protocol):
    """A frozen dataclass of options. `needs`: interventions whose counts it matches (an ablation). It may have the
    names of options that are `idle`: they decide no byte."""

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]

    def versions(self) -> Mapping[str, str]:
        """What decides the bytes beside options and package."""
        ...

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Makes the corpus in the site's folder; where it lies, and what was counted. After a kill it continues."""
        ...


@dataclass(frozen=True, slots=True)
class Original:
    """The texts as they are."""

    texts: tuple[str, ...]
    """Text files, plain, .gz, .xz or .zst, or patterns (`*.train`), in their names' order. `$GEC_FAIR_DATA` is filled
    in."""
    share: float = 1.0
    """The share of the documents, drawn by seed. An empty line ends one; a file without any is one."""
    seed: int = 0
    wrapped: bool = False
    """Lines are wrapped: those up to an empty one are one paragraph. Otherwise each is its own text."""

    def paths(self) -> list[Path]:
        """InputError for one that is not there."""
        return find_texts(self.texts)


def make_all(
    first: Original | None,
    interventions: Sequence[Intervention],
    corpora: Path,
    *,
    workers: int = 1,
    say: Callable[[str], None] = print,
) -> dict[str, BuiltCorpus]:
    """The original corpus, and those that are made of it, by name and one after the other. Of several processes that
    want them one makes them; `say` hears that the others wait."""
    with wait_for_lock(corpora, say):
        built = {ORIGINAL: original(first, corpora)} if first is not None else {}
        for intervention in interventions:
            built[intervention.name] = make(intervention, corpora, built, workers=workers)
    return built


def original(options: Original, corpora: Path) -> BuiltCorpus:
    """The original corpus, made if it is not there. InputError for what is not text, with file and line, and for texts
    without a word; ResumeError where the folder holds one of other texts or options."""
    paths = options.paths()
    if not paths:
        raise UsageError("texts names no file")
    row = {"share": options.share, "seed": options.seed, "wrapped": options.wrapped}
    folder = corpora / ORIGINAL
    record = _record(folder, row, [file_digest(path) for path in paths], {})
    if finished := _find_finished(record):
        return finished
    write_bytes(folder / CORPUS, _draw_lines(paths, options))
    words = sum(len(line.split()) for line in lines(folder / CORPUS))
    documents = sum(not line.strip() for line in lines(folder / CORPUS))
    if options.share < 1 and documents < _FEW:
        note(f"the drawn share has {documents} documents; an empty line ends a document, and a file without any is one")
    if not words:
        raise InputError(
            f"{', '.join(map(str, paths))}: no word is in the texts; name others under texts, or a larger share"
        )
    return _finish(record, folder / CORPUS, {"words": words})


def make(
    intervention: Intervention, corpora: Path, needed: Mapping[str, BuiltCorpus], *, workers: int = 1
) -> BuiltCorpus:
    """The corpus of an intervention, made if it is not there; `needed` has the original, for those that work on it, and
    what it needs. Raises as `original` does."""
    folder, first = corpora / intervention.name, needed.get(ORIGINAL)
    idle: tuple[str, ...] = getattr(intervention, "idle", ())
    row: dict[str, Any] = asdict(intervention)  # type: ignore[call-overload]
    options = {name: value for name, value in row.items() if name not in idle}
    inputs = [
        *([file_digest(first.corpus)] if first else []),
        *({"name": name, "sha256": needed[name].signature} for name in intervention.needs),
    ]
    record = _record(folder, options, inputs, intervention.versions())
    if finished := _find_finished(record):
        return finished
    corpus, counts = intervention.make(Workplace(folder, first.corpus if first else folder / CORPUS, needed, workers))
    return _finish(record, corpus, counts)


def _record(
    folder: Path, options: Mapping[str, Any], inputs: Sequence[Mapping[str, str]], versions: Mapping[str, str]
) -> Record:
    """ResumeError if the folder holds another corpus."""
    versions = {"gec-fair": __version__, **versions}
    identity = Identity(f"babylm corpus {folder.name}", {"seed": 0, **options}, {"texts": list(inputs)}, versions)
    return Record(folder, identity)


def _find_finished(record: Record) -> BuiltCorpus | None:
    manifest = record.find_finished()
    return _read_built(record.folder, manifest) if manifest else None


def _finish(record: Record, corpus: Path, counts: Mapping[str, Any]) -> BuiltCorpus:
    name = corpus.relative_to(record.folder).as_posix()
    return _read_built(record.folder, record.finish({"corpus": name, "counts": dict(counts)}))


def _read_built(folder: Path, manifest: Mapping[str, Any]) -> BuiltCorpus:
    """ResumeError for a manifest that is not of a corpus."""
    try:
        return BuiltCorpus(
            folder, folder / manifest["corpus"], manifest["counts"], manifest["options"], manifest["signature"]
        )
    except KeyError as missing:
        raise ResumeError(
            f"{folder / MANIFEST}: not a record written by gec-fair (no {missing}); remove {folder}, or choose "
            "another --output"
        ) from missing


def lines(path: Path) -> Iterator[bytes]:
    """With their ends."""
    with path.open("rb") as file:
        yield from file


def sentences(corpus: Path) -> Iterator[str]:
    """The sentences, in order, without the white space around them."""
    return (piece.strip() for line in lines(corpus) for piece in pieces(line.decode("utf-8")))


def _draw_lines(paths: Sequence[Path], options: Original) -> Iterator[bytes]:
    chance = np.random.Generator(np.random.PCG64(options.seed))
    for path in paths:
        is_drawn = chance.random() < options.share
        for line in text_lines(path, wrapped=options.wrapped):
            if is_drawn:
                yield line
            if not line.strip():
                is_drawn = chance.random() < options.share
        if is_drawn:
            yield b"\n"  # a file ends a document
