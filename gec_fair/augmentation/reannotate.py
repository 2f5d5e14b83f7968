"""Extract the edits of rewritten M2 pairs anew with ERRANT, as the paper did for its evaluation sets (§4.1).

Human spans and types are lost by this; without it they are carried along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from gec_fair.augmentation.parallel import Augmenter
from gec_fair.corpus.outcome import Augmented, Outcome
from gec_fair.corpus.records import Pair
from gec_fair.edits import Edit, Edits, edit_words, edits, split_spaces, with_alternatives
from gec_fair.errors import MissingResource

if TYPE_CHECKING:
    from errant.annotator import Annotator


@dataclass(frozen=True)
class Reannotated:
    """The augmenter's outcomes with ERRANT's edits for the carried ones; MissingResource without ERRANT."""

    augmenter: Augmenter

    def __call__(self, pairs: Sequence[Pair]) -> list[Outcome]:
        """The outcomes of the augmenter; the carried corrections get ERRANT's edits."""
        outcomes = self.augmenter(pairs)
        return [self._again(o) if isinstance(o, Augmented) and o.pair.corrections else o for o in outcomes]

    @cached_property
    def _errant(self) -> Annotator:
        try:
            import errant
        except ImportError as fault:
            raise MissingResource("--reannotate needs ERRANT; pip install 'gec-fair[errant]'") from fault
        return errant.load("en", self.augmenter.planner.nlp)

    def _again(self, outcome: Augmented) -> Augmented:
        from gec_fair.english import pipeline

        pair = outcome.pair
        source = split_spaces(pair.source).words
        variants = [(who, variant) for who, their in pair.corrections for variant in (their, *their.variants())]
        targets = [edit_words(variant, source) for _, variant in variants]
        nlp = self.augmenter.planner.nlp
        first, *others = pipeline.parse(nlp, [source, *targets])
        by_annotator: dict[str, list[Edits]] = {}
        for (who, _), doc in zip(variants, others, strict=True):
            annotated = self._errant.annotate(first, doc)
            new = (Edit(e.o_start, e.o_end, split_spaces(e.c_str).words, e.type) for e in annotated)
            by_annotator.setdefault(who, []).append(edits(new, len(source)))
        corrections = tuple((who, with_alternatives(theirs)) for who, theirs in by_annotator.items())
        return replace(outcome, pair=replace(pair, corrections=corrections))
