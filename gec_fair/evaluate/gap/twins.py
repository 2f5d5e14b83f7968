"""Gold edits and their twins: which corrections a system finds for *he* and misses for *they*.

original   He [have → has] a dog .      found       ┐
augmented  They [has → have] a dog .    missed      ┘ one twin, found on the original side only

A twin is one item, so McNemar's exact test compares the sides; twins of one sentence are not independent, so the
bootstrap over sentences (`significance`) stays the main test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import eq

from gec_fair.edits import Edit, Edits
from gec_fair.evaluate.evalsets.swaps import Swapped
from gec_fair.evaluate.scoring.scores import UNKNOWN, at_level
from gec_fair.stats import p_values
from gec_fair.stats.estimate import FEW


@dataclass(frozen=True, slots=True)
class Twin:
    """A gold edit and the one that stands for it on the other side; None where there is none."""

    sentence: int
    orig: Edit | None
    aug: Edit | None

    @property
    def kind(self) -> str:
        """The error type of the correction that both sides have."""
        edit = self.orig or self.aug
        assert edit is not None
        return edit.kind


@dataclass(frozen=True, slots=True)
class TwinOutcome:
    """Whether each side of a twin was found."""

    twin: Twin
    orig: bool
    aug: bool


@dataclass(frozen=True, slots=True)
class Table:
    """How many twins were found on both sides, on one, on none; `p` of McNemar's exact test, 1 without discordance;
    None for fewer than FEW twins."""

    both: int
    orig: int
    aug: int
    neither: int
    p: float | None

    @property
    def twins(self) -> int:
        """How many twin corrections there are."""
        return self.both + self.orig + self.aug + self.neither


def twins(sentence: int, orig: Iterable[Edit], aug: Iterable[Edit], swaps: Sequence[Swapped]) -> list[Twin]:
    """Pair one sentence's gold edits: by the same span after the swaps, else by overlapping spans; in text order.

    Gold edits without a correction (UNK) are left out, as they are in scoring.
    """
    mine = [edit for edit in orig if edit.kind != UNKNOWN]
    waiting = [edit for edit in aug if edit.kind != UNKNOWN]
    partners: dict[int, Edit] = {}
    for agree in (eq, _overlap):
        for n, edit in enumerate(mine):
            place = _move(edit, swaps)
            partner = next((w for w in waiting if agree(place, (w.start, w.end))), None)
            if n not in partners and partner is not None:
                partners[n] = partner
                waiting.remove(partner)
    twins = [Twin(sentence, edit, partners.get(n)) for n, edit in enumerate(mine)]
    return twins + [Twin(sentence, None, edit) for edit in waiting]


def match_twins(pairs: Iterable[Twin], orig: Sequence[Edits], aug: Sequence[Edits]) -> list[TwinOutcome]:
    """Which whole twins a system found: same span and same words (of one of its variants), on each side."""
    sides = [[{(e.start, e.end, e.replacement) for e in their} for their in side] for side in (orig, aug)]
    return [
        TwinOutcome(twin, _is_in(twin.orig, sides[0][twin.sentence]), _is_in(twin.aug, sides[1][twin.sentence]))
        for twin in pairs
        if twin.orig is not None and twin.aug is not None
    ]


def majority(seeds: Sequence[Sequence[TwinOutcome]]) -> list[TwinOutcome]:
    """One system of several seeds: a side counts as found where more than half of the seeds found it."""
    half = len(seeds) / 2
    return [
        TwinOutcome(
            twin_outcomes[0].twin, sum(f.orig for f in twin_outcomes) > half, sum(f.aug for f in twin_outcomes) > half
        )
        for twin_outcomes in zip(*seeds, strict=True)
    ]


def table(outcomes: Iterable[TwinOutcome]) -> Table:
    """Counts and McNemar's exact test (statsmodels)."""
    cells = [0, 0, 0, 0]
    for outcome in outcomes:
        cells[2 * (not outcome.orig) + (not outcome.aug)] += 1
    both, only_orig, only_aug, neither = cells
    p = p_values.of_discordant(only_orig, only_aug) if sum(cells) >= FEW else None
    return Table(both, only_orig, only_aug, neither, p)


def by_type(outcomes: Sequence[TwinOutcome], level: int = 2) -> dict[str, Table]:
    """A table for each error type, the most twins first."""
    groups: dict[str, list[TwinOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault(at_level(outcome.twin.kind, level), []).append(outcome)
    tables = {key: table(those) for key, those in groups.items()}
    return dict(sorted(tables.items(), key=lambda item: (-item[1].twins, item[0])))


def _is_in(edit: Edit | None, mine: set[tuple[int, int, tuple[str, ...]]]) -> bool:
    return edit is not None and any((e.start, e.end, e.replacement) in mine for e in edit.variants())


def _move(edit: Edit, swaps: Sequence[Swapped]) -> tuple[int, int]:
    """Where an edit's span lies after the swaps; a border inside a longer swap goes to its outer end."""
    return _offset(edit.start, swaps, left=True), _offset(edit.end, swaps, left=False)


def _offset(at: int, swaps: Sequence[Swapped], *, left: bool) -> int:
    shift = 0
    for swap in swaps:
        if swap.old[0] < at < swap.old[1]:
            return swap.new[0] if left else swap.new[1]
        if swap.old[1] <= at:
            shift = swap.new[1] - swap.old[1]
    return at + shift


def _overlap(left: tuple[int, int], right: tuple[int, int]) -> bool:
    return max(left[0], right[0]) < min(left[1], right[1])


def as_json(tables: Mapping[str, Table]) -> list[dict[str, object]]:
    """One row a table: `name`, `twins`, `both`, `orig`, `aug`, `neither`, `p`."""
    return [{"name": name, **row(swaps_table)} for name, swaps_table in tables.items()]


def row(counts: Table) -> dict[str, object]:
    """The counts of one row as the report has them."""
    return {"twins": counts.twins, **asdict(counts)}
