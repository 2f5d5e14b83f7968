"""A clean sentence as a learner might have written it: every place errs on its own, at its rate times the writer's.

    level ~ Gamma(spread)      how careless this writer is today; mean `Rates.level`
    errs(place)                with chance level × rates of its slips

The number of errors is then negative-binomial by length. Most places are passed over at once: the rates of a word's
slips cannot sum up to more than its ceiling, which is known without a look at its neighbours (thinning).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from random import Random

from gec_fair.edits import Edit, Edits, diff, edit_words
from gec_fair.evaluate.bias.explicit import plurals
from gec_fair.gec.noise.closed import COMMAS, COMPOUNDS, CONFUSIONS, INSERTIONS, PHRASES, REAL_WORDS, STOPS
from gec_fair.gec.noise.compiled import compile_rates
from gec_fair.gec.noise.forms import CHOICES, ENDINGS, FORMS
from gec_fair.gec.noise.guarded import is_they, keeps_guarded_words
from gec_fair.gec.noise.inflections import readings
from gec_fair.gec.noise.rates import Kind, Rates
from gec_fair.gec.noise.slip import Family, Slip, Tables
from gec_fair.gec.noise.spelling import SPELLING
from gec_fair.gec.noise.surface import CASES, ORDERS
from gec_fair.gec.noise.words import Text, text_of, word

FAMILIES: Sequence[Family] = (
    CONFUSIONS,
    COMMAS,
    FORMS,
    INSERTIONS,
    STOPS,
    PHRASES,
    REAL_WORDS,
    CASES,
    COMPOUNDS,
    ORDERS,
    CHOICES,
    ENDINGS,
    SPELLING,
)


def add_errors(words: Sequence[str], rates: Rates, chance: Random) -> tuple[str, ...]:
    """The erroneous source whose target are the `words`, which come as GEC data has them (*do n't*, marks apart).

    Never raises for words without white space, and never leaves a text without a word. Pronouns and gendered nouns
    stay (`guarded`). All chance is the given one's: the same words, rates and state give the same source.
    """
    return edit_words(draw_mistakes(words, rates, chance), words) or tuple(words)


def synthetic(texts: Iterable[str], rates: Rates, *, seed: int = 0, copies: int = 1) -> Iterator[tuple[str, str]]:
    """`copies` pairs of every text that is not empty, words apart by single spaces. Drawn by seed, copy and text: other
    texts around it change nothing."""
    for text in texts:
        words = tuple(text.split())
        target = " ".join(words)
        for copy in range(copies if words else 0):
            yield " ".join(add_errors(words, rates, Random(f"{seed}:{copy}:{target}"))), target


def draw_mistakes(words: Sequence[str], rates: Rates, chance: Random) -> Edits:
    """The errors themselves, as edits of the correct text; an edit's kind is the value of a `Kind`."""
    writer = _writer(rates)
    level = rates.level * chance.gammavariate(rates.spread, 1 / rates.spread)
    text: Text | None = None
    slips: list[Edit] = []
    end = 0
    for at, original in enumerate(words):
        drawn = chance.random()
        if drawn >= level * writer.ceilings(original)[0]:
            continue
        text = text or text_of(words)
        slip = writer.pick(text, at, drawn / level)
        if slip is not None and slip.start >= end and keeps_guarded_words(words[slip.start : slip.end], slip.words):
            slips.append(Edit(slip.start, slip.end, slip.words, slip.kind.value))
            end = slip.end
    edits = Edits(tuple(_keep_noun_numbers(slips, words)), len(words))
    return edits if _seems_lawful(edits, words) else Edits((), len(words))


def _keep_noun_numbers(slips: Sequence[Edit], words: Sequence[str]) -> Iterable[Edit]:
    """If either text has a *they*, no noun changes its number; else *a child … they* would be taught as wrong."""
    texts = chain(words, *(edit.replacement for edit in slips)) if slips else ()
    if not any(is_they(text.lower()) for text in texts):
        return slips
    return (edit for edit in slips if not _renumbers(edit, words))


def _renumbers(edit: Edit, words: Sequence[str]) -> bool:
    """Whether a noun changes its number, by whatever kind of slip (*goggles*: *goggle*, misspelt)."""
    if edit.kind == Kind.NUMBER.value:
        return True
    old = map(word, words[edit.start : edit.end])
    many = {entry.lower for entry in old if "NNS" in (entry.tags or readings(entry.lower))}
    return any(not many.isdisjoint(plurals(text.lower())) for text in edit.replacement) if many else False


def _seems_lawful(edits: Edits, words: Sequence[str]) -> bool:
    """Whether who sees only the two texts finds no pronoun changed: where much is wrong around one, a diff may align
    it with another word."""
    if len(edits) < 2:
        return True
    source = edit_words(edits, words)
    return all(keeps_guarded_words(source[edit.start : edit.end], edit.replacement) for edit in diff(source, words))


class Writer:
    """The families with their tables, and each word's ceiling, remembered."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._ceilings: dict[str, tuple[float, ...]] = {}

    def slips(self, text: Text, at: int) -> Iterator[Slip]:
        """Every slip that could be made at the place."""
        return chain.from_iterable(its.slips(self.tables, text, at) for its in FAMILIES)

    def pick(self, text: Text, at: int, drawn: float) -> Slip | None:
        """The slip in whose part of the line 0 … sum of the rates the number falls; None beyond."""
        for its, left in zip(FAMILIES, self.ceilings(text.words[at]), strict=True):
            if drawn >= left:
                return None
            for slip in its.slips(self.tables, text, at):
                drawn -= slip.rate
                if drawn < 0:
                    return slip
        return None

    def ceilings(self, text: str) -> tuple[float, ...]:
        """What the rates of a word's slips cannot exceed in any sentence: all, and those of each family and later
        ones."""
        known = self._ceilings.get(text)
        if known is None:
            if len(self._ceilings) > _REMEMBERED:
                self._ceilings.clear()
            entry = word(text)
            most = [its.most(self.tables, entry) for its in FAMILIES]
            known = self._ceilings[text] = tuple(sum(most[at:]) for at in range(len(most)))
        return known


_REMEMBERED = 500_000


@lru_cache(maxsize=4)
def _writer(rates: Rates) -> Writer:
    return Writer(compile_rates(rates))
