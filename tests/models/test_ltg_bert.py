"""LTG-BERT: the published models' outputs in both layouts, our own straight-line reading of the paper, and what a
checkpoint must survive."""

from __future__ import annotations

import json
import math
from itertools import product

import pytest
import torch
from transformers import (
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForSequenceClassification,
)
from transformers.models.deberta_v2.modeling_deberta_v2 import make_log_bucket_position

from gec_fair.models.ltg_bert.config import LtgBertConfig, make_config
from gec_fair.models.ltg_bert.layers import buckets
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM

LAYOUTS = {"split": "logits", "interleaved": "logits_interleaved_position_split"}


def tiny(layout="split", attention="sdpa", seed=0):
    torch.manual_seed(seed)
    config = LtgBertConfig(
        vocab_size=60,
        hidden_size=24,
        intermediate_size=40,
        num_hidden_layers=2,
        num_attention_heads=3,
        position_bucket_size=4,
        max_position_embeddings=16,
        position_layout=layout,
        attn_implementation=attention,
    )
    model = LtgBertForMaskedLM(config).eval()
    with torch.no_grad():  # away from what every initialisation has: zeros and ones
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def test_golden_logits_of_the_published_code(data):
    folder = data / "bias/golden_tiny/ltgbert"
    report = json.loads((folder / "golden.json").read_text())
    weights = torch.load(folder / "state_dict.pt", weights_only=True)
    far = {}
    for layout, attention in product(LAYOUTS, ("eager", "sdpa")):
        config = LtgBertConfig(**report["config"], position_layout=layout, attn_implementation=attention)
        model = LtgBertForMaskedLM(config).eval()
        model.load_state_dict(weights)  # no key is missing, none is over
        with torch.no_grad():
            logits = model(torch.tensor(report["input_ids"]), torch.tensor(report["attention_mask_hf"])).logits
        far[layout, attention] = float((logits - torch.tensor(report[LAYOUTS[layout]])).abs().max())
    assert far == dict.fromkeys(far, pytest.approx(0, abs=1e-5))


def written_out(model, ids, mask):
    """Samuel et al. 2023 read aloud: a word, a head and a distance at a time."""
    c, weights = model.config, dict(model.named_parameters())
    width, heads = c.hidden_size, c.num_attention_heads
    size = width // heads

    def norm(row):
        return (row - row.mean()) / torch.sqrt(row.var(unbiased=False) + c.layer_norm_eps)

    def normed(row, name):
        return norm(row) * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def linear(row, name):
        expected = weights[f"{name}.weight"] @ row
        return expected + weights[f"{name}.bias"] if f"{name}.bias" in weights else expected

    def bucket(i, j):
        middle = c.position_bucket_size // 2
        far = min(abs(i - j), c.max_position_embeddings - 1)
        if far > middle:
            top = math.log((c.max_position_embeddings - 1) / middle)
            far = math.ceil(math.log(far / middle) / top * (middle - 1)) + middle
        return int(math.copysign(far, i - j)) + c.position_bucket_size - 1

    def sides(row, positions):
        if positions and c.position_layout == "interleaved":
            parts = [row[2 * size * h : 2 * size * (h + 1)] for h in range(heads)]
            return [part[:size] for part in parts], [part[size:] for part in parts]
        return tuple([half[size * h : size * (h + 1)] for h in range(heads)] for half in (row[:width], row[width:]))

    table = [normed(row, "embedding.relative_layer_norm") for row in weights["embedding.relative_embedding"]]
    states = [norm(weights["embedding.word_embedding.weight"][word]) for word in ids]
    for n in range(c.num_hidden_layers):
        name = f"transformer.layers.{n}.attention"
        content = [sides(linear(norm(row), f"{name}.in_proj_qk"), False) for row in states]
        places = [sides(linear(row, f"{name}.in_proj_qk"), True) for row in table]
        values = [linear(norm(row), f"{name}.in_proj_v") for row in states]
        after = []
        for i, row in enumerate(states):
            mixed = []
            for h in range(heads):
                scores = []
                for j in range(len(ids)):
                    place = places[bucket(i, j)]
                    q, k = content[i][0][h], content[j][1][h]
                    scores_ = q @ k + q @ place[1][h] + k @ place[0][h]
                    scores.append(scores_ / math.sqrt(3 * size) if mask[j] else torch.tensor(-math.inf))
                shares = torch.stack(scores).softmax(0)
                pairs = zip(shares, values, strict=True)
                mixed.append(sum(share * value[size * h : size * (h + 1)] for share, value in pairs))
            out = linear(torch.cat(mixed), f"{name}.out_proj")
            row = row + normed(out, f"{name}.post_layer_norm")
            inner = linear(norm(row), f"transformer.layers.{n}.mlp.mlp.1")
            half = len(inner) // 2
            gate = inner[half:]
            gelu = 0.5 * gate * (1 + torch.tanh(math.sqrt(2 / math.pi) * (gate + 0.044715 * gate**3)))
            after.append(row + linear(norm(inner[:half] * gelu), f"transformer.layers.{n}.mlp.mlp.4"))
        states = after
    logits = []
    for row in states:
        inner = linear(norm(row), "classifier.nonlinearity.1")
        inner = norm(0.5 * inner * (1 + torch.erf(inner / math.sqrt(2))))
        logits.append(weights["embedding.word_embedding.weight"] @ inner + weights["classifier.nonlinearity.5.bias"])
    return torch.stack(logits)


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_logits_are_those_of_the_formulas_written_out(layout, attention):
    model = tiny(layout, attention)
    ids, mask = torch.tensor([[5, 9, 33, 2, 7, 41, 8, 3, 19, 50, 50, 6]]), torch.tensor([[1] * 10 + [0, 0]])
    with torch.no_grad():
        assert model(ids, mask).logits[0] == pytest.approx(written_out(model, ids[0], mask[0]), abs=1e-5)


def test_the_layouts_are_two_models():
    ids = torch.arange(5, 17)[None]
    with torch.no_grad():
        logits = [tiny(layout)(ids).logits for layout in LAYOUTS]
    assert float((logits[0] - logits[1]).abs().max()) > 1e-3


def test_buckets_are_deberta_v2s():
    far = torch.arange(512)[:, None] - torch.arange(512)[None]
    assert (buckets(512, 32, 512) == make_log_bucket_position(far, 32, 512) + 31).all()
    assert buckets(600, 32, 512).amin() == 0
    assert buckets(600, 32, 512).amax() == 62
    assert tiny()(torch.full((1, 20), 7)).logits.shape == (1, 20, 60)  # longer than its table


PARAMETERS = [("base", 98_229_760), ("small", 27_741_952), ("xs", 8_533_888)]


@pytest.mark.parametrize(("size", "number"), PARAMETERS)
def test_sizes(size, number):
    with torch.device("meta"):
        model = LtgBertForMaskedLM(make_config(size))
    assert sum(parameter.numel() for parameter in model.parameters()) == number


def test_initial_weights():
    torch.manual_seed(0)
    model = LtgBertForMaskedLM(make_config("xs", num_hidden_layers=3))
    std = math.sqrt(2 / (5 * 192))
    cut = 0.8796  # standard deviation of a standard normal cut at two of them
    model.requires_grad_(requires_grad=False)
    words = model.embedding.word_embedding.weight
    assert float(words.abs().max()) <= 2 * std
    assert float(words.std()) == pytest.approx(cut * std, rel=1e-2)
    for n, layer in enumerate(model.transformer.layers):
        for linear in (layer.mlp.mlp[1], layer.mlp.mlp[4]):
            assert float(linear.weight.std()) == pytest.approx(cut * std * math.sqrt(1 / (2 * (1 + n))), rel=2e-2)
        assert not layer.attention.in_proj_qk.bias.any()
        assert (layer.attention.post_layer_norm.weight == 1).all()


def test_hidden_states_are_states():
    model = tiny()
    ids = torch.arange(5, 15)[None]
    with torch.no_grad():
        outputs = model(ids, output_hidden_states=True)
        base = AutoModel.from_config(model.config).eval()
        base.load_state_dict(model.state_dict(), strict=False)
        assert (base(ids).last_hidden_state == outputs.hidden_states[-1]).all()
        assert (model.classifier(outputs.hidden_states[-1]) == outputs.logits).all()
    assert len(outputs.hidden_states) == 3


def test_a_checkpoint_survives(tmp_path):
    model = tiny("interleaved")
    model.save_pretrained(tmp_path)
    again, info = AutoModelForMaskedLM.from_pretrained(tmp_path, output_loading_info=True)
    assert not any(info[key] for key in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    assert again.config.position_layout == "interleaved"
    first, second = model.state_dict(), again.state_dict()
    assert list(first) == list(second)
    assert all((first[name] == second[name]).all() for name in first)
    assert again.classifier.nonlinearity[5].weight is again.embedding.word_embedding.weight
    again.resize_token_embeddings(70)
    assert again.classifier.nonlinearity[5].weight is again.embedding.word_embedding.weight
    assert len(again.classifier.nonlinearity[5].bias) == 70
    headed = AutoModelForSequenceClassification.from_pretrained(tmp_path, num_labels=3)
    assert (headed.embedding.word_embedding.weight == first["embedding.word_embedding.weight"]).all()
    info = headed(torch.tensor([[5, 6, 7, 8]]), labels=torch.tensor([1]))
    assert info.logits.shape[-1] == 3
    info.loss.backward()


def test_masked_words_decide_nothing():
    model = tiny()
    ids = torch.tensor([[5, 6, 7, 8, 0, 0], [9, 10, 11, 12, 13, 14]])
    mask = torch.tensor([[1, 1, 1, 1, 0, 0], [1] * 6])
    with torch.no_grad():
        together, alone = model(ids, mask).logits, model(ids[:1, :4]).logits
        logits = model(torch.where(mask.bool(), ids, 33), mask).logits
        nothing = model(ids, torch.zeros_like(mask)).logits
    assert together[0, :4] == pytest.approx(alone[0], abs=1e-6)
    assert (together[0, :4] == logits[0, :4]).all()
    assert torch.isfinite(nothing).all()


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_gradients_reach_every_weight(attention):
    model = tiny(attention=attention).train()
    ids = torch.arange(5, 17)[None]
    model(ids, labels=ids).loss.backward()
    assert {
        name
        for name, named_parameter in model.named_parameters()
        if named_parameter.grad is None or not named_parameter.grad.any()
    } == set()


def test_a_layout_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="expected split or interleaved"):
        LtgBertConfig(position_layout="interleave")
