"""A coreference resolver: parsed docs in, the mentions of each referent out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """Tokens `start` to `end` (half-open) of a text; `head` is the word that the others depend on."""

    start: int
    end: int
    head: int


Cluster: TypeAlias = tuple[Mention, ...]
"""Mentions of one referent in text order, at least two."""


class Coref(Protocol):
    """A resolver. `clusters` answers one list of clusters per doc, in order, for parsed docs of any length."""

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]:
        """The clusters of each parsed text, in order: mentions of one person each."""
        ...
