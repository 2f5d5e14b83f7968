"""fairseq's checkpoints: the logits that fairseq itself computed, in both conventions; and files that are none."""

from __future__ import annotations

import json
import zipfile
from argparse import Namespace
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch

from gec_fair.config.settings import read_settings
from gec_fair.errors import InputError
from gec_fair.gec.bart.checkpoint import load
from gec_fair.gec.bart.official import COPIES, read_checkpoint, read_fairseq
from gec_fair.gec.bart.options import BartTraining
from gec_fair.gec.bart.vocabulary import MASK, gpt2_pieces, read_merges, read_vocabulary
from tests.gec.bart.conftest import LEGACY

RECIPE = Path(__file__).parents[3] / "training" / "bart.yaml"
TINY, DICTIONARY = LEGACY / "fairseq_tiny.pt", LEGACY / "fairseq_tiny_dict.txt"
ROWS = 40  # of the dictionary, in the tiny checkpoint


def logits_of(model, recorded):
    source, read = torch.tensor(recorded["src_tokens"]), torch.tensor(recorded["prev_output_tokens"])
    with torch.no_grad():
        return model(input_ids=source, attention_mask=(source != 1).long(), decoder_input_ids=read).logits


@pytest.mark.parametrize("convention", ["prepend_bos_false", "prepend_bos_true"])
def test_logits_are_those_that_fairseq_computed(imported, convention):
    recorded = json.loads((LEGACY / "fairseq_tiny.json").read_text("utf-8"))[convention]
    logits = logits_of(imported[0].model, recorded)
    real = torch.tensor(recorded["target"]) != 1  # what stands at padding is of no meaning
    assert float((logits[..., :ROWS] - torch.tensor(recorded["logits"]))[real].abs().max()) < 1e-5


def test_rows_that_the_checkpoint_has_not_are_read_as_unk_and_never_written(imported):
    corrector, vocabulary = imported
    recorded = json.loads((LEGACY / "fairseq_tiny.json").read_text("utf-8"))["prepend_bos_true"]
    assert vocabulary.rows.index(MASK) == ROWS
    shared = corrector.model.get_input_embeddings().weight
    assert torch.equal(shared[ROWS], shared[3])
    assert float(logits_of(corrector.model, recorded).softmax(-1)[..., ROWS:].max()) == 0
    assert corrector.model.lm_head.weight is shared


CONVENTIONS = [
    ("translation", None, None, "tokenised", False, "a corrector of the public recipe"),
    ("denoising", None, None, "raw", True, "BART as it was published"),
    ("multilingual_denoising", None, None, "raw", True, "any other task"),
    ("translation", "raw", True, "raw", True, "the user knows better"),
    ("denoising", "tokenised", False, "tokenised", False, "and the other way round"),
]


@pytest.mark.parametrize(
    ("task", "text", "bos", "reads", "begins", "why"), CONVENTIONS, ids=[row[-1] for row in CONVENTIONS]
)
def test_the_task_says_what_the_model_reads_unless_the_user_does(task, text, bos, reads, begins, why, tmp_path, merges):
    change_checkpoint(tmp_path / "c.pt", lambda saved: saved["cfg"]["task"].update(_name=task))
    corrector, _ = read_fairseq(tmp_path / "c.pt", dictionary=DICTIONARY, bpe=str(merges), text=text, bos=bos)
    assert (corrector.options.text, corrector.options.bos) == (reads, begins)


def test_a_pretrained_bart_goes_into_the_recipe_as_it_is_converted(tmp_path, merges):
    change_checkpoint(tmp_path / "c.pt", lambda saved: saved["cfg"]["task"].update(_name="denoising"))
    corrector, _ = read_fairseq(tmp_path / "c.pt", dictionary=DICTIONARY, bpe=str(merges))
    corrector.save(tmp_path / "bart")
    recipe = read_settings(RECIPE, BartTraining)
    assert (
        load(str(tmp_path / "bart"), requested=replace(recipe.input, max_source=20, max_target=20)).options.text
        == "raw"
    )


def test_the_older_layout_is_read_with_its_mask_row(tmp_path, merges, imported):
    """`args` a Namespace, no `cfg`, a row for <mask>, half precision, torch's unzipped format: older than 0.12."""
    saved = read_checkpoint(TINY)
    state = {key: values.half() for key, values in saved.tensors.items() if key.rpartition(".")[2] not in COPIES}
    for key in ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight"):
        state[key] = torch.cat([state[key], torch.ones(1, 16).half()])
    del state["decoder.output_projection.weight"]
    old = {"args": Namespace(**{**saved.options, "task": "denoising"}), "model": state}
    torch.save(old, tmp_path / "model.pt", _use_new_zipfile_serialization=False)
    corrector, vocabulary = read_fairseq(tmp_path / "model.pt", dictionary=DICTIONARY, bpe=str(merges), text="raw")
    assert corrector.options.bos
    assert corrector.model.final_logits_bias[0, ROWS] == 0
    assert torch.equal(corrector.model.lm_head.weight[vocabulary.rows.index(MASK)], torch.ones(16))
    assert torch.equal(corrector.model.lm_head.weight[:ROWS], imported[0].model.lm_head.weight[:ROWS].half().float())


def test_a_converted_checkpoint_reads_back(imported, tmp_path):
    imported[0].save(tmp_path / "bart")
    loaded = load(str(tmp_path / "bart"))
    assert loaded.options == imported[0].options
    assert loaded.digest() == imported[0].digest()
    assert loaded.pieces(["ag ah"]) == imported[0].pieces(["ag ah"])


def test_the_published_dictionary_gives_the_rows_of_hugging_face(data, tmp_path):
    folder = data / "roberta_bpe"
    theirs = json.loads((folder / "vocab.json").read_text("utf-8"))
    merges = read_merges(str(folder / "merges.txt"))
    pieces = gpt2_pieces(merges)
    assert [pieces[n] for n in (13, 262, 11, 284, 50256)] == [".", "Ġthe", ",", "Ġto", "<|endoftext|>"]
    number = {piece: str(n) for n, piece in enumerate(pieces)}
    rows = sorted(theirs, key=theirs.get)
    (tmp_path / "dict.txt").write_text("".join(f"{number.get(row, row)} 1\n" for row in rows[4:] if row != MASK))
    assert (tmp_path / "dict.txt").read_text().startswith("13 1\n262 1\n11 1\n284 1\n")
    vocabulary = read_vocabulary(tmp_path / "dict.txt", merges)
    assert (list(vocabulary.rows), vocabulary.trained) == (rows, 50264)
    tokenizer = vocabulary.tokenizer()
    assert tokenizer(" Hello world")["input_ids"] == [0, 20920, 232, 2]
    assert tokenizer("Hello world")["input_ids"] == [0, 31414, 232, 2]


def test_merges_come_from_a_file_or_a_tokenizer(models, merges, tmp_path):
    assert len(read_merges(str(merges))) == 36
    assert read_merges(str(models / "bart"))
    (tmp_path / "no.bpe").write_text("a b c\n")
    with pytest.raises(InputError, match="holds no merges"):
        read_merges(str(tmp_path / "no.bpe"))


def change_checkpoint(path, change):
    """The tiny checkpoint with something else in it."""
    with torch.serialization.safe_globals([Namespace]):
        saved = torch.load(TINY, weights_only=True)
    change(saved)
    torch.save(saved, path)


def other_architecture(saved):
    saved["model"]["encoder.layer_norm.weight"] = torch.ones(16)


def no_options(saved):
    saved["cfg"] = None


def no_part(saved):
    del saved["model"]["decoder.layers.1.fc2.bias"]


def two_embeddings(saved):
    saved["model"]["encoder.embed_tokens.weight"] = torch.ones(ROWS, 16)


def sinusoids(saved):
    del saved["model"]["encoder.embed_positions.weight"]


def a_head(saved):
    saved["model"]["classification_heads.mnli.dense.weight"] = torch.ones(2, 2)


def other_width(saved):
    saved["model"]["encoder.layers.0.fc1.weight"] = torch.ones(8, 16)


FAULTS = [
    (other_architecture, "has in addition model.encoder.layer_norm.weight", "a norm after the last layer: mBART"),
    (no_options, "do not say encoder_layers", "weights without options"),
    (no_part, "lacks model.decoder.layers.1.fc2.bias", "a part is missing"),
    (two_embeddings, "a BART has one embedding for both sides", "an embedding for each side"),
    (sinusoids, "has no encoder.embed_positions.weight: it is another architecture", "positions that are not learned"),
    (a_head, "classification_heads.mnli.dense.weight is not part of a BART that writes", "a head that does not write"),
    (other_width, "has in another shape model.encoder.layers.0.fc1.weight", "other sizes than its options say"),
    (
        lambda saved: saved.update(extra_state={"f": Fraction(1, 2)}),
        "fractions.Fraction, which would have",
        "an object that would have to be executed",
    ),
    (lambda saved: saved.pop("model"), "holds no model as fairseq saves one", "no model in it"),
]


@pytest.mark.parametrize(("change", "said", "why"), FAULTS, ids=[row[-1] for row in FAULTS])
def test_what_is_no_bart_is_told(change, said, why, tmp_path, merges):
    change_checkpoint(tmp_path / "c.pt", change)
    with pytest.raises(InputError, match=said) as error:
        read_fairseq(tmp_path / "c.pt", dictionary=DICTIONARY, bpe=str(merges), text="raw")
    assert "weights_only" not in str(error.value)  # torch's advice is to do without the guard


def as_numpy_1_wrote_it(path):
    """NumPy 2 keeps the same functions in another module."""
    with zipfile.ZipFile(path) as file:
        content = {item.filename: file.read(item) for item in file.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        for name, data in content.items():
            file.writestr(name, data.replace(b"cnumpy._core.", b"cnumpy.core.") if name.endswith("data.pkl") else data)


SCORES = [
    (np.float64(33.5), "a number"),
    (np.float32(33.5), "a number in single precision"),
    (np.int64(7), "a count"),
    (np.array([3, 4, 5]), "counts"),
    (np.array([0.5, 0.25]), "shares"),
]


@pytest.mark.parametrize("older", [False, True], ids=["NumPy 2", "NumPy 1"])
@pytest.mark.parametrize(("score", "why"), SCORES, ids=[row[-1] for row in SCORES])
def test_the_scores_that_eval_bleu_leaves_in_a_checkpoint_do_no_harm(score, why, older, tmp_path, merges, imported):
    change_checkpoint(tmp_path / "c.pt", lambda saved: saved.update(extra_state={"metrics": {"_bleu_counts": score}}))
    if older:
        as_numpy_1_wrote_it(tmp_path / "c.pt")
    corrector, _ = read_fairseq(tmp_path / "c.pt", dictionary=DICTIONARY, bpe=str(merges))
    assert corrector.digest() == imported[0].digest()


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_told_whatever_torch_makes_of_it(seed, tmp_path):
    draw = np.random.default_rng(seed)
    content = bytearray(TINY.read_bytes())
    for place in draw.integers(0, 4000, 20):
        content[place] = draw.integers(256)
    (tmp_path / "c.pt").write_bytes(content)
    with suppress(InputError):  # nothing else is raised, and some bytes do not matter
        read_checkpoint(tmp_path / "c.pt")


@pytest.mark.parametrize("kind", [IndexError, AssertionError, TypeError, KeyError, UnicodeError, AttributeError])
def test_whatever_torch_raises_over_a_file_is_told(kind, tmp_path, monkeypatch):
    def load(*_, **__):
        raise kind("at 12")

    monkeypatch.setattr(torch, "load", load)
    with pytest.raises(InputError, match=r"not a complete torch checkpoint .*copy it again"):
        read_checkpoint(TINY)


@pytest.mark.parametrize("size", [0, 5000, 200_000])
def test_a_truncated_file_is_told(size, tmp_path, merges):
    (tmp_path / "c.pt").write_bytes(TINY.read_bytes()[:size])
    with pytest.raises(InputError, match=r"not a complete torch checkpoint.*copy it again"):
        read_fairseq(tmp_path / "c.pt", dictionary=DICTIONARY, bpe=str(merges), text="raw")


def test_files_that_are_not_there_are_told(tmp_path, merges):
    with pytest.raises(InputError, match="cannot be read"):
        read_fairseq(tmp_path / "none.pt", dictionary=DICTIONARY, bpe=str(merges), text="raw")
    (tmp_path / "c.pt").write_bytes(TINY.read_bytes())
    with pytest.raises(InputError, match=r"no dict.txt lies beside it; .*--dict"):
        read_fairseq(tmp_path / "c.pt", bpe=str(merges), text="raw")
    (tmp_path / "dict.txt").write_bytes(DICTIONARY.read_bytes())
    assert read_fairseq(tmp_path / "c.pt", bpe=str(merges), text="raw")


@pytest.mark.parametrize("end", ["", "\n"], ids=["without a line end", "with a line end"])
def test_the_last_line_counts_with_or_without_its_end(end, tmp_path, merges):
    (tmp_path / "dict.txt").write_text(DICTIONARY.read_text().removesuffix("\n") + end)
    (tmp_path / "vocab.bpe").write_text(merges.read_text().removesuffix("\n") + end)
    assert read_merges(str(tmp_path / "vocab.bpe")) == read_merges(str(merges))
    vocabulary = read_vocabulary(tmp_path / "dict.txt", read_merges(str(merges)))
    assert vocabulary == read_vocabulary(DICTIONARY, read_merges(str(merges)))


DICTIONARIES = [
    ("256 1\n257 1\n", r"has 40 rows and its dictionary 6 .*--dict", "too few rows"),
    ("256 1\nhello 7\n", r"dict.txt:2: hello is not the number of a GPT-2 piece \(0 to 292\)", "words"),
    ("256 1\n60000 7\n", "dict.txt:2: 60000 is not the number", "pieces of more merges"),
    ("256 1\n257\n", "dict.txt:2: expected TOKEN COUNT, found '257'", "no counts"),
    ("256 1\n256 1\n", "names 1 pieces twice", "a piece twice"),
]


@pytest.mark.parametrize(("text", "said", "why"), DICTIONARIES, ids=[row[-1] for row in DICTIONARIES])
def test_a_dictionary_that_is_not_the_checkpoints_is_told(text, said, why, tmp_path, merges):
    (tmp_path / "dict.txt").write_text(text)
    with pytest.raises(InputError, match=said):
        read_fairseq(TINY, dictionary=tmp_path / "dict.txt", bpe=str(merges), text="raw")
