"""Rewrite plain text, one text a line: the plan alone, without a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planner import Planner
from gec_fair.augmentation.swap import plan_edits
from gec_fair.corpus.outcome import Augmented, Discarded, Outcome, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.edits import Edits, Tokens, apply, spaced

_BATCH = 256


@dataclass(frozen=True)
class Rewriter:
    """Texts in, rewritten texts out; a text that cannot be rewritten safely comes back as it is.

    `tokenised`: words are what stands between spaces. Otherwise the English pipeline's tokenizer finds them.
    """

    options: Options
    tokenised: bool = False

    @cached_property
    def planner(self) -> Planner:
        return Planner(self.options)

    def __call__(self, texts: Iterable[str], *, first: int = 1) -> Iterator[str]:
        """One text for each text; lazy, a few hundred at a time. `first` numbers them, for `names=draw`."""
        rest = iter(texts)
        number = first
        while batch := list(islice(rest, _BATCH)):
            yield from self._batch(batch, number)
            number += len(batch)

    def _batch(self, texts: list[str], first: int) -> list[str]:
        planned = self.planned(texts, [str(first + n) for n in range(len(texts))])
        return [
            text if one is None or isinstance(one, Discarded) else apply(*one).text
            for text, one in zip(texts, planned, strict=True)
        ]

    def planned(self, texts: Sequence[str], names: Sequence[str]) -> list[tuple[Edits, Tokens] | Discarded | None]:
        """For each text its edits and what they are over; why it cannot be rewritten; None if nothing is to be."""
        tokens = [self._tokens(text) for text in texts]
        chosen = [n for n, t in enumerate(tokens) if self.planner.is_candidate(t.words)]
        plans = self.planner.plans([tokens[n].words for n in chosen], [names[n] for n in chosen])
        outcomes: list[tuple[Edits, Tokens] | Discarded | None] = [None] * len(texts)
        for n, swaps in zip(chosen, plans, strict=True):
            if isinstance(swaps, Discarded):
                outcomes[n] = swaps
            elif edits := plan_edits(swaps, tokens[n].words):
                outcomes[n] = edits, tokens[n]
        return outcomes

    def _tokens(self, text: str) -> Tokens:
        if self.tokenised:
            return spaced(text)
        doc = self.planner.nlp.make_doc(text)
        tokens = [t for t in doc if not t.is_space]
        if not tokens:
            return spaced(text)
        ends = [t.idx + len(t) for t in tokens]
        starts = [*(t.idx for t in tokens[1:]), len(text)]
        after = tuple(text[a:b] for a, b in zip(ends, starts, strict=True))
        return Tokens(tuple(t.text for t in tokens), after, text[: tokens[0].idx])


@dataclass(frozen=True)
class RewriteStep:
    """The step of a run over plain text: every text comes back, rewritten or as it was."""

    rewriter: Rewriter

    def __call__(self, pairs: Sequence[Pair]) -> list[Outcome]:
        planned = self.rewriter.planned([pair.source for pair in pairs], [pair.id for pair in pairs])
        return [_outcome(pair, one) for pair, one in zip(pairs, planned, strict=True)]


def _outcome(pair: Pair, planned: tuple[Edits, Tokens] | Discarded | None) -> Outcome:
    if planned is None:
        return Unchanged()
    if isinstance(planned, Discarded):
        return planned
    edits, tokens = planned
    rows = tuple(
        ("source", edit.start, edit.end, " ".join(tokens.words[edit.start : edit.end]), " ".join(edit.replacement))
        for edit in edits
    )
    return Augmented(replace(pair, source=apply(edits, tokens).text), rows)


def step_of(options: Options) -> RewriteStep:
    """Builds the step in each worker, its models loaded."""
    step = RewriteStep(Rewriter(options))
    step.rewriter.planner.load()
    return step
