"""What the augmenter reads off a parse, against gold trees: which *her* and *his*, which verbs agree with he/she."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from _english_trees import record_of
from convert import Sentence

from gec_fair.english.agreement import agreeing
from gec_fair.english.lexicons.paradigms import Form
from gec_fair.people.forms import form_of

SUBJECTS = ("nsubj", "nsubj:pass", "nsubjpass")
HELPERS = ("aux", "aux:pass", "auxpass", "cop")


def possessive(label: str) -> bool:
    return label in ("nmod:poss", "poss")


def her_errors(golds: Sequence[Sentence], docs: Iterable) -> dict[str, int]:
    """How often `her` (possessive or object) and `his` (before a noun or alone) are read wrongly, and by label or tag
    alone."""
    counts: Counter[str] = Counter()
    for gold, doc in zip(golds, docs, strict=True):
        for i, word in enumerate(gold.words):
            lower = word.lower()
            if lower not in ("her", "his"):
                continue
            truth = gold.tags[i] == "PRP$" if lower == "her" else possessive(gold.deps[i])
            counts[lower] += 1
            counts[f"{lower} possessive"] += truth
            counts[f"{lower} wrong"] += truth != (form_of(doc[i]) is Form.DETERMINER)
            counts[f"{lower} wrong by label"] += truth != possessive(doc[i].dep_)
            counts[f"{lower} wrong by tag"] += truth != (doc[i].tag_ == "PRP$")
    return dict(counts)


def reinflected(sentence: Sentence) -> set[int]:
    """Tokens that must change when he/she becomes they: present -s forms and *was*, which agree with a he/she subject.

    The agreeing token of a clause is its first auxiliary or copula, else its head; a conjunct without a subject of its
    own shares the first one's; a relative clause on he/she (*she who knows*) agrees through its relative pronoun.
    """
    children: dict[int, list[int]] = {}
    for i, head in enumerate(sentence.heads):
        if head != i:
            children.setdefault(head, []).append(i)
    verbs: set[int] = set()
    for i, word in enumerate(sentence.words):
        if word.lower() not in ("he", "she"):
            continue
        if sentence.deps[i] in SUBJECTS:
            verbs |= set(_agreeing(sentence, children, sentence.heads[i]))
        for clause in children.get(i, ()):
            if sentence.deps[clause] in ("acl:relcl", "relcl") and _relative_subject(sentence, children, clause):
                verbs |= set(_agreeing(sentence, children, clause))
    return {i for i in verbs if _shows_agreement(sentence.words[i], sentence.tags[i])}


def _shows_agreement(word: str, tag: str) -> bool:
    """A learner's *every step he take*, tagged VBZ, has nothing to change."""
    return (tag == "VBZ" and word.lower().endswith("s")) or word.lower() == "was"


def _relative_subject(sentence: Sentence, children: dict[int, list[int]], clause: int) -> bool:
    return any(
        sentence.deps[c] in SUBJECTS and sentence.words[c].lower() in ("who", "that", "which")
        for c in children.get(clause, ())
    )


def _agreeing(sentence: Sentence, children: dict[int, list[int]], predicate: int) -> Iterator[int]:
    """A clause that is itself a predicate (*our position is that he has to go*) depends on its inner verb in UD, and so
    does the outer copula: where there is an outer subject, only what follows the inner one can agree with it."""
    below = children.get(predicate, [])
    outer = any(sentence.deps[c] == "nsubj:outer" for c in below)
    inner = max((c for c in below if sentence.deps[c] in SUBJECTS), default=-1) if outer else -1
    yield next((c for c in below if c > inner and sentence.deps[c] in HELPERS), predicate)
    for c in below:
        has_own_subject = any(sentence.deps[g].startswith(("nsubj", "csubj", "expl")) for g in children.get(c, ()))
        if sentence.deps[c] == "conj" and not has_own_subject:
            yield from _agreeing(sentence, children, c)


def agreement(golds: Sequence[Sentence], docs: Iterable) -> Counter[str]:
    """What the augmenter's own code (`agreement.agreeing`) finds in predicted parses, against the gold trees; and, as
    `found by labels`, what `reinflected` finds in predicted parses."""
    counts: Counter[str] = Counter()
    for gold, doc in zip(golds, docs, strict=True):
        truth, by_labels = reinflected(gold), reinflected(record_of(doc))
        subjects = [t for t in doc if form_of(t) is Form.NOMINATIVE]
        verbs = {v.i for t in subjects for v in agreeing(t) if _shows_agreement(v.text, v.tag_)}
        counts.update(gold=len(truth), found=len(verbs), right=len(truth & verbs))
        counts.update({"found by labels": len(by_labels), "right by labels": len(truth & by_labels)})
    return counts
