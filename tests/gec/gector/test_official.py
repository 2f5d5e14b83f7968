"""Official checkpoints: AllenNLP's names, shapes, logits and losses (tests/gec/legacy/README.md)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import RobertaConfig

from gec_fair.errors import InputError
from gec_fair.gec.gector import checkpoint
from gec_fair.gec.gector.labels import Labels, build
from gec_fair.gec.gector.model import NO_WORD
from gec_fair.gec.gector.official import NAMES, _has_start, read_official
from gec_fair.gec.gector.verbs import verb_forms
from gec_fair.trainer.vocabulary import learn
from tests.cli.invoke import run
from tests.gec.gector import tiny

LEGACY = Path(__file__).parent.parent / "legacy"
SAID = json.loads((LEGACY / "allennlp_tiny.json").read_text())
LABELS = Labels(tuple(SAID["labels_vocabulary"]))


def make_base(folder: Path) -> Path:
    """What `--encoder roberta-base` would bring: a configuration and a tokenizer of 60 rows, no weights."""
    config = {key: value for key, value in SAID["config"].items() if key not in ("start_id", "vocab_size")}
    RobertaConfig(vocab_size=60, **config).save_pretrained(folder)
    tokenizer = learn(["a b"], 262)
    small = tokenizer.backend_tokenizer
    model = json.loads(small.to_str())
    vocabulary = {token: number for token, number in model["model"]["vocab"].items() if number < 59}
    model["model"]["vocab"], model["model"]["merges"] = vocabulary, []
    model["added_tokens"][-1]["id"] = 59  # <mask>
    type(tokenizer)(
        tokenizer_object=type(small).from_str(json.dumps(model)),
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return make_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def imported(base):
    return read_official(LEGACY / "allennlp_tiny.th", str(base), LABELS, verb_forms())


def inputs(*, padding: int = 0) -> dict[str, torch.Tensor]:
    ids, mask = torch.tensor(SAID["ids"]), torch.tensor(SAID["mask"])
    seen = ids != 0
    return {
        "input_ids": torch.where(seen, ids, padding),
        "attention_mask": seen.long(),
        "starts": torch.where(mask, torch.tensor(SAID["offsets"]), NO_WORD),
    }


def gold() -> dict[str, torch.Tensor]:
    mask = torch.tensor(SAID["mask"])
    return {
        "labels": torch.where(mask, torch.tensor(SAID["labels"]), NO_WORD),
        "detection": torch.where(mask, torch.tensor(SAID["d_tags"]), NO_WORD),
    }


def test_an_imported_model_computes_what_allennlp_computed(imported):
    mask = torch.tensor(SAID["mask"])
    with torch.inference_mode():
        output = imported.model.eval()(**inputs())
    for logits, said in ((output.tags, "logits_labels"), (output.detection, "logits_detect")):
        assert torch.allclose(logits[mask], torch.tensor(SAID[said])[mask], atol=1e-5)


def test_what_padding_holds_does_not_matter_under_the_mask(imported):
    with torch.inference_mode():
        zero, one = (imported.model.eval()(**inputs(padding=padding)).tags for padding in (0, 1))
    assert torch.equal(zero, one)


@pytest.mark.parametrize("said", SAID["losses"], ids=lambda said: f"smoothing {said['label_smoothing']}")
def test_the_loss_is_allennlps(imported, said):
    imported.model.config.label_smoothing = said["label_smoothing"]
    imported.model.config.loss_average = "sentence"
    with torch.inference_mode():
        loss = imported.model.eval()(**inputs(), **gold()).loss
    assert float(loss) == pytest.approx(said["loss"], abs=1e-5)


def test_a_loss_over_words_is_another_one(imported):
    imported.model.config.label_smoothing, imported.model.config.loss_average = 0.0, "word"
    with torch.inference_mode():
        loss = imported.model.eval()(**inputs(), **gold()).loss
    assert abs(float(loss) - SAID["losses"][0]["loss"]) > 1e-3


def test_the_start_token_has_the_row_after_the_last(imported):
    assert imported.pieces.options.start_token
    assert imported.pieces.tokenizer.convert_tokens_to_ids("$START") == 60 == SAID["config"]["start_id"]


def test_an_imported_model_survives_saving_and_loading(imported, tmp_path):
    imported.save(tmp_path, card="from a test")
    again = checkpoint.load(str(tmp_path))
    assert again.digest() == imported.digest()
    assert again.labels == LABELS
    assert "from a test" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "model.safetensors").exists()


def test_renaming_can_be_read_backwards(imported):
    theirs = torch.load(LEGACY / "allennlp_tiny.th", weights_only=True)
    back = {ours: old for old, ours in NAMES.items()}
    for name, values in imported.model.state_dict().items():
        ours = next(prefix for prefix in back if name.startswith(prefix))
        assert torch.equal(values, theirs[back[ours] + name.removeprefix(ours)])


def test_another_number_of_tags_is_refused(base):
    with pytest.raises(InputError, match=r"has 12 tags and the vocabulary 33; give the labels\.txt"):
        read_official(LEGACY / "allennlp_tiny.th", str(base), build({}, 36), verb_forms())


def test_another_encoder_is_refused(tmp_path):
    wrong_encoder = tiny.encoder(tmp_path / "other", hidden=32)
    with pytest.raises(InputError, match="its encoder is not"):
        read_official(LEGACY / "allennlp_tiny.th", str(wrong_encoder), LABELS, verb_forms())


WRONG = [
    ({"model.weight": torch.zeros(2)}, "model.weight is not part of a GECToR", "another model's names"),
    ({"tag_labels_projection_layer._module.bias": torch.zeros(12)}, "no detection_head.bias", "half a model"),
    ({"epoch": 3}, "other things than tensors", "a training state"),
]


@pytest.mark.parametrize(("content", "message", "why"), WRONG, ids=[row[2] for row in WRONG])
def test_other_files_are_told_from_checkpoints(tmp_path, base, content, message, why):
    torch.save(content, tmp_path / "x.th")
    with pytest.raises(InputError, match=message):
        read_official(tmp_path / "x.th", str(base), LABELS, verb_forms())


def test_a_broken_file_and_one_that_would_run_code_are_refused(tmp_path, base):
    (tmp_path / "half.th").write_bytes((LEGACY / "allennlp_tiny.th").read_bytes()[:5000])
    torch.save({"x": Path("nothing")}, tmp_path / "code.th")
    for name, message in (("half.th", "is not a complete torch checkpoint"), ("code.th", "would have to be executed")):
        with pytest.raises(InputError, match=f"{name}: .*{message}") as error:
            read_official(tmp_path / name, str(base), LABELS, verb_forms())
        assert "weights_only" not in str(error.value)


# rows of the checkpoint, sub-words of the tokenizer, rows by the encoder's configuration
ROWS = [
    (50266, 50265, 50265, True, "RoBERTa with $START"),
    (50265, 50265, 50265, False, "RoBERTa without"),
    (28996, 28996, 28996, False, "BERT, cased"),
    (128100, 128001, 128100, False, "DeBERTa v3, whose rows are padded"),
    (128002, 128001, 128100, True, "DeBERTa v3 with $START, cut to its tokenizer"),
    (28996, 30522, 30522, None, "BERT, cased, with the tokenizer of the uncased one"),
    (30522, 28996, 28996, None, "BERT, uncased, with the tokenizer of the cased one"),
    (50270, 50265, 50265, None, "more rows than anything accounts for"),
    (100, 120, 100, None, "an encoder whose tokenizer knows more than it has rows"),
]


@pytest.mark.parametrize(("rows", "known", "padded", "start", "why"), ROWS, ids=[row[4] for row in ROWS])
def test_a_checkpoint_is_read_with_a_tokenizer_of_its_size_alone(rows, known, padded, start, why):
    if start is not None:
        assert _has_start(rows, known, padded, "x.th: its encoder is not y") is start
        return
    with pytest.raises(InputError, match=r"x\.th: its encoder is not y: .* cased or uncased as that was"):
        _has_start(rows, known, padded, "x.th: its encoder is not y")


def test_a_tokenizer_of_another_size_is_refused_though_all_shapes_fit(base, tmp_path):
    shutil.copytree(base, tmp_path / "other")
    learn(["some other words , of which there are more"], 280).save_pretrained(tmp_path / "other")
    with pytest.raises(InputError, match="61 rows of sub-words and the tokenizer"):
        read_official(LEGACY / "allennlp_tiny.th", str(tmp_path / "other"), LABELS, verb_forms())


def full(*_):
    raise OSError(28, "No space left on device")


def test_the_command_writes_a_whole_model_or_none(base, tmp_path, monkeypatch):
    (tmp_path / "labels.txt").write_text("".join(tag + "\n" for tag in LABELS.tags))
    words = ("gector", "import", LEGACY / "allennlp_tiny.th", "--encoder", base, "--labels", tmp_path / "labels.txt")
    with monkeypatch.context() as broken:
        broken.setattr(checkpoint, "write_card", full)
        assert run(*words, "-o", tmp_path / "out").code != 0
    assert not list((tmp_path / "out").glob("*"))
    done = run(*words, "-o", tmp_path / "out")
    assert done.code == 0, done.stderr
    assert checkpoint.load(str(tmp_path / "out")).labels == LABELS


def test_a_head_whose_rows_stand_in_another_order_is_put_in_ours(base, imported, tmp_path):
    theirs = torch.load(LEGACY / "allennlp_tiny.th", weights_only=True)
    for part in ("weight", "bias"):
        name = f"tag_detect_projection_layer._module.{part}"
        theirs[name] = theirs[name][[2, 1, 3, 0]]
    torch.save(theirs, tmp_path / "other.th")
    LABELS.write(tmp_path)
    (tmp_path / "d_tags.txt").write_text("@@UNKNOWN@@\nINCORRECT\n@@PADDING@@\nCORRECT\n")
    words = ("gector", "import", tmp_path / "other.th", "--encoder", base, "--labels", tmp_path / "labels.txt")
    done = run(*words, "-o", tmp_path / "out")
    assert done.code == 0, done.stderr
    assert checkpoint.load(str(tmp_path / "out")).digest() == imported.digest()


def test_a_head_without_the_two_rows_that_count_is_refused(base):
    with pytest.raises(InputError, match=r"its 1 rows of detection are, by the d_tags\.txt, CORRECT; give the one"):
        read_official(LEGACY / "allennlp_tiny.th", str(base), LABELS, verb_forms(), detection=("CORRECT",))
