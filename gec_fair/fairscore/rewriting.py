"""A perturber as the rewriter of a fairscore, and the weights of its axes over a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gec_fair.classifiers.protocol import Text
from gec_fair.fairscore.run import AT_ONCE
from gec_fair.fairscore.tasks import Example
from gec_fair.perturber.rewriting.options import RULES, PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbed, Perturber, Perturbing
from gec_fair.perturber.rewriting.sampling import axis_weights
from gec_fair.progress import Progress


@dataclass(frozen=True)
class PerturberRewriter:
    """A perturber as a rewriter."""

    perturber: Perturber

    @property
    def version(self) -> str:
        """The perturber's version, axes, sampling, seed, and of rules how sure they are to be."""
        options = self.perturber.options
        parts = (self.perturber.version, "+".join(options.axes), options.sampling, f"seed:{options.seed}")
        return ":".join([*parts, f"sure:{options.min_sure}"] if options.perturber == RULES else parts)

    def __call__(self, texts: Sequence[Text], ids: Sequence[str]) -> list[Perturbed]:
        """The perturbed texts, in order; `ids` seed what is drawn for each."""
        return self.perturber(texts, ids)


def weigh_axes(
    options: PerturbOptions,
    examples: Sequence[Example],
    progress: Progress = lambda done, total: None,
) -> PerturbOptions:
    """The options; with `sampling` axes, with the weight of each axis: its share of the examples' candidate words."""
    if options.sampling != "axes":
        return options
    texts, perturbing, counts = [example.fields for example in examples], Perturbing(options), Counter[str]()
    for first in range(0, len(texts), AT_ONCE):
        counts.update(perturbing.candidates(texts[first : first + AT_ONCE]))
        progress(min(first + AT_ONCE, len(texts)), len(texts))
    return replace(options, weights=axis_weights(counts))
