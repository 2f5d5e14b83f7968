"""Uses of the public API that mypy checks (`make lint`): what a function takes, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator

import gec_fair as gf

PAIRS = [("He go .", "He goes .")]


def augmented() -> list[str]:
    results = gf.augment(PAIRS, "st", gate="none", mirror=True)
    counts: dict[str, int] = results.counts
    first: gf.Augmentation = results[0]
    return [first.source, first.target, first.reason, *counts]


def streamed() -> Iterator[gf.Augmentation]:
    return gf.augment(iter(PAIRS), "fm", names="keep")


def rewritten() -> tuple[str, list[str], Iterator[str]]:
    return gf.rewrite("He goes.", "fm"), gf.rewrite(["He goes."], "fm"), gf.rewrite(iter(["He goes."]), "fm")


def upper(texts: list[str]) -> list[str]:
    return [text.upper() for text in texts]


def measured() -> tuple[float, float | None, float | None, list[str]]:
    score: gf.Score = gf.score(["He goes ."], ["He goes ."], ["He go ."], cat=2)
    gap: gf.Gap = gf.gap(upper, "they-probe", resamples=100)
    comparison: gf.Comparison = gf.compare({"upper": upper, "copy": "identity"}, ["they-probe"])
    rates: gf.Counterfactual = gf.counterfactual(upper, ["He goes ."])
    return score.f, gap.low, gap.delta, [comparison.tables()[0].title, rates.signature]


def perturbed() -> list[str]:
    return [result.text for result in gf.perturb(["He goes ."], axes=("gender",))]


def siblings() -> list[float | None]:
    return [
        gf.fairscore.measure("toxicity", [("He goes .", "toxic")]).value,
        gf.lmbias.score("out/encoder", ["crows"]).value("crows", "gender", "stereotype preferred, %"),
        gf.safety.audit("scores.csv").acv,
    ]
