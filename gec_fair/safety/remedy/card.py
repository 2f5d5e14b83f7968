"""The model card of an ensemble (Mitchell et al. 2019): what it is for, what it learned from, how it did, limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gec_fair.report.table import Column, Table, right
from gec_fair.safety.ensemble.model import Ensemble

NAME = "README.md"
_FIGURES = {
    "auprc": "AU-PRC",
    "auprc_counterfactual": "AU-PRC, counterfactual test",
    "acv": "ACV",
    "acv_normalised": "normalised ACV",
    "flip_rate": "flip rate",
    "fpr": "FPR at the threshold",
    "tpr": "TPR at the threshold",
    "gap_safe": "largest SA gap, safe",
    "gap_unsafe": "largest SA gap, unsafe",
}


def card(
    ensemble: Ensemble,
    kind: str,
    texts: Mapping[str, int],
    figures: Mapping[str, Mapping[str, Any]],
    remedy: Mapping[str, Mapping[str, Any]] | None,
    signature: str,
) -> str:
    """`texts`: how many there were of each split; `figures`: by harm, on the test texts; `remedy`: by harm, of a
    remediated one; `signature` tells data and version."""
    harms = ", ".join(ensemble.harms)
    lines = [
        f"# {kind.capitalize()} ensemble of safety classifiers: {harms}",
        "",
        f"A {ensemble.options.kind} over {len(ensemble.inputs.sources)} source scores; for each of {harms} the "
        "probability that a text is unsafe.",
        "",
        "## Use",
        "",
        "`gec-fair safety predict` on tables with the same sources' columns, `ensemble.skops` in Python, "
        "`ensemble.onnx` elsewhere (input `scores`, NaN where a source gave nothing). To rank texts for people or "
        "rules behind it; not to decide about persons. Probabilities are for the training data's share of unsafe "
        "texts.",
        "",
        "Sources: " + ", ".join(f"`{name}`" for name in ensemble.inputs.sources) + ".",
        "",
        "## Data",
        "",
        ", ".join(f"{number:,} {split}" for split, number in texts.items()) + " rows, counterfactuals included; no "
        "text and none of its counterfactuals is in two splits.",
        "",
    ]
    if remedy is not None:
        lines += [
            "Counterfactually balanced and fairly reweighted (Sturman et al. 2024): "
            + "; ".join(
                f"{harm}: " + ", ".join(f"{key} {value}" for key, value in figures.items())
                for harm, figures in remedy.items()
            )
            + ".",
            "",
        ]
    lines += ["## On test texts", "", _tests(figures).markdown()]
    lines += [
        "",
        "## Limits",
        "",
        "Where all sources react to an identity alike, no weighting can undo it. What was balanced are the subgroups "
        "and the language of the training data; others may be treated otherwise. A source that is changed by whoever "
        "runs it wants a new training.",
        "",
        signature,
        "",
    ]
    return "\n".join(lines)


def _tests(figures: Mapping[str, Mapping[str, Any]]) -> Table:
    """A row for each measure, a column for each harm."""
    records = [
        {"measure": measure, **{harm: values.get(key) for harm, values in figures.items()}}
        for key, measure in _FIGURES.items()
    ]
    columns = (Column("measure", header=""), *(right(harm, "{:.4f}") for harm in figures))
    return Table("tests", "On test texts", records, columns=columns)
