from __future__ import annotations

import pytest
import torch

from tests.gec.gector import tiny


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with a tiny encoder, and a GECToR on it whose random heads are loud enough to want edits."""
    from gec_fair.gec.gector import checkpoint
    from gec_fair.gec.gector.labels import read_labels
    from gec_fair.gec.gector.options import InputOptions
    from gec_fair.gec.gector.verbs import verb_forms

    folder = tmp_path_factory.mktemp("models")
    tiny.encoder(folder / "encoder")
    torch.manual_seed(3)
    tagger = checkpoint.new(
        str(folder / "encoder"),
        read_labels(tiny.labels(folder)),
        InputOptions(max_words=20),
        verb_forms(),
        dropout=None,
    )
    with torch.no_grad():
        tagger.model.tags_head.weight.mul_(8)
        tagger.model.detection_head.bias[1] = 9.0
    tagger.save(folder / "gector")
    return folder


@pytest.fixture(scope="session")
def loud(models):
    """A tiny ranker with a random head that is loud enough to have opinions."""
    from gec_fair.gec.editscorer import checkpoint
    from gec_fair.gec.editscorer.options import Setup

    torch.manual_seed(5)
    scorer = checkpoint.new(str(models / "encoder"), Setup(str(models / "gector")), mlp_hidden=32, dropout=0.0)
    with torch.no_grad():
        for part in (scorer.model.mlp, scorer.model.projection):
            part.weight.mul_(6)
    return scorer


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
