"""The gap: how much worse a system corrects the augmented twin of a text than the original (Lund et al. 2023, §4.2).

gap = F0.5(augmented) - F0.5(original), in points; below zero the system serves *they* worse than *he*

A system may come in several seeds: figures are then means, with twice the standard deviation as the paper prints them,
and the interval is that of a bootstrap over sentences and seeds together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from gec_fair.edits import Edits
from gec_fair.evaluate.bias import explicit as bias
from gec_fair.evaluate.bias.explicit import Bias
from gec_fair.evaluate.evalsets.catalogue import EvalSet
from gec_fair.evaluate.gap import significance, twins
from gec_fair.evaluate.gap.loaded_set import Both, LoadedSet, open_set
from gec_fair.evaluate.gap.splits import Split, splits
from gec_fair.evaluate.gap.twins import TwinOutcome
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.resampled import Counted, table
from gec_fair.evaluate.scoring.score import PROSE, Score, figures
from gec_fair.people import links
from gec_fair.stats.bootstrap import RESAMPLES
from gec_fair.stats.estimate import Estimate, Kind
from gec_fair.stats.seeds import half_width

SPREAD = Kind.TWO_SD
"""How the seeds of GEC systems are summed up, as Lund et al. (2023) print it."""


@dataclass(frozen=True, slots=True)
class OutputResult:
    """One output (one seed of a system): both sides' scores, the twins, and what was done to the swapped words."""

    orig: Score
    aug: Score
    twins: tuple[TwinOutcome, ...]
    bias: Bias


@dataclass(frozen=True, slots=True)
class Gap:
    """A system on a set: its seeds, `delta` in [-1, 1] as a mean over them, and the gap by what was swapped. A system
    without a correct edit has no gap: `delta` has no value then."""

    set: EvalSet
    seeds: tuple[OutputResult, ...]
    delta: Estimate
    splits: tuple[Split, ...]
    signature: str

    @property
    def counts(self) -> Counted:
        """(items, seeds, 2, 3), as `significance` takes them."""
        return count(self.seeds)

    @property
    def deltas(self) -> list[float]:
        """The gap of each seed."""
        return [seed.aug.counts.f(seed.aug.beta) - seed.orig.counts.f(seed.orig.beta) for seed in self.seeds]

    @property
    def no_gap(self) -> str:
        """Why the system has no gap; empty if it has one."""
        if self.delta.value is not None:
            return ""
        return f"makes no {'correct ' if self.counts[..., :2].any() else ''}edit: its gap says nothing"

    def as_json(self) -> dict[str, object]:
        """Percent and points; `p` as it is. Of several seeds means, and `two_sd` beside them."""
        half = half_width(self.deltas, SPREAD) if not self.no_gap else None
        return {
            "set": self.set.name,
            "sentences": len(self.counts),
            "seeds": len(self.seeds),
            "orig": self._side([seed.orig for seed in self.seeds]),
            "aug": self._side([seed.aug for seed in self.seeds]),
            **significance.points(self.delta),
            **({"no_gap": self.no_gap} if self.no_gap else {}),
            **({"two_sd": 100 * half} if half is not None else {}),
            "bias": bias_json([seed.bias for seed in self.seeds]),
            "biased": [
                {
                    "seed": number,
                    "sentence": case.sentence + 1,
                    "kind": case.kind.name.lower(),
                    "old": " ".join(case.old),
                    "new": " ".join(case.new),
                }
                for number, seed in enumerate(self.seeds)
                for case in seed.bias.cases
            ],
            "splits": [split.as_json() for split in self.splits],
            "twins": twins.row(twins.table(twins.majority([seed.twins for seed in self.seeds]))),
            "signature": self.signature,
        }

    def _side(self, scores: Sequence[Score]) -> dict[str, object]:
        """The figures of a side. Precision is None if the system made no edit."""
        has_edits = self.counts[..., :2].any()
        return over_seeds([short(score) for score in scores]) | ({} if has_edits else {"p": None})


def measure(
    evalset: EvalSet,
    outputs: Sequence[tuple[Path, Path]],
    options: ScoreOptions,
    annotator: Annotator,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Gap:
    """Measure a system's outputs for the two sides of a set: one pair of files (original, augmented) a seed.

    InputError where files do not match.
    """
    loaded = open_set(evalset, options, annotator)
    texts = [loaded.read(orig, aug) for orig, aug in outputs]
    return measure_texts(loaded, texts, annotator, resamples=resamples, seed=seed)


def measure_texts(
    loaded: LoadedSet, outputs: Sequence[Both], annotator: Annotator, *, resamples: int = RESAMPLES, seed: int = 0
) -> Gap:
    """The same for texts in memory: the texts of both sides, a pair a seed."""
    pairs = [loaded.pairs(sides) for sides in outputs]
    edits = annotator([pair for mine in pairs for pair in mine])
    size = 2 * len(loaded)
    parts = [edits[n * size : (n + 1) * size] for n in range(len(outputs))]
    is_prose = any(side.is_prose for sides in outputs for side in sides)
    seeds = [judge(loaded, part) for part in parts]
    return gap(loaded, seeds, resamples=resamples, seed=seed, is_prose=is_prose)


def judge(loaded: LoadedSet, edits: Sequence[Edits]) -> OutputResult:
    """One output, from what it did to both sides (`Opened.pairs`)."""
    orig, aug = loaded.scores(edits)
    cases = bias.count(loaded.references[1].sources, loaded.protected, aug.edits, loaded.collect_allowed())
    return OutputResult(orig, aug, tuple(twins.match_twins(loaded.twins, orig.edits, aug.edits)), cases)


def gap(loaded: LoadedSet, seeds: Sequence[OutputResult], *, resamples: int, seed: int, is_prose: bool = False) -> Gap:
    """The gap of a system from its judged seeds, at least one; `is_prose`: outputs were tokenised."""
    counts, beta = count(seeds), loaded.options.beta
    return Gap(
        loaded.set,
        tuple(seeds),
        significance.gap(counts, beta=beta, resamples=resamples, seed=seed),
        splits(loaded.swaps, counts, labels=loaded.labels, beta=beta, resamples=resamples, seed=seed),
        signature(loaded, len(seeds), resamples, seed, is_prose=is_prose),
    )


def count(seeds: Sequence[OutputResult]) -> Counted:
    """Counts (sentences, seeds, 2, 3): true positives, false positives and false negatives of both sides."""
    sides = [table([seed.orig.scored.sentences, seed.aug.scored.sentences]) for seed in seeds]
    return np.stack(sides, axis=1)


def signature(loaded: LoadedSet, seeds: int, resamples: int, seed: int, *, is_prose: bool) -> str:
    """All that decides the figures, in one line."""
    refs = [line.partition("|ref:")[2].partition("|")[0] for line in loaded.signatures]
    score = loaded.signatures[0].replace(f"|ref:{refs[0]}", f"|ref:{'+'.join(refs)}")
    drawn = "nested" if seeds > 1 else "paired"
    bootstrap = f"bootstrap:{drawn}:{resamples}:seed{seed}"
    prose = f"|{PROSE}" if is_prose else ""
    return f"gap|set:{loaded.set.name}|{bootstrap}|coref:{links.version()}|{score}{prose}"


def short(score: Score) -> dict[str, float | int]:
    """A score's figures under the names of the report: p, r, f."""
    scores = figures(score.counts, score.beta)
    return {{"precision": "p", "recall": "r"}.get(name, name): value for name, value in scores.items()}


def over_seeds(rows: Sequence[Mapping[str, float]]) -> dict[str, object]:
    """One seed as it is; of several the means and, under `two_sd`, twice the standard deviations."""
    if len(rows) == 1:
        return dict(rows[0])
    return {**_columns(rows, fmean), "two_sd": _columns(rows, lambda values: half_width(values, SPREAD) or 0.0)}


def bias_json(seeds: Sequence[Bias]) -> dict[str, object]:
    """`Bias.as_json`, of several seeds as `over_seeds` has it."""
    if len(seeds) == 1:
        return seeds[0].as_json()
    per_seed = [seed.as_json() for seed in seeds]
    cases = over_seeds([row["cases"] for row in per_seed])  # type: ignore[misc]
    columns = ("sentences", "sentences_without_reflexive")
    rest = over_seeds([{name: row[name] for name in columns} for row in per_seed])  # type: ignore[misc]
    return {"cases": cases, **rest}


def _columns(rows: Sequence[Mapping[str, float]], summary: Callable[[Sequence[float]], float]) -> dict[str, float]:
    return {name: summary([row[name] for row in rows]) for name in rows[0]}
