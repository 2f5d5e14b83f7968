"""Score one system on one reference, and say in one line how it was done.

hypothesis ─ ERRANT ─▶ edits ─┐
                              ├─ compare ─▶ counts per sentence ─▶ P, R, F0.5
reference (human spans, or re-extracted) ─┘
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from gec_fair.edits import Edits, edit_words, with_alternatives
from gec_fair.evaluate.options import ScoreOptions
from gec_fair.evaluate.scoring.counts import BETA, Counts
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.hypotheses import AS_TOKENS, Hypotheses, HypothesisOptions, read_hypotheses
from gec_fair.evaluate.scoring.scores import Scored, by_level, score
from gec_fair.evaluate.scoring.texts import Reference, check_annotators, digest, read_reference
from gec_fair.version import __version__

PROSE = "hyp:prose"
"""In signatures: hypotheses that were prose, and have been tokenised by alignment to the source."""
Gold: TypeAlias = tuple[tuple[Edits, ...], ...]
"""Every annotator's edits of every sentence."""


@dataclass(frozen=True, slots=True)
class Score:
    """`scored` has the counts of every sentence, `edits` what the system did to each, `gold` what was right;
    `signature` names all that decided them."""

    scored: Scored
    edits: tuple[Edits, ...]
    gold: Gold
    signature: str
    beta: float

    @property
    def counts(self) -> Counts:
        """The counts over all sentences."""
        return self.scored.counts

    def as_json(self, level: int | None = None) -> dict[str, object]:
        """Percent, counts, signature; with `level` the same by error type."""
        report: dict[str, object] = {
            **figures(self.counts, self.beta),
            "sentences": len(self.scored.sentences),
            "signature": self.signature,
        }
        if level is not None:
            types = by_level(self.scored.types, level)
            report["types"] = {name: figures(counts, self.beta) for name, counts in types.items()}
        return report


def figures(counts: Counts, beta: float = BETA) -> dict[str, float | int]:
    """`precision`, `recall` and `f0.5` in percent, in full precision, and the counts."""
    parts = {"precision": counts.precision, "recall": counts.recall, f"f{beta:g}": counts.f(beta)}
    percent = {name: 100 * value for name, value in parts.items()}
    return {**percent, "tp": counts.tp, "fp": counts.fp, "fn": counts.fn}


def judge(hypothesis: Path, reference: Path, options: ScoreOptions, annotator: Annotator) -> Score:
    """Score a file of corrected texts (or an M2) against an M2 reference.

    Raises InputError where the files do not belong together, before anything is parsed.
    """
    return judge_all([hypothesis], reference, options, annotator)[0]


def judge_all(
    hypotheses: Sequence[Path],
    reference: Path,
    options: ScoreOptions,
    annotator: Annotator,
    *,
    reading: HypothesisOptions = AS_TOKENS,
) -> list[Score]:
    """Score several outputs, such as the seeds of a system, together. Sentences that they share are annotated once."""
    gold = read_reference(reference)
    if options.annotators == "all":
        check_annotators(gold)
    outputs = [read_hypotheses(path, gold, reading) for path in hypotheses]
    return judge_outputs(outputs, gold, options, annotator, version=digest(reference))


def judge_outputs(
    outputs: Sequence[Hypotheses], gold: Reference, options: ScoreOptions, annotator: Annotator, *, version: str
) -> list[Score]:
    """Score outputs in memory; `version`: the digest of the reference."""
    right = gold_edits(gold, options, annotator)
    pairs = [
        (source, words)
        for hypotheses in outputs
        for source, words in zip(gold.sources, hypotheses.output, strict=True)
        if not isinstance(words, Edits)
    ]
    new_edits = iter(annotator(pairs))
    scores = []
    for hypotheses in outputs:
        mine = tuple(answer if isinstance(answer, Edits) else next(new_edits) for answer in hypotheses.output)
        signature = signature_of(options, annotator.versions, version, is_prose=hypotheses.is_prose)
        scores.append(judge_edits(mine, right, options, signature))
    return scores


def judge_edits(mine: tuple[Edits, ...], gold: Gold, options: ScoreOptions, signature: str) -> Score:
    """Score what a system did to each sentence."""
    scored = score(mine, gold, measure=options.measure, beta=options.beta)
    return Score(scored, mine, gold, signature, options.beta)


def gold_edits(gold: Reference, options: ScoreOptions, annotator: Annotator) -> Gold:
    """The annotators' edits of every sentence, as they are or extracted anew."""
    if options.reference == "human":
        return gold.annotators
    texts = [
        [[edit_words(edits, words), *(edit_words(variant, words) for variant in edits.variants())] for edits in their]
        for words, their in zip(gold.sources, gold.annotators, strict=True)
    ]
    pairs = [(words, text) for words, row in zip(gold.sources, texts, strict=True) for those in row for text in those]
    new = iter(annotator(pairs))
    return tuple(tuple(_readings([next(new) for _ in those] for those in row)) for row in texts)


def _readings(annotators: Iterable[Sequence[Edits]]) -> Iterator[Edits]:
    """Each annotator's edits with their alternatives; and once more for alternatives that ERRANT cuts into edits of
    other spans (*on foot*, *walking*)."""
    for variants in annotators:
        spans: set[tuple[int, int]] = set()
        for variant in variants:
            mine = {(edit.start, edit.end) for edit in variant}
            if variant is variants[0] or not mine <= spans:
                yield with_alternatives([variant, *variants])
            spans |= mine


def signature_of(options: ScoreOptions, versions: Mapping[str, str], reference: str, *, is_prose: bool = False) -> str:
    """One line that names all that decides a score; `reference`: the digest of the reference; `is_prose`: the
    hypotheses were tokenised."""
    parts = (
        f"errant:{versions['errant']}",
        f"measure:{options.measure}",
        f"beta:{options.beta:g}",
        f"reference:{options.reference}",
        *(["annotators:any"] if options.annotators == "any" else []),
        *([PROSE] if is_prose else []),
        f"english:{versions['english']}",
        f"ref:{reference}",
        f"gec-fair:{__version__}",
    )
    return "|".join(parts)
