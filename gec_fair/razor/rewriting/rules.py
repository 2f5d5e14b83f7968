"""The embedded rewriter, offline: a baseline that changes the surface and refuses where it is not sure.

    denials      is not able → is unable                     clauses   active and passive, *there is*, a time first
    links        who is, that, short forms, in a coat        substitutes   a film → a movie

Each changes one thing; a denial goes together with each of the others. Texts of one sentence alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

from gec_fair.english import pipeline
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting import clauses, links
from gec_fair.razor.rewriting.candidates import Candidate
from gec_fair.razor.rewriting.denials import denied, lack, never, within, yet
from gec_fair.razor.rewriting.items import Items, folder, join_items
from gec_fair.razor.rewriting.substitutes import substituted
from gec_fair.version import __version__

if TYPE_CHECKING:
    from spacy.tokens import Doc

TABLES = ("antonyms.tsv", "bound.tsv", "complements.tsv", "substitutes.tsv", "words.tsv")
RULES: Sequence[Callable[[Doc], Iterable[Items]]] = (
    clauses.fronted,
    clauses.passive,
    clauses.active,
    clauses.year,
    clauses.released,
    clauses.existential,
    clauses.plain,
    clauses.starring,
    clauses.dated,
    clauses.named,
    links.relative,
    links.pronoun,
    links.that,
    links.clothes,
    links.long,
    links.short,
    links.can,
    links.must,
    links.coordinated,
    substituted,
)
DENIALS: Sequence[Callable[[Doc], Iterable[Items]]] = (denied, never, lack, yet)
_MANY = 24
"""Candidates at most."""


class Rules:
    """Proposes the same for a text however often it is asked."""

    draws = False

    @property
    def version(self) -> str:
        """The versions of the package and the parser, and a digest of the tables."""
        tables = b"".join((folder() / name).read_bytes() for name in TABLES)
        return f"rules:{__version__}:{pipeline.version_of()}:tables:{sha256(tables).hexdigest()[:8]}"

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        """What the rules make of each document's text; tries change nothing."""
        docs = pipeline.parse_texts(pipeline.shared(), (document.text for document in documents))
        return [[Candidate(text) for text in self.rewritings(doc)] for doc in docs]

    def rewritings(self, doc: Doc) -> list[str]:
        """All that the rules make of a text, once for each text."""
        if len(list(doc.sents)) != 1:
            return []
        texts: dict[str, None] = {}
        for items in _rewritten(doc):
            if text := join_items(items, doc):
                texts[text] = None
            if len(texts) == _MANY:
                break
        return list(texts)


def _rewritten(doc: Doc) -> Iterator[Items]:
    denials = list(chain.from_iterable(rule(doc) for rule in DENIALS))
    others = list(chain.from_iterable(rule(doc) for rule in RULES))
    both = (within(first, second, doc) for first in denials for second in others)
    return chain(denials, others, filter(None, both))
