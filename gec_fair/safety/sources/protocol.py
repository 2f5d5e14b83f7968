"""A source: texts in, a few attributes each out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gec_fair.safety.data.scores import Floats


class Source(Protocol):
    """`attributes` are the scores' columns; `version` names all that decides them."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the scores' columns."""
        ...

    @property
    def version(self) -> str:
        """What decides the scores."""
        ...

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, attributes); NaN where the source has no answer."""
        ...
