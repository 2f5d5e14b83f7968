"""Ways to train a classifier that does not lean on shortcuts, behind one interface (Yang et al. 2024, §4, table 1).

original  as it is
eda       nine noisy variants of each claim besides (Wei & Zou 2019)
crossaug  supported claims turned around, with their evidence (Lee et al. 2021)
rew       examples weighed so that no n-gram tells a label (Schuster et al. 2019)
poe       a product with a claim-only expert, which is left out afterwards (Karimi Mahabadi et al. 2020)
clever    what a claim-only model says taken off what the whole one says (Xu et al. 2023)
razor     as it is, on the rewritten data
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gec_fair.classifiers.protocol import Classifier, Scores, Text
from gec_fair.progress import note
from gec_fair.razor.baselines import crossaug, eda, linear, reweigh
from gec_fair.razor.documents.documents import Document, has_evidence
from gec_fair.razor.documents.relations import CONTRADICTS, ENTAILS, match_label

FOLDS = 5
"""Folds of the expert's own training data: what it says of a claim that it learned from is not a guess."""


StepScores = tuple[int, Mapping[str, Mapping[str, float]]]
"""After so many updates, of each test set the accuracy and F1, in percent."""


class Model(Classifier, Protocol):
    """What a method trains: a classifier whose scores are probabilities, with the logarithms behind them."""

    def logits(self, texts: Sequence[Text]) -> NDArray[np.float64]:
        """(texts, labels): the scores are their softmax."""
        ...

    @property
    def curve(self) -> Sequence[StepScores]:
        """What it was while it learned, where the backbone looked; () elsewhere."""
        ...


class Backbone(Protocol):
    """What is trained: `linear.Linear`, or an encoder (`fine_tuned.Encoder`). `weights`: (texts), how much each counts;
    `beside`: (texts, labels) logarithms that stand beside the model's own in training alone."""

    @property
    def version(self) -> str:
        """The name of what is trained."""
        ...

    @property
    def draws(self) -> bool:
        """Whether another seed trains another model."""
        ...

    def fit(
        self,
        texts: Sequence[Text],
        answers: Sequence[str],
        *,
        seed: int = 0,
        weights: NDArray[np.float64] | None = None,
        expert_scores: NDArray[np.float64] | None = None,
    ) -> Model:
        """Train on texts and their labels; `expert_scores`: (texts, labels) logarithms beside the model's own in
        training alone."""
        ...


@dataclass(frozen=True, slots=True)
class Training:
    """What decides a training beside its data. `negater`: CrossAug's; None puts numbers for numbers."""

    backbone: Backbone
    seed: int = 0
    claim_only: bool = False
    negater: crossaug.Negater | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """`train(data, how)` → classifier; `draws`: whether the seed decides anything of it beside the backbone; `lacks`
    says of data what they would need and have not, "" where it can train on them."""

    train: Callable[[Sequence[Document], Training], Model]
    draws: bool = False
    lacks: Callable[[Sequence[Document], bool], str] = lambda documents, claim_only: ""


@dataclass(frozen=True, slots=True)
class Difference:
    """CLEVER's answer: the whole model's logarithms less the claim-only one's; it has no curve."""

    full: Model
    claim: Model
    curve: Sequence[StepScores] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the whole model."""
        return self.full.labels

    @property
    def version(self) -> str:
        """`clever:` and the version of the whole model."""
        return f"clever:{self.full.version}"

    def logits(self, texts: Sequence[Text]) -> NDArray[np.float64]:
        """(texts, labels): the whole model's logits less the claim-only one's, which reads a text's last field."""
        return self.full.logits(texts) - self.claim.logits([text[-1:] for text in texts])

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels): the softmax of the logits."""
        return linear.softmax(self.logits(texts))


def read(documents: Sequence[Document], *, claim_only: bool) -> list[Text]:
    """What a classifier reads: evidence and claim, or the claim alone."""
    alone = claim_only or not has_evidence(documents)
    return [(document.text,) if alone else (document.evidence, document.text) for document in documents]


def original(data: Sequence[Document], training: Training, **more: Any) -> Model:
    """Training on the documents as they are; `more`: weights or an expert's scores, for the backbone."""
    texts, answers = read(data, claim_only=training.claim_only), [document.label for document in data]
    return training.backbone.fit(texts, answers, seed=training.seed, **more)


def with_eda(data: Sequence[Document], training: Training) -> Model:
    """Training on the documents and their EDA variants."""
    more = [
        replace(document, text=text)
        for document in data
        for text in eda.variants(document.text, Random(f"{training.seed} {document.id}"))
    ]
    return original([*data, *more], training)


def with_crossaug(data: Sequence[Document], training: Training) -> Model:
    """Training on the documents and their CrossAug counterparts."""
    labels = {document.label for document in data}
    supports, refutes = (match_label(names[0], labels) or "" for names in (ENTAILS, CONTRADICTS))
    more = crossaug.augment(
        data, training.negater or crossaug.numbers(training.seed), supports=supports, refutes=refutes
    )
    return original(more, training)


def with_rew(data: Sequence[Document], training: Training) -> Model:
    """Training with documents weighted against their shortcuts (Schuster et al. 2019)."""
    claims, answers = [document.text for document in data], [document.label for document in data]
    return original(data, training, weights=reweigh.weights(claims, answers))


def with_poe(data: Sequence[Document], training: Training) -> Model:
    """Training as a product of experts with a model of the claim alone."""
    claims, answers = [document.text for document in data], [document.label for document in data]
    return original(data, training, expert_scores=np.log(guesses(claims, answers, training.seed)))


def with_clever(data: Sequence[Document], training: Training) -> Model:
    """CLEVER: a model of claim and evidence, less one of the claim alone."""
    return Difference(original(data, training), original(data, replace(training, claim_only=True)))


def guesses(claims: Sequence[str], answers: Sequence[str], seed: int) -> NDArray[np.float64]:
    """(claims, labels): what a linear claim-only model that did not see the claim says of it."""
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(claims))
    labels = sorted(set(answers))
    probabilities = np.full((len(claims), len(labels)), 1 / len(labels))
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        rest = np.setdiff1d(order, held)
        if len({answers[i] for i in rest}) < 2:
            continue  # nothing to be told apart
        model = linear.Linear().fit([(claims[i],) for i in rest], [answers[i] for i in rest])
        columns = np.array([labels.index(label) for label in model.labels])
        probabilities[held[:, None], columns] = model.scores([(claims[i],) for i in held])
    return np.asarray(np.clip(probabilities, 1e-6, 1.0))


def _no_relations(documents: Sequence[Document], claim_only: bool) -> str:
    """CrossAug turns supported claims around, which then are refuted."""
    labels = {document.label for document in documents}
    for names in (ENTAILS, CONTRADICTS):
        if match_label(names[0], labels) is None:
            return f"a label such as {names[2]}; there are {', '.join(sorted(labels))}"
    return "" if has_evidence(documents) else "claims with evidence"


def _no_evidence(documents: Sequence[Document], claim_only: bool) -> str:
    """CLEVER takes the claim's part off: nothing would be left."""
    is_paired = has_evidence(documents) and not claim_only
    return "" if is_paired else "claims with evidence, and no --claim-only: it takes the claim's part off"


METHODS: Mapping[str, Method] = {
    "original": Method(original),
    "eda": Method(with_eda, draws=True),
    "crossaug": Method(with_crossaug, draws=True, lacks=_no_relations),
    "rew": Method(with_rew),
    "poe": Method(with_poe, draws=True),
    "clever": Method(with_clever, lacks=_no_evidence),
    "razor": Method(original),
}


def list_applicable(train: Sequence[Document], rewritten: Sequence[Document], *, claim_only: bool) -> tuple[str, ...]:
    """The methods that these documents allow; prints on stderr which they do not, and why."""
    names = []
    for name, method in METHODS.items():
        missing = method.lacks(train, claim_only) or ("" if rewritten or name != "razor" else "--rewritten")
        if missing:
            note(f"without {name}, which wants {missing}")
        else:
            names.append(name)
    return tuple(names)
