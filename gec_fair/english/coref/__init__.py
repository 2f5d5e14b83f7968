"""Which mentions of a text are one person: coreference behind one small interface.

    >>> resolver = load()                       # ours; or load("fastcoref"), load("maverick"), load("neuralcoref")
    >>> resolver.clusters([nlp("If my mom cooks , I always help her .")])
    [[(Mention(start=1, end=3, head=2), Mention(start=8, end=9, head=8))]]

Importing this imports no backend; `load` does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from gec_fair.english.lexicons import word_lists
from gec_fair.errors import UsageError

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["BACKENDS", "Cluster", "Coref", "Mention", "load", "version"]


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

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]: ...


# name -> (module, function that builds the resolver)
BACKENDS = {
    "embedded": ("gec_fair.english.coref.embedded", "embedded"),
    "fastcoref": ("gec_fair.english.coref.neural", "fastcoref"),
    "maverick": ("gec_fair.english.coref.neural", "maverick"),
    "neuralcoref": ("gec_fair.english.coref.neuralcoref", "neuralcoref"),
}


def load(name: str = "embedded") -> Coref:
    """The resolver of that name. Imports what it needs only now; MissingResource says what is not installed."""
    if name not in BACKENDS:
        raise UsageError(f"no coreference backend is called {name!r}; known: {', '.join(BACKENDS)}")
    module, function = BACKENDS[name]
    build: Callable[[], Coref] = getattr(import_module(module), function)
    return build()


def version(name: str = "embedded") -> str:
    """What names a resolver in a manifest: for ours, sixteen digits of SHA-256 over its weights, its code
    and the word lists."""
    if name != "embedded":
        return name
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    files = sorted([*folder.glob("*.py"), *folder.glob("*.npz"), *folder.glob("*.tsv")])
    for path in [*files, *word_lists.table_paths()]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"embedded-sha256:{digest.hexdigest()[:16]}"
