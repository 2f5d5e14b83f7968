"""The second judgement without a chat model: an NLI model's relations, a classifier's labels, nobody's."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gec_fair.errors import InputError
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.verifiers import Entailment, Nobody, Trained
from tests.cli.invoke import run
from tests.gec.gector import tiny
from tests.razor.test_rewriting import DOCUMENTS


class Says:
    """Gives each text the label of its number; remembers what it was asked."""

    version = "says"

    def __init__(self, labels, *numbers):
        self.labels, self.numbers, self.requests = labels, numbers, []

    def scores(self, texts):
        self.requests += texts
        return np.eye(len(self.labels))[list(self.numbers)]


NLI = ("CONTRADICTION", "entailment", "Neutral")
FACTS = [Document(str(n), "REFUTES", f"claim {n}", f"evidence {n}") for n in range(3)]


def test_an_nli_model_tells_a_claims_relation_in_the_data_sets_labels():
    model = Says(NLI, 0, 1, 2)
    verdicts = Entailment(model, ["NOT ENOUGH INFO", "REFUTES", "SUPPORTS"], evidence=True).verdicts(
        FACTS, ["a", "b", "c"]
    )
    assert [verdict.label for verdict in verdicts] == ["REFUTES", "SUPPORTS", "NOT ENOUGH INFO"]
    assert model.requests == [("evidence 0", "a"), ("evidence 1", "b"), ("evidence 2", "c")]


def test_a_relation_that_the_data_do_not_have_is_no_label():
    verdicts = Entailment(Says(NLI, 2), ["REFUTES", "SUPPORTS"], evidence=True).verdicts(FACTS[:1], ["a"])
    assert verdicts[0].label is None


def test_without_evidence_a_rewriting_is_entailed_by_the_text():
    reviews = [Document("1", "bad", "a dull film"), Document("2", "good", "a fine film")]
    model = Says(NLI, 1, 2)
    verdicts = Entailment(model, ["bad", "good"], evidence=False).verdicts(reviews, ["a boring film", "no film"])
    assert [verdict.label for verdict in verdicts] == ["bad", None]
    assert model.requests == [("a dull film", "a boring film"), ("a fine film", "no film")]


def test_labels_that_are_no_relations_are_told():
    with pytest.raises(InputError, match="'bad' is not a relation that an NLI model tells"):
        Entailment(Says(NLI), ["bad", "SUPPORTS"], evidence=True)
    with pytest.raises(InputError, match="'SUPPORTS' and 'entailment' are one relation to an NLI model"):
        Entailment(Says(NLI), ["REFUTES", "SUPPORTS", "entailment"], evidence=True)


def test_a_classifier_reads_what_it_was_trained_on():
    paired, alone = Says(("REFUTES", "SUPPORTS"), 0), Says(("bad", "good"), 1)
    bare = Document("4", "REFUTES", "x")
    assert Trained(paired, evidence=True).verdicts(FACTS[:1], ["a"])[0].label == "REFUTES"
    assert Trained(paired, evidence=True).verdicts([bare], ["y"])[0].label == "REFUTES"
    assert paired.requests == [("evidence 0", "a"), ("", "y")]  # whatever evidence the others of a pass have
    assert Trained(alone, evidence=False).verdicts([Document("1", "bad", "x")], ["y"])[0].label == "good"
    assert alone.requests == [("y",)]
    assert Nobody().verdicts(FACTS[:1], ["a"])[0].label == "REFUTES"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """An NLI model as such are saved: its labels in its configuration; this one says contradiction of all."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tmp_path_factory.mktemp("nli")
    tiny.encoder(folder)
    model_ = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=3)
    model_.config.id2label = {0: "entailment", 1: "neutral", 2: "contradiction"}
    with torch.no_grad():
        model_.classifier.out_proj.bias[:] = torch.tensor([0.0, 0.0, 9.0])
    model_.save_pretrained(folder)
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    return folder


def test_the_command_with_an_nli_model(model, tmp_path):
    rows = [
        {"id": document.id, "label": document.label, "claim": f"{document.text} in 1998", "evidence": "It is so."}
        for document in DOCUMENTS
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("razor", "run", tmp_path / "data.jsonl", "--rewriter", "rules", "-o")
    done = run(*words, tmp_path / "out", "--verifier", f"nli:{model}")
    assert done.code == 0, done.stderr
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert manifest["verifier"].startswith("nli:hf:")
    tried = [json.loads(line) for line in (tmp_path / "out/ledger.jsonl").read_text().splitlines()[1:]]
    assert any(row["candidates"] for row in tried if "pass" in row)
    for row in (row for row in tried if "pass" in row):  # of those that were judged
        judged = [candidate for candidate in row["candidates"] if candidate["reason"] in ("", "higher", "label")]
        assert {candidate["reason"] == "label" for candidate in judged} <= {row["label"] == "SUPPORTS"}
        assert {candidate["detail"] for candidate in judged} <= {"REFUTES"}
    wrong = run(*words, tmp_path / "wrong", "--verifier", f"nli:{model}", "--label", "id")
    assert wrong.code == 2
    assert "is not a relation that an NLI model tells (such as SUPPORTS, contradiction, neutral)" in wrong.stderr
