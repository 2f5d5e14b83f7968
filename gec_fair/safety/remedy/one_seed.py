"""What one seed finds: the baseline, balance alone and the remedied ensemble, each judged on the test texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gec_fair.runs.atomic import write_bytes
from gec_fair.safety.auditing import largest_changes
from gec_fair.safety.auditing.judge import Judge, as_row, compare
from gec_fair.safety.data.examples import Examples
from gec_fair.safety.ensemble import export
from gec_fair.safety.ensemble.model import Ensemble, EnsembleOptions
from gec_fair.safety.ensemble.predict import audit_rows
from gec_fair.safety.remedy import attributes
from gec_fair.safety.remedy.results import Balance, HarmResult, Row
from gec_fair.safety.remedy.reweighting import Gained, Reweighting
from gec_fair.safety.remedy.two_passes import Start, TwoPasses

MODELS = ("baseline", "balanced", "remediated")
SAVED = ("baseline", "remediated")
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class OneSeed:
    """The training and judging of one seed. `chosen` are the reweightings by harm, `swept` those that a sweep
    varies."""

    passes: TwoPasses
    on_test: Judge
    on_validation: Judge
    chosen: Mapping[str, Reweighting]
    swept: Mapping[str, Reweighting]

    def run(self, say: Say) -> tuple[dict[str, HarmResult], dict[str, Ensemble]]:
        """The results by harm, and the models by name; `say` hears warnings."""
        start = self.passes.start(tuple(self.chosen))
        remediated, gained = self.passes.remedy(start, self.chosen)
        models = dict(zip(MODELS, (start.baseline, start.balanced, remediated), strict=True))
        harms = {}
        for harm, reweighting in self.chosen.items():
            harms[harm] = HarmResult(
                **self._judge(harm, models),
                reweighting=asdict(reweighting),
                balance=_balance(start, self.passes.data.train, harm),
                **_weights([gains[harm] for gains in gained]),
                sweeps=tuple(self._sweeps(start.for_harm(harm), harm)),
                warning=self._warning(harm, models),
            )
            if harms[harm].warning:
                say(harms[harm].warning)
        return harms, models

    def _judge(self, harm: str, models: Mapping[str, Ensemble]) -> dict[str, Any]:
        judged = {name: self.on_test(model, harm) for name, model in models.items()}
        before, after = judged["baseline"], judged["remediated"]
        return {
            "models": {name: as_row(judged_model) for name, judged_model in judged.items()},
            "changes": {name: compare(before, judged[name]) for name in MODELS[1:]},
            "sources": attributes.source_figures(self.on_test.examples, harm, self.passes.data.train),
            "contributions": {name: self._contributions(models[name], harm) for name in SAVED},
            "largest": tuple(largest_changes.largest(before.drawn.scored, after.drawn.scored.scores)),
        }

    def _contributions(self, model: Ensemble, harm: str) -> list[dict[str, Any]]:
        validation = self.passes.data.validation
        rows = validation.labels[harm] >= 0
        ready = model.inputs.ready(validation.features[rows])
        labels = validation.labels[harm][rows]
        return attributes.contributions(model.models[harm], ready, labels, model.inputs.names, self.passes.seed)

    def _warning(self, harm: str, models: Mapping[str, Ensemble]) -> str:
        """Where reweighting made validation ACV worse than the model before it."""
        if not self.passes.options.rounds:
            return ""
        balanced, remediated = (self.on_validation(models[name], harm).acv(normalised=True) for name in MODELS[1:])
        if balanced is None or remediated is None or remediated <= balanced:
            return ""
        before = "balance alone" if self.passes.options.balance else "the baseline"
        return (
            f"{harm}, seed {self.passes.seed}: reweighting makes the normalised ACV of the validation texts worse than "
            f"{before} ({balanced:.4f} → {remediated:.4f}); try a smaller β or λ, or rounds: 0"
        )

    def _sweeps(self, start: Start, harm: str) -> Iterator[Row]:
        """One hyperparameter after the other: a λ in proportion to another is held."""
        judge = replace(self.on_test, resamples=1)
        before = judge(start.baseline, harm)
        held = self.passes.fix_proportion(start, harm, self.swept[harm])
        for name, values in asdict(self.passes.options.sweeps).items():
            for value in values:
                model, _ = self.passes.remedy(start, {harm: replace(held, **{name: value})})
                after = judge(model, harm)
                yield {"parameter": name, "value": value, **as_row(after), "changes": compare(before, after)}


def score_file(model: str) -> str:
    """The name of the file with a model's scores of the test texts."""
    return f"scores-{model}.csv"


def save(models: Mapping[str, Ensemble], options: EnsembleOptions, test: Examples, folder: Path) -> None:
    """The ensembles, and the scores that they give the test texts."""
    for name in SAVED:
        export.save(models[name], options, folder / name)
        write_bytes(folder / score_file(name), [audit_rows(test, models[name])])


def _balance(start: Start, train: Examples, harm: str) -> Balance:
    balanced = start.balance[harm]
    return Balance(
        originals=int(((train.labels[harm] >= 0) & ~train.copies).sum()),
        balanced=float(balanced.weights.sum()),
        without_a_copy={str(subgroup): number for subgroup, number in balanced.uncopied.items()},
        several=balanced.several,
    )


def _weights(gained: Sequence[Gained]) -> dict[str, Any]:
    """What reweighting drew in each round, and which slices it left out in the last."""
    return {
        "shares": [
            {
                truth: {str(subgroup): p for subgroup, p in probabilities.items()}
                for truth, probabilities in gain.shares.items()
            }
            for gain in gained
        ],
        "left_out": {
            truth: [str(subgroup) for subgroup in slices]
            for gain in gained[-1:]
            for truth, slices in gain.left_out.items()
        },
    }
