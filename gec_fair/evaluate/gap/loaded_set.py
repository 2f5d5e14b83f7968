"""An evaluation set, read once for any number of systems: gold edits of both sides, protected places, swaps, twins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gec_fair.edits import Edit, Edits
from gec_fair.english import pipeline
from gec_fair.evaluate.bias import explicit
from gec_fair.evaluate.bias.explicit import Protected
from gec_fair.evaluate.evalsets.catalogue import EvalSet, labels, read_twins
from gec_fair.evaluate.evalsets.swaps import Swapped, find_swaps
from gec_fair.evaluate.gap.twins import Twin, twins
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.scoring.errant import Annotator, WordPair
from gec_fair.evaluate.scoring.hypotheses import AS_TOKENS, Hypotheses, HypothesisOptions, read_hypotheses
from gec_fair.evaluate.scoring.score import Gold, Score, gold_edits, judge_edits, signature_of
from gec_fair.evaluate.scoring.texts import Reference, Words, check_annotators, digest
from gec_fair.extras import require
from gec_fair.people import links
from gec_fair.progress import note

SIDES = ("orig", "aug")


Both: TypeAlias = tuple[Hypotheses, Hypotheses]
"""A system's output for the two sides, orig first."""


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """`references` and `gold` by side, orig first; the rest has one entry a sentence, `twins` one a gold edit;
    `labels` as `evalsets.labels`."""

    set: EvalSet
    references: tuple[Reference, Reference]
    gold: tuple[Gold, Gold]
    protected: tuple[Protected, ...]
    swaps: tuple[tuple[Swapped, ...], ...]
    twins: tuple[Twin, ...]
    signatures: tuple[str, str]
    options: ScoreOptions
    labels: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.references[0])

    def read(self, orig: Any, aug: Any, reading: HypothesisOptions = AS_TOKENS) -> Both:
        """A system's outputs, in files or in memory, as `read_hypotheses` reads them."""
        of_orig, of_aug = self.references
        sides = (
            read_hypotheses(orig, of_orig, reading, name="the orig side's output"),
            read_hypotheses(aug, of_aug, reading, name="the aug side's output"),
        )
        for side, reference, span in zip(sides, self.references, ("old", "new"), strict=True):
            texts = zip(reference.sources, side.words(reference.sources), self.swaps, strict=True)
            is_lost = [
                not set(source[slice(*getattr(swap, span))]) <= set(words)
                for source, words, swaps in texts
                for swap in swaps
            ]
            if len(is_lost) > 10 and sum(is_lost) > len(is_lost) / 2:  # by hand: hardly a system changes one in ten
                note(
                    f"{sum(is_lost)} of {len(is_lost)} words that differ between the sides of {self.set.name} are "
                    f"missing from the output for {reference.path.name}; is it that of another side, or of another set?"
                )
        return sides

    def pairs(self, sides: Both) -> list[WordPair]:
        """What the annotator has to look at: both sides, one after the other."""
        return [
            pair
            for reference, side in zip(self.references, sides, strict=True)
            for pair in zip(reference.sources, side.words(reference.sources), strict=True)
        ]

    def scores(self, edits: Sequence[Edits]) -> tuple[Score, Score]:
        """Both sides' scores from the edits of `pairs`, in that order."""
        half = len(self)
        sides = tuple(edits[:half]), tuple(edits[half:])
        orig, aug = (
            judge_edits(mine, gold, self.options, signature)
            for mine, gold, signature in zip(sides, self.gold, self.signatures, strict=True)
        )
        return orig, aug

    def collect_allowed(self) -> list[list[Edit]]:
        """For each sentence every edit that an annotator of the augmented side makes."""
        return [
            [variant for their in annotators for edit in their for variant in edit.variants()]
            for annotators in self.gold[1]
        ]


def open_set(evalset: EvalSet, options: ScoreOptions, annotator: Annotator) -> LoadedSet:
    """Read, check, parse. InputError where sources and M2 do not match or the sides are no twins."""
    require("measuring a gap", "evaluate", "errant", "statsmodels")
    orig, aug = read_twins(evalset)
    for reference in (orig, aug) if options.annotators == "all" else ():
        check_annotators(reference)
    gold = (gold_edits(orig, options, annotator), gold_edits(aug, options, annotator))
    swaps = tuple(find_swaps(x, y) for x, y in zip(orig.sources, aug.sources, strict=True))
    return LoadedSet(
        evalset,
        (orig, aug),
        gold,
        _protect(orig.sources, aug.sources, annotator.english),
        swaps,
        tuple(
            twin
            for n, (mine, theirs, between) in enumerate(zip(*gold, swaps, strict=True))
            for twin in twins(n, mine[0], theirs[0], between)
        ),
        (
            signature_of(options, annotator.versions, digest(orig.path)),
            signature_of(options, annotator.versions, digest(aug.path)),
        ),
        options,
        labels(evalset, len(orig)),
    )


def _protect(originals: Sequence[Words], augmented: Sequence[Words], english: str) -> tuple[Protected, ...]:
    """What must stay: clusters and predicates are those of the original sentences."""
    docs = list(pipeline.parse(pipeline.load_shared(english), originals))
    return tuple(
        explicit.protect(doc, words, clusters)
        for doc, words, clusters in zip(docs, augmented, links.load().clusters(docs), strict=True)
    )
