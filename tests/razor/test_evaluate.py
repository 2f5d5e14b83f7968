"""`gec-fair razor evaluate`: figures, intervals, leak check, and what is refused before anything is trained."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import f1_score

from gec_fair.errors import UsageError
from gec_fair.razor.baselines.encoder import Encoder, EncoderTraining
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.evaluation.evaluate import (
    among,
    choose_changed,
    evaluate,
    macro_f1,
    measure_repeats,
)
from gec_fair.razor.evaluation.report import accuracies
from gec_fair.razor.options import EvaluateOptions
from gec_fair.razor.scoring.term_counts import change, count_terms
from gec_fair.trainer.options import TrainingOptions
from tests.cli.invoke import run
from tests.fairscore.test_tuning import films
from tests.gec.gector import tiny
from tests.razor.test_methods import TEST, TRAIN
from tests.trainer.killing import killed_after


def write(path, documents):
    rows = (
        {"id": document.id, "label": document.label, "claim": document.text, "evidence": document.evidence}
        for document in documents
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def files(tmp_path):
    return write(tmp_path / "train.jsonl", TRAIN), write(tmp_path / "test.jsonl", TEST)


def test_macro_f1_is_scikit_learns():
    chance = np.random.default_rng(0)
    right, answers = chance.choice(list("abc"), 50).tolist(), chance.choice(list("abc"), 50).tolist()
    assert macro_f1(right, answers) == pytest.approx(f1_score(right, answers, average="macro"))
    assert macro_f1(["a", "a"], ["b", "b"]) == 0


def test_a_shortcut_that_fails_on_the_test_set_costs_less_with_poe_and_clever():
    rows = evaluate(TRAIN, {"turned": TEST}, EvaluateOptions(("original", "poe", "clever")))
    figures = {row.method: row.accuracy for row in rows}
    assert figures["poe"] > figures["original"] + 5
    assert figures["clever"] > figures["original"] + 5
    assert rows[0].against is None
    more, low, high = rows[1].against
    assert more == pytest.approx(figures["poe"] - figures["original"])
    assert 0 < low < more < high
    for row in rows:
        assert row.accuracy in (0, 100) if row.low is None else row.low <= row.accuracy <= row.high
        assert row.accuracy_sd is None
    several = evaluate(TRAIN[:100], {"turned": TEST}, EvaluateOptions(("eda", "original"), seeds=2))
    assert several[0].accuracy_sd is not None
    assert several[1].accuracy_sd == 0  # nothing of it is drawn


def test_fewer_than_ten_examples_have_no_interval():
    (row,) = evaluate(TRAIN, {"few": TEST[:9]}, EvaluateOptions(("poe",)))
    assert (row.examples, row.low, row.high) == (9, None, None)
    table = accuracies(EvaluateOptions(("poe",)), [replace(row, against=(1.0, None, None))])
    assert not [text for text in table.rows()[0] if "[" in text]
    assert table.rows()[0][5] == "+1.00"


def test_pairs_are_drawn_from_what_was_rewritten_the_same_for_every_method():
    rewritten = [
        Document(document.id, document.label, document.text.replace("only ", "just "), document.evidence)
        for document in TRAIN
    ]
    differ = {document.id for document, new in zip(TRAIN, rewritten, strict=True) if document.text != new.text}
    first, again, different = (choose_changed(TRAIN, rewritten, 50, seed) for seed in (0, 0, 1))
    assert first == again != different
    assert len(first) == 50
    assert first < differ
    assert [document.id for document in among(TRAIN, first)] == [
        document.id for document in TRAIN if document.id in first
    ]
    with pytest.raises(UsageError, match=r"--pairs 601: 2\d\d documents read otherwise in --rewritten"):
        evaluate(TRAIN, {"t": TEST}, EvaluateOptions(("original",), pairs=601), rewritten=rewritten)


def test_a_draw_of_one_label_is_refused_before_anything_is_trained():
    rewritten = [Document(document.id, document.label, f"so {document.text}", document.evidence) for document in TRAIN]
    with pytest.raises(UsageError, match=r"--pairs 2: all that are drawn by seed \d are [A-Z]+; draw more"):
        evaluate(TRAIN, {"t": TEST}, EvaluateOptions(("original",), pairs=2, seeds=9), rewritten=rewritten)
    bare = [replace(document, evidence="") if n < 500 else document for n, document in enumerate(TRAIN)]
    changed = [replace(document, text=f"so {document.text}") for document in bare[:500]] + bare[500:]
    with pytest.raises(UsageError, match=r"--pairs 400: none that is drawn by seed 0 has evidence; draw more"):
        evaluate(bare, {"t": TEST}, EvaluateOptions(("original",), pairs=400), rewritten=changed)


def test_by_default_what_the_data_allow(tmp_path):
    rows = [
        {"id": n, "label": "good" if n % 2 else "bad", "text": f"a {'fine' if n % 2 else 'dull'} film {n % 5}"}
        for n in range(40)
    ]
    (tmp_path / "films.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("--train", tmp_path / "films.jsonl", "--test")
    done = run("razor", "evaluate", *words, f"t={tmp_path / 'films.jsonl'}", "--json")
    assert [row["method"] for row in json.loads(done.stdout)["rows"]] == ["original", "eda", "rew", "poe"]
    assert json.loads(done.stdout)["paper"] == []
    assert "note: without crossaug, which wants a label such as supports; there are bad, good" in done.stderr
    assert "note: without razor, which wants --rewritten" in done.stderr
    paired = write(tmp_path / "paired.jsonl", [Document("p", "good", "a film", "so it is")])
    refused = run("razor", "evaluate", *words, f"p={paired}")
    assert refused.code == 2
    assert "p: has evidence, unlike the training data; judge it apart, or all with --claim-only" in refused.stderr


def test_what_repeats():
    train = [Document("1", "a", "one two three four five six")]
    test = [
        Document("1", "a", "so TWO three four five six"),
        Document("2", "a", "two three four five"),
        Document("3", "a", "one two three four six"),
    ]
    assert measure_repeats(train, test) == pytest.approx(100 / 3)


def test_terms_are_counted_in_claims_and_by_label():
    documents = [
        Document("1", "a", "It is Not so, not now", "no"),
        Document("2", "a", "nothing"),
        Document("3", "b", "x"),
    ]
    counts = count_terms([documents, documents[:1]], ("no", "not"))
    assert counts.occurrences == {"no": 0, "not": 2}
    assert counts.share == {"a": 75, "b": 0}
    assert change(counts, count_terms([documents[1:]], ("no", "not"))) == -100
    assert change(count_terms([documents[1:]], ("no",)), counts) is None


def test_the_command(files, tmp_path):
    train, test = files
    done = run(
        "razor",
        "evaluate",
        "--train",
        train,
        "--test",
        f"turned={test}",
        "--methods",
        "original,poe",
        "--rewritten",
        train,
        "-o",
        tmp_path / "told.json",
    )
    assert done.code == 0, done.stderr
    report = json.loads((tmp_path / "told.json").read_text())
    assert [(row["method"], row["test"], row["examples"]) for row in report["rows"]] == [
        ("original", "turned", 300),
        ("poe", "turned", 300),
    ]
    assert f"| original | turned | 300 | {report['rows'][0]['accuracy']:.2f} | [" in done.stdout
    assert report["terms"]["original"] == report["terms"]["razor"]
    assert "no, not: " not in done.stderr  # there was none before
    assert "always REFUTES is right in 50.00 % of turned" in done.stderr
    assert "claims of turned that have five words in a row" in done.stderr
    assert "| Yang et al. 2024, table 1: accuracy, F1 | FEVER, BERT |" in done.stdout
    assert "| RAZOR (w/ GPT) | 88.73 ± 2.23, 88.39 ± 2.20 |" in done.stdout
    assert report["paper"][0]["adversarial, RoBERTa"] == {"accuracy": [66.99, 1.30], "f1": [73.13, 1.82]}
    alone = run(
        "razor", "evaluate", "--train", train, "--test", f"t={test}", "--methods", "original", "--claim-only", "--json"
    )
    assert json.loads(alone.stdout)["options"]["claim_only"]


REFUSED = [
    (("--methods", "orignal"), "no method is called 'orignal'"),
    (("--methods", "razor"), "razor trains on rewritten data; name them with --rewritten"),
    (("--labels", "SUPPORTS"), "the training data have 1 label"),
    (("--labels", "supports"), "no document is supports; check --labels"),
    (
        ("--methods", "clever", "--claim-only"),
        "clever wants claims with evidence, and no --claim-only: it takes the claim's part off",
    ),
    (("--methods", ","), "--methods names none"),
    (("--count", "is not"), "--count 'is not': is not a single word"),
    (("--test", "t=x"), "--test t: two test sets are called so"),
    (("--test", "x"), "--test wants NAME=FILE, not 'x'"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_refused(words, message, files):
    train, test = files
    done = run("razor", "evaluate", "--train", train, "--test", f"t={test}", *words)
    assert done.code == 2
    assert message in done.stderr


def test_other_labels_and_ids_are_told(files, tmp_path):
    train, test = files
    third = write(tmp_path / "third.jsonl", [Document("n", "NEI", "x y", "z")])
    done = run("razor", "evaluate", "--train", train, "--test", f"third={third}")
    assert "third: has the label 'NEI', and the training data have REFUTES, SUPPORTS" in done.stderr
    twice = run("razor", "evaluate", "--train", train, "--train", train, "--test", f"t={test}")
    assert "the id '0' stands in" in twice.stderr
    refused = run("razor", "evaluate", "--train", train, "--test", f"t={test}", "--rewritten", test)
    assert refused.code == 2
    assert "the rewritten data have other documents" in refused.stderr


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder")
    tiny.encoder(folder)
    return folder


SMALL = ("--set", "epochs=1", "--set", "training.steps=6", "--set", "training.batch=8")


@pytest.mark.parametrize("lora", [0, pytest.param(4, marks=pytest.mark.slow)])
def test_an_encoder_is_a_backbone_whole_and_by_lora(encoder, lora, files, tmp_path):
    from transformers import AutoModel

    train, test = files
    words = (
        "--train",
        train,
        "--test",
        f"t={test}",
        "--backbone",
        encoder,
        "--settings",
        "training/razor.yaml",
        "--runs",
        tmp_path / "runs",
        "--set",
        f"lora={lora}",
        "--methods",
        "original,rew,poe,clever",
        *SMALL,
    )
    first = run("razor", "evaluate", *words, "--json")
    assert first.code == 0, first.stderr
    folders = sorted(path.parent for path in (tmp_path / "runs").glob("*/*/manifest.json"))
    assert len(folders) == 4  # clever's whole model is the original one
    rows = [
        AutoModel.from_pretrained(folder).get_input_embeddings().weight for folder in (encoder, folders[0] / "best")
    ]
    assert bool((rows[0] == rows[1]).all()) == bool(lora)  # matrices beside the linear layers alone are trained
    times = [path.stat().st_mtime_ns for path in folders]
    assert run("razor", "evaluate", *words, "--json").stdout == first.stdout  # nothing is trained again
    assert [path.stat().st_mtime_ns for path in folders] == times


@pytest.mark.slow
def test_looking_at_an_encoder_while_it_learns_changes_nothing(encoder, files, tmp_path):
    """Figure 4: dropout is drawn as if nobody looked, a killed training sees the same, and the last look is the end."""
    train, test = files
    words = (
        "--train",
        train,
        "--test",
        f"t={test}",
        "--test",
        f"u={train}",
        "--backbone",
        encoder,
        "--settings",
        "training/razor.yaml",
        "--methods",
        "original,clever",
        "--set",
        "lora=0",
        "--set",
        "training.save_every=2",
        "--set",
        "training.learning_rate=1e-2",
        *SMALL,
    )
    plain = run("razor", "evaluate", *words, "--runs", tmp_path / "plain", "--json")
    assert plain.code == 0, plain.stderr
    watched = (*words, "--looks", "3", "--json", "--runs")
    with killed_after(5):
        if run("razor", "evaluate", *watched, tmp_path / "again").code:  # the command says so by its exit alone
            raise KeyboardInterrupt
    again, output = (run("razor", "evaluate", *watched, tmp_path / name).stdout for name in ("again", "whole"))
    assert again == output
    first, second, *difference = json.loads(output)["rows"]
    assert [point["step"] for point in first["curve"]] == [2, 4, 6]
    for row in (first, second):
        assert row["curve"][-1] == {"step": 6, "accuracy": row["accuracy"], "f1": row["f1"]}
    assert not any(row["curve"] for row in difference)
    assert [row["accuracy"] for row in json.loads(plain.stdout)["rows"]] == [
        row["accuracy"] for row in json.loads(output)["rows"]
    ]
    hashes = {
        path.read_bytes()
        for name in ("plain", "whole")
        for path in (tmp_path / name).glob("*/0/best/model.safetensors")
    }
    assert len(hashes) == 2  # the whole model and CLEVER's claim-only one
    result = run("razor", "evaluate", *words, "--looks", "3", "--runs", tmp_path / "whole").stdout
    assert "| accuracy after updates | test set | 2 | 4 | 6 |" in result
    assert f"| original | u | {second['curve'][0]['accuracy']:.2f} |" in result


@pytest.mark.slow(10)
def test_a_bert_that_others_trained_learns_by_lora(weights, tmp_path):
    train, test = ([Document(text, label, text) for text, label in films(part)] for part in ("train", "dev"))
    training = TrainingOptions(steps=16, batch=16, learning_rate=2e-3, schedule="linear")
    backbone = Encoder(EncoderTraining(str(weights("minilm")), training, epochs=8, lora=8), tmp_path)
    (row,) = evaluate(train, {"films": test}, EvaluateOptions(("original",)), backbone=backbone)
    assert row.accuracy == 100
    assert list(tmp_path.glob("*/0/best/model.safetensors"))  # with the matrices inside


def test_weights_and_an_expert_reach_the_loss(encoder, tmp_path):
    """An example that weighs nothing is not learned from; an expert that knows all leaves nothing to learn."""
    import torch
    from transformers import AutoModelForSequenceClassification

    from gec_fair.trainer.classifier import ClassifierTrainer
    from gec_fair.trainer.loop import arguments
    from gec_fair.trainer.options import TrainingOptions

    model = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=2)
    trainer = ClassifierTrainer(model=model.eval(), args=arguments(TrainingOptions(steps=1, device="cpu"), tmp_path, 0))

    def loss(weights, expert):
        rows = {
            "input_ids": torch.tensor([[0, 7, 2], [0, 9, 2]]),
            "labels": torch.tensor([0, 1]),
            "weight": torch.tensor(weights),
            "beside": torch.tensor(expert),
        }
        return float(trainer.compute_loss(model, rows).detach())

    none = [[0.0, 0.0], [0.0, 0.0]]
    first, second = (loss(weights, none) for weights in ([1.0, 0.0], [0.0, 1.0]))
    assert loss([1.0, 3.0], none) == pytest.approx(first + 3 * second)
    assert loss([1.0, 1.0], [[50.0, 0.0], [0.0, 50.0]]) == pytest.approx(0, abs=1e-6)
    assert loss([1.0, 0.0], [[0.0, 50.0], [0.0, 0.0]]) > 20


IDLE = [
    (("--runs", "x"), "--runs is for encoders"),
    (("--looks", "2"), "--looks is for encoders"),
    (("--methods", "rew", "--negater", "x"), "--negater is for crossaug"),
    (("--set", "lora=0"), "--set is for encoders"),
    (("--backbone", "bert-base-uncased"), "give --settings training/razor.yaml and --runs DIR"),
]


@pytest.mark.parametrize(("words", "message"), IDLE)
def test_options_of_a_backbone(words, message, files):
    train, test = files
    done = run("razor", "evaluate", "--train", train, "--test", f"t={test}", *words)
    assert done.code == 2
    assert message in done.stderr
