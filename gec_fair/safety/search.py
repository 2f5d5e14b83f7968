"""Hyperparameters of reweighting for one harm: the smallest ACV on validation data, within a bound on the AU-PRC that
is lost there. A few values of β are always compared; by Optuna all of them are looked for, balance alone being the
first trial, so that nothing is chosen that does worse than it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gec_fair.errors import UsageError
from gec_fair.safety.options import Search
from gec_fair.safety.reweighting import Reweighting


@dataclass(frozen=True, slots=True)
class Trial:
    """Percent of the baseline's on validation data."""

    options: Reweighting
    acv: float
    auprc: float


@dataclass(frozen=True, slots=True)
class Found:
    """`best`: of `trials`, among those within the bound; where none is, the one that loses least AU-PRC."""

    best: Trial
    trials: tuple[Trial, ...]


def among(
    candidates: Sequence[Reweighting], attempt: Callable[[Reweighting], tuple[float, float]], options: Search
) -> Found:  # fmt: skip
    """The best of a few."""
    return _found([Trial(each, *attempt(each)) for each in candidates], options)


def search(attempt: Callable[[Reweighting], tuple[float, float]], options: Search, *, seed: int = 0) -> Found:
    """`attempt`: changes of ACV and AU-PRC with some options, percent."""
    import optuna

    if not options.trials:
        raise UsageError("search.trials is 0; nothing is searched")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    trials: list[Trial] = []

    def objective(trial: Any) -> float:
        asked = {name: trial.suggest_float(name, 0, options.beta) for name in ("beta_safe", "beta_unsafe")}
        asked |= {name: trial.suggest_float(name, 0, options.strength) for name in ("lambda_safe", "lambda_unsafe")}
        chosen = Reweighting(**asked)
        acv, auprc = attempt(chosen)
        trials.append(Trial(chosen, acv, auprc))
        trial.set_constraint("AU-PRC lost, over the bound", -auprc - options.loss)
        return acv

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    alone = asdict(Reweighting(0.0, 0.0, 0.0, 0.0))
    study.enqueue_trial(alone)
    study.optimize(objective, n_trials=options.trials)
    return _found(trials, options)


def _found(trials: Sequence[Trial], options: Search) -> Found:
    within = [trial for trial in trials if trial.auprc >= -options.loss]
    best = min(within, key=lambda trial: trial.acv) if within else max(trials, key=lambda trial: trial.auprc)
    return Found(best, tuple(trials))
