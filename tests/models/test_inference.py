"""The device, the precision and the pooling that all models share."""

from __future__ import annotations

import pytest
import torch

from gec_fair.errors import MissingResource
from gec_fair.models.inference import choose_device, choose_dtype, pool_states, require_gpu, trains_in_bf16


@pytest.mark.parametrize("gpu", [True, False])
def test_the_gpu_is_taken_where_there_is_one_and_no_other_is_named(monkeypatch, gpu):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    assert choose_device().type == ("cuda" if gpu else "cpu")
    assert choose_device("cpu").type == "cpu"
    assert choose_dtype(choose_device()) == (torch.bfloat16 if gpu else torch.float32)


def test_a_gpu_that_is_missing_is_reported_with_what_to_do(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(MissingResource, match=r"^the options demand a GPU and torch sees none; .* or set x to any$"):
        require_gpu("options", "set x to any")


def test_the_precision_that_is_named_is_taken(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert [trains_in_bf16(precision, "cuda") for precision in ("fp32", "bf16", "auto")] == [False, True, True]


def test_the_mean_is_over_what_the_mask_marks():
    states = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]], [[1.0, 1.0], [9.0, 9.0], [9.0, 9.0]]])
    mask = torch.tensor([[1, 1, 0], [0, 0, 0]])
    assert pool_states(states, mask=mask).tolist() == [[2.0, 3.0], [0.0, 0.0]]
    assert torch.allclose(pool_states(states), states.mean(1))
    assert pool_states(states, "first").tolist() == [[1.0, 2.0], [1.0, 1.0]]
