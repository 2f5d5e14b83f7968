"""What the measuring functions are given: texts in memory or in files, systems by name, outputs of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.api.loading import AnySystem, FunctionSystem, load_system
from gec_fair.data.columns import Texts, read_texts
from gec_fair.edits import words_of
from gec_fair.errors import UsageError
from gec_fair.progress import Progress

if TYPE_CHECKING:
    from gec_fair.evaluate.options import HypText
    from gec_fair.evaluate.scoring.hypotheses import Hypotheses
    from gec_fair.evaluate.scoring.texts import Words
    from gec_fair.gec.systems.protocol import System

SIDES = ("orig", "aug")
"""The original and the augmented side of an evaluation set, as its files are called."""


def read_words(texts: Texts, name: str, expected: int | None = None) -> list[Words]:
    """The words of each text, in a file or in memory; of an M2 file its sources. UsageError for another number than
    expected."""
    from gec_fair.evaluate.scoring import texts as files

    if isinstance(texts, str | Path):
        path = Path(texts)
        return list(files.read_reference(path).sources) if files.is_m2(path) else files.read_texts(path)
    words = [words_of(text) for text in read_texts(texts, name)]
    if expected is not None and len(words) != expected:
        raise UsageError(f"{name}: {len(words):,} texts for {expected:,} sentences; give one for each, in order")
    return words


def check_sides(output: Any) -> tuple[Texts, Texts]:
    """The outputs of the original and the augmented side. UsageError for anything but two."""
    if not isinstance(output, tuple | list) or len(output) != 2:
        raise UsageError("outputs are (original, augmented): the corrected texts of both sides of the set")
    return output[0], output[1]


def read_outputs(system: Any, *, prose: bool = False) -> list[tuple[Texts, Texts]] | None:
    """The outputs of both sides that stand in place of a system, one for each seed; None for a system. UsageError for
    neither."""
    if isinstance(system, tuple | list):
        refuse_prose(prose)
        if not system:
            raise UsageError("system: an empty list; give outputs as [(original, augmented)], one pair a seed")
        return [check_sides(system)] if isinstance(system, tuple) else [check_sides(pair) for pair in system]
    return None


def refuse_prose(prose: bool) -> None:
    """UsageError where outputs that stand in place of a system are to be made from prose."""
    if prose:
        raise UsageError("prose is for a system that runs; read outputs that are prose with tokenise='prose'")


def answer(
    system: System, sources: Sequence[Words], text: HypText, no_cache: bool, progress: Progress | None = None
) -> Hypotheses:
    """What a system makes of texts; `text`: what its answers are (`HypothesisOptions`)."""
    from gec_fair.evaluate.scoring.hypotheses import Hypotheses, read_as
    from gec_fair.gec.systems.protocol import writes_prose

    answers = correct(system, [" ".join(words) for words in sources], no_cache, progress)
    words = [words_of(text) for text in answers]
    if writes_prose(system):
        return Hypotheses(words, is_prose=True)
    return read_as(words, sources, text, system.version)


def prose_notes(signature: str) -> list[str]:
    """How prose was read, where a signature says that there was any."""
    from gec_fair.evaluate.scoring.score import PROSE

    return ["The corrected texts are prose; they were tokenised by alignment to the source."] * (PROSE in signature)


def correct(system: AnySystem, texts: Sequence[str], no_cache: bool, progress: Progress | None = None) -> list[str]:
    """The corrected texts; those of a function are not cached."""
    from gec_fair.gec.systems import run
    from gec_fair.gec.systems.protocol import ProseSystem

    loaded = load_system(system)
    inner = loaded.system if isinstance(loaded, ProseSystem) else loaded
    cache = None if no_cache or isinstance(inner, FunctionSystem) else run.outputs_cache()
    return run.correct(loaded, texts, cache=cache, progress=progress)
