"""The loss is fairseq's: a mean over target sub-words, padding no part of it, nor rows that are never written."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from transformers.trainer_pt_utils import LabelSmoother

from gec_fair.gec.bart.loss import IGNORED, NEVER, Smoothed
from tests.gec.bart.conftest import LEGACY

ROWS = 7


def straight(logits, labels, smoothing, writable):
    """The formula, a label at a time."""
    total, count = 0.0, 0
    for row, right in zip(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1), strict=True):
        if right == IGNORED:
            continue
        logs = row - np.log(np.sum(np.exp(row)))
        others = [logs[w] for w in range(len(row)) if writable[w] and w != right]
        total -= (1 - smoothing) * logs[right] + smoothing / len(others) * sum(others)
        count += 1
    return total / count


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("blocked", [[], [4, 6]], ids=["all rows are written", "two rows are never written"])
def test_the_loss_is_the_formula(smoothing, blocked):
    draw = np.random.default_rng(0)
    logits = draw.normal(size=(3, 5, ROWS)) * 3
    labels = draw.choice([0, 1, 2, 3, 5], size=(3, 5))
    labels[0, 3:] = labels[2, 1:] = IGNORED
    bias = np.zeros((1, ROWS))
    bias[0, blocked] = NEVER
    logits = logits + bias
    computed = Smoothed(smoothing, torch.tensor(bias))({"logits": torch.tensor(logits)}, torch.tensor(labels))
    assert float(computed) == pytest.approx(straight(logits, labels, smoothing, bias[0] == 0), rel=1e-5)


def test_what_stands_at_padding_does_not_matter():
    logits = torch.randn(2, 4, ROWS, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[1, 2, 3, 4], [5, IGNORED, IGNORED, IGNORED]])
    unwritable = logits.clone()
    unwritable[1, 1:] = 100 * torch.randn(3, ROWS)
    loss = Smoothed(0.1, torch.zeros(1, ROWS))
    assert torch.equal(loss({"logits": logits}, labels), loss({"logits": unwritable}, labels))


def test_half_precision_around_it_does_not_touch_the_loss():
    logits = torch.randn(2, 4, ROWS, generator=torch.Generator().manual_seed(0))
    labels, loss = torch.tensor([[1, 2, 3, 4], [5, 1, 2, 3]]), Smoothed(0.5, torch.zeros(1, ROWS))
    with torch.autocast("cpu", torch.bfloat16):
        computed = loss({"logits": logits}, labels)
    assert torch.equal(computed, loss({"logits": logits}, labels))


def test_transformers_smoother_leaves_padding_out_too_and_smooths_over_the_right_row_as_well():
    logits = torch.randn(2, 4, ROWS, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[1, 2, 3, 4], [5, IGNORED, IGNORED, IGNORED]])
    theirs = LabelSmoother(epsilon=0.1 * ROWS / (ROWS - 1))({"logits": logits}, labels)
    assert float(Smoothed(0.1, torch.zeros(1, ROWS))({"logits": logits}, labels)) == pytest.approx(float(theirs))


def test_an_update_of_many_batches_is_divided_by_all_its_labels():
    logits = torch.randn(2, 4, ROWS, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[1, 2, 3, 4], [5, 1, IGNORED, IGNORED]])
    loss = Smoothed(0.1, torch.zeros(1, ROWS))
    parts = [loss({"logits": logits[n : n + 1]}, labels[n : n + 1], num_items_in_batch=6) for n in (0, 1)]
    assert float(sum(parts)) == pytest.approx(float(loss({"logits": logits}, labels)))


@pytest.mark.parametrize("convention", ["prepend_bos_false", "prepend_bos_true"])
@pytest.mark.parametrize("number", [0, 1], ids=["unsmoothed", "smoothed"])
def test_the_loss_is_what_fairseq_computed(imported, convention, number):
    recorded = json.loads((LEGACY / "fairseq_tiny.json").read_text("utf-8"))[convention]
    row = recorded["losses"][number]
    source, read, target = (torch.tensor(recorded[key]) for key in ("src_tokens", "prev_output_tokens", "target"))
    model = imported[0].model
    with torch.no_grad():
        logits = model(input_ids=source, attention_mask=(source != 1).long(), decoder_input_ids=read).logits
    labels = target.masked_fill(target == 1, IGNORED)
    computed = Smoothed(row["label_smoothing"], model.final_logits_bias)({"logits": logits}, labels)
    assert float(computed) == pytest.approx(row["sum"] / recorded["ntokens"], abs=1e-5)
