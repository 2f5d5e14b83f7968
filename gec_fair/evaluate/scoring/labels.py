"""UD parses in the words that ERRANT's rules know: it was written for ClearNLP labels and Penn tags.

Spans hardly depend on labels, types do: *case* and *aux:pass* mean nothing to rules that ask for *prep* and *auxpass*.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from gec_fair.english.labels import ADJECTIVES

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# UD label → the label that ERRANT's rules ask for
LABELS = {
    "aux:pass": "auxpass",
    "nsubj:pass": "nsubjpass",
    "obj": "dobj",
    "nmod:poss": "poss",
    "compound:prt": "prt",
    "case": "prep",
}
_NO_PREPOSITION = frozenset({"POS"})  # the *'s* of *Anna 's* hangs by `case` too
FALLBACK = "XX"


def relabel(doc: Doc, tags: Collection[str]) -> Doc:
    """The same parse with ERRANT's labels, in place. A tag that is not among `tags` becomes its first part, or XX."""
    for token in doc:
        if token.tag_ not in tags:
            first = token.tag_.partition("_")[0]
            token.tag_ = first if first in tags else FALLBACK
        if _is_predicate(token):
            token.dep_ = "acomp"
        elif token.dep_ in LABELS and token.tag_ not in _NO_PREPOSITION:
            token.dep_ = LABELS[token.dep_]
    return doc


def _is_predicate(token: Token) -> bool:
    """*she is happy*: UD makes the adjective the head of its copula."""
    return token.tag_ in ADJECTIVES and any(child.dep_ == "cop" for child in token.children)
