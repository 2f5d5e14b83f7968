"""Perturbers by their name: `rules`, or `neural:` and a seq2seq model."""

from __future__ import annotations

from gec_fair.extras import require
from gec_fair.perturber.rewriting.perturb import NEURAL, RULES, Perturber, Perturbing, PerturbOptions


def perturber_of(options: PerturbOptions) -> Perturber:
    """The perturber that the options name, a model with its weights. Raises MissingResource without torch."""
    if options.perturber == RULES:
        return Perturbing(options)
    require("a neural perturber", "train", "torch", "transformers")
    from gec_fair.perturber.neural.request import Asking, loaded

    return Asking(options, loaded(options.perturber.removeprefix(NEURAL)))
