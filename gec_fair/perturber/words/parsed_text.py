"""A parsed text with its perturbable words and its chains, each looked for once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gec_fair.augmentation.planning.swap import Swap
from gec_fair.edits import Tokens
from gec_fair.people.terms.chains import Chains
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.words.insertable import insertable
from gec_fair.perturber.words.perturbable import Finder

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from gec_fair.people.links import Cluster


@dataclass(frozen=True)
class ParsedText:
    """`at` is its place among the texts that were given; `doc` has the words of `tokens`."""

    at: int
    tokens: Tokens
    doc: Doc
    clusters: Sequence[Cluster]
    finder: Finder

    @cached_property
    def words(self) -> Sequence[PerturbableWord]:
        """The perturbable words, in order."""
        return self.finder.find(self.doc, self.swaps)

    @cached_property
    def swaps(self) -> Sequence[Swap]:
        """What FM-CDA would swap, whoever its words belong to."""
        return self.finder.swaps(self.doc)

    @cached_property
    def insertable(self) -> Sequence[PerturbableWord]:
        """The nouns for people before which an attribute may be inserted, in order."""
        return list(insertable(self.doc, self.words, self.finder))

    @cached_property
    def gendered(self) -> Sequence[PerturbableWord]:
        """He/she words, gendered nouns and first names: what FM-CDA would swap."""
        return [word for word in self.words if word.axis == "gender"]

    @cached_property
    def chains(self) -> Chains:
        """The tokens that change together, by person."""
        return Chains(self.doc, self.clusters, self.tokens.borders, self.gendered)
