"""Composite performance and composite bias of a model (BabyLM bias dynamics, §3.1).

performance   the mean of BLiMP, its supplement and EWoK, those that were run
bias          the mean of CrowS-Pairs (all pairs) and StereoSet (intrasentence SS, overall); 50 is fair
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from gec_fair.lmbias.suites.figures import Figure

PERFORMANCE = ("BLiMP", "BLiMP supplement", "EWoK")
BIAS = ("CrowS-Pairs", "StereoSet")
_BY_NAME = {"ewok": "EWoK", "supplement": "BLiMP supplement", "blimp": "BLiMP"}
"""Which part a suite of minimal pairs is: the first whose key is in the suite's name. A suite without one is none."""


@dataclass(frozen=True, slots=True)
class Composite:
    """Percent. `parts`: what each is the mean of, by name; of those that are not among them the model was not asked."""

    parts: Mapping[str, float]

    @property
    def performance(self) -> float | None:
        """The mean of the PERFORMANCE parts; None without any."""
        return self._mean(PERFORMANCE)

    @property
    def bias(self) -> float | None:
        """The mean of the BIAS parts; None without any."""
        return self._mean(BIAS)

    def _mean(self, names: Iterable[str]) -> float | None:
        present = [self.parts[name] for name in names if name in self.parts]
        return fmean(present) if present else None

    def list_parts(self, names: Iterable[str]) -> str:
        """Which of the names it is the mean of, for a table's foot."""
        return ", ".join(name for name in names if name in self.parts)


def composite(figures: Iterable[Figure | Mapping[str, Any]]) -> Composite:
    """Compute the composite of figures as suites give them, or as JSON has them. Where two suites are of one kind
    (BLiMP and its fast part), the last one counts."""
    parts: dict[str, float] = {}
    for figure in figures:
        row = figure.as_json() if isinstance(figure, Figure) else figure
        name = _part(row["suite"], row["part"], row["measure"])
        if name and row["value"] is not None:
            parts[name] = row["value"]
    return Composite({name: parts[name] for name in (*PERFORMANCE, *BIAS) if name in parts})


def _part(suite: str, part: str, measure: str) -> str | None:
    if (suite, part, measure) == ("crows", "all", "stereotype preferred, %"):
        return "CrowS-Pairs"
    if (suite, part, measure) == ("stereoset", "overall", "SS"):
        return "StereoSet"
    if measure != "accuracy, %" or not part.startswith("mean of"):
        return None
    return performance_of(suite)


def performance_of(suite: str) -> str | None:
    """The part of performance that a suite of this name is; None for any other suite."""
    return next((name for key, name in _BY_NAME.items() if key in suite.casefold()), None)
