from __future__ import annotations

from pathlib import Path

import pytest

from tests.gec.bart import tiny
from tests.gec.gector.tiny import write_pairs

LEGACY = Path(__file__).parents[1] / "legacy"


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with a BART that has learned nothing, and toy pairs."""
    folder = tmp_path_factory.mktemp("models")
    tiny.bart(folder / "bart")
    tiny.copies(folder / "copies.tsv", 200)
    write_pairs(folder / "train.tsv", 2000)
    write_pairs(folder / "dev.tsv", 40, seed=1)
    return folder


@pytest.fixture(scope="session")
def trained(models):
    """A BART that has learned agreement: `he go home .` → `he goes home .`; five seconds on one core."""
    from gec_fair.gec.bart.options import BartTraining
    from gec_fair.gec.bart.train import train
    from gec_fair.trainer.options import TrainingOptions

    training = TrainingOptions(
        steps=300,
        batch=64,
        learning_rate=1e-2,
        schedule="linear",
        warmup=30,
        adam_beta2=0.98,
        clip=1.0,
        eval_every=300,
        save_every=1000,
        log_every=100,
        precision="fp32",
    )
    options = BartTraining(
        start=str(models / "bart"),
        training=training,
        train=str(models / "train.tsv"),
        dev=str(models / "dev.tsv"),
        max_tokens=600,
        dropout=0.0,
    )
    return train(options, models / "trained", seed=0, cache=models / "cache")


@pytest.fixture(scope="session")
def corrector(trained):
    from gec_fair.gec.bart.checkpoint import load

    return load(str(trained.directory))


@pytest.fixture(scope="session")
def merges(tmp_path_factory):
    """36 merges of bytes: enough for the pieces 256 to 291 of the tiny checkpoint that fairseq made."""
    path = tmp_path_factory.mktemp("bpe") / "vocab.bpe"
    pairs = [f"{left} {right}" for left in "abcdef" for right in "ghijkl"]
    path.write_text("#version: 0.2\n" + "".join(pair + "\n" for pair in pairs), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def imported(merges):
    from gec_fair.gec.bart.official import read_fairseq

    dictionary = LEGACY / "fairseq_tiny_dict.txt"
    return read_fairseq(LEGACY / "fairseq_tiny.pt", dictionary=dictionary, bpe=str(merges), text="tokenised")
