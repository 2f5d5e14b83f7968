"""What one seed finds: the baseline, balance alone and the remedied ensemble, each judged on the test texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gec_fair.runs.atomic import write_bytes, write_text
from gec_fair.safety.auditing import largest_changes
from gec_fair.safety.auditing.judge import JudgedHarm, as_row, changed, judge
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.remedy import attributes, card, export
from gec_fair.safety.remedy.ensemble import Ensemble
from gec_fair.safety.remedy.options import SafetyTraining
from gec_fair.safety.remedy.predict import audited
from gec_fair.safety.remedy.results import Balance, HarmResult, Row, SeedResult
from gec_fair.safety.remedy.reweighting import ALONE, Reweighting
from gec_fair.safety.remedy.splits import Data
from gec_fair.safety.remedy.two_passes import Remedy, Start, remedy, start, told_strengths

MODELS = ("baseline", "balanced", "remediated")
SAVED = ("baseline", "remediated")
Say = Callable[[str], None]


def one_seed(
    options: SafetyTraining, chosen: Mapping[str, Reweighting], data: Data, seed: int, say: Say
) -> tuple[SeedResult, dict[str, Ensemble]]:
    """The result and the models; `say` hears warnings."""
    start_state = start(
        data.train, options.harms, data.subgroups, options.ensemble, balanced=options.balance, seed=seed
    )
    remedied = _remedied(options, chosen, data, start_state, seed)
    models = dict(zip(MODELS, (start_state.baseline, start_state.balanced, remedied.model), strict=True))
    harms = {}
    for harm in options.harms:
        harms[harm] = HarmResult(
            **_judged(options, data, harm, models, seed),
            reweighting=asdict(chosen[harm]),
            balance=_balance(start_state, data.train, harm),
            **_weights(remedied, harm),
            sweeps=_sweeps(options, chosen[harm], data, start_state.for_harm(harm), harm, seed),
            warning=_warning(data.validation, harm, models, options, seed),
        )
        if harms[harm].warning:
            say(harms[harm].warning)
    return SeedResult(seed, data.missing(), harms), models


def save(result: SeedResult, models: Mapping[str, Ensemble], data: Data, folder: Path, signature: str) -> None:
    """The ensembles with their cards, and their scores of the test texts."""
    texts = {split: len(examples) for split, examples in data.splits()}
    for name in SAVED:
        figures = {harm: of_harm.models[name] for harm, of_harm in result.harms.items()}
        remedied = {harm: of_harm.reweighting for harm, of_harm in result.harms.items()}
        export.save(models[name], folder / name)
        text = card.card(models[name], name, texts, figures, remedied if name == "remediated" else None, signature)
        write_text(folder / name / card.NAME, text)
        write_bytes(folder / f"scores-{name}.csv", [audited(data.test, models[name])])


def _remedied(
    options: SafetyTraining, chosen: Mapping[str, Reweighting], data: Data, start_state: Start, seed: int
) -> Remedy:
    return remedy(
        data.train,
        data.validation,
        start_state,
        chosen,
        options.ensemble,
        rounds=options.rounds,
        draws=options.draws,
        number=options.number,
        seed=seed,
    )


def _balance(start_state: Start, train: Examples, harm: str) -> Balance:
    balanced = start_state.balance[harm]
    return Balance(
        originals=int(((train.labels[harm] >= 0) & ~train.copies).sum()),
        balanced=float(balanced.weights.sum()),
        without_a_copy={str(slice_): number for slice_, number in balanced.uncopied.items()},
        several=balanced.several,
    )


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
        "models": {name: as_row(audit_) for name, audit_ in judged.items()},
        "changes": {name: changed(before, judged[name]) for name in MODELS[1:]},
        "sources": attributes.source_figures(data.test, harm, data.train),
        "contributions": {name: _contributions(models[name], data.validation, harm, seed) for name in SAVED},
        "largest": tuple(
            asdict(change) for change in largest_changes.largest(before.drawn.scored, after.drawn.scored.scores)
        ),
    }


def _weights(remedied: Remedy, harm: str) -> dict[str, Any]:
    """What reweighting drew in each round, and which slices it left out in the last."""
    gained = [round_[harm] for round_ in remedied.gained]
    return {
        "shares": [
            {
                truth: {str(slice_): p for slice_, p in probabilities.items()}
                for truth, probabilities in one.shares.items()
            }
            for one in gained
        ],
        "left_out": {
            truth: [str(slice_) for slice_ in slices] for one in gained[-1:] for truth, slices in one.left_out.items()
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
    options: SafetyTraining, chosen: Reweighting, data: Data, start_state: Start, harm: str, seed: int
) -> tuple[Row, ...]:
    """One hyperparameter after the other, the others as they are chosen: a λ in proportion to another is held. Where
    balance alone was chosen, they are as in the settings, for without a λ no β does anything."""

    def judged(model: Ensemble) -> JudgedHarm:
        return judge(data.test, harm, model.scores(data.test.features)[harm], threshold=options.threshold, resamples=1)

    before, after_audits = judged(start_state.baseline), []
    base = options.remedy(harm).candidates()[0] if chosen == ALONE else chosen
    held = told_strengths(data.train, start_state, harm, base)
    for name, values in asdict(options.sweeps).items():
        for value in values:
            strengths = {harm: replace(held, **{name: value})}
            after = judged(_remedied(options, strengths, data, start_state, seed).model)
            after_audits.append({"parameter": name, "value": value, **as_row(after), "changes": changed(before, after)})
    return tuple(after_audits)
