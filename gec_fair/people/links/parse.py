"""A parse in one dialect: UD labels (ours) and ClearNLP labels (`en_core_web_*`) become the same small trees.

The dialect is UD's: content words are heads, prepositions and copulas their children. ClearNLP's prepositional
objects are lifted over their preposition, its predicates over *be*, its subjects of small clauses to the verb above.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from gec_fair.english.labels import FINITE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc

# ClearNLP label -> UD label. What is not listed is the same in both, or plays no part here.
CLEARNLP = {
    "ROOT": "root",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "dobj": "obj",
    "dative": "iobj",
    "poss": "nmod:poss",
    "relcl": "acl:relcl",
    "npadvmod": "obl:unmarked",
    "oprd": "xcomp",
    "pcomp": "advcl",
    "neg": "advmod",
    "prt": "compound:prt",
    "predet": "det:predet",
    "intj": "discourse",
    "preconj": "cc:preconj",
}
CLEARNLP_ONLY = (frozenset(CLEARNLP) - {"ROOT"}) | {"prep", "pobj", "attr", "acomp"}
UD_ONLY = frozenset(
    {"obj", "iobj", "obl", "cop", "flat", "fixed", "nmod:poss", "nsubj:pass", "aux:pass", "acl:relcl", "compound:prt"}
)
BE = frozenset(["be", "'s", "'m", "'re"])
_NOMINATIVE = frozenset({"i", "he", "she", "we", "they", "who"})
NOMINAL_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "PRP$"})
# own Heads clause: between a word and the first of these above it lies one clause.
CLAUSAL = frozenset(
    {"root", "ccomp", "xcomp", "advcl", "advcl:relcl", "acl", "acl:relcl", "csubj", "csubj:pass", "parataxis"}
)
OPENING, CLOSING, TURNING = frozenset({"“", "``"}), frozenset({"”", "''"}), frozenset({'"'})


@dataclass(frozen=True, slots=True)
class Parse:
    """Parallel lists over the tokens of one text. `head[i] == i` at a root; `clause[i]` is the predicate of the
    smallest clause around token i; `sent[i]` counts sentences from 0; `quoted[i]` says whether i stands in quotes."""

    words: list[str]
    lower: list[str]
    lemma: list[str]
    tag: list[str]
    dep: list[str]
    head: list[int]
    sent: list[int]
    clause: list[int]
    depth: list[int]
    quoted: list[bool]
    children: list[list[int]]

    def above(self, token: int) -> list[int]:
        """The token and its heads up to the root."""
        path = [token]
        while self.head[token] != token:
            token = self.head[token]
            path.append(token)
        return path


def read(doc: Doc) -> Parse:
    """The parse of `doc`. Linear; an unparsed doc gives one flat sentence of roots."""
    tokens = list(doc)
    words = [token.text for token in tokens]
    lower = [word.lower().replace("’", "'") for word in words]
    lemma = [token.lemma_.lower() or low for token, low in zip(tokens, lower, strict=True)]
    tag, head = [token.tag_ for token in tokens], [token.head.i for token in tokens]
    dep = [token.dep_ for token in tokens]  # spaCy writes ROOT under either scheme
    sent = list(accumulate(int(token.i > 0 and bool(token.is_sent_start)) for token in tokens))
    _to_ud(lower, lemma, tag, dep, head)
    clause, depth = _clauses(dep, head, tag)
    return Parse(words, lower, lemma, tag, dep, head, sent, clause, depth, _quotes(lower), _children(head))


def _to_ud(lower: list[str], lemma: list[str], tag: list[str], dep: list[str], head: list[int]) -> None:
    """Rename and re-hang ClearNLP trees in place; UD trees stay as they are."""
    labels = set(dep)
    dep[:] = [CLEARNLP.get(label, label) for label in dep]
    if labels.isdisjoint(CLEARNLP_ONLY) and not labels.isdisjoint(UD_ONLY):
        return
    children = _children(head)
    for token, label in enumerate(dep):
        if label in ("nsubj", "nsubj:pass") and _is_of_small_clause(token, lower, tag, dep, head, children):
            clause = head[token]
            head[token], dep[token], dep[clause] = head[clause], "obj", "xcomp"
            children[clause].remove(token)
            children[head[token]].append(token)
    lifted: set[int] = set()
    for token, label in enumerate(dep):
        if label == "nmod" and token < head[token] and tag[token] in ("NNP", "NN"):
            dep[token] = "compound"  # ClearNLP: a noun before its noun, *Dr. Smith*
        elif label in ("attr", "acomp"):
            if lemma[head[token]] in BE and dep[head[token]] != "cop":
                _lift_predicate(token, dep, head, children)
                lifted.add(token)
            elif head[token] in lifted:
                dep[token] = "conj"  # *is* has two of them: *he was handsome, well-built and a true gentleman*
            else:
                dep[token] = "xcomp"
    for token, label in enumerate(dep):
        if label == "pobj":
            _lift_object(token, tag, dep, head)


def _is_of_small_clause(
    token: int, lower: list[str], tag: list[str], dep: list[str], head: list[int], children: list[list[int]]
) -> bool:
    """*made her cry*: under ClearNLP *her* is the subject of *cry*, under UD the object of *made*."""
    verb = head[token]
    if dep[verb] != "ccomp" or not head[verb] < token < verb or lower[token] in _NOMINATIVE:
        return False
    parts = [verb, *(child for child in children[verb] if dep[child] in ("aux", "aux:pass"))]
    return not any(tag[part] in FINITE_VERBS for part in parts) and not any(
        dep[child] == "mark" for child in children[verb]
    )


def _lift_predicate(token: int, dep: list[str], head: list[int], children: list[list[int]]) -> None:
    """*is* -attr-> *doctor* becomes *doctor* -cop-> *is*, with everything else that hung on *is*."""
    verb = head[token]
    for sibling in children[verb]:
        if sibling != token and head[sibling] == verb:
            head[sibling] = token
            children[token].append(sibling)
    head[token] = token if head[verb] == verb else head[verb]
    dep[token] = dep[verb]
    head[verb], dep[verb] = token, "cop"


def _lift_object(token: int, tag: list[str], dep: list[str], head: list[int]) -> None:
    """*looked* -prep-> *at* -pobj-> *him* becomes *looked* -obl-> *him* -case-> *at*."""
    preposition = head[token]
    above = head[preposition]
    while dep[above] == "prep" and head[above] != above:  # *out of him*
        above = head[above]
    if above == preposition:
        head[token], dep[token] = token, "root"
    else:
        head[token] = above
        dep[token] = "obl:agent" if dep[preposition] == "agent" else "nmod" if tag[above] in NOMINAL_TAGS else "obl"
    head[preposition], dep[preposition] = token, "case"


def _children(head: list[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in head]
    for token, above in enumerate(head):
        if above != token:
            children[above].append(token)
    return children


def _clauses(dep: list[str], head: list[int], tag: list[str]) -> tuple[list[int], list[int]]:
    """For every token the predicate of its clause, and how many clauses lie above that one."""
    clause, depth = [], []
    for token in range(len(dep)):
        step = token
        while head[step] != step and not _is_clause(step, dep, head, tag):
            step = head[step]
        clause.append(step)
    for token in range(len(dep)):
        count, step = 0, clause[token]
        while head[step] != step:
            count, step = count + 1, clause[head[step]]
        depth.append(count)
    return clause, depth


def _is_clause(token: int, dep: list[str], head: list[int], tag: list[str]) -> bool:
    label = dep[token]
    if label == "conj":  # *he came and she left*: a conjunct of a predicate is a predicate
        return tag[token][:2] in ("VB", "MD") or tag[head[token]][:2] in ("VB", "MD")
    return label in CLAUSAL


def _quotes(lower: list[str]) -> list[bool]:
    quoted, inside = [], False
    for word in lower:
        if word in OPENING:
            inside = True
        elif word in CLOSING:
            inside = False
        elif word in TURNING:
            inside = not inside
        quoted.append(inside)
    return quoted
