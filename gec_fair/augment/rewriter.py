"""Rewrite plain text, one text a line: the plan alone, without a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from gec_fair.augment.options import Options
from gec_fair.augment.planner import Planner
from gec_fair.augment.swap import plan_edits
from gec_fair.corpus.outcome import Discarded
from gec_fair.edits import Tokens, apply, spaced

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
        tokens = [self._tokens(text) for text in texts]
        chosen = [n for n, t in enumerate(tokens) if self.planner.is_candidate(t.words)]
        plans = self.planner.plans([tokens[n].words for n in chosen], [str(first + n) for n in chosen])
        out = list(texts)
        for n, swaps in zip(chosen, plans, strict=True):
            if not isinstance(swaps, Discarded):
                out[n] = apply(plan_edits(swaps, tokens[n].words), tokens[n]).text
        return out

    def _tokens(self, text: str) -> Tokens:
        if self.tokenised:
            return spaced(text)
        doc = self.planner.nlp.make_doc(text)
        kept = [t for t in doc if not t.is_space]
        if not kept:
            return spaced(text)
        ends = [t.idx + len(t) for t in kept]
        starts = [*(t.idx for t in kept[1:]), len(text)]
        after = tuple(text[a:b] for a, b in zip(ends, starts, strict=True))
        return Tokens(tuple(t.text for t in kept), after, text[: kept[0].idx])
