"""Every change of a run, counted, and a few of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from operator import itemgetter
from random import Random
from typing import TypeAlias

from gec_fair.changes.change import LEFT, UNCHANGED, Change, Rewritten
from gec_fair.errors import UsageError
from gec_fair.report.table import Column, Record, Table, right

Kind: TypeAlias = tuple[str, str, str]
"""Part, outcome and reason."""
_WORDS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Filter:
    """Which changes are sampled; empty values choose all but the left and unchanged texts. `word` was replaced, or
    replaces."""

    outcome: str = ""
    reason: str = ""
    axis: str = ""
    word: str = ""

    def __call__(self, change: Change) -> bool:
        """Whether the change is chosen; left and unchanged texts are, if their outcome or reason is named."""
        if not (self.outcome or self.reason) and change.outcome in (LEFT, UNCHANGED):
            return False
        wanted = ((self.outcome, change.outcome), (self.reason, change.reason), (self.axis, change.axis))
        return all(value in ("", mine) for value, mine in wanted) and (not self.word or change.has_word(self.word))


@dataclass(slots=True)
class Summary:
    """`texts` by kind, `replacements` by old and new words, `sample` in the order of the run, or the least sure first;
    `chosen`: how many changes the filter let through."""

    texts: Counter[Kind] = field(default_factory=Counter)
    replacements: Counter[tuple[str, str]] = field(default_factory=Counter)
    sample: list[Change] = field(default_factory=list)
    chosen: int = 0

    def outcome_table(self) -> Table:
        """Texts by outcome and reason."""
        total = self.texts.total()
        has_parts = any(part for part, *_ in self.texts)
        records: list[Record] = [
            {
                **({"corpus": part} if has_parts else {}),
                "outcome": outcome,
                "reason": reason,
                "texts": number,
                "share": 100 * number / total,
            }
            for (part, outcome, reason), number in sorted(self.texts.items())
        ]
        columns = (Column("outcome"), Column("reason"), right("texts", "{:,}"), right("share", "{:.1f}", "%"))
        return Table("outcomes", "Texts", records, columns=((Column("corpus"),) if has_parts else ()) + columns)

    def replacement_table(self, limit: int | None = _WORDS_SHOWN) -> Table:
        """Words by how often they were replaced, the commonest first."""
        ranked = sorted(self.replacements.items(), key=lambda pair: (-pair[1], pair[0]))
        records: list[Record] = [{"old": old, "new": new, "times": number} for (old, new), number in ranked[:limit]]
        columns = (Column("old", "{}", unknown="∅"), Column("new", "{}", unknown="∅"), right("times", "{:,}"))
        note = f"The {limit} commonest of {len(ranked):,} replacements." if limit and len(ranked) > limit else ""
        return Table("replacements", "Replaced words", records, note, columns=columns)


def summarise(
    run: Rewritten,
    *,
    sample: int = 200,
    seed: int = 0,
    keep: Filter = Filter(),
    is_least_sure: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Summary:
    """One pass over the run, in memory for `sample` changes of each kind. Every kind has its share of the sample; or
    the sample is the least sure changes, those first, and last those that do not say it. UsageError if none does."""
    summary = Summary()

    def choose_changes() -> Iterator[Change]:
        for number, change in enumerate(run.read()):
            summary.texts[_kind(change)] += 1
            summary.replacements.update(change.replacements)
            if keep(change):
                summary.chosen += 1
                yield change
            if not number % 1000:
                progress(number)

    summary.sample = (
        nsmallest(sample, choose_changes(), key=_sure)
        if is_least_sure
        else _draw(choose_changes(), sample, Random(seed))
    )
    if is_least_sure and summary.sample and summary.sample[0].sure is None:
        change = summary.sample[0]
        raise UsageError(f"{change.file}:{change.line}: does not say how sure it is; give a run of augment or perturb")
    if run.unchanged:
        summary.texts["", UNCHANGED, ""] += run.unchanged
    return summary


def _kind(change: Change) -> Kind:
    return change.part, change.outcome, change.reason


def _sure(change: Change) -> float:
    return float("inf") if change.sure is None else change.sure


def _draw(changes: Iterable[Change], sample: int, chance: Random) -> list[Change]:
    """Changes in the order of the run; those of a kind have the same chance."""
    reservoirs: dict[Kind, list[tuple[int, Change]]] = {}
    sizes: Counter[Kind] = Counter()
    for number, change in enumerate(changes):
        kind = _kind(change)
        reservoir = reservoirs.setdefault(kind, [])
        sizes[kind] += 1
        if len(reservoir) < sample:
            reservoir.append((number, change))
        elif (place := chance.randrange(sizes[kind])) < sample:
            reservoir[place] = number, change
    return [change for _, change in sorted(_share(reservoirs.values(), sample), key=itemgetter(0))]


def _share(reservoirs: Iterable[list[tuple[int, Change]]], sample: int) -> list[tuple[int, Change]]:
    """As many of each as there is room for."""
    waiting = sorted(reservoirs, key=len)
    chosen: list[tuple[int, Change]] = []
    for n, reservoir in enumerate(waiting):
        chosen += reservoir[: (sample - len(chosen)) // (len(waiting) - n)]
    return chosen
