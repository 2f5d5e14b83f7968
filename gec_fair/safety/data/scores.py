"""Scored texts: what a classifier said of each, what is true, whom it names, and which texts are counterfactuals of
each other. Read from a table with a row for each text, harm and subgroup.

    set_id    counterfactuals of one text share it; empty where a text stands alone
    category, subgroup    whom the text names; both empty where nobody; a text that names several has a row for each,
                          under one `id`
    harm, label, score    hate, 0 (safe) or 1 (unsafe), 0 to 1
    id        optional: the text's; without it every row is a text
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.config.suggest import closest
from gec_fair.errors import InputError
from gec_fair.safety.data.cells import cell, name_row, rows, share, truth
from gec_fair.safety.data.groups import Groups, Slice

COLUMNS = ("set_id", "category", "subgroup", "harm", "label", "score")
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Texts of one harm, (texts,) each. `sets` numbers their counterfactual sets from 0; a text without one has a set
    of its own, which `named` does not know. `slices`: which texts name whom."""

    harm: str
    ids: tuple[str, ...]
    sets: Integers
    named: tuple[str, ...]
    labels: Flags
    scores: Floats
    slices: Mapping[Slice, Integers]
    units: Integers | None = None
    """(sets,) which sets are drawn together, numbered from 0; None: each by itself."""

    @property
    def set_count(self) -> int:
        """Including sets of a single text."""
        return int(self.sets.max()) + 1 if len(self.sets) else 0

    def count_sets(self, rows: Integers | Flags) -> int:
        """How many sets these texts are from, those that are drawn together as one: pieces of evidence."""
        sets = np.unique(self.sets[rows])
        return len(sets if self.units is None else np.unique(self.units[sets]))

    def count_slice_sets(self, subgroup: Slice) -> tuple[int, int]:
        """The same for the safe and for the unsafe texts that name a subgroup."""
        members = self.slices[subgroup]
        unsafe = self.labels[members]
        return self.count_sets(members[~unsafe]), self.count_sets(members[unsafe])

    def categories(self) -> dict[str, list[Slice]]:
        """Their subgroups that some text names."""
        by_category: dict[str, list[Slice]] = {}
        for subgroup in self.slices:
            by_category.setdefault(subgroup.category, []).append(subgroup)
        return by_category


def number_sets(names: Sequence[str]) -> tuple[Integers, tuple[str, ...]]:
    """Sets by number, and their names; a text whose set has no name is numbered by itself, behind them."""
    known = {name: n for n, name in enumerate(dict.fromkeys(name for name in names if name))}
    alone = iter(range(len(known), len(known) + len(names)))
    return np.array([known[name] if name else next(alone) for name in names], dtype=np.int64), tuple(known)


def find_sets(texts: Iterable[tuple[str, str, str]]) -> list[str]:
    """The set of each text, by its id, set_id and copy_of; "" for a text without any. A text and its counterfactuals
    share the set_id of the text, or else of one of them, or else the text's id."""
    rows = list(texts)
    of_copies = {copy_of: set_id for _, set_id, copy_of in rows if copy_of and set_id}
    known = of_copies | {name: set_id for name, set_id, _ in rows if name and set_id}
    originals = {copy_of for *_, copy_of in rows}
    return [
        set_id or known.get(copy_of or name) or copy_of or (name if name in originals else "")
        for name, set_id, copy_of in rows
    ]


def pool(harms: Sequence[Scored]) -> Scored:
    """All harms as one; a text counts once for each. What the harms say of one set, or of one text that is alone,
    is drawn together: it is one piece of evidence."""
    sets: list[Integers] = []
    named: list[str] = []
    members: dict[Slice, list[Integers]] = {}
    first, texts = sum(len(scored.named) for scored in harms), 0
    drawn: dict[tuple[str, str], int] = {}
    together: list[int] = []
    offsets: list[int] = []
    for scored in harms:
        alone = scored.sets >= len(scored.named)
        sets.append(np.where(alone, scored.sets - len(scored.named) + first, scored.sets + len(named)))
        first += scored.set_count - len(scored.named)
        named += [f"{scored.harm} {name}" for name in scored.named]
        together += [drawn.setdefault(("set", name), len(drawn)) for name in scored.named]
        offsets += [
            drawn.setdefault(("text", scored.ids[n]), len(drawn))
            for n in sorted(np.flatnonzero(alone).tolist(), key=scored.sets.__getitem__)
        ]
        for subgroup, rows_of_harm in scored.slices.items():
            members.setdefault(subgroup, []).append(rows_of_harm + texts)
        texts += len(scored.scores)
    return Scored(
        "all harms",
        tuple(f"{scored.harm} {name}" for scored in harms for name in scored.ids),
        np.concatenate(sets),
        tuple(named),
        np.concatenate([scored.labels for scored in harms]),
        np.concatenate([scored.scores for scored in harms]),
        {subgroup: np.concatenate(rows_of_harm) for subgroup, rows_of_harm in members.items()},
        np.array(together + offsets, dtype=np.int64),
    )


def align(before: Sequence[Scored], after: Sequence[Scored], groups: Groups) -> list[Scored]:
    """`after` in the order of `before`. InputError where they are not of the same texts with the same labels, sets and
    subgroups, by whatever names."""
    pairs = []
    later = {scored.harm: scored for scored in after}
    if more := later.keys() - {scored.harm for scored in before}:
        raise InputError(
            f"{sorted(more)[0]}: is not in the baseline's table; score it there too, or name both with --harm"
        )
    for old in before:
        new = later.get(old.harm)
        places = {name: n for n, name in enumerate(new.ids)} if new else {}
        if new is None or places.keys() != set(old.ids):
            raise InputError(f"{old.harm}: is not scored for the same texts in both tables; give them equal ids")
        order = np.array([places[name] for name in old.ids], dtype=np.int64)
        back = np.argsort(order)
        slices = {groups.slice(*whom): np.sort(back[members]).tolist() for whom, members in new.slices.items()}
        before_slices = {groups.slice(*whom): np.sort(members).tolist() for whom, members in old.slices.items()}
        has_same_labels = np.array_equal(old.labels, new.labels[order])
        if not has_same_labels or before_slices != slices or _set_names(old) != _set_names(new, order):
            raise InputError(
                f"{old.harm}: has other labels, sets or subgroups in the other table; both must describe the same texts"
            )
        pairs.append(replace(old, scores=new.scores[order]))
    return pairs


def _set_names(scored: Scored, order: Integers | None = None) -> list[str]:
    sets = scored.sets if order is None else scored.sets[order]
    return [scored.named[n] if n < len(scored.named) else "" for n in sets.tolist()]


@dataclass(slots=True)
class _Growing:
    """A harm while its rows are read."""

    numbers: dict[str, int] = field(default_factory=dict)
    sets: list[str] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    slices: dict[Slice, dict[int, None]] = field(default_factory=dict)


def read(path: Path, groups: Groups) -> list[Scored]:
    """The harms of a CSV, TSV, JSONL or Parquet table, in its order; subgroups in that of `groups`, under the names
    that the table gives them first.

    InputError (file and line) for a missing column, a label that is neither 0 nor 1, a score outside [0, 1], a name
    that is not known, a text that is reported twice and otherwise. MissingResource for Parquet without pyarrow.
    """
    return read_rows(rows(path, "score"), groups, str(path))


def read_rows(placed_rows: Iterable[tuple[str, Mapping[str, Any]]], groups: Groups, path: str) -> list[Scored]:
    """The same for rows in memory, each behind its place; `path` names the table in messages."""
    by_harm: dict[str, _Growing] = {}
    spelling: dict[Slice, Slice] = {}
    set_names: dict[str, str] = {}
    for place, cells in placed_rows:
        if not by_harm and (missing := [name for name in COLUMNS if name not in cells]):
            near = closest(missing[0], [name for name in cells if name not in COLUMNS])
            raise InputError(f"{path}: no column {missing[0]!r}{near}; a table of scores has {', '.join(COLUMNS)}")
        with name_row(f"{path}{place}"):
            _add(by_harm, cells, place, groups, spelling, set_names)
    if not by_harm:
        raise InputError(f"{path}: holds no row; a table of scores has {', '.join(COLUMNS)}")
    every = (Slice(category, name) for category, names in groups.subgroups.items() for name in names)
    order = {subgroup: n for n, subgroup in enumerate(every)}
    return [_build(harm, growing, order, spelling) for harm, growing in by_harm.items()]


def _add(
    by_harm: dict[str, _Growing],
    cells: Mapping[str, Any],
    place: str,
    groups: Groups,
    spelling: dict[Slice, Slice],
    set_names: dict[str, str],
) -> None:
    values = {name: cell(cells.get(name)) for name in (*COLUMNS, "id")}
    harm = values["harm"]
    if not harm:
        raise InputError("harm is empty; name what is scored, for example hate")
    label = truth(values["label"])
    if label is None:
        raise InputError(f"label is {values['label']!r}; expected 0 (safe) or 1 (unsafe)")
    score = share(values["score"])
    if score is None:
        raise InputError(f"score is {values['score']!r}; expected a number from 0 to 1")
    growing = by_harm.setdefault(harm, _Growing())
    name = values["id"] or place
    at = growing.numbers.get(name)
    if at is None:
        at = growing.numbers[name] = len(growing.scores)
        growing.sets.append(values["set_id"])
        growing.labels.append(label == 1)
        growing.scores.append(score)
    elif (growing.sets[at], growing.labels[at], growing.scores[at]) != (values["set_id"], label == 1, score):
        raise InputError(
            f"{name!r} of {harm} was given before with another set_id, label or score; give each text its own id"
        )
    if not values["category"] and not values["subgroup"]:
        return
    if not values["category"] or not values["subgroup"]:
        raise InputError(
            "has a category without a subgroup, or a subgroup without a category; fill both, or "
            "neither where a text names nobody"
        )
    known = groups.slice(values["category"], values["subgroup"])
    category = set_names.setdefault(known.category, values["category"])
    spelling.setdefault(known, Slice(category, values["subgroup"]))
    if at in growing.slices.setdefault(known, {}):
        raise InputError(f"{name!r} of {harm} is in {known} already; leave one of the rows out")
    growing.slices[known][at] = None


def _build(harm: str, growing: _Growing, order: Mapping[Slice, int], spelling: Mapping[Slice, Slice]) -> Scored:
    sets, named = number_sets(growing.sets)
    slices = {
        spelling[subgroup]: np.fromiter(growing.slices[subgroup], dtype=np.int64)
        for subgroup in sorted(growing.slices, key=order.__getitem__)
    }
    return Scored(
        harm,
        tuple(growing.numbers),
        sets,
        named,
        np.array(growing.labels, dtype=np.bool_),
        np.array(growing.scores),
        slices,
    )
