"""Tiny models with random weights, and what the authors' own code says of them."""

from __future__ import annotations

import json

import pytest

from tests.gec.gector import tiny


@pytest.fixture(scope="session")
def bias(data):
    return data / "bias"


@pytest.fixture(scope="session")
def golden(bias):
    """Reads a file of the original implementations' outputs."""
    return lambda name: json.loads((bias / f"golden_tiny/{name}.json").read_text())


@pytest.fixture(scope="session")
def bert(bias):
    from gec_fair.lmbias.models import load

    return load(str(bias / "golden_tiny/bert"))


@pytest.fixture(scope="session")
def gpt2(bias):
    from gec_fair.lmbias.models import load

    return load(str(bias / "golden_tiny/gpt2"))


@pytest.fixture(scope="session")
def masked(tmp_path_factory):
    """A masked model with a head, and its folder."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    folder = tmp_path_factory.mktemp("masked")
    tiny.encoder(folder)
    AutoModelForMaskedLM.from_pretrained(folder).save_pretrained(folder)
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def causal(tmp_path_factory, masked):
    from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

    folder = tmp_path_factory.mktemp("causal")
    tokenizer = AutoTokenizer.from_pretrained(masked)
    GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=32, n_layer=2,
                               n_head=2)).save_pretrained(folder)  # fmt: skip
    tokenizer.save_pretrained(folder)
    return folder
