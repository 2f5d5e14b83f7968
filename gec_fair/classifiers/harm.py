"""Which sentences are toxic or hateful: two classifiers, each with the label that is meant (§4.1, Table 5).

toxicity=toxic                                                  the embedded linear model; weaker than the others
detoxify:original=toxicity                                      the paper's, of toxicity
hf:cardiffnlp/twitter-roberta-base-hate-latest=HATE             the paper's, of hate speech
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers import Classifier, load
from gec_fair.config.options import check_range
from gec_fair.corpus.outcome import Augmented, Outcome, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.edits import Edit, Edits, Rewriting, Tokens
from gec_fair.english.running_text.sentence_pieces import pieces
from gec_fair.errors import UsageError

KINDS = ("toxic", "hate")


@dataclass(frozen=True, slots=True)
class Judges:
    """Who says so. UsageError for a classifier without its label."""

    toxic: str = "toxicity=toxic"
    """CLASSIFIER=LABEL; "" asks nobody."""
    hate: str = ""
    """The same, of hate speech."""
    threshold: float = 0.5
    """A sentence with a score above it is."""

    def __post_init__(self) -> None:
        if not self.toxic and not self.hate:
            raise UsageError("toxic and hate both name nobody; name a classifier, such as toxicity=toxic")
        for kind in KINDS:
            name, _, label = self.name_classifier(kind).rpartition("=")
            if self.name_classifier(kind) and not (name and label):
                raise UsageError(
                    f"{kind} is {self.name_classifier(kind)!r}; write CLASSIFIER=LABEL, such as toxicity=toxic"
                )
        check_range(self, "threshold", least=0, most=1)

    def name_classifier(self, kind: str) -> str:
        """`CLASSIFIER=LABEL` for a kind of harm; empty where no classifier is wanted."""
        return str(getattr(self, kind))


@dataclass(frozen=True)
class Harm:
    """The judges, loaded when they are first asked."""

    judges: Judges

    @cached_property
    def _classifiers(self) -> Mapping[str, tuple[Classifier, int]]:
        scores = {}
        for kind in KINDS:
            name, _, label = self.judges.name_classifier(kind).rpartition("=")
            if name:
                choices = (label, f"not {label}") if name.startswith("openai:") else (label,)
                classifier = load(name, choices, ordered=False)
                scores[kind] = classifier, classifier.labels.index(label)
        return scores

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each classifier, by kind of harm."""
        return {kind: classifier.version for kind, (classifier, _) in self._classifiers.items()}

    def scores(self, sentences: Sequence[str]) -> Mapping[str, NDArray[np.float64]]:
        """The scores of each kind of harm that a classifier judges, (sentences)."""
        texts = [(sentence,) for sentence in sentences]
        return {
            kind: classifier.scores(texts)[:, column] if texts else np.zeros(0)
            for kind, (classifier, column) in self._classifiers.items()
        }

    def kinds(self, sentences: Sequence[str]) -> list[tuple[str, ...]]:
        """What each sentence is: (), or some of KINDS."""
        above = {kind: scores > self.judges.threshold for kind, scores in self.scores(sentences).items()}
        return [tuple(kind for kind, is_above in above.items() if is_above[n]) for n in range(len(sentences))]


@dataclass(frozen=True)
class DropStep:
    """The step of a run over lines: toxic and hateful sentences go, each an edit without a replacement; `detail` says
    which they were, by number, and what."""

    harm: Harm

    def __call__(self, pairs: Sequence[Pair]) -> list[Outcome]:
        """One outcome for each line: without its harmful pieces, or dropped."""
        cut = [pieces(pair.source) for pair in pairs]
        piece_kinds = iter(self.harm.kinds([piece.strip() for parts in cut for piece in parts]))
        return [
            _outcome(pair, parts, [next(piece_kinds) for _ in parts]) for pair, parts in zip(pairs, cut, strict=True)
        ]


def _outcome(pair: Pair, parts: Sequence[str], kinds: Sequence[tuple[str, ...]]) -> Outcome:
    if not any(kinds):
        return Unchanged()
    edits, at = [], 0
    for part, kind in zip(parts, kinds, strict=True):
        words = len(part.split())
        if kind:
            edits.append(Edit(at, at + words, ()))
        at += words
    remaining = "".join(part for part, kind in zip(parts, kinds, strict=True) if not kind)
    new = remaining.rstrip() + pair.source[len(pair.source.rstrip()) :]
    before, after = (Tokens.of(text, text.split()) for text in (pair.source, new))
    detail = ", ".join(f"{n} {'+'.join(kind)}" for n, kind in enumerate(kinds) if kind)
    return Augmented(replace(pair, source=new), Rewriting(before, Edits(tuple(edits), at), after), detail=detail)


def read_dropped(detail: str) -> dict[int, str]:
    """The numbers of the sentences in a ledger's `detail`, and what they were."""
    return {int(number): kind for number, _, kind in (entry.partition(" ") for entry in detail.split(", "))}


def step_of(judges: Judges) -> DropStep:
    """Builds the step in each worker."""
    step = DropStep(Harm(judges))
    _ = step.harm.versions
    return step
