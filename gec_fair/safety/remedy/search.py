"""Hyperparameters of reweighting for one harm: the smallest normalised ACV on validation data, within a bound on
the AU-PRC that is lost there. Balance alone is always the first trial, so that nothing is chosen that does worse than
it; then a few values of β, or by Optuna all of them are looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gec_fair.errors import InputError
from gec_fair.safety.auditing.judge import Judge
from gec_fair.safety.remedy.options import Search
from gec_fair.safety.remedy.reweighting import ALONE, Reweighting
from gec_fair.safety.remedy.two_passes import TwoPasses

_WEAKEST = 1 / 400
"""The smallest λ that is tried, of the largest: some hundredths did best (docs/what-did-not-work.md)."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Percent of the baseline's on validation data."""

    options: Reweighting
    acv: float
    auprc: float


@dataclass(frozen=True, slots=True)
class Choice:
    """`floor`: the change of AU-PRC under which no trial is taken: the bound, or where balance alone is beyond it
    already, as much below balance alone."""

    best: Trial
    trials: tuple[Trial, ...]
    floor: float


Attempt: TypeAlias = Callable[[Reweighting], tuple[float, float]]
"""Changes of ACV and AU-PRC with some options, percent."""


def among(candidates: Sequence[Reweighting], attempt: Attempt, loss: float) -> Choice:
    """The best of a few, and of balance alone."""
    return _choose([Trial(strengths, *attempt(strengths)) for strengths in (ALONE, *candidates)], loss)


def search(attempt: Attempt, options: Search, *, seed: int = 0) -> Choice:
    """By Optuna's tree-structured Parzen estimator, `options.trials` with balance alone; λ by orders of magnitude."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    trials = [Trial(ALONE, *attempt(ALONE))]

    def objective(trial: Any) -> float:
        strengths = {name: trial.suggest_float(name, 0, options.beta) for name in ("beta_safe", "beta_unsafe")}
        weakest = _WEAKEST * options.strength
        strengths["lambda_safe"] = trial.suggest_float("lambda_safe", weakest, options.strength, log=True)
        chosen = Reweighting(**strengths)
        acv, auprc = attempt(chosen)
        trials.append(Trial(chosen, acv, auprc))
        trial.set_constraint("AU-PRC lost, over the bound", _floor(trials[0], options.loss) - auprc)
        return acv

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(objective, n_trials=options.trials - 1)
    return _choose(trials, options.loss)


def _floor(alone: Trial, loss: float) -> float:
    return -loss if alone.auprc >= -loss else alone.auprc - loss


def _choose(trials: Sequence[Trial], loss: float) -> Choice:
    floor = _floor(trials[0], loss)
    return Choice(
        min((trial for trial in trials if trial.auprc >= floor), key=lambda trial: trial.acv), tuple(trials), floor
    )


def find(passes: TwoPasses, harm: str, candidates: Sequence[Reweighting], judge: Judge) -> Choice:
    """By trials if the options have any, else the best of the candidates; `judge` has the validation texts. InputError
    where they cannot show a difference."""
    attempt, options = _attempt(passes, harm, judge), passes.options.search
    if options.trials:
        return search(attempt, options, seed=passes.seed)
    return among(candidates, attempt, options.loss)


def _attempt(passes: TwoPasses, harm: str, judge: Judge) -> Attempt:
    start = passes.start((harm,))
    before = judge(start.baseline, harm)
    old = before.acv(normalised=True)
    if old is None:
        if not before.drawn.variance[0] > 0:
            raise InputError(
                f"{harm}: the baseline scores all validation texts alike, so its sources tell nothing; add others"
            )
        raise InputError(
            f"{harm}: no two validation texts share a set (set_id, or copy_of), so ACV has no value; add "
            "their counterfactuals"
        )

    def attempt(strengths: Reweighting) -> tuple[float, float]:
        model, _ = passes.remedy(start, {harm: strengths})
        after = judge(model, harm)
        new = after.acv(normalised=True)
        assert new is not None  # the sets are the same
        worse = 100.0 * (new > 0)  # where there was nothing to remedy
        return 100 * (new / old - 1) if old else worse, 100 * (after.original / before.original - 1)

    return attempt
