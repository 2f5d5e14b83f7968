"""Compare a system's edits with the annotators' as `errant_compare` does (Bryant et al. 2017; ERRANT 3).

    correction   an edit counts if span and replacement are the gold's; the type does not matter
    typed        … and the type
    spans        detection: the span alone
    tokens       detection: every token that an edit touches; an insertion touches the token on its right

A gold edit with several replacements (`goes||went` in M2) counts as the one that the hypothesis has, else as the first,
as in m2scorer (Dahlmeier and Ng 2012). Gold edits of type UNK have no replacement worth finding: they count for
detection alone. With several annotators each sentence is judged by the one who makes the F-score of everything up to
here highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gec_fair.edits import Edits
from gec_fair.edits.edit import Edit
from gec_fair.errors import UsageError
from gec_fair.evaluate.scoring.counts import BETA, Counts, total

MEASURES = ("correction", "typed", "spans", "tokens")
LEVELS = (1, 2, 3)
DETECTION = frozenset({"spans", "tokens"})
UNKNOWN = "UNK"
Keyed: TypeAlias = Mapping[tuple[object, ...], Sequence[str]]
"""What counts as the same edit → the types of the edits that are it (mostly one)."""
_DIGITS = 4  # ERRANT compares rounded F-scores


@dataclass(frozen=True, slots=True)
class Scored:
    """`sentences`: counts of each sentence, for resampling; `types`: the same total by error type; `chosen`: which
    annotator each sentence was judged by (0-based)."""

    sentences: tuple[Counts, ...]
    types: Mapping[str, Counts]
    chosen: tuple[int, ...]

    @property
    def counts(self) -> Counts:
        """The counts over all sentences."""
        return total(self.sentences)


def score(
    hypotheses: Sequence[Edits],
    references: Sequence[Sequence[Edits]],
    *,
    measure: str = "correction",
    beta: float = BETA,
) -> Scored:
    """Judge one hypothesis a sentence against one or several annotators each. Linear in edits.

    Raises UsageError for a measure that does not exist, ValueError where the two sequences differ in length.
    """
    if measure not in MEASURES:
        raise UsageError(f"measure is {', '.join(MEASURES)}, not {measure!r}")
    so_far = Counts()
    sentences: list[Counts] = []
    chosen: list[int] = []
    types: dict[str, Counts] = {}
    for hypothesis, annotators in zip(hypotheses, references, strict=True):
        mine = key_edits(hypothesis, measure)
        gold = [key_edits(choose_variants(their, hypothesis), measure) for their in annotators]
        best = best_annotator([total(_outcomes(mine, their).values()) for their in gold], so_far, beta)
        outcomes = _outcomes(mine, gold[best])
        for kind, counts in outcomes.items():
            types[kind] = types.get(kind, Counts()) + counts
        sentences.append(total(outcomes.values()))
        chosen.append(best)
        so_far += sentences[-1]
    return Scored(tuple(sentences), types, tuple(chosen))


def best_annotator(candidates: Sequence[Counts], so_far: Counts, beta: float = BETA) -> int:
    """Highest F of the corpus so far, then most found, fewest wrong, fewest missed; the first of equals."""

    def rank(n: int) -> tuple[float, int, int, int]:
        added = candidates[n]
        return (round((so_far + added).f(beta), _DIGITS), added.tp, -added.fp, -added.fn)

    return max(range(len(candidates)), key=rank)


def choose_variants(gold: Iterable[Edit], hypothesis: Iterable[Edit]) -> Iterator[Edit]:
    """Choose for each gold edit the variant that the hypothesis has at its span, else the first."""
    replacements = {(edit.start, edit.end): edit.replacement for edit in hypothesis}
    for edit in gold:
        mine = replacements.get((edit.start, edit.end))
        yield next((variant for variant in edit.variants() if variant.replacement == mine), edit)


def key_edits(their: Iterable[Edit], measure: str) -> Keyed:
    """The edits of one side by what must agree; UNK only for detection."""
    outcomes: dict[tuple[object, ...], list[str]] = {}
    for edit in their:
        if edit.kind == UNKNOWN and measure not in DETECTION:
            continue
        for key in _keys(edit, measure):
            outcomes.setdefault(key, []).append(edit.kind)
    return outcomes


def by_level(types: Mapping[str, Counts], level: int) -> dict[str, Counts]:
    """Counts by operation (1: `R`), by category (2: `NOUN:NUM`) or by both (3: `R:NOUN:NUM`), sorted by name."""
    totals: dict[str, Counts] = {}
    for kind, counts in types.items():
        name = at_level(kind, level)
        totals[name] = totals.get(name, Counts()) + counts
    return dict(sorted(totals.items()))


def at_level(kind: str, level: int) -> str:
    """*R:NOUN:NUM* as `R` (1), `NOUN:NUM` (2) or itself (3); UNK stays UNK. UsageError for another level."""
    if level not in LEVELS:
        raise UsageError(f"--cat is 1, 2 or 3, not {level}")
    return kind if kind == UNKNOWN or level == 3 else kind[:1] if level == 1 else kind[2:]


def _outcomes(mine: Keyed, gold: Keyed) -> dict[str, Counts]:
    """Counts by type: the gold's type for what was found, each side's own for the rest."""
    counts: dict[str, Counts] = {}
    for key, kinds in mine.items():
        hit = key in gold
        for kind in gold[key] if hit else kinds:
            counts[kind] = counts.get(kind, Counts()) + (Counts(tp=1) if hit else Counts(fp=1))
    for key, kinds in gold.items():
        if key not in mine:
            for kind in kinds:
                counts[kind] = counts.get(kind, Counts()) + Counts(fn=1)
    return counts


def _keys(edit: Edit, measure: str) -> Iterator[tuple[object, ...]]:
    if measure == "tokens":
        yield from ((at, at + 1) for at in range(edit.start, max(edit.end, edit.start + 1)))
    elif measure == "spans":
        yield (edit.start, edit.end)
    elif measure == "typed":
        yield (edit.start, edit.end, edit.kind, edit.replacement)
    else:
        yield (edit.start, edit.end, edit.replacement)
