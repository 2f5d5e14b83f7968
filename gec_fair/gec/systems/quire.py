"""The quire-grammar checker (MIT) as a GEC system: rules and a small neural tagger of edits, offline.

Its tagger is a DistilBERT with int8 weights, trained on synthetic errors (quire-grammar-model, Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from gec_fair.errors import MissingResource
from gec_fair.extras import require
from gec_fair.gec.systems.checker import Finding, correct


class Quire:
    """quire-grammar with its model, its default rules and its default threshold."""

    def __init__(self) -> None:
        require("quire", "quire", "quire_grammar", "quire_grammar_model", "onnxruntime", "tokenizers")

    @property
    def version(self) -> str:
        """The versions of the rules and of the model."""
        return f"quire:{version('quire-grammar')}:model:{version('quire-grammar-model')}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order."""
        return [correct(text, _check) for text in texts]


def _check(text: str) -> list[Finding]:
    """The first suggestion of each correction. Remarks that suggest nothing, such as those on style, are left out."""
    return [(c.start, c.end, c.suggestions[0]) for c in load_check()(text) if c.suggestions]


@cache
def load_check() -> Callable[[str], list[Any]]:
    """quire's check of a text. MissingResource if its model cannot be loaded."""
    from quire_grammar import check, model

    if not model.is_available():  # quire-grammar would then use its rules alone, without a word
        raise MissingResource(
            "quire cannot load its model; pip install --force-reinstall quire-grammar-model onnxruntime tokenizers"
        )
    return check  # type: ignore[no-any-return,unused-ignore]  # typed where it is installed
