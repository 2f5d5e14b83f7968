"""Correct texts: a generator proposes, the ranker decides; each distinct text once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.edits import Edits, apply, split_spaces
from gec_fair.errors import MissingResource, UsageError
from gec_fair.gec.editscorer.candidates import Generator, Words
from gec_fair.gec.editscorer.checkpoint import Scorer
from gec_fair.gec.editscorer.decode import decode
from gec_fair.gec.editscorer.from_gector import GectorCandidates
from gec_fair.gec.editscorer.options import SETUP, CandidateOptions, Decoding, Setup
from gec_fair.gec.editscorer.scoring import Scoring
from gec_fair.gec.gector.checkpoint import load as load_gector
from gec_fair.progress import Progress

_AT_ONCE = 1024  # texts between two reports of progress


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected texts; how many were left as they are for their length; pairs that went through the ranker."""

    texts: list[str]
    edits: list[Edits]
    """The edits of each text's words; `texts` are the results."""
    too_long: int
    pairs: int


class Corrector:
    """A ranker, its generator and how is decided."""

    def __init__(
        self, scorer: Scorer, generator: Generator, decoding: Decoding | None = None, *, device: str | None = None
    ) -> None:
        self.decoding = decoding or scorer.setup.decoding
        self.generator = generator
        self._score = Scoring(scorer, max_pieces=self.decoding.max_pieces, tokens=self.decoding.tokens, device=device)

    def correct(self, texts: Sequence[str], *, progress: Progress | None = None) -> Corrected:
        """Texts are words apart by spaces; untouched words keep the space behind them."""
        read = [split_spaces(text) for text in texts]
        distinct = list(dict.fromkeys(tokens.words for tokens in read))
        edits_of: dict[Words, Edits] = {}
        long: set[Words] = set()
        before = self._score.pairs
        for first in range(0, len(distinct), _AT_ONCE):
            batch = distinct[first : first + _AT_ONCE]
            proposed = self.generator(batch)
            done = decode(batch, [candidates or () for candidates in proposed], self._score, self.decoding)
            for words, candidates, decoded in zip(batch, proposed, done, strict=True):
                edits_of[words] = decoded.edits
                if candidates is None or decoded.too_long:
                    long.add(words)
            if progress is not None:
                progress(len(edits_of), len(distinct))
        changes = [edits_of[tokens.words] for tokens in read]
        answers = [apply(change, tokens).text for change, tokens in zip(changes, read, strict=True)]
        too_long = sum(tokens.words in long for tokens in read)
        return Corrected(answers, changes, too_long, self._score.pairs - before)


def gector(name: str, options: CandidateOptions, *, scorer: Path | None = None) -> GectorCandidates:
    """The GECToR of that name as a generator: a folder or a hub name. `scorer` is the EditScorer that names it, if one
    does: its folder is then looked into first. UsageError if none is named, MissingResource if it is missing."""
    if not name:
        raise UsageError(
            f"{scorer or 'the EditScorer'} names no GECToR that proposes edits; name one in its {SETUP}, "
            "or give one with --generator, or files of candidates with --list (gec-fair editscorer "
            "predict)"
        )
    if scorer is None:
        return GectorCandidates(load_gector(name), options)
    try:
        return GectorCandidates(load_gector(Setup(name).generator_of(scorer)), options)
    except MissingResource as fault:
        raise MissingResource(
            f"{scorer / SETUP}: the generator that it names cannot be had ({fault}); keep both "
            "folders beside each other, write the path anew there, or give the GECToR with "
            "--generator (gec-fair editscorer)"
        ) from fault
