"""Tiny models with random weights, and what the authors' own code says of them."""

from __future__ import annotations

import json

import pytest


@pytest.fixture(scope="session")
def bias(data):
    return data / "bias"


@pytest.fixture(scope="session")
def golden(bias):
    """Reads a file of the original implementations' outputs."""
    return lambda name: json.loads((bias / f"golden_tiny/{name}.json").read_text())


@pytest.fixture(scope="session")
def bert(bias):
    from gec_fair.lmbias.scoring.load import load

    return load(str(bias / "golden_tiny/bert"))


@pytest.fixture(scope="session")
def gpt2(bias):
    from gec_fair.lmbias.scoring.load import load

    return load(str(bias / "golden_tiny/gpt2"))
