"""Rank the documents of a data set, and their words, by how much they give their label away (Yang et al. 2024, §3.2).

mode       space by default   a document's score
contrast   tfidf              how much more it is like its own label's others than like the other labels' (ours)
paper      positions          equation 12
published  its own            as the authors' code has it
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.errors import InputError
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.words import Vocabulary, words
from gec_fair.razor.options import ENCODER, ScoreOptions
from gec_fair.razor.scoring.published import Published
from gec_fair.razor.scoring.shortcuts import Form, Shortcuts
from gec_fair.razor.scoring.spaces import Encoded, Positions, Space, TfIdf

FORMS: Mapping[str, Form] = {"contrast": "contrast", "paper": "gamma"}
"""The form of each scoring that texts can be exchanged in."""
WordShares: TypeAlias = tuple[tuple[str, float], ...]
_LABELS = 100
"""As many labels as a data set may have whatever its size. Chosen by hand: topics have fewer, ids more."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document with its score; `words` in order, each with what it adds: they add up to the score. Of the 1 that
    equation 12 begins with, each word has an equal part. () in a space without words, and of a text without any."""

    document: Document
    score: float
    words: WordShares = ()


@dataclass(frozen=True, slots=True)
class Word:
    """What a word adds to the scores of a label's documents: `total` of all, `mean` of those that hold it."""

    label: str
    word: str
    documents: int
    total: float

    @property
    def mean(self) -> float:
        """What the word adds to each document that holds it, on average."""
        return self.total / self.documents


@dataclass(frozen=True, slots=True)
class Ranking:
    """`ranked` highest first (of equal ones the first in the input), `words` by what they add. `measures`: of all, see
    `Sums`; `published` has none."""

    ranked: list[Ranked]
    words: list[Word]
    measures: Mapping[str, float | None]
    counts: Mapping[str, int]
    signature: str


def shortcuts(texts: Sequence[str], labels: Sequence[str], options: ScoreOptions) -> Shortcuts:
    """The scores of a mode that texts can be exchanged in."""
    return Shortcuts(texts, labels, space(texts, options), FORMS[options.scoring])


def weights_of(options: ScoreOptions) -> dict[str, str]:
    """What decides an encoder's space besides its name: its `encoder`'s digest; {} elsewhere."""
    if not options.where.startswith(ENCODER):
        return {}
    from gec_fair.razor.scoring.encoder import sentences

    return {"encoder": sentences(options.where.removeprefix(ENCODER)).version}


def space(texts: Sequence[str], options: ScoreOptions) -> Space:
    """The space that the options name, with the document frequencies of these texts."""
    if options.where.startswith(ENCODER):
        from gec_fair.razor.scoring.encoder import sentences

        return Encoded(options.where, sentences(options.where.removeprefix(ENCODER)))
    vocabulary = Vocabulary(texts)
    return (
        TfIdf(vocabulary) if options.where == "tfidf" else Positions(vocabulary, options.dimensions, options.encoding)
    )


def labels_of(documents: Sequence[Document]) -> Counter[str]:
    """How many documents have each. InputError where there is one label, or hardly any two documents have the same."""
    counts = Counter(document.label for document in documents)
    if len(counts) < 2:
        raise InputError(
            f"all {len(documents):,} documents are {next(iter(counts), 'none')}; a shortcut tells labels "
            "apart, so give documents of two labels or more"
        )
    if len(counts) > max(_LABELS, len(documents) // 10):
        raise InputError(
            f"{len(counts):,} labels for {len(documents):,} documents look like numbers or names; name "
            "the field of the label with --label"
        )
    return counts


def score(documents: Sequence[Document], options: ScoreOptions | None = None) -> Ranking:
    """Every document with its score. Linear in words, times labels. InputError where all documents have one label,
    for there is nothing that they could be told from, or where hardly any two have the same."""
    options = options or ScoreOptions()
    counts = labels_of(documents)
    texts, labels = [document.text for document in documents], [document.label for document in documents]
    measures: dict[str, float | None] = {}
    shares: NDArray[np.float64] | None
    if options.scoring == "published":
        published = Published(texts, labels, Vocabulary(texts))
        scores, shares = published.scores(), published.shares()
        name = "published"
    else:
        table = shortcuts(texts, labels, options)
        scores, shares = table.scores(), table.shares(np.arange(len(texts)), texts)
        sums = table.sums
        measures = {"objective": sums.objective, "likeness": sums.likeness, "cosine": sums.cosine, "mmd": sums.mmd}
        name = f"{options.scoring}|space:{table.space.name}"
    by_text: list[WordShares] = [()] * len(texts)
    if shares is not None:
        words_by_text = list(map(words, texts))
        sizes = np.array(list(map(len, words_by_text)))
        if options.scoring != "contrast":
            shares = shares + 1 / np.repeat(sizes, sizes)
        numbers = iter(shares.tolist())
        by_text = [tuple((word, next(numbers)) for word in text_words) for text_words in words_by_text]
    order = np.argsort(-scores, kind="stable")
    ranked = [Ranked(documents[i], float(scores[i]), by_text[i]) for i in order]
    signature = f"razor|mode:{name}|documents:{len(documents)}|labels:{len(counts)}"
    return Ranking(ranked, _table(by_text, labels), measures, dict(sorted(counts.items())), signature)


def _table(by_text: Sequence[WordShares], labels: Sequence[str]) -> list[Word]:
    totals: dict[tuple[str, str], float] = {}
    holders: Counter[tuple[str, str]] = Counter()
    for label, word_shares in zip(labels, by_text, strict=True):
        holders.update({(label, word) for word, _ in word_shares})
        for word, share in word_shares:
            totals[label, word] = totals.get((label, word), 0.0) + share
    rows = [Word(label, word, holders[label, word], total) for (label, word), total in totals.items()]
    return sorted(rows, key=lambda row: (-row.total, row.label, row.word))
