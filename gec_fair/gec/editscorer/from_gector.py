"""Candidates from a GECToR: its likeliest tags one by one, and what its own corrections make of the sentence.

A tag's ratio is log p(tag) − log p($KEEP) at its place, the number that EditScorer mixes into an edit's score.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np
import torch

from gec_fair.edits import Edit
from gec_fair.gec.editscorer.candidates import Candidate, Path, Words, changes, tidy, transpose
from gec_fair.gec.editscorer.options import CandidateOptions
from gec_fair.gec.gector import words as rows
from gec_fair.gec.gector.checkpoint import Tagger
from gec_fair.gec.gector.labels import PADDING, UNKNOWN
from gec_fair.gec.gector.options import Decoding
from gec_fair.gec.gector.predict import Opinion, Predictor
from gec_fair.gec.gector.tags import DELETE, KEEP, MERGES, edits_of
from gec_fair.models.batching import by_length

_SENTENCES = 64  # in a batch
_UNLIKELY = 1e-30  # instead of 0, whose logarithm is infinite


class GectorCandidates:
    """A GECToR as a generator. Texts longer than its max_words get None, those under min_words no candidates."""

    def __init__(self, tagger: Tagger, options: CandidateOptions | None = None, *, device: str | None = None) -> None:
        self.options = options or CandidateOptions()
        self.tagger = tagger
        self._predictor = Predictor(tagger, device=device)
        self._decoding = Decoding(
            min_error_probability=self.options.min_error_probability, confidence=self.options.confidence
        )
        idle = {KEEP, UNKNOWN, PADDING, *MERGES}
        self._idle = [number for number, tag in enumerate(tagger.labels.tags) if tag in idle]
        self.version = f"gector:{tagger.digest()}:{json.dumps(asdict(self.options), sort_keys=True)}"

    def __call__(self, texts: Sequence[Words]) -> list[tuple[Candidate, ...] | None]:
        """The edits that the tagger proposes for each text; None for one that is too long."""
        pieces, least = self.tagger.pieces, self._decoding.min_words
        fits = {text: len(text) <= pieces.options.max_words and pieces.fits(text) for text in dict.fromkeys(texts)}
        readable = [text for text, fit in fits.items() if fit and len(text) >= least]
        candidates_of: dict[Words, list[Candidate]] = {text: list(ranked) for text, ranked in self._rank_tags(readable)}
        for text, candidates in self._corrections(readable):
            candidates_of[text] += candidates
        return [self._collect(text, candidates_of.get(text, [])) if fits[text] else None for text in texts]

    def _collect(self, text: Words, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        candidates = tidy(text, candidates)
        every = tidy(text, [*candidates, *transpose(text, candidates)])
        return tuple(candidate for candidate in every if not _lowers_the_first(candidate.edit, text))

    def _rank_tags(self, texts: Sequence[Words]) -> Iterator[tuple[Words, list[Candidate]]]:
        """The edits of the likeliest tags, one tag at a time."""
        for numbers in by_length([len(text) for text in texts], most=_SENTENCES):
            batch = [texts[number] for number in numbers]
            for text, values in zip(batch, self._ratios(batch), strict=True):
                yield text, self._likeliest(text, values[: len(text) + 1])

    @torch.inference_mode()
    def _ratios(self, texts: Sequence[Words]) -> torch.Tensor:
        """(texts, words + 1, tags) log p(tag) − log p($KEEP); −∞ for tags that make no candidate."""
        pieces = self.tagger.pieces
        inputs = rows.batch([rows.Row(*pieces.sentence(text)) for text in texts], pieces.padding)
        device = self._predictor.device
        scores = self._predictor.model(**{name: values.to(device) for name, values in inputs.items()}).tags.float()
        ratios: torch.Tensor = scores - scores[..., [self.tagger.labels.number[KEEP]]]  # the softmax cancels out
        ratios[..., self._idle] = -torch.inf
        return ratios

    def _likeliest(self, text: Words, ratios: torch.Tensor) -> list[Candidate]:
        """`ratios` (words + 1, tags) of one text."""
        options = self.options
        likely = int((ratios >= options.threshold).sum())
        wanted = min(max(min(likely, options.most), options.least), ratios.numel())
        values, places = ratios.flatten().topk(wanted)
        best: dict[Edit, float] = {}
        spans: dict[tuple[int, int], int] = {}
        for value, flat in zip(values.tolist(), places.tolist(), strict=True):
            place, number = divmod(flat, ratios.shape[1])
            edit = self._edit(text, place, self.tagger.labels.tags[number]) if value > -np.inf else None
            if edit is None or edit in best or spans.get((edit.start, edit.end), 0) == options.per_span:
                continue
            best[edit] = value
            spans[edit.start, edit.end] = spans.get((edit.start, edit.end), 0) + 1
        return [Candidate(edit, ratio) for edit, ratio in best.items()]

    def _edit(self, text: Words, place: int, tag: str) -> Edit | None:
        """What one tag does at one place; None where that is nothing."""
        at = max(place - 1, 0)  # place 0 is $START's, which stands before word 0
        word, tags = (text[at : at + 1], [KEEP, tag]) if place else ((), [tag])
        edits = edits_of(word, tags, self.tagger.verbs).edits
        if not edits:
            return None
        edit = Edit(edits[0].start + at, edits[0].end + at, edits[0].replacement)
        return edit if changes(edit, text) else None

    def _corrections(self, texts: Sequence[Words]) -> Iterator[tuple[Words, list[Candidate]]]:
        """What GECToR's own corrections make of each text, all texts round by round."""
        paths = {text: Path(text) for text in texts}
        active = list(texts)
        for _ in range(self.options.iterations):
            waiting: dict[Words, list[Words]] = {}
            for text in active:
                waiting.setdefault(paths[text].words, []).append(text)
            active = []
            for now, opinion in self._predictor.opinions(list(waiting)):
                step = self._step(now, opinion)
                for text in waiting[now] if step else ():
                    paths[text] = paths[text].then(step)
                    yield text, list(paths[text].candidates())
                    if self._decoding.min_words <= len(paths[text].words) <= self.tagger.pieces.options.max_words:
                        active.append(text)

    def _step(self, words: Words, opinion: Opinion) -> list[Candidate]:
        """One round of GECToR's own tags, as edits of the words with their ratios."""
        tags = self._predictor.choose_tags(opinion, self._decoding)
        chance = np.where(np.asarray(tags) == DELETE, opinion.delete, opinion.best)
        ratios = np.log(np.maximum(chance, _UNLIKELY)) - np.log(np.maximum(opinion.keep, _UNLIKELY))
        ratios[np.asarray(tags) == KEEP] = 0.0
        step = []
        for edit in edits_of(words, tags, self.tagger.verbs):
            # an insertion is the tag of the word before it; several words are merged by several tags
            first, last = (edit.start, edit.end) if edit.start == edit.end else (edit.start + 1, edit.end)
            step.append(Candidate(edit, float(ratios[first : last + 1].sum())))
        return step


def _lowers_the_first(edit: Edit, text: Words) -> bool:
    """No candidate, as in the authors' code: a sentence that loses its capital is none that anybody meant."""
    return (edit.start, edit.end) == (0, 1) and edit.replacement == (text[0].lower(),)
