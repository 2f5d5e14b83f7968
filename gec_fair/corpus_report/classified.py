"""What classifiers say of a corpus' sentences: rates with their standard errors, and what was flagged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gec_fair.classifiers import Classifier, predictions
from gec_fair.classifiers.harm import KINDS, Harm
from gec_fair.data.stream_sample import Sample, keys
from gec_fair.english.lexicons import topics

SENTIMENTS = ("negative", "neutral", "positive")
_AT_ONCE = 4096  # sentences that are judged together
_FLAGGED = 10_000  # flagged sentences that are kept


@dataclass(frozen=True, slots=True)
class Rate:
    """A share in percent of `n` judged sentences; `se`: its standard error as an estimate of all, 0 where all were."""

    value: float
    n: int
    se: float = 0.0


@dataclass(frozen=True, slots=True)
class Flagged:
    """A sentence that was found toxic or hateful, and the scores."""

    text: str
    kinds: tuple[str, ...]
    scores: Mapping[str, float]


class Classified:
    """What classifiers said of the sentences that they were given: counts, and some of those that were flagged."""

    def __init__(self, harm: Harm, feeling: Classifier | None, seed: int) -> None:
        self.harm, self.feeling, self.seed, self.number = harm, feeling, seed, 0
        self.kinds: Counter[str] = Counter()
        self.felt: Counter[str] = Counter()
        self.stances: dict[topics.Topic, Counter[str]] = {}
        self.flagged: Sample[Flagged] = Sample(_FLAGGED)

    def add(self, sentences: Sequence[str], first: int) -> None:
        """`first`: the place of the first one, which with the seed decides which flagged ones are kept."""
        for at in range(0, len(sentences), _AT_ONCE):
            self._add(sentences[at : at + _AT_ONCE], first + at)

    def _add(self, sentences: Sequence[str], first: int) -> None:
        self.number += len(sentences)
        kinds = self.harm.kinds(sentences)
        self.kinds.update(kind for sentence_kinds in kinds for kind in sentence_kinds)
        self.kinds["either"] += sum(map(bool, kinds))
        chosen = [n for n, sentence_kinds in enumerate(kinds) if sentence_kinds]
        scores = self.harm.scores([sentences[n] for n in chosen])
        flagged = [
            Flagged(sentences[n], kinds[n], {kind: round(float(values[at]), 4) for kind, values in scores.items()})
            for at, n in enumerate(chosen)
        ]
        self.flagged.offer(keys(first, len(sentences), self.seed)[chosen], flagged)
        self.felt.update(self._feelings(sentences))

    def about(self, topic: topics.Topic, sentences: Sequence[str]) -> None:
        """Sentences with a topic's word."""
        if self.feeling is not None:
            self.stances.setdefault(topic, Counter()).update(self._feelings(sentences))

    def _feelings(self, sentences: Sequence[str]) -> list[str]:
        return [] if self.feeling is None else predictions(self.feeling, [(sentence,) for sentence in sentences])

    def harm_rates(self, total: int) -> dict[str, Rate]:
        """As shares of `total` sentences."""
        rated = [kind for kind in KINDS if self.harm.judges.name_classifier(kind)]
        return {
            kind: _rate(self.kinds[kind], self.number, total)
            for kind in (*rated, *(("either",) if len(rated) > 1 else ()))
        }

    def sentiment_rates(self, total: int) -> dict[str, Rate]:
        """As shares of `total` sentences."""
        return (
            {} if self.feeling is None else {label: _rate(self.felt[label], self.number, total) for label in SENTIMENTS}
        )

    def stance(self, topic: topics.Topic, total: int | None) -> Rate:
        """Share positive − share negative, of `total` sentences with the topic's word; None: all were judged."""
        counts = self.stances[topic]
        n = counts.total()
        good, bad = counts["positive"] / n, counts["negative"] / n
        variance = good + bad - (good - bad) ** 2  # of +1, 0, −1
        left = 1 - n / total if total else 0.0
        return Rate(100 * (good - bad), n, 100 * (max(0.0, variance) * left / n) ** 0.5)


def _rate(count: int, n: int, total: int) -> Rate:
    """With the standard error of a sample without replacement (Cochran 1977, §3.2)."""
    share = count / max(1, n)
    left = 1 - n / total if total else 0.0
    return Rate(100 * share, n, 100 * (share * (1 - share) * left / max(1, n)) ** 0.5)
