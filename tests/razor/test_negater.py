"""CrossAug's negater: any seq2seq model, whose claims are read in batches as they would be alone."""

from __future__ import annotations

import json

import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from gec_fair.errors import InputError
from gec_fair.razor.baselines.negater import BEAMS, Negater
from tests.cli.invoke import run
from tests.gec.bart import tiny
from tests.gec.gector import tiny as encoders
from tests.razor.test_evaluate import write
from tests.razor.test_methods import TEST, TRAIN


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Random weights, large enough that what is written depends on what is read; half of it has an end."""
    folder = tiny.bart(tmp_path_factory.mktemp("bart"))
    model = AutoModelForSeq2SeqLM.from_pretrained(folder)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.ndim > 1:
                weight *= 3 if "embed" in name or "shared" in name else 20
    model.final_logits_bias[0, model.config.eos_token_id] = 1.0
    model.save_pretrained(folder)
    return folder


CLAIMS = [f"{claim} {'and so on ' * (n % 5)}" for n, claim in enumerate(document.text for document in TRAIN[:24])]


def test_a_batch_is_what_each_claim_is_alone(folder):
    negater = Negater(str(folder), tokens=200)
    negated = negater(CLAIMS)
    model, tokenizer = AutoModelForSeq2SeqLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    for claim, negative in zip(CLAIMS, negated, strict=True):
        rows = model.generate(**tokenizer(claim, return_tensors="pt"), num_beams=BEAMS, max_length=128)
        ended = bool((rows[0, 1:] == tokenizer.eos_token_id).any())
        text = tokenizer.decode(rows[0], skip_special_tokens=True).strip()
        assert negative == (text or None if ended else None)
    assert len(set(negated)) > 6
    assert None in negated
    assert negater(CLAIMS[::-1]) == negated[::-1]


def test_a_claim_is_written_once_and_one_too_long_never(folder, monkeypatch):
    negater = Negater(str(folder))
    first = negater(CLAIMS)
    monkeypatch.setattr(negater, "_write", None)
    assert negater([CLAIMS[1], CLAIMS[20], "no end " * 200]) == [first[1], first[20], None]


def test_crossaug_by_a_model(folder, tmp_path):
    train, test = write(tmp_path / "train.jsonl", TRAIN[:60]), write(tmp_path / "test.jsonl", TEST[:20])
    words = ("--train", train, "--test", f"t={test}", "--methods", "original,crossaug", "--json")
    done = run("razor", "evaluate", *words, "--negater", folder)
    assert done.code == 0, done.stderr
    assert [row["method"] for row in json.loads(done.stdout)["rows"]] == ["original", "crossaug"]
    encoders.encoder(tmp_path / "encoder")
    wrong = run("razor", "evaluate", *words, "--negater", tmp_path / "encoder")
    assert wrong.code == 2
    assert "which writes no text for a text; give a seq2seq model such as minwhoo/" in wrong.stderr


def test_a_model_that_is_no_seq2seq_is_told(tmp_path):
    encoders.encoder(tmp_path)
    with pytest.raises(InputError, match="give a seq2seq model"):
        Negater(str(tmp_path))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_on_a_gpu(folder):
    assert Negater(str(folder), device="cuda")(CLAIMS) == Negater(str(folder), device="cpu")(CLAIMS)
