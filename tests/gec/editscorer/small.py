"""Stand-ins: scores and candidates as functions of the words, a tiny ranker, a tiny GECToR, and a slow oracle."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import torch

from gec_fair.edits import Edit
from gec_fair.gec.editscorer.candidates import Candidate


def chance(*values: object) -> float:
    """A number between 0 and 1 that depends on nothing but `values`."""
    return (crc32(json.dumps(values).encode()) % 9973 + 1) / 9975


def score_by_chance(requests):
    """A `Score` that sees a sentence and an edit of it."""
    return [
        np.log([chance(words), *(chance(words, e.start, e.end, e.replacement) for e in edits)])
        for words, edits in requests
    ]


@dataclass(frozen=True)
class Fixed:
    """A generator that knows its answers: text → candidates; a text that it does not know is too long for it."""

    known: dict[tuple[str, ...], tuple[Candidate, ...]]
    version: str = "fixed"

    def __call__(self, texts):
        return [self.known.get(text) for text in texts]


def candidate(start: int, end: int, words: str, ratio: float | None = None) -> Candidate:
    return Candidate(edit(start, end, words), ratio)


def edit(start: int, end: int, words: str) -> Edit:
    return Edit(start, end, tuple(words.split()))


def likelihood(scorer, source: list[str], edited: list[str], judged: int | None) -> float:
    """log p of one pair by itself, text by text, in a batch of one without padding. `judged` is the word of the edited
    half whose first sub-word is judged (one past the last: the closing mark); None is doing nothing."""
    tokenizer = scorer.reader.tokenizer
    cut = lambda words: tokenizer(" ".join(words), add_special_tokens=False)["input_ids"]  # noqa: E731
    left = [tokenizer.cls_token_id, *cut(source), tokenizer.sep_token_id]
    place = 0 if judged is None else len(left) + len(cut(edited[:judged]))
    ids = torch.tensor([[*left, *cut(edited), tokenizer.eos_token_id]])
    with torch.inference_mode():
        state = scorer.model.eval().encoder(input_ids=ids).last_hidden_state[0, place]
        score = scorer.model.projection(torch.relu(scorer.model.mlp(state)))
    return float(torch.nn.functional.logsigmoid(score.double()))


def slow(scorer, source: tuple[str, ...], candidates, decoding) -> list[str]:
    """Stage by stage, one sentence, one pair at a time, with word lists: the oracle."""
    words = list(source)
    left = [(c.edit.start, c.edit.end, list(c.edit.replacement), c.ratio) for c in candidates]
    for _ in range(decoding.rounds):
        left = [c for c in left if words[c[0] : c[1]] != c[2]]
        if not left:
            break
        nothing = likelihood(scorer, words, words, None)
        scored = []
        for start, end, new, ratio in left:
            logp = likelihood(scorer, words, words[:start] + new + words[end:], start)
            scored.append((logp + decoding.alpha * (ratio or 0.0), (start, end, new, ratio)))
        best, (start, end, new, ratio) = max(scored, key=lambda row: row[0])
        needed = math.log(decoding.threshold) + (decoding.alpha if ratio is not None else 0.0)
        if best <= nothing or best < needed:
            break
        words[start:end] = new
        remaining = []
        for s, e, n, r in left:
            if (s == e == start == end) or (s < end and start < e):
                continue
            by = len(new) - (end - start) if s >= end else 0
            remaining.append((s + by, e + by, n, r))
        left = remaining
    return words


class Cells:
    """A text in cells, as the authors keep it: one for each word of the source with what has become of it, and one for
    each insertion, which has no place. The oracle of `Path` for edits of at most one word."""

    def __init__(self, source: tuple[str, ...]) -> None:
        self.source = source
        self.cells: list[tuple[int | None, list[str]]] = [(place, [word]) for place, word in enumerate(source)]

    def then(self, step) -> None:
        for edit in reversed(step):
            words = [(cell, at) for cell in self.cells for at in range(len(cell[1]))]
            cell, at = words[edit.start] if edit.start < len(words) else ((len(self.source), []), 0)
            if edit.start == edit.end and at == 0 and cell[0] is not None:
                self.cells.insert(self.cells.index(cell) if cell[1] else len(self.cells), (None, [*edit.replacement]))
            else:
                cell[1][at : at + edit.end - edit.start] = edit.replacement

    def singles(self) -> list[Edit]:
        edits, waiting = [], []
        for place, words in [*self.cells, (len(self.source), [])]:
            if place is None:
                waiting += words
                continue
            edits += [Edit(place, place, tuple(waiting))] if waiting else []
            edits += [Edit(place, place + 1, tuple(words))] if words != [*self.source[place : place + 1]] else []
            waiting = []
        return edits
