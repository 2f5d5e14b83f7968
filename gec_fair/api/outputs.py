"""What the measuring functions are given: texts in memory or in files, systems by name, outputs of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.api.loading import AnySystem, FunctionSystem, load_system
from gec_fair.data.columns import Texts, read_texts
from gec_fair.edits import spaced
from gec_fair.progress import Progress

if TYPE_CHECKING:
    from gec_fair.evaluate.scoring.errant import Annotator
    from gec_fair.evaluate.scoring.texts import Words

SIDES = ("orig", "aug")
"""The original and the augmented side of an evaluation set, as its files are called."""


def read_words(texts: Texts, name: str, expected: int | None = None) -> list[Words]:
    """The words of each text, in a file or in memory. UsageError for another number than expected."""
    from gec_fair.errors import UsageError
    from gec_fair.evaluate.scoring import texts as files

    if isinstance(texts, str | Path):
        return files.read_texts(Path(texts))
    words = [spaced(text).words for text in read_texts(texts, name)]
    if expected is not None and len(words) != expected:
        raise UsageError(f"{name}: {len(words):,} texts for {expected:,} sentences; give one for each, in order")
    return words


def check_sides(output: Any) -> tuple[Texts, Texts]:
    """The outputs of the original and the augmented side. UsageError for anything but two."""
    from gec_fair.errors import UsageError

    if not isinstance(output, tuple | list) or len(output) != 2:
        raise UsageError("outputs are (original, augmented): the corrected texts of both sides of the set")
    return output[0], output[1]


def correct(system: AnySystem, texts: Sequence[str], no_cache: bool, progress: Progress | None = None) -> list[str]:
    """The corrected texts; those of a function are not cached."""
    from gec_fair.gec.systems import run

    loaded = load_system(system)
    cache = None if no_cache or isinstance(loaded, FunctionSystem) else run.outputs_cache()
    return run.correct(loaded, texts, cache=cache, progress=progress)


def make_annotator(english: str, workers: int, no_cache: bool) -> Annotator:
    """ERRANT on the pipeline `english`, with a cache of what it has annotated."""
    from gec_fair.evaluate.scoring.errant import Annotator
    from gec_fair.runs.cache import cache_directory

    return Annotator(english, None if no_cache else cache_directory() / "errant.sqlite", workers)
