"""What only a GPU shows: half precision, and batches that are cut alike each time."""

from __future__ import annotations

import pytest
import torch

from gec_fair.perturber.neural.seq2seq import Neural, PromptRequest
from gec_fair.perturber.neural.train import start
from tests.gec.bart import tiny

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")]


def test_a_model_perturbs_in_half_precision_and_the_same_again(tmp_path):
    weights, tokenizer = start(str(tiny.bart(tmp_path / "bart")))
    weights.save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    model = Neural(str(tmp_path / "model"))
    assert {weight.dtype for weight in model.model.parameters()} == {torch.bfloat16}
    requests = [PromptRequest((f"he sings {'very ' * n}well .",), "he", "woman") for n in range(20)]
    assert model(requests) == model(requests)
