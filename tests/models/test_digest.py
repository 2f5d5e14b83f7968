"""A model's name is of all that decides what it predicts: loaded (`digest_of`), and as it lies in its folder
(`folder_digest`)."""

from __future__ import annotations

import json
import shutil

import pytest

from gec_fair.errors import InputError
from gec_fair.models.digest import folder_digest
from tests.gec.gector import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    from transformers import AutoModelForMaskedLM

    folder = tiny.encoder(tmp_path_factory.mktemp("model"))
    AutoModelForMaskedLM.from_pretrained(folder).save_pretrained(folder)
    return folder


def digest(folder) -> str:
    from transformers import AutoModelForMaskedLM

    from gec_fair.models.digest import digest_of
    from gec_fair.models.load import load_config
    from gec_fair.models.weights import load_model, load_tokenizer

    name = str(folder)
    return digest_of(load_model(AutoModelForMaskedLM, name, load_config(name), "predicting"), load_tokenizer(name))


SAID = [
    ({"num_attention_heads": 4}, True, "heads"),
    ({"hidden_act": "relu"}, True, "activation"),
    ({"layer_norm_eps": 1e-3}, True, "what norms add"),
    ({"_name_or_path": "/elsewhere"}, False, "where it lay"),
    ({"transformers_version": "4.0.0"}, False, "what saved it"),
    ({"dtype": "float64"}, False, "precision, for all are read in full"),
    ({"architectures": None}, False, "what it was trained as: the loaded class is known"),
    ({"hidden_dropout_prob": 0.5}, False, "dropout, which is training's"),
]


@pytest.mark.parametrize(("change", "decides", "why"), SAID, ids=[row[2] for row in SAID])
def test_what_a_configuration_says_of_the_computation_is_in_a_models_name(model, tmp_path, change, decides, why):
    changed = shutil.copytree(model, tmp_path / "other")
    config = json.loads((changed / "config.json").read_text())
    (changed / "config.json").write_text(json.dumps({**config, **change}))
    assert (digest(changed) != digest(model)) == decides


def test_an_encoder_inside_a_model_of_ours_counts_and_where_it_came_from_does_not():
    from transformers import AutoConfig

    from gec_fair.gec.gector.model import GectorConfig
    from gec_fair.models.digest import config_text

    def text(**options):
        return config_text(GectorConfig(encoder=AutoConfig.for_model("roberta", **options), tags=["$KEEP"]))

    assert text(name_or_path="/here") == text(name_or_path="/there")
    assert text() != text(num_attention_heads=6)


def test_the_row_that_ends_a_text_is_in_a_models_name(model, tmp_path):
    changed = shutil.copytree(model, tmp_path / "other")
    config = json.loads((changed / "tokenizer_config.json").read_text())
    (changed / "tokenizer_config.json").write_text(json.dumps({**config, "eos_token": "<s>"}))
    assert digest(changed) != digest(model)


FILES = [
    ("config.json", True),
    ("model.safetensors", True),
    ("model-00001-of-00002.safetensors", True),
    ("model.safetensors.index.json", True),
    ("pytorch_model.bin", True),
    ("tokenizer.json", True),
    ("tokenizer_config.json", True),
    ("vocab.txt", True),
    ("spiece.model", True),
    ("labels.txt", True),
    ("verb-form-vocab.txt", True),
    ("README.md", False),
    ("training_args.bin", False),
    ("trainer_state.json", False),
    ("optimizer.pt", False),
    ("checkpoint-5/model.safetensors", False),
]


@pytest.mark.parametrize(("name", "decides"), FILES, ids=[row[0] for row in FILES])
def test_a_folders_name_is_of_the_files_that_decide(tmp_path, name, decides):
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        for file in ("config.json", "model.safetensors"):
            (tmp_path / folder / file).write_bytes(b"as it was")
    first, second = (tmp_path / folder for folder in ("here", "there"))
    assert folder_digest(first) == folder_digest(str(second))
    (second / name).parent.mkdir(exist_ok=True)
    (second / name).write_bytes(b"another")
    assert (folder_digest(first) != folder_digest(second)) == decides


def test_contents_that_change_places_are_another_model(tmp_path):
    for folder, contents in (("here", (b"a", b"b")), ("there", (b"b", b"a"))):
        (tmp_path / folder).mkdir()
        for number, content in enumerate(contents):
            (tmp_path / folder / f"model-{number}.safetensors").write_bytes(content)
    assert folder_digest(tmp_path / "here") != folder_digest(tmp_path / "there")


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_folder_without_a_model_has_no_name(tmp_path, name):
    with pytest.raises(InputError, match=r"is not a model folder; give one that holds config\.json"):
        folder_digest(tmp_path / name)
