"""Coreference resolvers by name; each is imported when it is first loaded."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gec_fair.english.lexicons import word_lists
from gec_fair.people.links.resolver import Coref
from gec_fair.registry import Factory, Registry

REVISION = 2
"""The version of the embedded resolver's code. Raise it with every change that changes clusters (a test says so)."""
RESOLVERS: Registry[Coref] = Registry(
    "coreference backend",
    {
        "embedded": Factory("gec_fair.people.links.embedded:load_embedded"),
        "fastcoref": Factory("gec_fair.people.links.others.neural:fastcoref"),
        "maverick": Factory("gec_fair.people.links.others.neural:maverick"),
        "neuralcoref": Factory("gec_fair.people.links.others.neuralcoref:neuralcoref"),
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
