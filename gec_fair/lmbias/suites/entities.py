"""Entity tracking (Kim & Schuster 2023), as the BabyLM challenge of 2025 asks it: which of five contents a box has
after things were put into boxes, moved and removed. The first is right.

    {"numops": 1, "input_prefix": "Box 0 contains the pen, Box 1 … Box 1 contains ", "options": ["the pen.", …]}

A paradigm is a file (`regular`, `ambiref`, `move_contents`) with a number of operations on the box that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.likelihood import Scoring
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.lmbias.suites import choices
from gec_fair.lmbias.suites.choices import Choice
from gec_fair.lmbias.suites.fields import check_row, describe_fault, read_text, refuse_equal
from gec_fair.lmbias.suites.figures import Figure
from gec_fair.lmbias.suites.minimal import accuracies, read_files
from gec_fair.progress import Progress
from gec_fair.runs.json_files import parse_json

_REMEDY = "get the files anew (gec-fair data fetch entity_tracking)"


@dataclass(frozen=True, slots=True)
class Item:
    """A question of a paradigm; its first option is right."""

    paradigm: str
    choice: Choice


def read(folder: Path) -> list[Item]:
    """The items of every `.jsonl` of a folder. InputError for a folder without any, or a line that is none."""
    items = [item for name, lines in read_files(folder) for item in _items(name, lines)]
    if not items:
        raise InputError(f"{folder}: holds no question; {_REMEDY}")
    return items


def _items(name: str, lines: Sequence[str]) -> Iterator[Item]:
    kind = Path(name).name.split(".")[0]
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _item(kind, parse_json(line))
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            raise InputError(
                f"{name}:{number}: not a question of entity tracking ({describe_fault(fault)}), which has "
                f"numops, input_prefix and two or more options; {_REMEDY}"
            ) from fault


def _item(kind: str, row: Mapping[str, Any]) -> Item:
    rows = check_row(row)["options"]
    if not isinstance(rows, list):
        raise TypeError(f"options are {rows!r}, and a list is wanted")
    named = {f"option {n}": option for n, option in enumerate(rows, 1)}
    options = tuple(f" {read_text(named, name).strip()}" for name in named)
    if len(options) < 2:
        raise ValueError(f"options are {rows!r}")
    refuse_equal(named)
    return Item(f"{kind}_{int(row['numops'])}_ops", Choice(read_text(row, "input_prefix").rstrip(), options))


def score(
    model: Masked | Causal,
    items: Sequence[Item],
    *,
    scoring: Scoring = "original",
    progress: Progress | None = None,
) -> Floats:
    """(items): 1 where the right content is the likeliest; a share of it where others are as likely."""
    scores = choices.score(model, [item.choice for item in items], scoring=scoring, progress=progress)
    return np.array([float(choices.chosen(values)[0]) for values in scores])


def figures(items: Sequence[Item], hits: Floats, *, sizes: Mapping[str, int] | None = None) -> list[Figure]:
    """Accuracy in percent: the mean over paradigms, and over questions; each paradigm's is in `more`, with `chance`.
    `sizes`: how many questions each paradigm has, if these are a sample."""
    chance = 100 * float(np.mean([1 / len(item.choice.options) for item in items])) if items else None
    paradigms = [item.paradigm for item in items]
    return accuracies("entity_tracking", paradigms, hits, sizes=sizes, unit="questions", more={"chance": chance})
