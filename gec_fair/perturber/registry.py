"""Perturbers by name: `rules`, or `neural:` and a seq2seq model."""

from __future__ import annotations

from gec_fair.models.locate import find_model
from gec_fair.perturber.rewriting.options import NEURAL, RULES, PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturber, Perturbing
from gec_fair.registry import Factory, Registry


def _load_neural(model: str, options: PerturbOptions) -> Perturber:
    from gec_fair.perturber.neural.request import Asking, load_neural

    return Asking(options, load_neural(model, options.beams))


PERTURBERS: Registry[Perturber] = Registry(
    "perturber",
    {
        RULES: Factory(Perturbing),
        NEURAL: Factory(
            _load_neural, argument="MODEL", extra="train", needs=("torch", "transformers"), check=find_model
        ),
    },
)


def load_perturber(options: PerturbOptions) -> Perturber:
    """The perturber that the options name, a model with its weights. Raises MissingResource without torch."""
    return PERTURBERS.load(options.perturber, options)
