"""Texts to train an ensemble on: a row each, with what the source classifiers said and what is true of every harm.

id        unique
set_id    counterfactuals of one text share it; empty where a text stands alone, or copy_of tells
slices    whom it names, `Religion: Islam; Gender Identity: Female`; empty, or --, where nobody
copy_of   the id of the text that a counterfactual was made from; empty for the texts themselves
HARM      0 safe, 1 unsafe, empty unknown
SOURCE    a score, or any number; empty where the source gave none
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gec_fair.config.suggest import closest
from gec_fair.errors import InputError
from gec_fair.safety.data.cells import cell, name_row, number, refuse_short, rows, truth
from gec_fair.safety.data.groups import Groups, Slice
from gec_fair.safety.data.scores import Flags, Floats, Integers, Scored, find_sets, number_sets

FIELDS = ("id", "set_id", "slices", "copy_of")
OTHERS = ("text", "split", "association", "sure")
"""Columns that are never taken for sources."""
BETWEEN = ";"
NOBODY = "--"
UNKNOWN = -1


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """`labels`: by harm, (texts,) of 0, 1 or UNKNOWN; `features`: (texts, sources), NaN where a source gave nothing;
    `copies`: which are counterfactuals of others; `slices`: which texts name whom."""

    ids: tuple[str, ...]
    sets: tuple[str, ...]
    copies: Flags
    slices: Mapping[Slice, Integers]
    labels: Mapping[str, NDArray[np.int8]]
    features: Floats
    sources: tuple[str, ...]
    origins: tuple[str, ...] = ()
    """The text that each is a copy of; "" if it is none."""
    places: tuple[str, ...] = ()
    """File and line of each."""

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, chosen: Flags) -> Examples:
        """Those that are chosen, in order."""
        rows = np.flatnonzero(chosen)
        return Examples(
            tuple(self.ids[n] for n in rows),
            tuple(self.sets[n] for n in rows),
            self.copies[rows],
            self._slices_of(rows),
            {harm: column[rows] for harm, column in self.labels.items()},
            self.features[rows],
            self.sources,
            tuple(self.origins[n] for n in rows) if self.origins else (),
            tuple(self.places[n] for n in rows) if self.places else (),
        )

    def select_scored(self, harm: str, scores: Floats) -> Scored:
        """Select the texts whose label is known."""
        known = np.flatnonzero(self.labels[harm] != UNKNOWN)
        numbers, named = number_sets([self.sets[n] for n in known])
        return Scored(
            harm,
            tuple(self.ids[n] for n in known),
            numbers,
            named,
            self.labels[harm][known] == 1,
            scores[known],
            self._slices_of(known),
        )

    def _slices_of(self, rows: Integers) -> dict[Slice, Integers]:
        """Which of some texts name whom, by their places among these."""
        place = np.full(len(self), -1)
        place[rows] = np.arange(len(rows))
        places = {subgroup: place[members] for subgroup, members in self.slices.items()}
        return {subgroup: inside for subgroup, members in places.items() if len(inside := members[members >= 0])}

    def find_subgroups(self) -> list[list[Slice]]:
        """(texts,) the subgroups that each names, in the order of the slices."""
        by_row: list[list[Slice]] = [[] for _ in range(len(self))]
        for subgroup, members in self.slices.items():
            for n in members.tolist():
                by_row[n].append(subgroup)
        return by_row


def read(
    paths: Sequence[Path],
    groups: Groups,
    harms: Sequence[str],
    sources: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> Examples:
    """The rows of some tables as one. `sources` () takes every column that is none of OWN, OTHERS, harms or other
    `labels`.

    InputError with file and line for a missing column, a label that is neither 0, 1 nor empty, a source that is no
    number, an id that is there twice, an unknown subgroup.
    """
    growing = _Growing(tuple(harms))
    wanted = list(sources)
    for path in paths:
        before = len(growing.places)
        for place, cells in rows(path, "id"):
            if len(growing.places) == before:
                wanted = wanted or _sources(path, cells, (*harms, *labels))
                if missing := [name for name in ("id", *harms, *wanted) if name not in cells]:
                    near = closest(missing[0], cells)
                    raise InputError(f"{path}: no column {missing[0]!r}{near}; there are {', '.join(map(str, cells))}")
            with name_row(f"{path}{place}"):
                refuse_short(path, cells, ("id", *harms, *wanted))
                growing.add(cells, f"{path}{place}", groups, wanted)
        if len(growing.places) == before:
            raise InputError(
                f"{path}: holds no row; a table of texts has id, set_id, slices, copy_of, the harms and "
                "the sources' scores"
            )
    if not sources:
        _refuse_labels(wanted, np.array(growing.features))
    return growing.build(groups, wanted)


@dataclass(slots=True)
class _Growing:
    """While tables are read. `places`: where each id stands."""

    harms: tuple[str, ...]
    places: dict[str, str] = field(default_factory=dict)
    sets: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    slices: dict[Slice, list[int]] = field(default_factory=dict)
    labels: list[list[int]] = field(default_factory=list)
    features: list[list[float]] = field(default_factory=list)

    def add(self, cells: Mapping[str, Any], place: str, groups: Groups, sources: Sequence[str]) -> None:
        name = cell(cells["id"])
        if not name or name in self.places:
            raise InputError(
                f"id is {name!r}" + (f", as in {self.places[name]}" if name else "") + "; give each text its own id"
            )
        for subgroup in read_slices(cell(cells.get("slices")), groups):
            self.slices.setdefault(subgroup, []).append(len(self.places))
        self.labels.append([_label(harm, cell(cells.get(harm))) for harm in self.harms])
        self.features.append([feature(source, cell(cells.get(source))) for source in sources])
        self.places[name] = place
        self.sets.append(cell(cells.get("set_id")))
        self.origins.append(cell(cells.get("copy_of")))

    def build(self, groups: Groups, sources: Sequence[str]) -> Examples:
        every = [Slice(category, name) for category, names in groups.subgroups.items() for name in names]
        number, columns = len(self.places), np.array(self.labels, dtype=np.int8).reshape(len(self.places), -1)
        return Examples(
            tuple(self.places),
            tuple(find_sets(zip(self.places, self.sets, self.origins, strict=True))),
            np.array([bool(origin) for origin in self.origins], dtype=np.bool_),
            {
                subgroup: np.array(self.slices[subgroup], dtype=np.int64)
                for subgroup in every
                if subgroup in self.slices
            },
            {harm: columns[:, n] for n, harm in enumerate(self.harms)},
            np.array(self.features, dtype=np.float64).reshape(number, len(sources)),
            tuple(sources),
            tuple(self.origins),
            tuple(self.places.values()),
        )


def refuse_leaks(splits: Mapping[str, Examples]) -> None:
    """InputError where a text, or a counterfactual of it, is in two splits: what is judged would have been learned."""
    seen: dict[str, tuple[str, str]] = {}
    for split, examples in splits.items():
        lines: dict[str, str] = {}
        for keys in zip(examples.ids, examples.sets, examples.origins, examples.places, strict=True):
            lines.update((key, keys[-1]) for key in keys[:3] if key and key not in lines)
        for key, place in lines.items():
            if key in seen:
                raise InputError(
                    f"{place}: {key!r} (id, set_id or copy_of) is in {seen[key][0]} and in {split} "
                    f"({seen[key][1]}): what is judged would have been learned; split by set_id, never "
                    "by row"
                )
        seen.update((key, (split, place)) for key, place in lines.items())


def _sources(path: Path, cells: Mapping[str, object], harms: Sequence[str]) -> list[str]:
    columns = [name for name in cells if name not in (*FIELDS, *OTHERS, *harms)]
    if "" in columns:
        raise InputError(f"{path}: has a column without a name, which would be learned from; name it, or leave it out")
    if not columns:
        raise InputError(f"{path}: has no column of a source's scores; add them with gec-fair safety scores")
    return columns


def _refuse_labels(names: Sequence[str], features: Floats) -> None:
    """InputError for a column that was taken for a source unasked and is most likely another harm's labels."""
    for name, values in zip(names, features.T, strict=True):
        known = values[~np.isnan(values)]
        if len(known) and np.isin(known, (0, 1)).all():
            raise InputError(
                f"{name} holds nothing but 0 and 1, as labels do, and would be learned from; name it "
                "under labels, or name the sources (sources: [...])"
            )


def read_slices(text: str, groups: Groups) -> Iterator[Slice]:
    """InputError for what is no `Category: Subgroup`."""
    if text == NOBODY:
        return
    for part in dict.fromkeys(filter(None, map(str.strip, text.split(BETWEEN)))):
        category, colon, subgroup = part.partition(":")
        if not colon:
            raise InputError(f"slices has {part!r}; write Category: Subgroup, several with {BETWEEN} between")
        yield groups.slice(category.strip(), subgroup.strip())


def _label(harm: str, text: str) -> int:
    if not text:
        return UNKNOWN
    value = truth(text)
    if value is None:
        raise InputError(f"{harm} is {text!r}; expected 0 (safe), 1 (unsafe) or nothing (unknown)")
    return value


def feature(source: str, text: str) -> float:
    """A source's score; NaN for an empty cell. InputError for what is not a number."""
    if not text:
        return np.nan
    value = number(text)
    if value is None or np.isinf(value):
        raise InputError(
            f"{source} is not a number; leave the cell empty where the source gave nothing, "
            "or name the sources' columns"
        )
    return value
