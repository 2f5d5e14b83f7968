"""Surprisal: what the bits of words and sub-words add up to, how they are printed, what is refused."""

from __future__ import annotations

import json
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

import gec_fair as gf
from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.options import SurprisalOptions
from gec_fair.lmbias.scoring import load
from gec_fair.lmbias.scoring.document_start import document_start
from gec_fair.lmbias.scoring.likelihood import likelihoods
from gec_fair.lmbias.surprisals import measure
from tests.cli.invoke import run

TEXTS = ["She lost her keys .", "He writes  a letter—today.", " The nurses\tsang!", "x"]
CHOICES = [("masked", "original"), ("masked", "within-word-l2r"), ("causal", "original")]


def rows_of(model, texts, unit, scoring="original"):
    return list(measure(model, dict(enumerate(texts, 1)), SurprisalOptions(unit=unit, scoring=scoring)))


@pytest.mark.parametrize(("kind", "scoring"), CHOICES)
def test_the_bits_of_a_text_are_its_log_likelihood_to_the_base_of_two(request, kind, scoring):
    model = load.load(str(request.getfixturevalue(kind)), device="cpu")
    rows = rows_of(model, TEXTS, "subword", scoring)
    sums = [sum(row.bits for row in rows if row.line == line) for line in range(1, len(TEXTS) + 1)]
    np.testing.assert_allclose(sums, -likelihoods(model, TEXTS, scoring=scoring) / math.log(2), rtol=1e-6)


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_words_are_what_white_space_separates_with_the_bits_of_all_their_subwords(request, kind):
    model = load.load(str(request.getfixturevalue(kind)), device="cpu")
    rows, words = (rows_of(model, TEXTS, unit) for unit in ("subword", "word"))
    lines = range(1, len(TEXTS) + 1)
    assert [[word.text for word in words if word.line == line] for line in lines] == [text.split() for text in TEXTS]
    assert all(TEXTS[word.line - 1][word.start : word.end] == word.text for word in words)
    assert sum(word.bits for word in words) == pytest.approx(sum(row.bits for row in rows))
    assert [entry for word in words for entry in word.subwords] == [entry for row in rows for entry in row.subwords]


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_a_model_that_knows_nothing_finds_every_subword_as_surprising_as_its_vocabulary_is_large(request, kind):
    model = load.load(str(request.getfixturevalue(kind)), device="cpu")
    with torch.no_grad():
        for parameter in model.model.parameters():
            parameter.zero_()
    bits = [row.bits for row in rows_of(model, TEXTS, "subword")]
    assert bits == pytest.approx([math.log2(model.model.config.vocab_size)] * len(bits))


CHATML = "{{ '<|im_start|>' + message['role'] + message['content'] + '<|im_end|>' }}"
TURNS = "{{ bos_token }}{{ '<start_of_turn>' + message['role'] + '<end_of_turn>' }}"
BEGINNINGS = [
    ({"bos_token": "<s>", "eos_token": "</s>"}, "", {}, "<s>", "the beginning"),
    ({"eos_token": "<|endoftext|>"}, "", {}, "<|endoftext|>", "the end, without a beginning (GPT-2)"),
    (
        {"bos_token": "<|im_start|>", "eos_token": "<|im_end|>", "unk_token": "<|endoftext|>"},
        CHATML,
        {"bos_token_id": "<|im_start|>", "eos_token_id": "<|im_end|>"},
        "<|endoftext|>",
        "the separator under another name, where beginning and end were given to the chat (SmolLM2)",
    ),
    (
        {"eos_token": "<|im_end|>", "pad_token": "<|pad|>"},
        CHATML,
        {"bos_token_id": "<|pad|>", "eos_token_id": ["<|im_end|>", "<|pad|>"]},
        "<|pad|>",
        "what the configuration says, where the tokenizer has an end of turns alone (Qwen)",
    ),
    ({"bos_token": "<|im_start|>", "eos_token": "<|endoftext|>"}, CHATML, {}, "<|endoftext|>", "the end"),
    ({"bos_token": "<|im_start|>", "eos_token": "<|endoftext|>"}, "", {}, "<|endoftext|>", "a marker by its name"),
    (
        {"bos_token": "<bos>", "eos_token": "<end_of_turn>"},
        TURNS,
        {},
        "<bos>",
        "a template that begins with it (Gemma)",
    ),
    (
        {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"},
        "{{ '<|user|>' + message['content'] + '<|endoftext|>' }}",
        {},
        "<|endoftext|>",
        "a separator that also ends turns",
    ),
    (
        {"bos_token": "<｜begin▁of▁sentence｜>", "eos_token": "<｜end▁of▁sentence｜>"},
        "{{ '<｜User｜>' + message['content'] + '<｜end▁of▁sentence｜>' }}",
        {},
        "<｜begin▁of▁sentence｜>",
        "a name in other signs (DeepSeek)",
    ),
    ({"bos_token": "<|im_start|>", "eos_token": "<|im_end|>"}, CHATML, {}, "<|im_start|>", "nothing but turns"),
    ({"pad_token": "<pad>"}, "", {"bos_token_id": "word"}, None, "an ordinary word does not start a text"),
]


@pytest.mark.parametrize(
    ("special", "template", "config", "expected", "why"), BEGINNINGS, ids=[row[4] for row in BEGINNINGS]
)
def test_a_text_begins_as_documents_did_in_training(special, template, config, expected, why):
    numbers = {token: n for n, token in enumerate(dict.fromkeys(["a", "word", *special.values()]))}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel(numbers, unk_token="word")), **special)
    tokenizer.chat_template = template or None
    in_config = {
        name: [numbers[token] for token in value] if isinstance(value, list) else numbers[value]
        for name, value in config.items()
    }
    assert document_start(tokenizer, SimpleNamespace(**in_config)) == (None if expected is None else numbers[expected])


def test_a_beginning_that_the_tokenizer_writes_itself_is_the_start_whatever_it_is_called():
    numbers = {"a": 0, "<|system|>": 1, "</s>": 2}
    inner = Tokenizer(WordLevel(numbers, unk_token="a"))
    inner.post_processor = TemplateProcessing(single="<|system|> $A", special_tokens=[("<|system|>", 1)])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, bos_token="<|system|>", eos_token="</s>")
    assert document_start(tokenizer, SimpleNamespace()) == 1


def test_a_chat_model_reads_a_text_as_a_document(weights):
    result = gf.lmbias.surprisal(str(weights("smollm2")), ["he went home ."])
    assert "|kind:causal|start:<endoftext>|" in result.signature
    assert result.rows[0].bits == pytest.approx(15.6, abs=0.1), "17.3 behind <|im_start|>, which a role follows"


def test_without_a_start_the_first_subword_and_its_word_are_unknown(causal, monkeypatch):
    model = load.load(str(causal), device="cpu")
    monkeypatch.setattr(type(model), "start", None)
    rows, words = (rows_of(model, ["She lost her keys ."], unit) for unit in ("subword", "word"))
    assert [row.bits is None for row in rows] == [True] + [False] * (len(rows) - 1)
    assert [word.bits is None for word in words] == [True, False, False, False, False]


def test_the_context_of_a_causal_model_is_on_the_left(causal):
    one, two = (
        gf.lmbias.surprisal(str(causal), [text]).rows for text in ("She lost her keys .", "She lost her hats today .")
    )
    assert [word.bits for word in one[:3]] == pytest.approx([word.bits for word in two[:3]])


def test_the_table_has_tabs_and_the_json_has_everything(causal, tmp_path):
    (tmp_path / "texts.txt").write_text('She said "no" .\n\nHe left .\n')
    words = ["lmbias", "surprisal", causal, tmp_path / "texts.txt"]
    printed, written = run(*words), run(*words, "-o", tmp_path / "out/table.tsv")
    assert (printed.code, written.code, written.stdout) == (0, 0, ""), printed.stderr
    assert printed.stdout == (tmp_path / "out/table.tsv").read_text()
    header, *rows = [line.split("\t") for line in printed.stdout.splitlines()]
    assert header == ["line", "word", "start", "end", "text", "subwords", "bits"]
    assert [row[:5] for row in rows[:3]] == [
        ["1", "1", "0", "3", "She"],
        ["1", "2", "4", "8", "said"],
        ["1", "3", "9", "13", '"no"'],
    ]
    assert [row[0] for row in rows[4:]] == ["3", "3", "3"]  # the empty line counts
    report = json.loads(run(*words, "--json").stdout)
    run(*words, "-o", tmp_path / "table.json")
    assert json.loads((tmp_path / "table.json").read_text()) == report
    assert report["kind"] == "causal"
    assert [f"{row['bits']:.4f}" for row in report["rows"]] == [row[-1] for row in rows]
    assert printed.stderr.startswith("surprisal|model:")


def test_a_subword_is_a_row_of_its_own(masked, tmp_path):
    (tmp_path / "texts.txt").write_text("She lost her keys .\n")
    words = ["lmbias", "surprisal", masked, tmp_path / "texts.txt", "--json", "--unit"]
    word, subword = (json.loads(run(*words, unit).stdout)["rows"] for unit in ("word", "subword"))
    assert all(len(row["subwords"]) == 1 for row in subword)
    assert len(subword) == sum(len(row["subwords"]) for row in word) > len(word)


def test_a_result_is_a_table_in_a_notebook_and_in_pandas(masked):
    result = gf.lmbias.surprisal(str(masked), ["She lost her keys ."])
    assert result.tables()[0].title == "Pseudo-surprisal"
    assert list(result.to_pandas()["text"]) == ["She", "lost", "her", "keys", "."]
    assert "keys" in str(result)


REFUSED = [
    (b"", "texts.txt: holds no text; give a file with a text a line"),
    (b"\n \n", "texts.txt: holds no text"),
    (b"She left .\n\xff\n", "texts.txt:2: not UTF-8"),
    (b"She left .\n" + b"he " * 400 + b"\n", r"texts.txt:2: a text of [\d,]+ sub-words, .* or break the line"),
]


@pytest.mark.parametrize("kind", ["masked", "causal"])
@pytest.mark.parametrize(("content", "message"), REFUSED, ids=[row[1] for row in REFUSED])
def test_a_text_that_cannot_be_measured_is_named_with_its_line(request, tmp_path, kind, content, message):
    (tmp_path / "texts.txt").write_bytes(content)
    model, text = request.getfixturevalue(kind), tmp_path / "texts.txt"
    done = run("lmbias", "surprisal", model, text, "-o", tmp_path / "out.tsv")
    assert (done.code, bool(re.search(message, done.stderr))) == (2, True), done.stderr
    assert not (tmp_path / "out.tsv").exists()


def test_what_is_not_here_is_named(causal, tmp_path):
    done = run("lmbias", "surprisal", causal, tmp_path / "missing.txt")
    assert (done.code, "missing.txt: cannot be read" in done.stderr) == (2, True)
    with pytest.raises(UsageError, match="unit is word or subword, not 'letter'"):
        gf.lmbias.surprisal(str(causal), ["a"], unit="letter")
    with pytest.raises(UsageError, match="a causal one has none hidden"):
        gf.lmbias.surprisal(str(causal), ["a"], scoring="within-word-l2r")
    with pytest.raises(InputError, match=r"^text 2: a text of"):
        gf.lmbias.surprisal(str(causal), ["a", "he " * 400])


def test_how_far_the_texts_are_is_heard(causal):
    reports = []
    gf.lmbias.surprisal(str(causal), ["he left"] * 20, progress=lambda done, total: reports.append((done, total)))
    assert reports == [(8, 20), (20, 20)]
