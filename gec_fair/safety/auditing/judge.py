"""A model judged on test texts: how well it tells unsafe from safe, how alike it treats counterfactuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from gec_fair.safety.auditing import measures
from gec_fair.safety.auditing.bootstrap import OVERALL, TRUTHS, Drawn, draw
from gec_fair.safety.auditing.measures import Measured
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.data.scores import Floats


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHarm:
    """The judgement of one harm. `first`: the texts that are no counterfactuals; `drawn`, `measured`: all of them, the
    counterfactual test."""

    first: Drawn
    drawn: Drawn
    measured: Measured
    flagged: tuple[float, float]
    """FPR and TPR: the shares of safe and of unsafe texts, counterfactuals among them, at or above the threshold."""

    @property
    def original(self) -> float:
        """AU-PRC on the texts that are no counterfactuals; NaN where none of them is unsafe."""
        return float(self.first.auprc[0])

    @property
    def counterfactual(self) -> float:
        """AU-PRC on texts and counterfactuals."""
        return float(self.drawn.auprc[0])

    def acv(self, truth: Literal["all", "safe", "unsafe"] = "all", *, normalised: bool = False) -> float | None:
        """The ACV over whole sets, by truth; `normalised`: divided by the variance of all scores."""
        consistency = self.measured.find_consistency(OVERALL, truth)
        return (consistency.acv_normalised if normalised else consistency.acv).value

    def gap(self, truth: str) -> float | None:
        """The largest sliced-average gap, mean over categories."""
        values = [gap.average.value for gap in self.measured.gaps if gap.truth == truth]
        present = [value for value in values if value is not None]
        return float(np.mean(present)) if present else None


class Scorer(Protocol):
    """A model of source scores."""

    def scores(self, features: Floats) -> Mapping[str, Floats]:
        """Probabilities by harm, (texts,), of source scores, (texts, sources)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Judges models on the texts of one split: `judge(model, "hate")`."""

    examples: Examples
    threshold: float
    resamples: int = 1
    """1 where no interval is needed."""

    def __call__(self, model: Scorer, harm: str) -> JudgedHarm:
        """One harm."""
        return self.judge_scores(harm, model.scores(self.examples.features)[harm])

    def judge_scores(self, harm: str, scores: Floats) -> JudgedHarm:
        """Judge the scores that a model gave for the texts, (texts,). Every model is judged by the same draws of
        sets."""
        every = self.examples.select_scored(harm, scores)
        drawn = draw(every, threshold=self.threshold, resamples=self.resamples)
        above = every.scores >= self.threshold
        flagged = (float(above[~every.labels].mean()), float(above[every.labels].mean()))
        texts = ~self.examples.copies
        originals = self.examples.only(texts).select_scored(harm, scores[texts])
        first = draw(originals, threshold=self.threshold, resamples=self.resamples)
        return JudgedHarm(first, drawn, measures.measure(drawn), flagged)


def as_row(judged: JudgedHarm) -> dict[str, Any]:
    """As JSON."""
    return {
        "auprc": judged.original,
        "auprc_counterfactual": judged.counterfactual,
        "fpr": judged.flagged[0],
        "tpr": judged.flagged[1],
        **{
            f"{name}{'' if truth == 'all' else '_' + truth}": judged.acv(truth, normalised=name != "acv")
            for name in ("acv", "acv_normalised")
            for truth in TRUTHS
        },
        "flip_rate": judged.measured.find_consistency(OVERALL, "all").flip_rate.value,
        "gap_safe": judged.gap("safe"),
        "gap_unsafe": judged.gap("unsafe"),
        "gaps": [
            {
                "category": gap.category,
                "truth": gap.truth,
                "gap": gap.average.value,
                "highest": gap.highest,
                "lowest": gap.lowest,
            }
            for gap in judged.measured.gaps
        ],
        "sliced_averages": [
            {**row.slice.cells(), "truth": row.truth, "value": row.average.value, "n": row.average.n}
            for row in judged.measured.slices
        ],
    }


def compare(before: JudgedHarm, after: JudgedHarm) -> dict[str, Any]:
    """Percent of the baseline, with intervals over sets; ACV is None where it is too little to be a share of."""
    both = {"auprc": (before.first, after.first), "auprc_counterfactual": (before.drawn, after.drawn)}
    rows: dict[str, Any] = {
        name: measures.change(old.auprc, new.auprc, len(old.scored.scores), old.scored.set_count).figures()
        for name, (old, new) in both.items()
    }
    for change in measures.changes(before.drawn, after.drawn):
        if change.category == OVERALL:
            end = "" if change.truth == "all" else f"_{change.truth}"
            rows[f"acv{end}"], rows[f"acv_normalised{end}"] = change.acv.figures(), change.acv_normalised.figures()
    return rows
