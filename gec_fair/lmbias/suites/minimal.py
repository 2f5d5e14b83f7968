"""Minimal pairs: whether a model finds the grammatical sentence likelier (BLiMP, Warstadt et al. 2020; BabyLM's
filtered version and supplement), or the sensible one (EWoK, Ivanova et al. 2024). A tie is half right: a model that
finds all sentences as likely knows nothing, and has 50.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.lmbias.scoring.model import Floats
from gec_fair.lmbias.suites import choices
from gec_fair.lmbias.suites.figures import Figure, accuracies
from gec_fair.lmbias.suites.items import check_row, read_items, read_text, refuse_equal

_SENTENCES = ("sentence_good", "sentence_bad")
_EWOK = ("Context1", "Context2", "Target1", "Target2", "Domain")
_REMEDY = f"write two sentences that differ, as {' and '.join(_SENTENCES)}, or {', '.join(_EWOK)}"


@dataclass(frozen=True, slots=True)
class Minimal:
    """A pair of a `paradigm`. `context_lengths`: how many characters at the beginning of each are a context, which is
    not scored."""

    good: str
    bad: str
    paradigm: str
    context_lengths: tuple[int, int] = (0, 0)

    @property
    def texts(self) -> tuple[str, str]:
        """The good one first."""
        return self.good, self.bad


def read(folder: Path, *, allow_equal: bool = False) -> list[Minimal]:
    """The pairs of every paradigm, a file each. InputError for a folder without any, for a line without its sentences,
    and for one whose sentences are the same. `allow_equal` keeps these: BLiMP has seven as its authors published it."""
    return read_items(folder, partial(_pairs, allow_equal), kind="a minimal pair", remedy=_REMEDY)


def _pairs(allow_equal: bool, paradigm: str, row: Any) -> Iterator[Minimal]:
    fields = _EWOK if "Context1" in check_row(row) else _SENTENCES
    texts = {name: read_text(row, name) for name in fields}
    for contrast in (fields[:2], fields[2:4]) if not allow_equal else ():
        refuse_equal({name: texts[name] for name in contrast})
    if fields is _SENTENCES:
        yield Minimal(texts[fields[0]], texts[fields[1]], paradigm)
        return
    # the authors' measure: how likely each target is after its own context against after the other one
    for right, wrong, target in (("Context1", "Context2", "Target1"), ("Context2", "Context1", "Target2")):
        good, bad = (f"{texts[context]} {texts[target]}" for context in (right, wrong))
        yield Minimal(good, bad, texts["Domain"], (len(texts[right]), len(texts[wrong])))


def figures(
    suite: str, pairs: Sequence[Minimal], scores: Sequence[Floats], *, sizes: Mapping[str, int] | None = None
) -> list[Figure]:
    """Accuracy in percent, as `accuracies` has it. `sizes`: how many pairs each paradigm has, if these are a sample."""
    margins = np.array([choices.margin(values) for values in scores])
    more = {"ties": int((margins == 0).sum())}
    paradigms = [pair.paradigm for pair in pairs]
    return accuracies(suite, paradigms, choices.hits(margins), sizes=sizes, unit="pairs", more=more)
