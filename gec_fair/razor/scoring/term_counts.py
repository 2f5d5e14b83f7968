"""How often shortcuts stand in claims before and after a rewriting (Yang et al. 2024, §4.1, figure 3): words that are
known to be some, and those that the score finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.words import words
from gec_fair.razor.scoring.ranking import score

TOP = 5
"""How many words of a label are reported."""


@dataclass(frozen=True, slots=True)
class Terms:
    """`occurrences` of each term in all claims, `share` of each label's documents that hold one, in percent."""

    occurrences: Mapping[str, float]
    share: Mapping[str, float]

    @property
    def total(self) -> float:
        """The occurrences of all terms together."""
        return sum(self.occurrences.values())


def count_terms(draws: Sequence[Sequence[Document]], terms: Sequence[str]) -> Terms:
    """Means over draws of a data set; terms are lower-case words."""
    counts = [_count(documents, frozenset(terms)) for documents in draws]
    labels = sorted({label for count in counts for label in count.share})
    shares = {label: [count.share[label] for count in counts if label in count.share] for label in labels}
    return Terms(
        {term: fmean(count.occurrences[term] for count in counts) for term in terms},
        {label: fmean(label_shares) for label, label_shares in shares.items()},
    )


def change(before: Terms, after: Terms) -> float | None:
    """The change of all occurrences together, in percent; None if there were none before."""
    return 100 * (after.total / before.total - 1) if before.total else None


@dataclass(frozen=True, slots=True)
class TermRanks:
    """A word that gives a label away: how many of the label's documents hold it `before` and `after`."""

    label: str
    word: str
    before: int
    after: int


def rank_terms(documents: Sequence[Document], texts: Sequence[str], top: int = TOP) -> list[TermRanks]:
    """Rank for each label the words that add most to its documents' scores (`contrast`) before they read as `texts`."""
    ranked = score(documents).words
    chosen = {
        label: [word.word for word in ranked if word.label == label][:top]
        for label in sorted({document.label for document in documents})
    }
    before, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for document, text in zip(documents, texts, strict=True):
        wanted = frozenset(chosen[document.label])
        before.update((document.label, word) for word in wanted.intersection(words(document.text)))
        after.update((document.label, word) for word in wanted.intersection(words(text)))
    return [
        TermRanks(label, word, before[label, word], after[label, word])
        for label, terms in chosen.items()
        for word in terms
    ]


def _count(documents: Sequence[Document], terms: frozenset[str]) -> Terms:
    occurrences = Counter(dict.fromkeys(terms, 0))
    holds: Counter[str] = Counter()
    for document in documents:
        matches = [word for word in words(document.text) if word in terms]
        occurrences.update(matches)
        holds[document.label] += bool(matches)
    number = Counter(document.label for document in documents)
    return Terms(occurrences, {label: 100 * holds[label] / number[label] for label in number})
