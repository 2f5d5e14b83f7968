"""What `gec-fair safety train` found, in the form of the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, TypeAlias

from gec_fair.safety.report import charts

Results: TypeAlias = Sequence[Mapping[str, Any]]
"""What `train.run` gives, seed by seed."""


def harms(results: Results) -> list[str]:
    return list(results[0]["harms"])


def average_rows(results: Results, harm: str) -> list[dict[str, Any]]:
    """For `charts.averages`: the ensembles first, then every source attribute."""
    rows: list[dict[str, Any]] = []
    first = results[0]["harms"][harm]
    for model in ("baseline", "remediated"):
        for n, each in enumerate(first["models"][model]["sliced_averages"]):
            some = [one["harms"][harm]["models"][model]["sliced_averages"][n]["value"] for one in results]
            rows += _average(harm, model, each, some)
    for source in first["sources"]:
        for each in source["sliced_averages"]:
            rows += _average(harm, source["source"], each, [each["value"]])
    return rows


def _average(harm: str, scorer: str, each: Mapping[str, Any], values: Sequence[float | None]) -> list[dict[str, Any]]:
    some = [value for value in values if value is not None]
    if not some:
        return []
    return [
        {
            "harm": harm,
            "scorer": scorer,
            "category": each["category"],
            "subgroup": each["subgroup"],
            "truth": each["truth"],
            "SA": round(fmean(some), 4),
            "texts": each["n"],
        }
    ]


def bias_rows(results: Results, harm: str) -> list[dict[str, Any]]:
    """For `charts.reliance`: how biased each source is, and how much the ensembles rely on it; the ensembles
    themselves."""
    first = results[0]["harms"][harm]
    gaps = {each["source"]: each["gap_safe"] for each in first["sources"]}
    rows: list[dict[str, Any]] = []
    for model in ("baseline", "remediated"):
        shares = {
            each["source"]: fmean(
                [
                    other["permutation"]
                    for one in results
                    for other in one["harms"][harm]["contributions"][model]
                    if other["source"] == each["source"]
                ]
            )
            for each in first["contributions"][model]
        }
        rows += [
            {"model": model, "source": name, "gap": round(gaps[name], 4), "contribution": round(share, 3)}
            for name, share in shares.items()
            if gaps.get(name) is not None
        ]
    return rows


def model_gaps(results: Results, harm: str) -> list[dict[str, Any]]:
    """The ensembles' own largest gaps on safe texts."""
    found = []
    for model in ("baseline", "remediated"):
        some = [one["harms"][harm]["models"][model]["gap_safe"] for one in results]
        if values := [value for value in some if value is not None]:
            found.append({"model": model, "source": "the ensemble", "gap": round(fmean(values), 4)})
    return found


def file_name(harm: str) -> str:
    """Of a harm: `hate/threatening` is no folder."""
    return harm.replace("/", "-")


def drawn(results: Results, searched: Mapping[str, Any]) -> dict[str, Any]:
    """Vega-Lite by name; those without data are left out."""
    made: dict[str, Any] = {}
    for harm in harms(results):
        name = file_name(harm)
        if rows := average_rows(results, harm):
            made[f"averages-{name}"] = charts.averages(rows)
        if points := bias_rows(results, harm):
            made[f"contributions-{name}"] = charts.contributions(points)
            made[f"reliance-{name}"] = charts.reliance(points, model_gaps(results, harm))
        if told := searched.get(harm):
            made[f"search-{name}"] = charts.pareto(told["trials"], told["best"], told["floor"])
    return {name: one.to_dict() for name, one in made.items()}


def captions(results: Results) -> dict[str, str]:
    found: dict[str, str] = {}
    for harm in harms(results):
        name = file_name(harm)
        found |= {
            f"averages-{name}": f"Sliced averages for {harm} (figure 3): ensembles, and every source attribute scaled "
            "to [0, 1]. Equal colours in a row are equal treatment.",
            f"contributions-{name}": f"Feature contribution for {harm}, before and after (figure 4): of the AU-PRC "
            "lost when a column is permuted.",
            f"reliance-{name}": f"Bias of the sources for {harm} against how much the ensembles rely on them (figure "
            "5): the largest SA gap on safe texts, mean over categories. Stars are the ensembles.",
            f"search-{name}": f"Trials for {harm} on validation texts: AU-PRC against ACV, percent of the baseline's; "
            "what was chosen is filled, the line is the bound on AU-PRC, and trials beyond it are "
            "pale.",
        }
    return found
