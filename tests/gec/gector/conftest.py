from __future__ import annotations

import pytest

from tests.gec.gector import tiny


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with a tiny encoder, a labels.txt and toy pairs."""
    folder = tmp_path_factory.mktemp("models")
    tiny.encoder(folder / "encoder")
    tiny.labels(folder)
    tiny.write_pairs(folder / "train.tsv", 300)
    tiny.write_pairs(folder / "dev.tsv", 60, seed=1)
    return folder
