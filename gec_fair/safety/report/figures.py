"""What `gec-fair safety train` found, in the form of the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, TypeAlias

from gec_fair.safety.remedy.results import SeedResult
from gec_fair.safety.report import charts

Results: TypeAlias = Sequence[SeedResult]
"""What `train.run` gives, seed by seed."""


def harms(results: Results) -> list[str]:
    """The harms of a training, in the order of its tables."""
    return list(results[0].harms)


def average_rows(results: Results, harm: str) -> list[dict[str, Any]]:
    """For `charts.averages`: the ensembles first, then every source attribute."""
    first = results[0].harms[harm]
    rows: list[tuple[str, Mapping[str, Any], list[float | None]]] = []
    for model in ("baseline", "remediated"):
        for n, average in enumerate(first.models[model]["sliced_averages"]):
            values = [result.harms[harm].models[model]["sliced_averages"][n]["value"] for result in results]
            rows.append((model, average, values))
    for source in first.sources:
        rows += [(source["source"], average, [average["value"]]) for average in source["sliced_averages"]]
    return [
        {
            "harm": harm,
            "scorer": scorer,
            **{name: average[name] for name in ("category", "subgroup", "truth")},
            "SA": fmean(known),
            "texts": average["n"],
        }
        for scorer, average, values in rows
        if (known := [value for value in values if value is not None])
    ]


def bias_rows(results: Results, harm: str) -> list[dict[str, Any]]:
    """For `charts.reliance`: how biased each source is, and how much the ensembles rely on it; the ensembles
    themselves."""
    first = results[0].harms[harm]
    gaps = {source["source"]: source["gap_safe"] for source in first.sources}
    return [
        {"model": model, "source": name, "gap": gaps[name], "contribution": fmean(shares)}
        for model in ("baseline", "remediated")
        for name, shares in find_contributions(results, harm, model, "permutation").items()
        if gaps.get(name) is not None
    ]


def find_contributions(results: Results, harm: str, model: str, kind: str) -> dict[str, list[float]]:
    """By source what it contributes to a model, percent, with each seed."""
    shares: dict[str, list[float]] = {}
    for result in results:
        for contribution in result.harms[harm].contributions[model]:
            shares.setdefault(contribution["source"], []).append(contribution[kind])
    return shares


def model_gaps(results: Results, harm: str) -> list[dict[str, Any]]:
    """The ensembles' own largest gaps on safe texts."""
    rows = []
    for model in ("baseline", "remediated"):
        gaps = [result.harms[harm].models[model]["gap_safe"] for result in results]
        if values := [value for value in gaps if value is not None]:
            rows.append({"model": model, "source": "the ensemble", "gap": fmean(values)})
    return rows


def draw(results: Results) -> dict[str, tuple[Any, str]]:
    """Vega-Lite and a caption by name; figures without data are left out."""
    figures: dict[str, tuple[Any, str]] = {}
    for harm in harms(results):
        name = harm.replace("/", "-")  # `hate/threatening` is not a folder
        if rows := average_rows(results, harm):
            figures[f"averages-{name}"] = (
                charts.averages(rows).to_dict(),
                f"Sliced averages for {harm} (figure 3): ensembles, and every source attribute scaled to [0, 1]. Equal "
                "colours in a row are equal treatment.",
            )
        if points := bias_rows(results, harm):
            figures[f"reliance-{name}"] = (
                charts.reliance(points, model_gaps(results, harm)).to_dict(),
                f"Bias of the sources for {harm} against how much the ensembles rely on them (figure 5): the largest "
                "SA gap on safe texts, mean over categories. Stars are the ensembles.",
            )
    return figures
