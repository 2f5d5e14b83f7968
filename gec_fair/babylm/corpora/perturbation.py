"""Perturbation augmentation before pretraining (Qian et al. 2022; §5.3, appendix G): in each chunk of 128 words one
demographic reference is rewritten, of gender or race, with all that goes with it; age makes too many errors there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from gec_fair.babylm.corpora.build import Workplace
from gec_fair.corpus.writers import TEXT
from gec_fair.perturber.rewriting.options import MIN_SURE, RULES, PerturbCorpusOptions
from gec_fair.perturber.run import perturb_corpus, statistics, versions


@dataclass(frozen=True, slots=True)
class Perturbation:
    """Words and targets are drawn until one changes the chunk, as appendix G has it."""

    name: ClassVar[str] = "perturbed"
    needs: ClassVar[tuple[str, ...]] = ()

    tokens: int = 128
    """Words a chunk."""
    axes: tuple[str, ...] = ("gender", "race")
    perturber: str = RULES
    """`rules`, or `neural:` and a seq2seq model; the paper's is neural:facebook/perturber."""
    min_sure: float = MIN_SURE
    """What is clean with a lower probability stays as it is."""
    seed: int = 0

    def __post_init__(self) -> None:
        _ = self._options

    @property
    def _options(self) -> PerturbCorpusOptions:
        return PerturbCorpusOptions(axes=self.axes, perturber=self.perturber, seed=self.seed, min_sure=self.min_sure)

    def versions(self) -> Mapping[str, str]:
        """The versions of the perturber, by name."""
        return versions(self._options)

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Perturb the corpus chunk by chunk; returns the new text's path and the counts, `to` by axis and target."""
        options = replace(self._options, tokens=self.tokens, workers=site.workers)
        done = perturb_corpus([site.original], site.folder / "perturbed", options)
        manifest = done.manifest
        rows = statistics(manifest.reasons.get("augmented", {}))
        return done.directory / TEXT, {
            "chunks": manifest.counts["lines"],
            "changed": manifest.counts["augmented"],
            "to": {f"{axis} {target}": number for axis, target, number in rows},
        }
