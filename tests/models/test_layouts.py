"""Checkpoints of LTG-BERT as they are found: without a layout, under another name, with another's padding."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from transformers import AutoModelForSequenceClassification

from gec_fair.errors import InputError
from gec_fair.lmbias.scoring.load import load
from gec_fair.models.load import load_config
from gec_fair.models.ltg_bert import layouts
from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM
from gec_fair.models.weights import load_with_head
from gec_fair.trainer.vocabulary import learn


@pytest.fixture(scope="module")
def tokenizer():
    return learn(layouts.SENTENCES, 300, raw=True)


@pytest.fixture(scope="module")
def trained_models(tokenizer, tmp_path_factory):
    """Folders of small models, by layout, that have learnt the sentences by heart, by where their words stand."""
    folders = {layout: tmp_path_factory.mktemp(layout) for layout in ("split", "interleaved")}
    for layout, folder in folders.items():
        torch.manual_seed(0)
        model = LtgBertForMaskedLM(
            LtgBertConfig(
                vocab_size=len(tokenizer),
                hidden_size=48,
                intermediate_size=64,
                num_hidden_layers=2,
                num_attention_heads=3,
                position_bucket_size=16,
                max_position_embeddings=64,
                hidden_dropout_prob=0.0,
                position_layout=layout,
            )
        )
        ids = tokenizer(list(layouts.SENTENCES), padding=True, return_tensors="pt")["input_ids"]
        optimizer = torch.optim.AdamW(model.parameters(), 5e-3)
        for _ in range(60):
            hidden = (torch.rand(ids.shape) < 0.3) & (ids > 3)
            masked_ids = torch.where(hidden, tokenizer.mask_token_id, ids)
            model(masked_ids, labels=torch.where(hidden, ids, -100)).loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return folders


@pytest.fixture
def trained(trained_models, tmp_path):
    """The model of a layout; its folder is `tmp_path`, which the test may change."""

    def copy(layout="split"):
        shutil.copytree(trained_models[layout], tmp_path, dirs_exist_ok=True)
        return LtgBertForMaskedLM.from_pretrained(trained_models[layout]).eval()

    return copy


def rewritten(folder, **changes):
    """Its config.json with other values; None takes one out."""
    path = folder / "config.json"
    config = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({key: value for key, value in config.items() if value is not None}))


@pytest.mark.parametrize("layout", ["split", "interleaved"])
def test_the_layout_that_a_checkpoint_does_not_say_is_the_one_it_was_trained_with(
    layout, trained, tokenizer, tmp_path, capsys
):
    model = trained(layout)
    rewritten(tmp_path, position_layout=None, pad_token_id=4)
    loaded = load(str(tmp_path))
    assert loaded.model.config.position_layout == layout
    assert f"{layout} is taken" in capsys.readouterr().err
    assert loaded.model.config.pad_token_id is None  # 4 is another token's; the tokenizer knows its own
    ids = tokenizer(layouts.SENTENCES[0], return_tensors="pt")["input_ids"]
    with torch.no_grad():
        assert torch.allclose(loaded.model(ids).logits, model(ids).logits, atol=1e-5)
    assert load(str(tmp_path)).model.config.position_layout == layout
    assert capsys.readouterr().err == ""  # it is not asked twice


def test_a_checkpoint_that_calls_itself_bert_is_known_by_its_buckets(trained, tmp_path):
    model = trained()
    rewritten(tmp_path, model_type="bert", architectures=["LtgBertForMaskedLM"])
    loaded = load(str(tmp_path)).model
    assert isinstance(loaded, LtgBertForMaskedLM)
    assert torch.equal(loaded.embedding.word_embedding.weight, model.embedding.word_embedding.weight)


def test_a_checkpoint_without_the_masked_head_must_say_its_layout(trained, tmp_path):
    classifier = AutoModelForSequenceClassification.from_config(trained().config)
    classifier.save_pretrained(tmp_path)
    rewritten(tmp_path, position_layout=None)
    with pytest.raises(InputError, match=r"write position_layout \(split or interleaved\) into its config.json"):
        load_config(str(tmp_path))


def test_a_head_is_put_on_whole_weights_only(trained, tmp_path):
    trained()
    config = load_config(str(tmp_path))
    assert load_with_head(AutoModelForSequenceClassification, str(tmp_path), config).head is not None
    rewritten(tmp_path, hidden_size=24)
    with pytest.raises(InputError, match="do not fit its configuration"):
        load_with_head(AutoModelForSequenceClassification, str(tmp_path), load_config(str(tmp_path)))


def test_the_head_reads_each_place_by_itself_and_vectors_are_states(trained, tokenizer, tmp_path):
    trained()
    model = load(str(tmp_path))
    assert model._reads_apart(model.tensor(tokenizer(["The children played."])["input_ids"]))
    assert model.vectors(["The children played."]).shape == (1, 48)
