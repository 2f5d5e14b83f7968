"""Entity tracking (Kim & Schuster 2023), as the BabyLM challenge of 2025 asks it: which of five contents a box has
after things were put into boxes, moved and removed. The first is right.

    {"numops": 1, "input_prefix": "Box 0 contains the pen, Box 1 … Box 1 contains ", "options": ["the pen.", …]}

A paradigm is a file (`regular`, `ambiref`, `move_contents`) with a number of operations on the box that is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.lmbias.scoring.model import Floats
from gec_fair.lmbias.suites import choices
from gec_fair.lmbias.suites.choices import Choice
from gec_fair.lmbias.suites.figures import Figure, accuracies
from gec_fair.lmbias.suites.items import get_anew, read_items, read_list, read_text, refuse_equal


@dataclass(frozen=True, slots=True)
class Item:
    """A question of a paradigm; its first option is right."""

    paradigm: str
    choice: Choice


def read(folder: Path) -> list[Item]:
    """The items of every file of a folder. InputError for a folder without any, or a line that is none."""
    return read_items(folder, _items, kind="a question of entity tracking", remedy=get_anew("entity_tracking"))


def _items(kind: str, row: Any) -> list[Item]:
    named = {f"option {n}": option for n, option in enumerate(read_list(row, "options"), 1)}
    options = tuple(f" {read_text(named, name).strip()}" for name in named)
    if len(options) < 2:
        raise ValueError(f"options are {row['options']!r}")
    refuse_equal(named)
    return [Item(f"{kind}_{int(row['numops'])}_ops", Choice(read_text(row, "input_prefix").rstrip(), options))]


def figures(items: Sequence[Item], scores: Sequence[Floats], *, sizes: Mapping[str, int] | None = None) -> list[Figure]:
    """Accuracy in percent, as `accuracies` has it, with `chance`; contents that are as likely share it. `sizes`: how
    many questions each paradigm has, if these are a sample."""
    more = {"chance": 100 * float(np.mean([1 / len(item.choice.options) for item in items])) if items else None}
    hits = np.array([choices.choose(values)[0] for values in scores])
    paradigms = [item.paradigm for item in items]
    return accuracies("entity_tracking", paradigms, hits, sizes=sizes, unit="questions", more=more)
