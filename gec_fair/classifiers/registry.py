"""Classifiers by name; a name without a kind is a Hugging Face model's, in a folder or on the hub."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import isdir
from pathlib import Path

from gec_fair.classifiers.labels import match_labels
from gec_fair.classifiers.protocol import Classifier
from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError
from gec_fair.models.locate import find_model
from gec_fair.registry import Factory, Registry

HF = "hf"
TFIDF = "tfidf"
"""Trained on the task's own data, and so not loaded by name."""
PICKLES = (".joblib", ".pickle", ".pkl")
SKOPS = ".skops"
CLASSIFIERS: Registry[Classifier] = Registry(
    "classifier",
    {
        "command": Factory("gec_fair.classifiers.command:Command", argument="PROGRAM"),
        "detoxify": Factory("gec_fair.classifiers.detoxify_model:DetoxifyModel", argument="MODEL"),
        HF: Factory(
            "gec_fair.classifiers.hugging_face:HuggingFace",
            argument="MODEL",
            extra="train",
            needs=("torch", "transformers"),
            check=find_model,
        ),
        "openai": Factory(
            "gec_fair.classifiers.openai_chat:OpenAIChat", argument="MODEL", options=("choices", "cache")
        ),
        "polarity": Factory("gec_fair.classifiers.polarity:Polarity"),
        "sklearn": Factory("gec_fair.classifiers.scikit:Scikit", argument="FILE.skops"),
        "toxicity": Factory("gec_fair.classifiers.toxicity:Toxicity"),
    },
    group="classifiers",
)
"""Each factory takes its argument and the labels of the task; () where the classifier decides them."""
EMBEDDED = ("polarity", "toxicity")
"""Names that take no argument."""


def load(
    name: str, labels: Sequence[str], *, ordered: bool = True, choices: bool = False, cache: Path | None = None
) -> Classifier:
    """The classifier of that name, for a task with these labels (() for a regression).

    `ordered`: the labels are in the order that a model was trained with, so that it need not name them. `choices`: an
    example's last fields, one a label, are candidates. `cache`: a SQLite file for the answers of a model behind a
    server; None asks again every time.
    Raises InputError for a classifier that lacks one of the labels, UsageError for an unknown name, MissingResource for
    an extra or a model that is not installed.
    """
    classifier = load_unmatched(name, labels, ordered=ordered, choices=choices, cache=cache)
    return match_labels(name, classifier, labels)


def load_unmatched(
    name: str, labels: Sequence[str] = (), *, ordered: bool = True, choices: bool = False, cache: Path | None = None
) -> Classifier:
    """The classifier of that name with its own labels. The parameters are those of `load`; raises as `load` does,
    except for labels."""
    full = _with_kind(name)
    named_in_order = ordered or not full.startswith(f"{HF}:")
    return CLASSIFIERS.load(full, tuple(labels) if named_in_order else (), choices=choices, cache=cache)


def _with_kind(name: str) -> str:
    """`hf:` before the name of a folder or of a model on the hub; any other name unchanged, for the registry to check.
    UsageError for a name that the hub cannot have, or that is nearly the name of a shipped classifier."""
    kind, colon, _ = name.partition(":")
    known = kind in CLASSIFIERS
    if name in EMBEDDED or (colon and known):
        return name
    if isdir(name):
        return f"{HF}:{name}"
    if colon or known:
        return name
    suffix = Path(name).suffix
    if suffix == SKOPS:
        raise UsageError(f"{name}: give a scikit-learn pipeline as sklearn:{name}")
    if suffix in PICKLES:
        raise UsageError(
            f"{name}: pickles are not read, for they may run code; save the pipeline with skops (skops.io.dump) and "
            "give sklearn:FILE.skops"
        )
    if name == TFIDF:
        raise UsageError("tfidf learns from a task's own data; where there is none, give another classifier")
    if "/" not in name and (near := closest(name, (*EMBEDDED, TFIDF))):
        raise UsageError(f"unknown classifier {name!r}{near} A model of the hub with this name is hf:{name}")
    return f"{HF}:{name}"
