"""How much of a text can be perturbed (Qian et al. 2022, equation 2): (m0 · NER(s) + m1 · |s ∩ D|) / |s|."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gec_fair.people.links.lexical import NO_PERSON, TITLES
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.people.terms.names import proper_runs

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def perturbability(doc: Doc, mentions: Sequence[PerturbableWord], *, m0: float = 1.0, m1: float = 1.0) -> float:
    """The score of a parsed text with its perturbable words; 0 for an empty one. NER(s) is the number of person
    entities, |s ∩ D| of different perturbable words, |s| of tokens that are no white space. The paper gives no m0 and
    m1; ours are 1."""
    words = sum(not token.is_space for token in doc)
    if not words:
        return 0.0
    distinct = len({mention.text(doc).lower() for mention in mentions})
    return (m0 * persons(doc, mentions) + m1 * distinct) / words


def persons(doc: Doc, mentions: Sequence[PerturbableWord]) -> int:
    """Person entities: the pipeline's, where it looks for entities, else runs of proper nouns that hold a first name or
    stand behind a title (*President Obama*)."""
    if doc.has_annotation("ENT_IOB"):
        return sum(ent.label_ in ("PERSON", "PER") for ent in doc.ents)
    names = {mention.start for mention in mentions if mention.kind == "name"}
    return sum(any(token.i in names for token in run) or _has_a_title(run) for run in proper_runs(doc))


def _has_a_title(run: Sequence[Token]) -> bool:
    before = [run[0].nbor(-1)] if run[0].i else []
    titled = any(token.lower_ in TITLES for token in (*before, *run[:-1]))
    return titled and run[-1].lower_ not in NO_PERSON
