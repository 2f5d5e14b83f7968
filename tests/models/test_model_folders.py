"""A model folder from elsewhere: its code is never run, its pickles are never read, its faults are one message each."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import RobertaConfig

import gec_fair
from gec_fair.classifiers.hugging_face import HuggingFace
from gec_fair.errors import InputError, MissingResource
from gec_fair.gec.bart import checkpoint as bart
from gec_fair.gec.editscorer import checkpoint as editscorer
from gec_fair.gec.gector import checkpoint as gector
from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.scoring.load import load as load_language_model
from gec_fair.models.foreign import load_foreign
from gec_fair.models.heads import build_encoder
from gec_fair.models.load import load_config, load_encoder
from gec_fair.models.weights import load_tokenizer
from gec_fair.perturber.neural.seq2seq import Neural
from gec_fair.razor.baselines.negater import Negater
from gec_fair.razor.scoring.encoder import Sentences
from tests.cli.invoke import run
from tests.gec.gector.tiny import encoder, make_masked

PACKAGE = Path(gec_fair.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
LOADER = "models/locate.py"


def calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            yield node, function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def has(call, name, value):
    return any(word.arg == name and getattr(word.value, "value", None) is value for word in call.keywords)


def is_unsafe(place, call, name):
    function = ast.unparse(call.func)
    return (
        (name == "from_pretrained" and not (place == LOADER and has(call, "trust_remote_code", False)))
        or (name == "from_config" and not has(call, "trust_remote_code", False))
        or (function == "torch.load" and not has(call, "weights_only", True))
        or function in ("transformers.pipeline", "torch.hub.load", "joblib.load", "pickle.load", "input")
        or any(word.arg == "trust_remote_code" and not has(call, word.arg, False) for word in call.keywords)
    )


WORDS = ("from_pretrained", "from_config", ".load(", "pipeline(", "trust_remote_code", " input(")


def test_every_model_is_loaded_by_one_function_and_nothing_is_asked_on_standard_input():
    faults = []
    for path in SOURCES:
        place, text = path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")
        if any(word in text for word in WORDS):
            faults += [
                f"{place}:{call.lineno}" for call, name in calls(ast.parse(text)) if is_unsafe(place, call, name)
            ]
    assert faults == []


@pytest.fixture(scope="module")
def masked(tmp_path_factory):
    return make_masked(tmp_path_factory.mktemp("model") / "masked")


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    from transformers import AutoModelForSequenceClassification

    folder = encoder(tmp_path_factory.mktemp("model") / "classifier")
    config = load_config(str(folder))
    config.id2label, config.label2id = {0: "NO", 1: "YES"}, {"NO": 0, "YES": 1}
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    return folder


@pytest.fixture
def folder(classifier, tmp_path):
    return Path(shutil.copytree(classifier, tmp_path / "model"))


def change(path, **values):
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


READERS = [
    HuggingFace,
    load_language_model,
    gector.load,
    bart.load,
    editscorer.load,
    Neural,
    Negater,
    Sentences,
    lambda name: load_encoder(name, dropout=None),
]
CODE = """from pathlib import Path
Path(__file__).with_name("ran").touch()
from transformers import BertConfig as Config, BertModel as Model
"""
KINDS = ("AutoModel", "AutoModelForSequenceClassification", "AutoModelForMaskedLM", "AutoModelForCausalLM")


def give_code(folder, **values):
    (folder / "theirs.py").write_text(CODE.replace("Path(__file__).with_name('ran')", repr(folder / "ran")))
    classes = {"AutoConfig": "theirs.Config", **dict.fromkeys(KINDS, "theirs.Model")}
    change(folder / "config.json", auto_map=classes, **values)


@pytest.mark.parametrize("reader", READERS, ids=[getattr(reader, "__qualname__", "") for reader in READERS])
def test_the_code_of_a_model_is_refused_and_not_run(folder, reader, monkeypatch):
    give_code(folder, model_type="theirs")
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asks on standard input"))
    with pytest.raises(
        InputError, match=r"has Python code in its folder \(auto_map in its JSON files\), which is never"
    ):
        reader(str(folder))
    assert not (folder / "ran").exists()


COMMANDS = [
    ("correct", "-", "--system", "gector:{}"),
    ("lmbias", "surprisal", "{}", "{}/config.json"),
    ("gector", "predict", "{}", "-"),
    ("editscorer", "predict", "{}", "-"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_does_not_take_its_data_for_consent(folder, words, tmp_path):
    give_code(folder, model_type="theirs")
    done = run(*(word.replace("{}", str(folder)) for word in words), stdin="y\ny\nHe go .\n", cwd=tmp_path)
    assert (done.code, "Python code in its folder" in done.stderr) == (2, True), done.stderr
    assert not (folder / "ran").exists()


def test_a_known_kind_is_read_without_its_code(folder):
    give_code(folder)
    assert HuggingFace(str(folder)).labels == ("NO", "YES")
    assert not (folder / "ran").exists()


class Runs:
    def __reduce__(self):
        return Path.touch, (Path("ran"),)


def pickled(folder):
    (folder / "model.safetensors").unlink()
    torch.save({"weights": Runs()}, folder / "pytorch_model.bin")


def config(**values):
    return lambda folder: change(folder / "config.json", **values)


def tokenizer(**values):
    return lambda folder: change(folder / "tokenizer_config.json", **values)


def vocabulary(spread):
    def spoil(folder):
        content = json.loads((folder / "tokenizer.json").read_text())
        content["model"]["vocab"] = {word: spread * number for word, number in content["model"]["vocab"].items()}
        content["added_tokens"] = []
        (folder / "tokenizer.json").write_text(json.dumps(content))

    return spoil


def text(name, content):
    return lambda folder: (folder / name).write_text(content)


def without_tokenizer(folder):
    for path in [*folder.glob("*token*"), *folder.glob("vocab*"), *folder.glob("merges*")]:
        path.unlink()


def endless(folder):
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").symlink_to("/dev/zero")


def cut(name, share):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[: int(share * 1000)])


def without_numbers(folder):
    weights = load_file(folder / "model.safetensors")
    weights["classifier.dense.bias"] *= float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


NAMES = "id2label of its config.json is not 2 different names"
FAULTS = [
    (text("config.json", "<html>"), "its config.json cannot be used .it is not valid JSON", "a web page"),
    (text("config.json", "[1]"), "its config.json cannot be used .it is not an object", "a list"),
    (text("config.json", '{"a":' * 9999), "its config.json cannot be used", "brackets"),
    (config(hidden_size=10**9), "hidden_size is 1000000000, and at most", "a size that no model has"),
    (config(hidden_size=900_000), "its weights have [0-9,]+ bytes; they are not of one model", "another model's size"),
    (config(num_hidden_layers=10**9), "num_hidden_layers is 1000000000, and at most 1,000 ", "layers"),
    (config(vocab_size=10**12), "vocab_size is 1000000000000, and at most", "a vocabulary"),
    (config(num_labels=2 * 10**6, id2label=None, label2id=None), "num_labels is 2000000", "labels"),
    (config(hidden_size=-8), "config.json", "a negative size"),
    (config(num_attention_heads=0), "config.json", "no heads"),
    (config(hidden_size="big"), "no model can be read", "a word for a number"),
    (config(layer_norm_eps=float("nan")), "layer_norm_eps is not a number", "NaN in the configuration"),
    (config(pad_token_id=-7), "says pad_token_id -7", "a padding before the first sub-word"),
    (config(architectures=7), "its architectures are not a list", "an architecture that is a number"),
    (config(quantization_config={"quant_method": "bitsandbytes", "load_in_4bit": True}), "config.json", "quantised"),
    (config(id2label=["a", "b"]), "no model can be read", "a list of labels"),
    (config(id2label={"0": "a", "7": "b"}), NAMES, "a label is missing"),
    (config(id2label={"0": "a", "1": "a"}), NAMES, "one label twice"),
    (config(id2label={"0": None, "1": "b"}), NAMES, "a label that is null"),
    (cut("model.safetensors", 0.5), "its weights are damaged", "half of the weights"),
    (cut("model.safetensors", 0), "its weights are damaged", "no weights"),
    (without_numbers, "its weights hold values that are not numbers", "NaN in the weights"),
    (endless, "its weights cannot be read", "a device for weights"),
    (pickled, "a pickle that holds other things than tensors, which is never read", "a pickle"),
    (
        without_tokenizer,
        "no tokenizer that can be read .its vocabulary is missing",
        "a model saved without its tokenizer",
    ),
    (cut("tokenizer.json", 0.5), "no tokenizer that can be read .*look at tokenizer.json", "half a tokenizer"),
    (text("tokenizer.json", "[]"), "no tokenizer that can be read", "a list for a tokenizer"),
    (text("tokenizer_config.json", "{"), "no tokenizer that can be read", "half a tokenizer's configuration"),
    (tokenizer(model_max_length="long"), "no tokenizer that can be read", "a length in words"),
    (tokenizer(model_max_length=0), "its model_max_length is 0", "no length"),
    (vocabulary(1000), "the tokenizer has [0-9,]+ rows and the model", "sub-words without a row"),
]


HEADLESS = [
    (
        load_language_model,
        "MaskedLM .no lm_head.bias, ….; gec-fair pretrain mlm SETTINGS --set start=",
        "words",
    ),
    (HuggingFace, "SequenceClassification .no classifier.dense.bias, ….; gec-fair fairtune TASK --model ", "labels"),
]


@pytest.mark.parametrize(("reader", "message", "why"), HEADLESS, ids=[row[2] for row in HEADLESS])
def test_an_encoder_without_the_head_that_is_needed_is_told_how_to_get_one(reader, message, why, tmp_path):
    with pytest.raises(InputError, match=f"an encoder without the head of a RobertaFor{message}{tmp_path}"):
        reader(str(encoder(tmp_path)))


def test_a_head_of_which_a_part_is_missing_is_a_damaged_one(masked, tmp_path):
    folder = shutil.copytree(masked, tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    del weights["lm_head.dense.bias"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"they lack lm_head.dense.bias .1 such.; copy the model again"):
        load_language_model(str(folder))


@pytest.mark.parametrize(("spoil", "message", "why"), FAULTS, ids=[row[2] for row in FAULTS])
def test_a_damaged_folder_is_one_message(folder, spoil, message, why, monkeypatch):
    monkeypatch.chdir(folder)
    spoil(folder)
    with pytest.raises((InputError, MissingResource), match=message) as fault:
        HuggingFace(str(folder))
    assert str(folder) in str(fault.value)
    assert not Path("ran").exists()


ODD = [
    {"return_dict": False},
    {"chunk_size_feed_forward": 3},
    {"attn_implementation": "somebody/kernel"},
    {"encoder": {"model_type": "roberta"}},
]


@pytest.mark.parametrize("values", ODD, ids=lambda values: next(iter(values)))
def test_what_a_configuration_may_not_choose_changes_no_answer(folder, values):
    texts = [("He lost his keys .",), ("a " * 500,)]
    expected = HuggingFace(str(folder)).scores(texts)
    config(**values)(folder)
    assert load_config(str(folder))._attn_implementation is None
    assert (HuggingFace(str(folder)).scores(texts) == expected).all()


@pytest.mark.parametrize("name", ["pytorch_model.bin", "official.pt"])
def test_an_archive_that_swells_is_refused_before_it_is_read(folder, name, monkeypatch):
    monkeypatch.setattr("gec_fair.data.compression._SWOLLEN", 1 << 16)
    with ZipFile(folder / name, "w", ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", bytes(1 << 20))
    with pytest.raises(InputError, match="the compressed file holds more than 200 times its size"):
        load_foreign(folder / name) if name == "official.pt" else HuggingFace(str(folder))


@pytest.mark.parametrize("change", [{"hidden_act": "os.system"}, {"hidden_size": -8}, {"hidden_size": 0}])
def test_an_encoder_that_cannot_be_built_is_refused_by_its_configuration(change):
    with pytest.raises(InputError, match=r"its config.json describes no model that can be built"):
        build_encoder(RobertaConfig(**{"hidden_size": 8, "num_hidden_layers": 1, **change}))


MARKED = ["He wrote <mask> here .", "</s>", "<s> He goes . </s>", "<pad><unk>"]


def test_the_names_of_special_tokens_are_text(masked):
    reader = load_tokenizer(str(masked))
    for line in MARKED:
        ids = reader(line, add_special_tokens=False)["input_ids"]
        assert not set(ids) & set(reader.all_special_ids)
        assert reader.decode(ids).strip() == line


def test_a_masked_model_hides_its_own_places_alone(masked):
    model = load_language_model(str(masked))
    (line,) = model.cut(["He wrote <mask> here ."])
    assert model.mask not in line.ids
    questions = [model.hide(line, (at,), at) for at in line.places]
    assert all(question.ids.count(model.mask) == 1 for question in questions)
    assert (likelihoods(model, MARKED) < 0).all()


def test_a_classifier_reads_the_names_of_special_tokens(classifier):
    model = HuggingFace(str(classifier))
    assert model.scores([(line,) for line in MARKED]).shape == (4, 2)
    assert model.tokenizer("a </s> b")["input_ids"].count(model.tokenizer.eos_token_id) == model.tokenizer("a b")[
        "input_ids"
    ].count(model.tokenizer.eos_token_id)


LEARNERS = [
    "She have many informations .",
    "They was happy yesterday because the weather are good .",
    "He have went home .",
]


@pytest.mark.slow(5)
def test_an_encoder_made_float_again_leads_to_the_tags_of_the_integers(weights):
    """quire's head over the encoder of `training/weights.py`; quire's graph, which rounds between the layers too."""
    import numpy as np
    import onnx
    import onnxruntime
    from transformers import AutoModel

    file = weights("distilbert") / "tagger.onnx"
    arrays = {array.name: onnx.numpy_helper.to_array(array) for array in onnx.load(file).graph.initializer}
    integers, scale, zero = (arrays[f"onnx::MatMul_855_{part}"] for part in ("quantized", "scale", "zero_point"))
    head = (integers.astype(np.float32) - zero) * scale
    texts = load_tokenizer(str(file.parent))(LEARNERS, return_tensors="pt", padding=True)
    fed = {name: texts[name] for name in ("input_ids", "attention_mask")}
    with torch.inference_mode():
        states = AutoModel.from_pretrained(file.parent).eval()(**fed).last_hidden_state.numpy()
    (logits,) = onnxruntime.InferenceSession(file).run(None, {name: ids.numpy() for name, ids in fed.items()})
    words = (texts["attention_mask"] * (texts["input_ids"] > 103)).numpy().astype(bool)  # [SEP] is 102
    ours, theirs = (values.argmax(-1)[words].tolist() for values in (states @ head + arrays["classifier.bias"], logits))
    assert ours == theirs
    tags = json.loads((file.parent / "tag_vocab.json").read_text(encoding="utf-8"))["tags"]
    assert [tags[tag] for tag in ours if tag] == ["$REPLACE_has", "$REPLACE_were", "$REPLACE_has", "$REPLACE_gone"]
