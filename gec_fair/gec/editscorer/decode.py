"""From scored candidates to a correction (Sorokin 2022, §3): stage by stage, or all at once. No model in here.

    stagewise, each round:   score ─▶ the best edit ─▶ apply ─▶ drop what overlaps it, move the others ─▶ score …

A round is asked for all sentences together; only those that it changed, and that have candidates left, see the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gec_fair.edits import Edit, Edits, edit_words, edits
from gec_fair.gec.editscorer.candidates import Candidate, Words, move, tidy
from gec_fair.gec.editscorer.options import Decoding

ScoreRequest: TypeAlias = tuple[Words, Sequence[Edit]]
Score: TypeAlias = Callable[[Sequence[ScoreRequest]], Sequence[NDArray[np.float64] | None]]
"""Answers, for each sentence, log p of doing nothing and then of each of its edits; None for one that is too long."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """What is done to one sentence."""

    applied: tuple[Edit, ...]
    """In the order of their application, with offsets in the source; no two overlap."""
    length: int
    too_long: bool = False
    """The sentence was not read, and is left as it is."""

    @property
    def edits(self) -> Edits:
        """The applied edits, over the words of the source."""
        return edits(self.applied, self.length)


@dataclass(slots=True)
class _Sentence:
    """A sentence on its way: its words now, and its open candidates here and in the source."""

    words: Words
    length: int
    open: list[tuple[Candidate, Edit]]
    applied: tuple[Edit, ...] = ()
    too_long: bool = False

    def step(self, chances: NDArray[np.float64] | None, decoding: Decoding) -> bool:
        """Apply the best open edit; whether there is anything left to ask."""
        if chances is None:
            self.too_long = not self.applied
            return False
        best = next(iter(rank([now for now, _ in self.open], chances, decoding, cap=math.inf)), None)
        if best is None:
            return False
        (now, source) = self.open[best]
        self.words = edit_words(Edits((now.edit,), len(self.words)), self.words)
        self.applied += (source,)
        remaining = ((move(candidate.edit, now.edit), candidate.ratio, at) for candidate, at in self.open)
        self.open = [(Candidate(edit, ratio), at) for edit, ratio, at in remaining if edit is not None]
        return bool(self.open)


def decode(
    texts: Sequence[Words], candidates: Sequence[Sequence[Candidate]], score: Score, decoding: Decoding
) -> list[Decoded]:
    """What is done to each text. The order of a text's candidates does not matter."""
    candidate_lists = [tidy(words, proposed) for words, proposed in zip(texts, candidates, strict=True)]
    return (_stagewise if decoding.mode == "stagewise" else _simultaneous)(texts, candidate_lists, score, decoding)


def rank(candidates: Sequence[Candidate], chances: NDArray[np.float64], decoding: Decoding, *, cap: float) -> list[int]:
    """The candidates that may be applied, best first; ties go by the edit. `chances` are log p of doing nothing and
    then of each candidate; who is not better than doing nothing, or below the threshold, is not in the list."""
    least, nothing = math.log(decoding.threshold), float(chances[0])
    scores = {}
    for number, (candidate, chance) in enumerate(zip(candidates, chances[1:].tolist(), strict=True)):
        known = candidate.ratio is not None
        score = chance + decoding.alpha * min(candidate.ratio or 0.0, cap)
        if score > nothing and score >= least + (decoding.alpha if known else 0.0):
            scores[number] = score
    return sorted(scores, key=lambda number: (-scores[number], candidates[number].edit))


def _stagewise(
    texts: Sequence[Words], candidates: Sequence[Sequence[Candidate]], score: Score, decoding: Decoding
) -> list[Decoded]:
    sentences = [
        _Sentence(words, len(words), [(candidate, candidate.edit) for candidate in proposed])
        for words, proposed in zip(texts, candidates, strict=True)
    ]
    active = [sentence for sentence in sentences if sentence.open]
    for _ in range(decoding.rounds):
        if not active:
            break
        requests = [(sentence.words, [now.edit for now, _ in sentence.open]) for sentence in active]
        answers = zip(active, score(requests), strict=True)
        active = [sentence for sentence, chances in answers if sentence.step(chances, decoding)]
    return [Decoded(sentence.applied, sentence.length, sentence.too_long) for sentence in sentences]


def _simultaneous(
    texts: Sequence[Words], candidates: Sequence[Sequence[Candidate]], score: Score, decoding: Decoding
) -> list[Decoded]:
    active = [number for number, proposed in enumerate(candidates) if proposed]
    answers = score([(texts[number], [candidate.edit for candidate in candidates[number]]) for number in active])
    decoded = [Decoded((), len(words)) for words in texts]
    for number, chances in zip(active, answers, strict=True):
        length, proposed = len(texts[number]), candidates[number]
        if chances is None:
            decoded[number] = Decoded((), length, too_long=True)
            continue
        applied: tuple[Edit, ...] = ()
        for place in rank(proposed, chances, decoding, cap=decoding.ratio_cap):
            edit = proposed[place].edit
            # edits that touch were never judged together
            if len(applied) < decoding.edits and all(edit.end < old.start or old.end < edit.start for old in applied):
                applied += (edit,)
        decoded[number] = Decoded(applied, length)
    return decoded
