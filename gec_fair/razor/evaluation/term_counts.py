"""How often shortcuts stand in claims before and after a rewriting (Yang et al. 2024, §4.1, figure 3): words that are
known to be some, and those that the score finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from gec_fair.english.lexicons.word_lists import ordered_words
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.words import words
from gec_fair.razor.scoring.ranking import score

NEGATIONS = ordered_words("counted_negations")
TOP = 5
"""Words of a label that are told."""


@dataclass(frozen=True, slots=True)
class Terms:
    """`occurrences` of each term in all claims, `share` of each label's documents that hold one, in percent."""

    occurrences: Mapping[str, float]
    share: Mapping[str, float]

    @property
    def whole(self) -> float:
        return sum(self.occurrences.values())


def counted(draws: Sequence[Sequence[Document]], terms: Sequence[str]) -> Terms:
    """Means over draws of a data set; terms are lower-case words."""
    found = [_counted(documents, frozenset(terms)) for documents in draws]
    labels = sorted({label for each in found for label in each.share})
    shares = {label: [each.share[label] for each in found if label in each.share] for label in labels}
    return Terms(
        {term: fmean(each.occurrences[term] for each in found) for term in terms},
        {label: fmean(some) for label, some in shares.items()},
    )


def change(before: Terms, after: Terms) -> float | None:
    """Of all occurrences together, in percent; None where there was none before."""
    return 100 * (after.whole / before.whole - 1) if before.whole else None


@dataclass(frozen=True, slots=True)
class Standing:
    """A word that gives a label away: how many of the label's documents hold it `before` and `after`."""

    label: str
    word: str
    before: int
    after: int


def standing(documents: Sequence[Document], texts: Sequence[str], top: int = TOP) -> list[Standing]:
    """Of each label the words that add most to its documents' scores (`contrast`) before they read as `texts`."""
    found = score(documents).words
    chosen = {
        label: [each.word for each in found if each.label == label][:top]
        for label in sorted({document.label for document in documents})
    }
    before, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for document, text in zip(documents, texts, strict=True):
        wanted = frozenset(chosen[document.label])
        before.update((document.label, word) for word in wanted.intersection(words(document.text)))
        after.update((document.label, word) for word in wanted.intersection(words(text)))
    return [
        Standing(label, word, before[label, word], after[label, word])
        for label, some in chosen.items()
        for word in some
    ]


def _counted(documents: Sequence[Document], terms: frozenset[str]) -> Terms:
    occurrences = Counter(dict.fromkeys(terms, 0))
    holds: Counter[str] = Counter()
    for each in documents:
        some = [word for word in words(each.text) if word in terms]
        occurrences.update(some)
        holds[each.label] += bool(some)
    number = Counter(each.label for each in documents)
    return Terms(occurrences, {label: 100 * holds[label] / number[label] for label in number})
