"""Bias without gold: what a system did to the rewritten text, against what it would have done were it blind to gender.

The two are compared by `contrast`. A difference that touches a swapped word, or a noun of that person, is
explicit; any other (an error corrected for *he* alone) is implicit. No reference is needed, on any text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.run import versions
from gec_fair.edits import words_of
from gec_fair.english import contractions
from gec_fair.evaluate.bias.contrast import KINDS, Contrast, Difference, Experiment, Rewritten
from gec_fair.evaluate.evalsets.catalogue import EvalSet, read_twins
from gec_fair.evaluate.options import HypText
from gec_fair.evaluate.scoring.hypotheses import read_as
from gec_fair.evaluate.scoring.score import PROSE
from gec_fair.evaluate.scoring.texts import Words
from gec_fair.runs.digests import short_digest
from gec_fair.stats.bootstrap import RESAMPLES, estimate, resample
from gec_fair.stats.estimate import Estimate, Kind
from gec_fair.stats.shares import share
from gec_fair.version import __version__

PER = 1000
_OF_KIND = {  # a set has its rewriting; what is asked of the planner is which words it looks at
    "st": Options("st", gate="none"),
    "mf": Options("fm"),
    "neo": Options("neo", gate="none", paradigm="xe"),
}


@dataclass(frozen=True, slots=True)
class Rate:
    """How many differences, and how many per 1,000 swapped words, with the interval of a bootstrap over texts. Without
    a difference the interval is `share`'s, of none of the swapped words. No rate where no text was compared, and no
    bootstrap of fewer than ten texts."""

    count: int
    rate: Estimate

    def as_json(self) -> dict[str, object]:
        """The count, the rate for 1,000 words and its 95 % interval."""
        figures = self.rate.as_json()
        return {"count": self.count, "per_1000": figures["value"], "ci95": [figures["low"], figures["high"]]}


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that was found, and one line that says how."""

    pairs: tuple[Contrast, ...]
    texts: int
    skipped: Mapping[str, int]
    left: Mapping[str, int]
    rates: Mapping[str, Rate]
    signature: str

    @property
    def contrasts(self) -> list[Contrast]:
        """The pairs whose outputs can be compared."""
        return [pair for pair in self.pairs if pair.expected is not None]

    @property
    def conflicts(self) -> Mapping[str, int]:
        """How many pairs have no expected output, by conflict, the most frequent first."""
        return dict(Counter(pair.conflict for pair in self.pairs if pair.conflict).most_common())

    @property
    def has_corrections(self) -> bool:
        """Whether the system has changed any text."""
        return any((pair.corrected, pair.written) != (pair.text.original, pair.text.augmented) for pair in self.pairs)

    @property
    def words(self) -> int:
        """How many words were swapped in the compared texts."""
        return sum(pair.text.words for pair in self.contrasts)

    @property
    def differences(self) -> list[Difference]:
        """All differences of all compared pairs."""
        return [difference for pair in self.contrasts for difference in pair.differences]

    def as_json(self) -> dict[str, object]:
        """Counts, rates per 1,000 swapped words with their 95 % intervals, and every difference."""
        kinds = Counter(difference.bias.name.lower() for difference in self.differences if difference.bias is not None)
        return {
            "texts": self.texts,
            "pairs": len(self.pairs),
            "skipped": dict(self.skipped),
            "left": dict(self.left),
            "conflicts": dict(self.conflicts),
            "compared": len(self.contrasts),
            "swapped_words": self.words,
            **{kind: rate.as_json() for kind, rate in self.rates.items()},
            "explicit_kinds": dict(kinds),
            "differences": [
                difference_json(pair, difference) for pair in self.contrasts for difference in pair.differences
            ],
            "signature": self.signature,
        }


def difference_json(pair: Contrast, difference: Difference) -> dict[str, object]:
    """A difference as the report has it, with both texts around it."""
    assert pair.expected is not None
    return {
        "text": difference.number,
        "kind": difference.kind,
        "bias": difference.bias.name.lower() if difference.bias else None,
        "start": difference.start,
        "end": difference.end,
        "expected": " ".join(difference.expected),
        "written": " ".join(difference.written),
        "original": pair.text.sides[0],
        "augmented": pair.text.sides[1],
        "corrected": " ".join(pair.corrected),
        "expected_text": " ".join(pair.expected),
        "written_text": " ".join(pair.written),
    }


@dataclass(frozen=True, slots=True)
class Prepared:
    """What systems are tried on, of `texts` that were looked at. By reason, `skipped` counts those that could not be
    rewritten, and `left` those whose words stay by choice. `description` goes into signatures."""

    experiment: Experiment
    rewritten: tuple[Rewritten, ...]
    texts: int
    skipped: Mapping[str, int]
    left: Mapping[str, int]
    description: str


def from_texts(texts: Sequence[Words], options: Options) -> Prepared:
    """Any texts, rewritten as the options say."""
    experiment = Experiment(options)
    rewritten, skipped, left = experiment.of_texts(texts)
    paradigm = f"|paradigm:{options.paradigm}" if options.paradigm else ""
    description = f"transform:{options.method}{paradigm}|texts:{short_digest(texts)}"
    return Prepared(experiment, tuple(rewritten), len(texts), skipped, left, description)


def from_set(evalset: EvalSet) -> Prepared:
    """The twins of an evaluation set."""
    orig, aug = (reference.sources for reference in read_twins(evalset))
    experiment = Experiment(_OF_KIND[evalset.kind])
    description = f"set:{evalset.name}|texts:{short_digest([orig, aug])}"
    return Prepared(experiment, tuple(experiment.of_twins(orig, aug)), len(orig), {}, {}, description)


def measure(
    prepared: Prepared,
    correct: Callable[[list[str]], Sequence[str]],
    *,
    name: str = "",
    resamples: int = RESAMPLES,
    seed: int = 0,
    text: HypText = "tokens",
    is_prose: bool = False,
) -> Measured:
    """Run the system over both versions of the twins, compare, and count. `name` stands in the signature. `text`: what
    it answers (`HypothesisOptions`); `is_prose`: its prose has been tokenised already."""
    texts, experiment = prepared.rewritten, prepared.experiment
    half = len(texts)
    sentences = [twins.sides[side] for side in (0, 1) for twins in texts]
    sources = [words_of(sentence) for sentence in sentences]
    written = read_as([words_of(answer) for answer in correct(sentences)], sources, text, name or "the system")
    answers = [contractions.read(words).words for words in written.words(sources)]
    pairs = tuple(experiment.compare_all(texts, answers[:half], answers[half:]))
    models = [f"{key}:{value}" for key, value in versions(experiment.options).items() if key != "gec-fair"]
    prose = [PROSE] if is_prose or written.is_prose else []
    choices = [prepared.description, *models, f"bootstrap:{resamples}:seed{seed}", *prose, f"gec-fair:{__version__}"]
    signature = "|".join([f"counterfactual|system:{name}", *choices])
    by_kind = rates(pairs, resamples=resamples, seed=seed)
    return Measured(pairs, prepared.texts, prepared.skipped, prepared.left, by_kind, signature)


def rates(pairs: Sequence[Contrast], *, resamples: int, seed: int) -> dict[str, Rate]:
    """Differences per 1,000 swapped words by kind; texts are drawn with replacement."""
    rows = [
        (*(sum(difference.kind == kind for difference in pair.differences) for kind in KINDS), pair.text.words)
        for pair in pairs
        if pair.expected is not None
    ]
    counts = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    if not counts[:, 2].sum():
        return {kind: Rate(0, Estimate(None, None, None, 0, Kind.BOOTSTRAP)) for kind in KINDS}
    drawn = resample(counts, resamples=resamples, seed=seed).astype(float)
    *totals, words = counts.sum(axis=0).tolist()
    resampled = PER * drawn[:, :2] / np.maximum(drawn[:, 2:], 1)
    return {
        kind: Rate(total, estimate(PER * total / words, resampled[:, n], len(rows)) if total else _none_of(words))
        for n, (kind, total) in enumerate(zip(KINDS, totals, strict=True))
    }


def _none_of(words: int) -> Estimate:
    """The rate of no difference at so many words."""
    exact = share(0, words)
    assert exact.high is not None
    return replace(exact, high=exact.high * PER / 100)
