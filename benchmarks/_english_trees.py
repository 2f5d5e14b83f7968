"""Predicted parses against gold trees: tags, lemmas, heads and labels, on gold tokens and on raw text."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "training" / "english"))

from convert import Document, Sentence, to_doc

from gec_fair.english import pipeline


def flat(document: Document) -> Sentence:
    """A document as one record; heads are indices into the document, a sentence's root is its own head."""
    return record_of(to_doc(VOCAB(), document))


def VOCAB():  # noqa: N802
    from spacy.vocab import Vocab

    return Vocab(strings=[])


def record_of(doc) -> Sentence:
    return Sentence(
        words=tuple(t.text for t in doc),
        spaces=tuple(bool(t.whitespace_) for t in doc),
        lemmas=tuple(t.lemma_ for t in doc),
        pos=tuple(t.pos_ for t in doc),
        tags=tuple(t.tag_ for t in doc),
        morphs=tuple(str(t.morph) for t in doc),
        heads=tuple(t.head.i for t in doc),
        deps=tuple(t.dep_ for t in doc),
    )


def parse_words(nlp, golds: Sequence[Sentence]) -> list[Sentence]:
    return [record_of(doc) for doc in parse_docs(nlp, golds)]


def parse_docs(nlp, golds: Sequence[Sentence]) -> Iterator:
    return pipeline.parse(nlp, (g.words for g in golds), (g.spaces for g in golds), batch_size=32)


def accuracy(golds: Sequence[Sentence], predictions: Sequence[Sentence]) -> dict[str, float]:
    """Percent of tokens; columns that the treebank leaves unknown are not counted."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for gold, guess in zip(golds, predictions, strict=True):
        for i in range(len(gold)):
            _count(gold, guess, i, right, total)
    return {name: round(100 * right[name] / total[name], 2) for name in total}


def _count(gold: Sentence, guess: Sentence, i: int, right: Counter[str], total: Counter[str]) -> None:
    head = gold.heads[i] == guess.heads[i]
    checks = {
        "tag": gold.tags[i] == guess.tags[i],
        "uas": head,
        "las": head and _label(gold.deps[i]) == _label(guess.deps[i]),
        "las universal": head and _label(gold.deps[i]).split(":")[0] == _label(guess.deps[i]).split(":")[0],
    }
    if gold.deps[i] != "punct":
        checks |= {"uas no punct": head, "las no punct": checks["las"]}
    if gold.lemmas[i]:
        checks["upos"] = gold.pos[i] == guess.pos[i]
        checks["lemma"] = gold.lemmas[i] == guess.lemmas[i]
        checks["lemma no case"] = gold.lemmas[i].lower() == guess.lemmas[i].lower()
    for name, good in checks.items():
        total[name] += 1
        right[name] += good


def _label(dep: str) -> str:
    return "root" if dep == "ROOT" else dep


def raw_scores(nlp, documents: Sequence[Document]) -> dict[str, float]:
    """F1 on raw text: a token is found if it covers the same characters; its tag, lemma, head must be right too."""
    golds = [to_doc(nlp.vocab, document) for document in documents]
    right: Counter[str] = Counter()
    sizes = [0, 0, 0, 0]
    for gold, guess in zip(golds, nlp.pipe([gold.text for gold in golds], batch_size=32), strict=True):
        one, two = _by_characters(gold), _by_characters(guess)
        sizes[0] += len(one)
        sizes[1] += len(two)
        for span in one.keys() & two.keys():
            a, b = one[span], two[span]
            head = a["head"] == b["head"]
            right["tokens"] += 1
            right["uas"] += head
            right["las"] += head and a["dep"] == b["dep"]
            for name in ("tag", "upos", "lemma"):
                right[name] += a[name] == b[name]
        first, second = _sentence_spans(gold), _sentence_spans(guess)
        sizes[2] += len(first)
        sizes[3] += len(second)
        right["sentences"] += len(first & second)
    scores = {name: round(200 * n / (sizes[0] + sizes[1]), 2) for name, n in right.items() if name != "sentences"}
    return scores | {"sentences": round(200 * right["sentences"] / (sizes[2] + sizes[3]), 2)}


def _spans(doc) -> list[tuple[int, int]]:
    """Character spans in the text without its spaces; white-space tokens are empty."""
    spans, at = [], 0
    for token in doc:
        size = len("".join(token.text.split()))
        spans.append((at, at + size))
        at += size
    return spans


def _by_characters(doc) -> dict[tuple[int, int], dict]:
    spans = _spans(doc)
    return {
        spans[t.i]: {
            "tag": t.tag_,
            "upos": t.pos_,
            "lemma": t.lemma_,
            "dep": _label(t.dep_),
            "head": spans[t.head.i] if t.head.i != t.i else None,
        }
        for t in doc
        if not t.is_space
    }


def _sentence_spans(doc) -> set[tuple[int, int]]:
    spans = _spans(doc)
    return {(spans[s.start][0], spans[s.end - 1][1]) for s in doc.sents}
