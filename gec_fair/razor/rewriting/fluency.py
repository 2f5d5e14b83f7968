"""A masked language model reads the words that a rewriter exchanged, and drops those that are much less likely.

    gain = log p(new words | the rest) − log p(old words | the rest)      kept where gain ≥ THRESHOLD

The words of one side are hidden together and read from left to right. A rewriting that moves, inserts or leaves out
words is no such exchange, and is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from rapidfuzz.distance import Postfix, Prefix

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.batching import Cut
from gec_fair.lmbias.scoring.load import load
from gec_fair.lmbias.scoring.masked import Cloze, Masked
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.candidates import Candidate, Rewriter

THRESHOLD = -8.0
"""Nats, chosen on rewritings that were read (docs/how-to/razor.md)."""
MOST = 3
"""Words of a side that count as exchanged."""
_AROUND = 200
"""Characters of the text on either side that the model reads."""
_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text, and where the exchanged words stand in it, in characters."""

    text: str
    start: int
    end: int

    @classmethod
    def around(cls, text: str, start: int, end: int) -> Passage:
        """The words with what is read of the text around them."""
        first = max(0, start - _AROUND)
        return cls(text[first : end + _AROUND], start - first, end - first)


def exchange(old: str, new: str) -> tuple[Passage, Passage] | None:
    """What differs of two texts, capitals aside, on both sides one to three words; None where it is more, or nothing on
    a side."""
    sides = [list(_WORD.finditer(text)) for text in (old, new)]
    a, b = ([match.group().lower() for match in side] for side in sides)
    start = Prefix.similarity(a, b)
    end = Postfix.similarity(a[start:], b[start:])
    parts = [side[start : len(side) - end] for side in sides]
    if not all(1 <= len(part) <= MOST for part in parts):
        return None
    before, after = (
        Passage.around(text, part[0].start(), part[-1].end()) for text, part in zip((old, new), parts, strict=True)
    )
    return before, after


class Fluency:
    """Gains of exchanges by a masked model; `version` names its weights. InputError for a model that is not masked."""

    def __init__(self, name: str) -> None:
        model = load(name)
        if not isinstance(model, Masked):
            raise InputError(f"{name}: is not a masked language model, which --fluency needs; give one that is")
        self.model = model
        self.version = model.digest()

    def gains(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """The gain of each (old, new) text in nats; None if more than a few words differ."""
        exchanges = [exchange(old, new) for old, new in pairs]
        passages = list(chain.from_iterable(filter(None, exchanges)))
        values = iter(self._log_probs(passages))
        return [None if pair is None else -next(values) + next(values) for pair in exchanges]

    def _log_probs(self, passages: Sequence[Passage]) -> list[float]:
        cuts = self.model.cut([passage.text for passage in passages])
        questions = [self._questions(cut, passage) for cut, passage in zip(cuts, passages, strict=True)]
        values = iter(self.model.log_probs(list(chain.from_iterable(questions))).tolist())
        return [sum(next(values) for _ in rows) for rows in questions]

    def _questions(self, cut: Cut, passage: Passage) -> list[Cloze]:
        places = [place for place in cut.places if passage.start < cut.ends[place] <= passage.end]
        return [self.model.hide(cut, places[n:], place) for n, place in enumerate(places)]


class FluentRewriter:
    """Another rewriter's candidates, with their reason those whose words are less likely by more than `threshold`."""

    def __init__(self, rewriter: Rewriter, fluency: Fluency, threshold: float = THRESHOLD) -> None:
        self.rewriter, self.fluency, self.threshold = rewriter, fluency, threshold

    @property
    def version(self) -> str:
        """The rewriter's, the encoder's and the threshold."""
        return f"{self.rewriter.version}:fluency:{self.fluency.version}:{self.threshold:g}"

    @property
    def draws(self) -> bool:
        """As the rewriter."""
        return self.rewriter.draws

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        """The rewriter's candidates, each judged beside its document."""
        proposals = self.rewriter.propose(documents, tries)
        gains = iter(
            self.fluency.gains(
                [
                    (document.text, candidate.text)
                    for document, candidates in zip(documents, proposals, strict=True)
                    for candidate in candidates
                ]
            )
        )
        return [
            [self._judge(candidate, gain) for candidate, gain in zip(candidates, gains, strict=False)]
            for candidates in proposals
        ]

    def _judge(self, candidate: Candidate, gain: float | None) -> Candidate:
        if candidate.reason or gain is None or gain >= self.threshold:
            return candidate
        return replace(candidate, reason="fluency", detail=f"{gain:.1f} nats")
