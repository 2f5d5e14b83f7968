"""Models as files: a model is whole or refused, a folder's own fault is said, a hub name does what a folder does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AlbertConfig,
    AlbertForMaskedLM,
    BartConfig,
    BartForConditionalGeneration,
    BartModel,
    BertConfig,
    BertForMaskedLM,
    DebertaV2Config,
    DebertaV2ForMaskedLM,
    DistilBertConfig,
    DistilBertForMaskedLM,
    ElectraConfig,
    ElectraForPreTraining,
    FunnelBaseModel,
    FunnelConfig,
    GPT2Config,
    GPT2Model,
    MPNetConfig,
    MPNetForMaskedLM,
    RobertaConfig,
    RobertaForMaskedLM,
    T5Config,
    T5Model,
    XLNetConfig,
    XLNetModel,
)
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

import gec_fair
from gec_fair.errors import InputError, MissingResource
from gec_fair.gec.bart.checkpoint import load as load_bart
from gec_fair.gec.editscorer import checkpoint as editscorers
from gec_fair.gec.editscorer.options import Setup
from gec_fair.gec.gector import checkpoint
from gec_fair.gec.gector.labels import read_labels
from gec_fair.gec.gector.options import Decoding, InputOptions
from gec_fair.gec.gector.predict import Predictor
from gec_fair.gec.gector.tune import load_decoding, save
from gec_fair.gec.gector.verbs import VerbForms, verb_forms
from gec_fair.models import locate
from gec_fair.models.configuration import UNLIMITED
from gec_fair.models.heads import KINDS as OURS
from gec_fair.models.heads import OverEncoderConfig
from gec_fair.models.load import load_config, load_encoder
from gec_fair.models.weights import load_model, load_tokenizer
from tests.gec.gector import tiny
from tests.gec.gector.hubs import COMMIT, cache_model, serve_hub

SMALL = {"vocab_size": 20, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
BART = {
    "vocab_size": 20,
    "d_model": 8,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 8,
    "decoder_ffn_dim": 8,
}


@pytest.fixture(scope="module")
def gector(models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gector")
    labels = read_labels(models)
    checkpoint.new(str(models / "encoder"), labels, InputOptions(), verb_forms(), dropout=None).save(folder)
    return folder


@pytest.fixture(scope="module")
def editscorer(models, tmp_path_factory):
    folder = tmp_path_factory.mktemp("editscorer")
    editscorers.new(str(models / "encoder"), Setup(), mlp_hidden=8, dropout=None).save(folder)
    return folder


def without(folder, start, to):
    """A copy of a model that lacks the weights whose names begin so."""
    shutil.copytree(folder, to)
    weights = load_file(to / "model.safetensors")
    remaining = {name: values for name, values in weights.items() if not name.startswith(start)}
    save_file(remaining, to / "model.safetensors", metadata={"format": "pt"})
    return str(to)


@pytest.mark.parametrize("part", ["tags_head", "detection_head", "encoder.encoder.layer.1"])
def test_a_gector_that_lacks_weights_is_refused_rather_than_filled_with_random_ones(gector, tmp_path, part):
    with pytest.raises(InputError, match=rf"do not fit its configuration: they lack {part}.* \(\d+ such\)"):
        checkpoint.load(without(gector, part, tmp_path / "model"))


def test_an_encoder_that_lacks_weights_is_refused(models, tmp_path):
    with pytest.raises(InputError, match=r"they lack encoder\.layer\.1"):
        load_encoder(without(models / "encoder", "encoder.layer.1", tmp_path / "model"), dropout=None)


def test_the_configuration_of_one_encoder_over_the_weights_of_another_is_refused(models, tmp_path):
    tiny.encoder(tmp_path / "modern", kind="modernbert")
    shutil.copy(models / "encoder/config.json", tmp_path / "modern/config.json")
    with pytest.raises(InputError, match="do not fit its configuration: they lack"):
        load_encoder(str(tmp_path / "modern"), dropout=None)


def test_weights_of_another_shape_are_named_with_both_shapes(models, tmp_path):
    shutil.copytree(models / "encoder", tmp_path / "model")
    change(tmp_path / "model/config.json", type_vocab_size=7)
    with pytest.raises(InputError, match=r"token_type_embeddings\.weight is \(2, 32\) and should be \(7, 32\)"):
        load_encoder(str(tmp_path / "model"), dropout=None)


def change(config, **changes):
    config.write_text(json.dumps(json.loads(config.read_text()) | changes))


ENCODERS = [
    RobertaForMaskedLM(RobertaConfig(**SMALL)),
    BertForMaskedLM(BertConfig(**SMALL)),
    AlbertForMaskedLM(AlbertConfig(**SMALL)),
    ElectraForPreTraining(ElectraConfig(**SMALL)),
    DebertaV2ForMaskedLM(DebertaV2Config(**SMALL)),
    MPNetForMaskedLM(MPNetConfig(**SMALL)),
    DistilBertForMaskedLM(DistilBertConfig(vocab_size=20, dim=8, n_layers=1, n_heads=2, hidden_dim=8)),
    XLNetModel(XLNetConfig(vocab_size=20, d_model=8, n_layer=1, n_head=2, d_inner=8)),
]


@pytest.mark.parametrize("model", ENCODERS, ids=lambda model: model.config.model_type)
def test_published_encoders_are_whole_whatever_heads_they_bring_and_poolers_they_lack(tmp_path, model):
    model.save_pretrained(tmp_path)
    assert load_encoder(str(tmp_path), dropout=None).config.model_type == model.config.model_type


# transformers has torch's fused attention for the first six alone
KINDS = [
    "albert",
    "bert",
    "distilbert",
    "electra",
    "modernbert",
    "roberta",
    "deberta",
    "deberta-v2",
    "longformer",
    "mpnet",
    "xlnet",
]


@pytest.mark.parametrize("gpu", [False, True], ids=["made on a CPU", "made beside a GPU"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_tagger_on_any_encoder_answers_as_before_it_was_saved_whatever_stands_beside_a_text(
    models, tmp_path, kind, gpu, monkeypatch
):
    with monkeypatch.context() as patched:
        patched.setattr(torch.cuda, "is_available", lambda: gpu)
        encoder = str(tiny.encoder(tmp_path / "encoder", kind=kind))
        tagger = checkpoint.new(encoder, read_labels(models), InputOptions(), verb_forms(), dropout=None)
    tagger.save(tmp_path / "gector")
    short, long = ("he", "go"), ("they", "goes", "to", "school", "every", "day", ".")
    before, after = (
        dict(Predictor(loaded, device="cpu").opinions(texts))[short]
        for loaded, texts in ((tagger, [short]), (checkpoint.load(str(tmp_path / "gector")), [short, long]))
    )
    assert np.allclose(before.keep, after.keep, atol=1e-5)
    assert np.allclose(before.best, after.best, atol=1e-5)


SENTENCEPIECE = [
    ("deberta-v2", "spm.model", "DebertaV2Tokenizer", ("[PAD]", "[CLS]", "[SEP]", "[UNK]")),  # DeBERTa v3 has no other
    ("xlnet", "spiece.model", "XLNetTokenizer", ("<pad>", "<s>", "</s>", "<unk>")),
]


@pytest.mark.parametrize(("kind", "name", "tokenizer", "first"), SENTENCEPIECE, ids=[row[0] for row in SENTENCEPIECE])
def test_an_encoder_that_brings_a_sentencepiece_model_alone_can_be_tagged_with(
    models, tmp_path, kind, name, tokenizer, first
):
    encoder = tiny.encoder(tmp_path / "encoder", kind=kind)
    (encoder / "tokenizer.json").unlink()
    (encoder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": tokenizer, "do_lower_case": False}))
    tiny.sentencepieces(encoder / name, first=first)
    tagger = checkpoint.new(str(encoder), read_labels(models), InputOptions(), verb_forms(), dropout=None)
    words = ("she", "goes", "to", "school", ".")
    ids, _ = tagger.pieces.sentence(words)
    assert ids[1:] == tagger.pieces.tokenizer(" ".join(words), add_special_tokens=False)["input_ids"]
    assert set(ids).isdisjoint(tagger.pieces.tokenizer.convert_tokens_to_ids([*first]))  # every word is known
    tagger.save(tmp_path / "gector")
    assert checkpoint.load(str(tmp_path / "gector")).digest() == tagger.digest()


@pytest.mark.parametrize("kind", [BartForConditionalGeneration, BartModel])
def test_a_bart_is_whole_with_its_tied_rows_kept_once_and_without_a_bias_of_zeros(tmp_path, kind):
    config = BartConfig(**BART)
    model = kind(config)
    model.save_pretrained(tmp_path)
    loaded = load_model(BartForConditionalGeneration, str(tmp_path), config, "predicting")
    assert torch.equal(loaded.get_input_embeddings().weight, model.get_input_embeddings().weight)
    assert torch.equal(loaded.lm_head.weight, model.get_input_embeddings().weight)


NO_ENCODERS = [
    (GPT2Model(GPT2Config(vocab_size=20, n_embd=8, n_layer=1, n_head=2)), r"a decoder, which reads from left"),
    (T5Model(T5Config(vocab_size=20, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)), "an encoder with a dec"),
    (
        FunnelBaseModel(FunnelConfig(vocab_size=20, d_model=8, n_head=2, d_head=4, d_inner=8, block_sizes=[1])),
        "pools neighbours",
    ),
    (BartModel(BartConfig(**BART)), r"an encoder with a decoder \(bart\).*give one such as roberta-base"),
]


@pytest.mark.parametrize(("model", "message"), NO_ENCODERS, ids=lambda value: getattr(value, "base_model_prefix", ""))
def test_what_reads_one_way_only_is_no_encoder(tmp_path, model, message):
    model.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=message):
        load_encoder(str(tmp_path), dropout=None)


def encoder_of(name):
    return load_encoder(name, dropout=None)


OTHER_KINDS = [
    (
        encoder_of,
        "gector",
        r"is a model of ours, an encoder with its head \(gec-fair-gector\), and .* wants an encoder "
        "alone.*; give one such as roberta-base",
        "a new head wants an encoder without one",
    ),
    (encoder_of, "editscorer", r"its head \(gec-fair-editscorer\)", "nor with an EditScorer's"),
    (
        checkpoint.load,
        "editscorer",
        "is a gec-fair-editscorer, no GECToR of ours; .* or train one with gec-fair gector train$",
        "the EditScorer for its generator",
    ),
    (editscorers.load, "gector", "is a gec-fair-gector, no EditScorer of ours; .* or train one with", "or the reverse"),
    (load_bart, "gector", "is a gec-fair-gector, not a BART; give facebook/bart-large", "a tagger writes no text"),
    (load_bart, "editscorer", "is a gec-fair-editscorer, not a BART", "nor does a ranker"),
]


@pytest.mark.parametrize(("read", "kind", "message", "why"), OTHER_KINDS, ids=[row[3] for row in OTHER_KINDS])
def test_a_model_of_ours_of_another_kind_is_told_by_its_kind(request, read, kind, message, why):
    with pytest.raises(InputError, match=message):
        read(str(request.getfixturevalue(kind)))


def test_our_own_kinds_are_known_before_anything_of_theirs_is_imported(gector, editscorer):
    code = (
        "import sys; from gec_fair.models.load import load_config\n"
        "print(*(load_config(name).model_type for name in sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, gector, editscorer], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["gec-fair-gector", "gec-fair-editscorer"]


def test_every_kind_of_ours_is_known_once_anything_can_be_loaded():
    root = Path(gec_fair.__file__).parent
    declared = {
        kind: path.relative_to(root).parts[0]
        for path in root.rglob("*.py")
        for kind in re.findall(r'^    model_type = "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert set(declared) >= {"gec-fair-gector", "gec-fair-editscorer", "gec-fair-projected", "ltgbert"}
    assert {kind for kind, room in declared.items() if room != "models"} == set(OURS)
    assert {kind for kind in declared if kind not in CONFIG_MAPPING} == set()


BROKEN = [
    (lambda folder: (folder / "config.json").write_text("{"), "is not valid JSON", "half a config.json"),
    (lambda folder: (folder / "config.json").write_text('{"hidden_size": 3}'), "model_type", "of no known model"),
    (lambda folder: change(folder / "config.json", encoder={"hidden_size": 3}), "model_type", "an unknown encoder"),
    (lambda folder: change(folder / "config.json", encoder=None), "says nothing of its encoder", "no encoder"),
    (lambda folder: change(folder / "config.json", input={"max_wrods": 3}), "no GECToR that this version", "a slip"),
    (lambda folder: change(folder / "config.json", input={"max_words": [50]}), "expected an integer", "a list"),
    (lambda folder: change(folder / "config.json", input=[3]), r"of no GECToR .*\[3\] is not an object", "no options"),
    (lambda folder: number_tags(folder / "config.json"), "of no GECToR that this version reads", "numbers as tags"),
    (lambda folder: change(folder / "config.json", tags=["$DELETE"]), "should be", "another number of tags"),
    (lambda folder: (folder / "config.json").unlink(), r"a folder, but .*it holds no config\.json", "no model at all"),
    (lambda folder: truncate(folder / "model.safetensors"), "damaged.*copy the model again", "a copy that broke off"),
    (lambda folder: (folder / "model.safetensors").unlink(), "weights cannot be read", "no weights"),
    (lambda folder: truncate(folder / "tokenizer.json"), "has no tokenizer", "half a tokenizer"),
]


def number_tags(config):
    tags = json.loads(config.read_text())["tags"]
    change(config, tags=[tags[0], *range(1, len(tags))])


def truncate(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(("spoil", "message", "why"), BROKEN, ids=[row[2] for row in BROKEN])
def test_what_is_wrong_with_a_folder_is_said_even_offline(gector, tmp_path, monkeypatch, spoil, message, why):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    shutil.copytree(gector, tmp_path / "model")
    spoil(tmp_path / "model")
    with pytest.raises((InputError, MissingResource), match=message) as error:
        checkpoint.load(str(tmp_path / "model"))
    assert "forbidden" not in str(error.value)


def test_a_name_that_is_nowhere_is_told_with_what_forbids_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingResource, match=r"a/b: no model folder, .*downloads are forbidden, GEC_FAIR_OFFLINE"):
        load_config("a/b")


PATHS = [
    ("runs/system1/0/best", "check the path$", "more than one slash"),
    ("/runs/best", "check the path$", "from the root"),
    ("./best", "check the path$", "from here"),
    ("../best", "check the path$", "from the folder above"),
    ("~/best", "write the home directory out, only a shell reads ~$", "from home, in YAML or after --start="),
    ("best/", "check the path$", "closed by a slash"),
    ("my models/best", "check the path$", "with a space"),
]


@pytest.mark.parametrize(("name", "remedy", "why"), PATHS, ids=[row[2] for row in PATHS])
@pytest.mark.parametrize(
    "read",
    [load_config, load_tokenizer, lambda name: locate.model_file(name, "x.yaml")],
    ids=["model", "tokenizer", "another file"],
)
def test_a_path_at_which_nothing_lies_is_told_and_no_hub_is_asked(
    name, remedy, why, read, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MissingResource, match=rf"^{re.escape(name)}: no model folder is there.*{remedy}"):
        read(name)
    assert capsys.readouterr().err == ""


HUB_NAMES = ["roberta-base", "FacebookAI/roberta-base", "someone/a_b.c-1", "roberta-base@main", "a/b@refs/pr/1"]


@pytest.mark.parametrize("name", HUB_NAMES)
def test_a_name_that_the_hub_can_have_is_asked_for(name, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    plain, at, revision = name.partition("@")
    assert locate.resolve(name) == (plain, {"local_files_only": True} | ({"revision": revision} if at else {}))


def test_of_a_trainings_folder_the_model_in_it_is_meant(gector, tmp_path):
    shutil.copytree(gector, tmp_path / "run/best")
    with pytest.raises(
        InputError, match=r"run: is a folder, but .*holds no config\.json\); did you mean .*run/best\?$"
    ):
        checkpoint.load(str(tmp_path / "run"))


def test_a_hub_name_brings_verb_forms_and_thresholds_as_its_folder_does(models, tmp_path, monkeypatch):
    few = VerbForms([("go", "goes", "VB", "VBZ")], source="few.txt")
    model = checkpoint.new(str(models / "encoder"), read_labels(models), InputOptions(), few, dropout=None)
    model.save(tmp_path / "model")
    save(Decoding(confidence=0.4), tmp_path / "model")
    name = cache_model(tmp_path / "model", "someone/gector", tmp_path / "cache", monkeypatch)
    assert checkpoint.load(name).digest() == model.digest()
    assert list(checkpoint.load(name).verbs.lines()) == ["go_goes:VB_VBZ"]
    assert load_decoding(name) == Decoding(confidence=0.4) == load_decoding(f"{name}@main")


def test_a_model_that_is_published_as_the_page_says_is_loaded_by_its_name(gector, tmp_path, monkeypatch):
    from huggingface_hub import HfApi

    with serve_hub(tmp_path / "cache", monkeypatch) as address:
        api = HfApi(endpoint=address, token="hf_secret")
        api.create_repo("owner/my-gector", exist_ok=True)
        api.upload_folder(repo_id="owner/my-gector", folder_path=str(gector))
        assert checkpoint.load("owner/my-gector").digest() == checkpoint.load(str(gector)).digest()
        assert load_decoding("owner/my-gector@main") == Decoding()
        assert locate.commit_of("owner/my-gector") == COMMIT


def test_an_encoder_that_is_pushed_is_loaded_by_its_name(models, tmp_path, monkeypatch):
    from transformers import AutoModel, AutoTokenizer

    with serve_hub(tmp_path / "cache", monkeypatch):
        for kind in (AutoModel, AutoTokenizer):
            kind.from_pretrained(models / "encoder").push_to_hub("owner/my-encoder", token="hf_secret")
        encoder = load_encoder("owner/my-encoder", dropout=None)
        words = load_tokenizer("owner/my-encoder").tokenize("she goes")
    same = encoder_of(str(models / "encoder")).get_input_embeddings().weight
    assert torch.equal(encoder.get_input_embeddings().weight, same)
    assert words == load_tokenizer(str(models / "encoder")).tokenize("she goes")


def test_a_hub_model_without_further_files_has_the_defaults(gector, tmp_path, monkeypatch):
    name = cache_model(gector, "someone/plain", tmp_path / "cache", monkeypatch)
    assert load_decoding(name) == Decoding()
    assert checkpoint.load(name).verbs is verb_forms()


def test_the_commit_of_a_hub_name_is_known_and_a_folder_has_none(gector, tmp_path, monkeypatch):
    assert locate.commit_of(cache_model(gector, "someone/gector", tmp_path / "cache", monkeypatch)) == COMMIT
    assert locate.commit_of(str(gector)) is None


COUNTED = [
    ("roberta", {"pad_token_id": 1}, 18, "the first position is the one after the padding's"),
    ("camembert", {"pad_token_id": 1}, 18, "a RoBERTa"),
    ("xlm-roberta", {"pad_token_id": 1}, 18, "a RoBERTa"),
    ("xlm-roberta-xl", {"pad_token_id": 1}, 18, "a RoBERTa"),
    ("roberta-prelayernorm", {"pad_token_id": 1}, 18, "a RoBERTa"),
    ("data2vec-text", {"pad_token_id": 1}, 18, "a RoBERTa"),
    ("ibert", {"pad_token_id": 1}, 18, "a RoBERTa"),
    ("mpnet", {"pad_token_id": 1}, 18, "a RoBERTa in this"),
    ("xmod", {"pad_token_id": 1, "languages": ("en",), "default_language": "en"}, 18, "a RoBERTa"),
    ("roberta", {"pad_token_id": 0}, 19, "padding of another number"),
    ("bert", {}, 20, "BERT counts from 0"),
    ("electra", {}, 20, "so does ELECTRA"),
]


@pytest.mark.parametrize(("kind", "more", "most", "why"), COUNTED, ids=[f"{row[0]}: {row[3]}" for row in COUNTED])
def test_an_encoder_reads_as_many_sub_words_as_its_configuration_says_and_no_more(kind, more, most, why):
    from transformers import AutoConfig, AutoModel

    shape = AutoConfig.for_model(kind, **SMALL, max_position_embeddings=20, **more)
    assert OverEncoderConfig(shape).positions == most
    model = AutoModel.from_config(shape).eval()
    ids = torch.full((1, most + 1), 5)
    with torch.inference_mode():
        model(ids[:, :most])
        with pytest.raises((IndexError, RuntimeError)):
            model(ids)


def test_an_encoder_that_counts_distances_reads_any_length():
    assert OverEncoderConfig(XLNetConfig(vocab_size=20, d_model=8, n_layer=1, n_head=2)).positions == UNLIMITED


class Answering:
    """A hub: `error` is raised, or the model is known."""

    def __init__(self, error=None):
        self.error, self.asked = error, []

    def model_info(self, name, *, revision, timeout):
        self.asked.append((name, revision, timeout))
        if self.error:
            raise self.error


@pytest.fixture
def hub(monkeypatch):
    import huggingface_hub

    monkeypatch.delenv("GEC_FAIR_OFFLINE", raising=False)
    locate._is_on_hub.cache_clear()

    def install(error=None):
        answering = Answering(error)
        monkeypatch.setattr(huggingface_hub, "HfApi", lambda: answering)
        return answering

    yield install
    locate._is_on_hub.cache_clear()


def test_a_name_that_the_hub_does_not_have_is_answered_after_one_short_question(hub):
    answering = hub(ConnectionError("no such host"))
    for _ in range(2):
        with pytest.raises(MissingResource, match=r"a/b@v1: no model folder, and no model of that name .*no such host"):
            locate.find_model("a/b@v1")
    assert answering.asked[0] == ("a/b", "v1", 2.0)


def test_a_name_that_the_hub_has_is_loaded_from_it_and_asked_once(hub):
    answering = hub()
    assert locate.resolve("a/b@v1") == locate.resolve("a/b@v1") == ("a/b", {"revision": "v1"})
    assert len(answering.asked) == 1


def test_a_hub_that_does_not_answer_leaves_the_cache(hub, models, tmp_path, monkeypatch):
    hub(ConnectionError("down"))
    cache_model(models / "encoder", "owner/cached", tmp_path, monkeypatch)
    monkeypatch.delenv("GEC_FAIR_OFFLINE")
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_, **__: "config.json")
    assert locate.resolve("owner/cached") == ("owner/cached", {"local_files_only": True})
