"""Counterfactual data augmentation before pretraining (Lu et al. 2018; §5.1), and its ablation.

Every sentence in which the augmenter's rewriter swaps something is added once more, swapped (FM-CDA's rules: pronouns,
nouns, names, with case and agreement). The copies stand behind the corpus, as a document of their own: side by side in
one training block, a hidden word could be read off its twin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gec_fair.augmentation.options import Names, Options
from gec_fair.augmentation.run import rewrite_corpus, versions
from gec_fair.babylm.corpora.build import CORPUS, Workplace, lines, sentences
from gec_fair.config.corpora import Running
from gec_fair.corpus.writers import TEXT
from gec_fair.english.lexicons.tables import axes_directory
from gec_fair.perturber.rewriting.options import MIN_SURE, PerturbCorpusOptions
from gec_fair.perturber.run import perturb_corpus
from gec_fair.perturber.run import versions as perturber_versions
from gec_fair.runs.atomic import write_bytes

SENTENCES = "sentences.txt"


@dataclass(frozen=True, slots=True)
class Cda:
    """Every sentence with a gendered term, once more with the gender swapped."""

    name: ClassVar[str] = "cda"
    needs: ClassVar[tuple[str, ...]] = ()

    names: Names = "fixed"
    """First names too (`fixed`, `draw`), or `keep` them."""
    min_sure: float = 0.0
    """What is clean with a lower probability stays as it is."""
    seed: int = 0
    """For names=draw."""

    def __post_init__(self) -> None:
        _ = self._options  # an unknown choice is an error now

    @property
    def _options(self) -> Options:
        return Options("fm", names=self.names, seed=self.seed, min_sure=self.min_sure)

    def versions(self) -> Mapping[str, str]:
        """The versions of the augmenter's rewriter, by name."""
        return versions(self._options)

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Append the swapped sentences to the corpus; returns its path and the counts."""
        return _with_rewritten(
            site,
            lambda before, folder: (
                rewrite_corpus([before], folder, self._options, Running(workers=site.workers)).directory
            ),
        )


@dataclass(frozen=True, slots=True)
class _PerturbedCopies:
    """CDA by the perturber's rules, which swap the whole chain of mentions. For training on from a model (Meade et al.
    2022)."""

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    axis: ClassVar[str]
    lexicon: ClassVar[str] = ""

    min_sure: float = MIN_SURE
    """What is clean with a lower probability stays as it is."""
    seed: int = 0
    """Which word becomes which."""

    def __post_init__(self) -> None:
        _ = self._options

    @property
    def _options(self) -> PerturbCorpusOptions:
        return PerturbCorpusOptions(axes=(self.axis,), lexicon=self.lexicon, seed=self.seed, min_sure=self.min_sure)

    def versions(self) -> Mapping[str, str]:
        """The versions of the perturber and its tables, by name."""
        return perturber_versions(self._options)

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Append the perturbed sentences to the corpus; returns its path and the counts."""
        return _with_rewritten(
            site,
            lambda before, folder: (
                perturb_corpus([before], folder, replace(self._options, workers=site.workers)).directory
            ),
        )


@dataclass(frozen=True, slots=True)
class CdaRace(_PerturbedCopies):
    """Every sentence with a word of race or ethnicity, once more with another."""

    name: ClassVar[str] = "cda-race"
    axis: ClassVar[str] = "race"


@dataclass(frozen=True, slots=True)
class CdaReligion(_PerturbedCopies):
    """Every sentence that says of people which religion they have, once more with another (`lexicons/axes`)."""

    name: ClassVar[str] = "cda-religion"
    axis: ClassVar[str] = "religion"
    lexicon: ClassVar[str] = str(axes_directory())


@dataclass(frozen=True, slots=True)
class CdaAblation:
    """As many sentences once more as CDA adds, any ones, and as they are: what doubling alone does."""

    name: ClassVar[str] = "cda-ablation"
    needs: ClassVar[tuple[str, ...]] = (Cda.name,)

    seed: int = 0
    """Which sentences."""

    def versions(self) -> Mapping[str, str]:
        """Empty: options and CDA's counts decide everything."""
        return {}

    def make(self, site: Workplace) -> tuple[Path, Mapping[str, Any]]:
        """Append as many sentences, drawn by the seed, as CDA copied; returns its path and the counts."""
        cda = site.needed[Cda.name]
        chance = np.random.Generator(np.random.PCG64(self.seed))
        chosen = np.zeros(cda.counts["sentences"], dtype=bool)
        chosen[chance.permutation(len(chosen))[: cda.counts["copies"]]] = True
        before = cda.folder / SENTENCES
        return _with_copies(
            site, before, (line for line, is_chosen in zip(lines(before), chosen, strict=True) if is_chosen)
        )


def _with_rewritten(site: Workplace, rewrite: Callable[[Path, Path], Path]) -> tuple[Path, Mapping[str, Any]]:
    """`rewrite`: a file of sentences, a folder for what comes of them; where its text is."""
    before = site.folder / SENTENCES
    write_bytes(before, (f"{sentence}\n".encode() for sentence in sentences(site.original)))
    rewritten = rewrite(before, site.folder / "swapped")
    both = zip(lines(before), lines(rewritten / TEXT), strict=True)
    return _with_copies(site, before, (new for old, new in both if old != new))


def _with_copies(site: Workplace, before: Path, copies: Iterator[bytes]) -> tuple[Path, Mapping[str, Any]]:
    corpus = site.folder / CORPUS
    counts = {"sentences": 0, "copies": 0, "words": 0, "words_copied": 0}

    def count_lines() -> Iterator[bytes]:
        for copy in copies:
            counts["copies"] += 1
            counts["words_copied"] += len(copy.split())
            yield copy

    write_bytes(corpus, chain(lines(site.original), [b"\n"], count_lines(), [b"\n"]))
    for line in lines(before):
        counts["sentences"] += 1
        counts["words"] += len(line.split())
    return corpus, {**counts, "growth": round(100 * counts["words_copied"] / max(1, counts["words"]), 2)}
