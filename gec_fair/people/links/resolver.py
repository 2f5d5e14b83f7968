"""A coreference resolver, parsed docs in and the mentions of each referent out; and resolvers by name, each imported
when it is first loaded."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from gec_fair.english.lexicons import word_lists
from gec_fair.registry import Factory, Registry

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


REVISION = 2
"""The version of the embedded resolver's code. Raise it with every change that changes clusters (a test says so)."""
RESOLVERS: Registry[Coref] = Registry(
    "coreference backend",
    {
        "embedded": Factory("gec_fair.people.links.embedded:embedded"),
        "fastcoref": Factory("gec_fair.people.links.neural:fastcoref"),
        "maverick": Factory("gec_fair.people.links.neural:maverick"),
        "neuralcoref": Factory("gec_fair.people.links.neuralcoref:neuralcoref"),
    },
)


def load(name: str = "embedded") -> Coref:
    """The resolver of that name. Raises as `Registry.load` does; MissingResource says what is not installed."""
    return RESOLVERS.load(name)


def version(name: str = "embedded") -> str:
    """What names a resolver in a manifest: for ours, sixteen digits of SHA-256 over its weights, its tables and the
    revision of its code. Loads any other; raises as `load` does."""
    if name != "embedded":
        resolver = load(name)
        named: str = getattr(resolver, "version", name)
        getattr(resolver, "close", lambda: None)()
        return named
    folder = Path(__file__).parent
    digest = hashlib.sha256(b"revision %d" % REVISION)
    for path in [*sorted([*folder.glob("*.npz"), *folder.glob("*.tsv")]), *word_lists.table_paths()]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"embedded-sha256:{digest.hexdigest()[:16]}"
