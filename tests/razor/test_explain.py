"""Definition 1 and lemma 1: is this set of words a shortcut of a classifier?"""

from __future__ import annotations

import json

import numpy as np
import pytest

from gec_fair.errors import UsageError
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.evaluation.explain import examine, occlusion
from tests.cli.invoke import run
from tests.gec.gector import tiny


class Refutes:
    """Says REFUTES of what holds *not*, or more than three *bad*; what it reads before is the evidence."""

    labels, version = ("REFUTES", "SUPPORTS"), "toy"

    def scores(self, texts):
        words_ = [fields[-1].split() for fields in texts]
        return np.array([[0.9, 0.1] if "not" in words or words.count("bad") > 3 else [0.2, 0.8] for words in words_])


TOY = Refutes()
CASES = [
    pytest.param("Rome is not bad", "SUPPORTS", ["not"], (True, True, True), id="a shortcut"),
    pytest.param("Rome is not bad", "REFUTES", ["not"], (True, False, True), id="the prediction is right"),
    pytest.param("Rome is not bad", "SUPPORTS", ["Rome"], (False, True, True), id="another prediction from it alone"),
    pytest.param("it is not", "SUPPORTS", ["IS", "not"], (True, True, False), id="more than half; case does not count"),
    pytest.param("bad bad bad bad is Rome ,", "SUPPORTS", ["bad"], (True, True, False), id="wherever a word stands"),
    pytest.param("not", "SUPPORTS", ["not"], (True, True, False), id="all of a text is not a part of it"),
]


@pytest.mark.parametrize(("text", "label", "part", "expected"), CASES)
def test_definition_1(text, label, part, expected):
    for evidence in ("", "Rome is large ."):
        examined = examine(TOY, Document("1", label, text, evidence), occlusion(TOY), part)
        assert (examined.same, examined.wrong, examined.small) == expected
        assert examined.is_shortcut == all(expected)


def test_lemma_1_by_what_the_scores_lose_without_a_word():
    document = Document("1", "SUPPORTS", "Rome is not large")
    lost = occlusion(TOY)(document, document.text.split())
    assert lost == pytest.approx(np.array([[0, 0], [0, 0], [0.7, -0.7], [0, 0]]))
    examined = examine(TOY, document, occlusion(TOY), ["not"])
    assert examined.mean == pytest.approx(np.hypot(0.7, 0.7))
    assert examined.rest == 0
    assert examined.carries
    second = examine(TOY, document, occlusion(TOY), ["Rome", "is"])
    assert (second.mean, second.carries) == (0, False)
    assert second.rest == pytest.approx(np.hypot(0.7, 0.7) / 2)
    assert examine(TOY, Document("1", "a", "not"), occlusion(TOY), ["not"]).carries is None  # nothing is left


def test_without_a_part_the_fewest_words_that_are_enough():
    examined = examine(TOY, Document("1", "SUPPORTS", "Rome is not a city"), occlusion(TOY))
    assert [examined.words[i] for i in examined.places] == ["not"]
    many = examine(TOY, Document("1", "SUPPORTS", "bad is bad as bad was bad to me then"), occlusion(TOY))
    assert [many.words[i] for i in many.places] == ["bad"] * 4


def test_what_the_document_does_not_have():
    with pytest.raises(UsageError, match="document 1 has no never; its words are Rome is large"):
        examine(TOY, Document("1", "a", "Rome is large"), occlusion(TOY), ["never", "is"])
    with pytest.raises(UsageError, match="has no words"):
        examine(TOY, Document("1", "a", " "), occlusion(TOY), ["never"])


@pytest.fixture(scope="module")
def hugging(tmp_path_factory):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tmp_path_factory.mktemp("hf")
    tiny.encoder(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=2)
    model.config.id2label = {0: "REFUTES", 1: "SUPPORTS"}
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("evidence", ["", "She goes home ."])
def test_attention_of_a_word_is_its_sub_words_share_of_all_that_look(hugging, evidence):
    import torch

    from gec_fair.classifiers.hugging_face import HuggingFace
    from gec_fair.razor.evaluation.attribution import attention

    model = HuggingFace(str(hugging), ("REFUTES", "SUPPORTS"))
    words = "He goes unbelievably often home .".split()
    attributed = attention(model)(Document("1", "SUPPORTS", " ".join(words), evidence), words)
    pair = (evidence, " ".join(words)) if evidence else (" ".join(words),)
    read = model.tokenizer(*pair, return_tensors="pt")
    with torch.inference_mode():
        attentions = model.model(**read, output_attentions=True).attentions
    got = torch.stack([layer[0].mean(1) for layer in attentions]).flatten(0, 1).T.double().numpy()  # (sub-words, heads)
    assert got.sum(0) == pytest.approx(1, abs=1e-5)
    sequence_ids, ids = read.sequence_ids(0), read["input_ids"][0].tolist()
    mine = [n for n, part in enumerate(sequence_ids) if part == len(pair) - 1]
    assert attributed.sum(0) == pytest.approx(got[mine].sum(0), abs=1e-6)
    pieces = [model.tokenizer.decode([ids[n]]) for n in mine]
    rest = list(zip(pieces, got[mine], strict=True))
    for word, row in zip(words, attributed, strict=True):  # sub-words are taken from the left until they spell the word
        sums, spelt = np.zeros(got.shape[1]), ""
        while spelt.strip() != word:
            piece, share = rest.pop(0)
            sums, spelt = sums + share, spelt + piece
        assert row == pytest.approx(sums, abs=1e-6)
    assert not rest


@pytest.fixture
def documents(tmp_path):
    rows = [
        {"id": "one", "label": "SUPPORTS", "text": "He goes not home ."},
        {"id": "two", "label": "REFUTES", "text": "She goes home ."},
    ]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("options", ["", "--attribution occlusion", "--part not,goes"])
def test_the_command_explains_a_document_in_every_way(hugging, documents, options):
    done = run("razor", "explain", documents, "one", "--model", f"hf:{hugging}", *options.split())
    assert (done.code, "| a shortcut (definition 1) |" in done.stdout) == (0, True), done.stderr


def test_the_command_reports_and_refuses(hugging, documents):
    report = json.loads(
        run("razor", "explain", documents, "two", "--model", f"hf:{hugging}", "--part", "home", "--json").stdout
    )
    assert report["part"] == ["home"]
    assert report["at_most_half"]
    assert report["shortcut"] == (report["same"] and report["wrong"])
    assert run("razor", "explain", documents, "tow", "--model", f"hf:{hugging}").stderr.startswith(
        "gec-fair: no document has the id 'tow'; did you mean two?"
    )
    program = "command:false"
    assert (
        "--attribution attention is for hf: models"
        in run("razor", "explain", documents, "two", "--model", program, "--attribution", "attention").stderr
    )
