"""Rewrite plain text, one text a line: the plan alone, without a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from gec_fair.augmentation import checks
from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning.planner import Planner
from gec_fair.augmentation.planning.swap import SureSwaps, Swap, plan_edits
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Outcome, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.corpus.step import Step
from gec_fair.edits import Edits, Rewriting, Tokens, split_spaces, words_of
from gec_fair.english import contractions, pipeline
from gec_fair.english.lexicons.nouns import Nouns

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
        """Plans the rewriting, with these options."""
        return Planner(self.options)

    def __call__(self, texts: Iterable[str], *, first: int = 1) -> Iterator[str]:
        """One text for each text; lazy, a few hundred at a time. `first` numbers them, for `names=draw`."""
        for text, outcome in self.outcomes(texts, first=first):
            yield outcome.pair.source if isinstance(outcome, Augmented) else text

    def outcomes(self, texts: Iterable[str], *, first: int = 1) -> Iterator[tuple[str, Outcome]]:
        """Each text with what became of it; lazy as the call itself."""
        rest = (Pair("", number, text, "") for number, text in enumerate(texts, first))
        while batch := list(islice(rest, _BATCH)):
            yield from ((pair.source, outcome) for pair, outcome in zip(batch, self.step(batch), strict=True))

    def step(self, pairs: Sequence[Pair]) -> list[Outcome]:
        """The step of a run over plain text: what becomes of each, in order."""
        tokens = [self._tokens(pair.source) for pair in pairs]
        read = [contractions.read(t.words) for t in tokens]
        chosen: list[int] = []
        outcomes: list[Outcome] = []
        for n, text in enumerate(read):
            is_candidate = self.planner.is_candidate(text.words)
            chosen += [n] if is_candidate else []
            outcomes.append(Unchanged() if is_candidate else self._without_plan(text.words))
        plans = self.planner.plans([read[n].words for n in chosen], [pairs[n].id for n in chosen])
        for n, plan in zip(chosen, plans, strict=True):
            if isinstance(plan, Left | Discarded):
                outcomes[n] = plan
            elif edits := plan_edits(plan, read[n].words):
                outcomes[n] = self._restore(pairs[n], tokens[n], read[n], plan, edits)
        return outcomes

    def _without_plan(self, words: Sequence[str]) -> Outcome:
        left = self.planner.left_without(words) or checks.leave_glued(words, self.options, self.planner.lexicon.nouns)
        return left or Unchanged()

    def _restore(
        self, pair: Pair, tokens: Tokens, text: contractions.Text, plan: SureSwaps, edits: Edits
    ) -> Augmented | Discarded:
        restored = rewrite_plan(text, plan.swaps, edits, self.options, self.planner.lexicon.nouns)
        if isinstance(restored, Discarded):
            return restored
        rewriting = Rewriting.of(tokens, restored)
        return Augmented(replace(pair, source=rewriting.after.text), rewriting, sure=plan.sure)

    def _tokens(self, text: str) -> Tokens:
        if self.tokenised:
            return Tokens.of(text, words_of(text))  # a line end belongs to no word
        words = pipeline.tokenize(self.planner.nlp, text)
        return Tokens.of(text, words) if words else split_spaces(text)


def rewrite_plan(
    text: contractions.Text, swaps: Sequence[Swap], edits: Edits, options: Options, nouns: Nouns
) -> Edits | Discarded:
    """The `edits` of a plan as edits of the words that the text is written in, or why it cannot be rewritten whole."""
    if left := checks.find_glued(swaps, text.words, text.words, edits, options, nouns):
        return Discarded("counterpart_mismatch", f"a word glued to another stays: {left}")
    restored = text.restore(edits)
    return restored or Discarded("agreement_unsure", "a contraction cannot be written as the text writes it")


def step_of(options: Options) -> Step:
    """Builds the step in each worker, its models loaded."""
    rewriter = Rewriter(options)
    rewriter.planner.load()
    return rewriter.step
