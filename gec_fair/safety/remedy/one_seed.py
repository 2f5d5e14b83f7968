"""What one seed finds: the baseline, balance alone and the remedied ensemble, each judged on the test texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gec_fair.runs.atomic import write_bytes, write_text
from gec_fair.safety.auditing import largest_changes
from gec_fair.safety.auditing.judge import Judged, as_row, changed, judge
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.remedy import attributes, card, export
from gec_fair.safety.remedy.ensemble import Ensemble
from gec_fair.safety.remedy.options import SafetyTraining
from gec_fair.safety.remedy.predict import audited
from gec_fair.safety.remedy.reweighting import ALONE, Reweighting
from gec_fair.safety.remedy.splits import Data
from gec_fair.safety.remedy.two_passes import Remedy, Start, remedy, start, told_strengths

MODELS = ("baseline", "balanced", "remediated")
SAVED = ("baseline", "remediated")
Say = Callable[[str], None]


def one_seed(
    options: SafetyTraining, chosen: Mapping[str, Reweighting], data: Data, seed: int, say: Say
) -> tuple[dict[str, Any], dict[str, Ensemble]]:
    """As JSON, and the models."""
    begun = start(data.train, options.harms, data.subgroups, options.ensemble, balanced=options.balance, seed=seed)
    remedied = _remedied(options, chosen, data, begun, seed)
    models = dict(zip(MODELS, (begun.baseline, begun.balanced, remedied.model), strict=True))
    found: dict[str, Any] = {"seed": seed, "missing": data.missing(), "harms": {}}
    for harm in options.harms:
        found["harms"][harm] = {
            **_judged(options, data, harm, models, seed),
            "reweighting": asdict(chosen[harm]),
            "balance": _balance(begun, data.train, harm),
            **_weights(remedied, harm),
            "sweeps": _sweeps(options, chosen[harm], data, begun.of(harm), harm, seed),
            "warning": _warning(data.validation, harm, models, options, seed),
        }
        if found["harms"][harm]["warning"]:
            say(found["harms"][harm]["warning"])
    return found, models


def save(found: Mapping[str, Any], models: Mapping[str, Ensemble], data: Data, folder: Path, signature: str) -> None:
    """The ensembles with their cards, and their scores of the test texts."""
    texts = {split: len(some) for split, some in data.splits()}
    for name in SAVED:
        figures = {harm: each["models"][name] for harm, each in found["harms"].items()}
        remedied = {harm: each["reweighting"] for harm, each in found["harms"].items()}
        export.save(models[name], folder / name)
        told_ = card.card(models[name], name, texts, figures, remedied if name == "remediated" else None, signature)
        write_text(folder / name / card.NAME, told_)
        write_bytes(folder / f"scores-{name}.csv", [audited(data.test, models[name])])


def _remedied(
    options: SafetyTraining, chosen: Mapping[str, Reweighting], data: Data, begun: Start, seed: int
) -> Remedy:
    return remedy(
        data.train,
        data.validation,
        begun,
        chosen,
        options.ensemble,
        rounds=options.rounds,
        draws=options.draws,
        number=options.number,
        seed=seed,
    )


def _balance(begun: Start, train: Examples, harm: str) -> dict[str, Any]:
    even = begun.even[harm]
    return {
        "originals": int(((train.labels[harm] >= 0) & ~train.copies).sum()),
        "balanced": float(even.weights.sum()),
        "without_a_copy": {str(each): number for each, number in even.lacking.items()},
        "several": even.several,
    }


def _judged(
    options: SafetyTraining, data: Data, harm: str, models: Mapping[str, Ensemble], seed: int
) -> dict[str, Any]:
    judged = {
        name: judge(
            data.test,
            harm,
            model.scores(data.test.features)[harm],
            threshold=options.threshold,
            resamples=options.resamples,
        )
        for name, model in models.items()
    }
    before, after = judged["baseline"], judged["remediated"]
    return {
        "models": {name: as_row(each) for name, each in judged.items()},
        "changes": {name: changed(before, judged[name]) for name in MODELS[1:]},
        "sources": attributes.source_figures(data.test, harm, data.train),
        "contributions": {name: _contributions(models[name], data.validation, harm, seed) for name in SAVED},
        "largest": [asdict(each) for each in largest_changes.largest(before.drawn.scored, after.drawn.scored.scores)],
    }


def _weights(remedied: Remedy, harm: str) -> dict[str, Any]:
    """What reweighting drew in each round, and which slices it left out in the last."""
    gained = [each[harm] for each in remedied.gained]
    return {
        "shares": [
            {truth: {str(each): p for each, p in some.items()} for truth, some in one.shares.items()} for one in gained
        ],
        "left_out": {
            truth: [str(each) for each in some] for one in gained[-1:] for truth, some in one.left_out.items()
        },
    }


def _contributions(model: Ensemble, validation: Examples, harm: str, seed: int) -> list[dict[str, Any]]:
    rows = validation.labels[harm] >= 0
    ready = model.inputs.ready(validation.features[rows])
    return attributes.contributions(model.models[harm], ready, validation.labels[harm][rows], model.inputs.names, seed)


def _warning(
    validation: Examples, harm: str, models: Mapping[str, Ensemble], options: SafetyTraining, seed: int
) -> str:
    """Where reweighting made validation ACV worse than the model before it."""
    if not options.rounds:
        return ""
    balanced, remediated = (
        judge(
            validation, harm, models[name].scores(validation.features)[harm], threshold=options.threshold, resamples=1
        ).acv(normalised=True)
        for name in MODELS[1:]
    )
    if balanced is None or remediated is None or remediated <= balanced:
        return ""
    before = "balance alone" if options.balance else "the baseline"
    return (
        f"{harm}, seed {seed}: reweighting makes the normalised ACV of the validation texts worse than {before} "
        f"({balanced:.4f} → {remediated:.4f}); try a smaller β or λ, or rounds: 0"
    )


def _sweeps(
    options: SafetyTraining, chosen: Reweighting, data: Data, begun: Start, harm: str, seed: int
) -> list[dict[str, Any]]:
    """One hyperparameter after the other, the others as they are chosen: a λ in proportion to another is held. Where
    balance alone was chosen, they are as in the settings, for without a λ no β does anything."""

    def judged(model: Ensemble) -> Judged:
        return judge(data.test, harm, model.scores(data.test.features)[harm], threshold=options.threshold, resamples=1)

    before, found = judged(begun.baseline), []
    base = options.remedy(harm).candidates()[0] if chosen == ALONE else chosen
    held = told_strengths(data.train, begun, harm, base)
    for name, values in asdict(options.sweeps).items():
        for value in values:
            asked = {harm: replace(held, **{name: value})}
            after = judged(_remedied(options, asked, data, begun, seed).model)
            found.append({"parameter": name, "value": value, **as_row(after), "changes": changed(before, after)})
    return found
