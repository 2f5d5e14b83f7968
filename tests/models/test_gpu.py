"""What only a GPU shows of LTG-BERT: half precision, the fused path, compiled steps."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from gec_fair.models.ltg_bert.config import make_config
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM
from gec_fair.trainer.options import EncoderOptions, PretrainOptions, TrainingOptions
from gec_fair.trainer.pretraining import encoder
from tests.gec.gector import tiny

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")]


def test_the_fused_path_is_the_plain_one_on_a_gpu(monkeypatch):
    monkeypatch.setattr(torch.backends.cuda.matmul, "allow_tf32", False)  # a compiled training turns it on
    torch.manual_seed(0)
    shape = {"num_hidden_layers": 2, "vocab_size": 500}
    plain, fused = (
        LtgBertForMaskedLM(make_config("xs", attn_implementation=way, **shape)).eval().cuda()
        for way in ("eager", "sdpa")
    )
    fused.load_state_dict(plain.state_dict())
    ids = torch.randint(0, 500, (4, 128), device="cuda")
    mask = torch.ones_like(ids)
    mask[0, 100:] = 0
    with torch.inference_mode():
        assert torch.allclose(plain(ids, mask).logits, fused(ids, mask).logits, atol=1e-4)
        with torch.autocast("cuda", torch.bfloat16):
            half = [model(ids, mask).logits.float() for model in (plain, fused)]
    assert torch.allclose(*half, atol=0.1)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("causal", [0.0, 0.25], ids=["masked", "hybrid"])
def test_bf16_pretraining_on_a_gpu_learns(compiled, causal, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(target.capitalize() for _, target in tiny.pairs(400)))
    options = PretrainOptions(
        texts=(str(path),),
        words="raw",
        vocabulary=400,
        block=32,
        validation=0.1,
        unit="spans",
        causal=causal,
        encoder=EncoderOptions("ltg-bert", hidden=64, layers=2, heads=2, intermediate=96, positions=64),
        training=TrainingOptions(
            steps=60, batch=8, learning_rate=3e-3, eval_every=30, precision="bf16", device="gpu", compile=compiled
        ),
    )
    done = encoder.pretrain(options, tmp_path / "out")
    assert done.losses[-1] < done.losses[0] < 7
    again = encoder.pretrain(replace(options, training=replace(options.training)), tmp_path / "out")
    assert again == done
