"""Correct texts by tagging them again and again, each distinct text once.

All texts go through a round together, longest first, in batches of like length; only those that a round changed go
into the next. A text that comes back to what it was before is done, and so is one that has outgrown the encoder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from gec_fair.edits.algebra import apply
from gec_fair.edits.diff import diff
from gec_fair.edits.tokens import Tokens
from gec_fair.gec.gector.checkpoint import Tagger
from gec_fair.gec.gector.labels import PADDING, UNKNOWN
from gec_fair.gec.gector.options import Decoding
from gec_fair.gec.gector.tags import DELETE, KEEP, apply_tags
from gec_fair.gec.gector.words import Row, batch
from gec_fair.models.batching import by_length
from gec_fair.models.inference import choose_device
from gec_fair.progress import Progress

Words: TypeAlias = tuple[str, ...]
_WORD = re.compile(r"\S+")
_PIECES = 4096  # sub-words in a batch, padding among them


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the model thinks of one text: all that any setting of the thresholds needs to choose its tags."""

    keep: NDArray[np.float32]
    """(words + 1) probability of `$KEEP`."""
    delete: NDArray[np.float32]
    """(words + 1) probability of `$DELETE`."""
    best: NDArray[np.float32]
    """(words + 1) the highest probability of any other tag …"""
    tag: NDArray[np.int64]
    """(words + 1) … and its number."""
    wrong: float
    """The highest probability of INCORRECT in the text."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected texts, and how many were too long: left alone, or corrected in their beginning."""

    texts: list[Words]
    too_long: int
    """Texts of more than max_words, or of more sub-words than the encoder has positions for."""
    passes: int
    """Texts that went through the encoder, over all rounds …"""
    requested: int
    """… and those that were asked for: more, where the predictor remembers some."""


def in_place(text: str, words: Words) -> str:
    """The text with its words become these; white space stays as it was between words that stay."""
    before = tuple(text.split())
    if before == words:
        return text
    lead, *gaps = _WORD.split(text)
    return apply(diff(before, words), Tokens(before, tuple(gaps), lead)).text


class Predictor:
    """A tagger with its device. `opinions` remembers texts if told to, so that settings can be compared."""

    def __init__(
        self, tagger: Tagger, *, device: str | None = None, remember: bool = False, pieces: int = _PIECES
    ) -> None:
        self.device = choose_device(device)
        self.model = tagger.model.to(self.device).eval()
        self.tagger = tagger
        self.pieces = pieces
        self.passes = self.requested = 0
        self._known: dict[Words, Opinion] | None = {} if remember else None
        self._delete = tagger.labels.number.get(DELETE, -1)
        self._keep = tagger.labels.number[KEEP]
        self._idle = [tagger.labels.number[tag] for tag in (UNKNOWN, PADDING) if tag in tagger.labels.number]

    def correct(
        self, texts: Sequence[Sequence[str]], decoding: Decoding, *, progress: Progress | None = None
    ) -> Corrected:
        """The corrected words of each text, in order."""
        wanted = [tuple(text) for text in texts]
        passes, requested = self.passes, self.requested
        self.tagger.pieces.learn(word for text in wanted for word in text)
        pieces = self.tagger.pieces
        room = {text: pieces.room(text[: pieces.options.max_words]) for text in wanted}
        now = {  # text → its beginning, that is corrected
            text: text[:most]
            for text, most in room.items()
            if most >= decoding.min_words and (most == len(text) or decoding.long == "beginning")
        }
        done = self._rounds(list(dict.fromkeys(now.values())), decoding, progress)
        corrected = [(*done[now[text]], *text[room[text] :]) if text in now else text for text in wanted]
        too_long = sum(room[text] < len(text) for text in wanted)
        return Corrected(corrected, too_long, self.passes - passes, self.requested - requested)

    def opinions(self, texts: Sequence[Words]) -> Iterator[tuple[Words, Opinion]]:
        """What the model thinks of each text that the encoder can read whole, in any order."""
        self.tagger.pieces.learn(word for text in texts for word in text)
        new = [text for text in texts if self.tagger.pieces.fits(text)]
        self.requested += len(new)
        if self._known is not None:
            yield from ((text, self._known[text]) for text in texts if text in self._known)
            new = [text for text in new if text not in self._known]
        for text, opinion in self._ask(new):
            if self._known is not None:
                self._known[text] = opinion
            yield text, opinion

    def choose_tags(self, opinion: Opinion, decoding: Decoding) -> list[str]:
        """The n + 1 tags of one text under the thresholds."""
        size = len(opinion.keep)
        least = decoding.min_error_probability
        if opinion.wrong < least:
            return [KEEP] * size
        delete = opinion.delete + decoding.delete_confidence
        delete_wins = delete > opinion.best
        chance = np.where(delete_wins, delete, opinion.best)
        edit = (chance > opinion.keep + decoding.confidence) & (chance >= least)
        # a place where UNKNOWN wins is left alone: the model knows that something is wrong, and has no tag for it
        edit &= delete_wins | ~np.isin(opinion.tag, self._idle)
        tags = self.tagger.labels.tags
        return [
            (DELETE if delete_wins[place] else tags[opinion.tag[place]]) if edit[place] else KEEP
            for place in range(size)
        ]

    def _rounds(self, texts: Sequence[Words], decoding: Decoding, progress: Progress | None) -> dict[Words, Words]:
        """The last state of each text."""
        state = {text: text for text in texts}
        seen: dict[Words, set[Words]] = {text: {text} for text in texts}
        active = list(texts)
        for _ in range(decoding.iterations):
            if not active:
                break
            waiting: dict[Words, list[Words]] = {}
            for text in active:
                waiting.setdefault(state[text], []).append(text)
            active = []
            for words, opinion in self.opinions(list(waiting)):
                new = apply_tags(words, self.choose_tags(opinion, decoding), self.tagger.verbs)
                for text in waiting[words]:
                    state[text] = new
                    if new not in seen[text] and len(new) >= decoding.min_words:
                        seen[text].add(new)
                        active.append(text)
            if progress is not None:
                progress(len(texts) - len(active), len(texts))
        return state

    def _ask(self, texts: Sequence[Words]) -> Iterator[tuple[Words, Opinion]]:
        rows = [Row(*self.tagger.pieces.sentence(text)) for text in texts]
        for numbers in by_length([len(row.ids) for row in rows], self.pieces):
            inputs = batch([rows[number] for number in numbers], self.tagger.pieces.padding)
            self.passes += len(numbers)
            for number, opinion in zip(numbers, self._read(inputs), strict=True):
                yield texts[number], opinion

    @torch.inference_mode()
    def _read(self, inputs: dict[str, torch.Tensor]) -> list[Opinion]:
        output = self.model(**{name: values.to(self.device) for name, values in inputs.items()})
        chances = output.tags.float().softmax(-1)  # (batch, words, tags)
        wrong = output.detection.float().softmax(-1)[..., 1]
        keep = chances[..., self._keep].clone()
        chances[..., self._keep] = -1.0
        delete = torch.full_like(keep, -1.0)
        if self._delete >= 0:
            delete = chances[..., self._delete].clone()
            chances[..., self._delete] = -1.0
        best, tag = chances.max(-1)
        sizes = (inputs["starts"] >= 0).sum(1).tolist()
        columns = [values.cpu().numpy() for values in (keep, delete, best, tag, wrong)]
        opinions = []
        for number, size in enumerate(sizes):
            k, d, b, t, w = (column[number, :size] for column in columns)
            opinions.append(Opinion(k, d, b, t, float(w.max())))
        return opinions
