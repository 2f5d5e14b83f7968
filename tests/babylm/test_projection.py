"""Sent-Debias and INLP: what the original code finds on the same states, what is left afterwards, and that a projected
model is a model."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from transformers import BertConfig, BertForMaskedLM, GPT2Config, GPT2LMHeadModel

from gec_fair.babylm.debiasing.projection import away_from, inlp, sent_debias
from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.load import load
from gec_fair.lmbias.scoring.masked import Cloze, Masked
from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM
from gec_fair.models.projected import ProjectedForCausalLM, ProjectedForMaskedLM
from gec_fair.trainer.vocabulary import learn

TEXT = ["she writes a letter to her brother", "he reads the letter to his sister", "people sing in the garden"]


@pytest.fixture
def golden(data):
    return data / "bias/golden_tiny"


def test_sent_debias_finds_the_direction_of_the_original_code(golden):
    golden_ = json.loads((golden / "debias.json").read_text())
    examples = json.loads((golden / "sentdebias_gender_examples.json").read_text())
    model = load(str(golden / "bert"))
    projection = sent_debias([model.vectors([example[name] for example in examples]) for name in examples[0]])
    theirs = np.array(golden_["sentdebias_gender_direction"])
    assert abs(projection @ theirs) / np.linalg.norm(theirs) == pytest.approx(1, abs=1e-6)
    assert np.linalg.norm(projection) == pytest.approx(1)


def test_inlp_finds_the_projection_of_the_original_code(golden):
    golden_ = json.loads((golden / "debias.json").read_text())["inlp_toy"]
    draw = np.random.default_rng(0)
    states = draw.normal(size=(600, 16))
    labels = (states[:, 0] + 0.5 * states[:, 1] + 0.3 * draw.normal(size=600) > 0).astype(int)
    projection = inlp((states[:400], labels[:400]), (states[400:], labels[400:]), classifiers=golden_["n_W"])
    assert np.trace(projection.matrix) == pytest.approx(golden_["P_trace"])
    assert projection.matrix[0] == pytest.approx(np.array(golden_["P_row0"]), abs=1e-6)
    assert projection.rank == 5


def test_inlp_of_a_models_states_is_that_of_the_original_code(golden):
    from sklearn.model_selection import train_test_split

    golden_ = json.loads((golden / "debias.json").read_text())["inlp_tinybert"]
    texts = json.loads((golden / "inlp_sentences.json").read_text())
    model = load(str(golden / "bert"))
    states = np.concatenate([model.vectors(texts[name], unit=False) for name in ("male", "female", "neutral")])
    labels = np.repeat([1, 0, -1], [len(texts[name]) for name in ("male", "female", "neutral")])
    rest, test, of_rest, _ = train_test_split(states, labels, test_size=0.3, random_state=0)
    train, held, of_train, of_held = train_test_split(rest, of_rest, test_size=0.3, random_state=0)
    assert (len(train), len(held), len(test)) == (golden_["train"], golden_["dev"], golden_["test"])
    projection = inlp((train, of_train), (held, of_held), classifiers=4)
    assert np.trace(projection.matrix) == pytest.approx(golden_["trace"])
    assert projection.matrix[0] == pytest.approx(np.array(golden_["row0"]), abs=5e-4)


def planted(rng, count=600, width=12, groups=2):
    """States of groups that differ along two directions, and in nothing else."""
    labels = rng.integers(groups, size=count)
    centres = np.zeros((groups, width))
    centres[:, :2] = rng.normal(size=(groups, 2)) * 3
    return rng.normal(size=(count, width)) + centres[labels], [str(label) for label in labels]


@pytest.mark.parametrize("groups", [2, 3])
def test_after_inlp_no_line_tells_the_groups_apart(groups):
    states, labels = planted(np.random.default_rng(1), groups=groups)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        projection = inlp((states[:400], labels[:400]), (states[400:], labels[400:]), classifiers=6)
    assert projection.matrix @ projection.matrix == pytest.approx(projection.matrix, abs=1e-9)
    assert projection.matrix == pytest.approx(projection.matrix.T)
    before, after = (
        LogisticRegression().fit(states_[:400], labels[:400]).score(states_[400:], labels[400:])
        for states_ in (states, states @ projection.matrix)
    )
    frequent = max(labels.count(label) for label in set(labels)) / len(labels)
    assert before > 0.75
    assert after < frequent + 0.12
    assert projection.accuracy[0] > 0.75 > projection.accuracy[-1]


def test_what_differs_between_views_is_what_is_taken_away():
    rng = np.random.default_rng(3)
    one, axis = rng.normal(size=(50, 8)), rng.normal(size=8)
    projection = sent_debias([one + axis, one - axis])
    assert abs(projection @ axis) / np.linalg.norm(axis) == pytest.approx(1)
    gone = (one + axis) @ away_from(projection) - (one - axis) @ away_from(projection)
    assert np.abs(gone).max() < 1e-9
    with pytest.raises(InputError, match="the same states"):
        sent_debias([one, one])


def models():
    torch.manual_seed(0)
    small = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
    yield "bert", BertForMaskedLM(BertConfig(vocab_size=300, intermediate_size=32, **small)), ProjectedForMaskedLM
    yield (
        "ltg-bert",
        LtgBertForMaskedLM(LtgBertConfig(vocab_size=300, intermediate_size=32, position_layout="split", **small)),
        ProjectedForMaskedLM,
    )
    yield "gpt2", GPT2LMHeadModel(GPT2Config(vocab_size=300, n_embd=24, n_layer=2, n_head=2)), ProjectedForCausalLM


@pytest.mark.parametrize(
    ("model", "kind"), [(model, kind) for _, model, kind in models()], ids=[name for name, *_ in models()]
)
def test_a_projected_model_is_scored_kept_and_read(model, kind, tmp_path):
    tokenizer = learn(TEXT, 300, raw=True)
    model.eval()
    direction = np.random.default_rng(0).normal(size=24)
    projected = kind.around(model, away_from(direction), "sent-debias gender")
    ids = torch.tensor([tokenizer(TEXT[0])["input_ids"]])
    with torch.no_grad():
        states = projected.base_model(ids).last_hidden_state
        assert np.abs(states.numpy() @ direction).max() < 1e-4
        assert not torch.allclose(projected(ids).logits, model(ids).logits)
        same = kind.around(model, np.eye(24), "nothing")(ids).logits
        assert torch.allclose(same, model(ids).logits, atol=1e-6)
    projected.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    again = load(str(tmp_path))
    assert again.model.config.method == "sent-debias gender"
    with torch.no_grad():
        assert torch.equal(again.model(ids).logits, projected(ids).logits)
    fresh = (Masked if kind is ProjectedForMaskedLM else Causal)(projected, tokenizer)
    assert again.digest() == fresh.digest()
    assert np.abs(again.vectors(TEXT) @ direction).max() < 1e-4
    if kind is ProjectedForMaskedLM:  # its head reads asked places alone, as the bare model's does
        row = tuple(ids[0].tolist())
        hidden = (*row[:2], again.mask, *row[3:])
        with torch.no_grad():
            log_likelihood = projected(torch.tensor([hidden])).logits[0, 2].double().log_softmax(-1)[row[2]]
        assert again.log_probs([Cloze(hidden, 2, row[2])])[0] == pytest.approx(float(log_likelihood), abs=1e-5)
        assert again._apart
