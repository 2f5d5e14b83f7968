"""Detoxify as a classifier: the loading code against a class of its shape; its weights are not at hand here."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest

from gec_fair.classifiers import detoxify_model, load
from gec_fair.errors import MissingResource, UsageError


class Stand:
    """As detoxify 0.5's `Detoxify`: labels in `class_names`, `predict` answers lists by label."""

    def __init__(self, model_type, device):
        if model_type == "multilingual":
            raise OSError("no route to host")
        self.class_names = ["toxicity", "insult"]
        self.requests = []

    def predict(self, texts):
        self.requests.append(len(texts))
        return {"toxicity": [len(text) / 100 for text in texts], "insult": [0.5] * len(texts)}


@pytest.fixture
def _installed(monkeypatch):
    module = ModuleType("detoxify")
    module.__spec__ = ModuleSpec("detoxify", None)
    module.Detoxify = Stand
    monkeypatch.setitem(sys.modules, "detoxify", module)
    monkeypatch.setattr(detoxify_model, "version", lambda name: "0.5.4")
    monkeypatch.delenv("GEC_FAIR_OFFLINE", raising=False)


@pytest.mark.usefixtures("_installed")
def test_its_labels_and_scores_are_taken_batch_by_batch():
    classifier = load("detoxify:original", ("toxicity",), ordered=False)
    assert (classifier.labels, classifier.version) == (("toxicity", "insult"), "detoxify:original:0.5.4")
    texts = [("x" * n,) for n in range(150)]
    scores = classifier.scores(texts)
    assert scores.shape == (150, 2)
    assert np.allclose(scores[:, 0], np.arange(150) / 100)
    assert classifier._model.requests == [64, 64, 22]
    assert classifier.scores([]).shape == (0, 2)


@pytest.mark.usefixtures("_installed")
def test_weights_that_cannot_be_had_are_told(monkeypatch):
    with pytest.raises(MissingResource, match="its weights cannot be had"):
        load("detoxify:multilingual", ("toxicity",), ordered=False)
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises(MissingResource, match="downloads are forbidden"):
        load("detoxify:original", ("toxicity",), ordered=False)


def test_without_it_the_extra_is_named():
    with pytest.raises(MissingResource, match=r"gec-fair\[detoxify\]"):
        load("detoxify:original", ("toxicity",), ordered=False)
    with pytest.raises(UsageError, match="did you mean original"):
        load("detoxify:orignal", ("toxicity",), ordered=False)
