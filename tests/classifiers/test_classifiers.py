"""Whatever stands behind it, a classifier gives a score a label a text."""

from __future__ import annotations

import shutil
import sys
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gec_fair.classifiers import load, predictions, toxicity
from gec_fair.classifiers.functions import FunctionClassifier
from gec_fair.classifiers.protocol import ClassifierFault
from gec_fair.classifiers.scikit import Scikit, tfidf
from gec_fair.data import programs
from gec_fair.errors import InputError, MissingResource, UsageError
from tests.gec.gector import tiny

TEXTS = [("a fine film",), ("a dull film",), ("fine and moving",), ("dull and long",)]
LABELS = ["good", "bad", "good", "bad"]


def test_tfidf_learns_and_a_kept_pipeline_says_the_same(tmp_path):
    import skops.io

    model = tfidf(TEXTS, LABELS)
    assert model.labels == ("bad", "good")
    assert predictions(model, TEXTS) == LABELS
    skops.io.dump(model.pipeline, tmp_path / "kept.skops")
    loaded = load(f"sklearn:{tmp_path}/kept.skops", ("bad", "good"))
    assert np.array_equal(loaded.scores(TEXTS), model.scores(TEXTS))
    with pytest.raises(InputError, match="gives bad, good, and the task has no, yes"):
        load(f"sklearn:{tmp_path}/kept.skops", ("no", "yes"))
    with pytest.raises(InputError, match=r"teach nothing .*give texts with words"):
        tfidf([("...",), ("!!!",)], ["good", "bad"])
    with pytest.raises(InputError, match="have 1 label"):
        tfidf(TEXTS, ["good"] * 4)


def test_a_pickle_is_no_pipeline(tmp_path):
    import pickle

    (tmp_path / "model.pkl").write_bytes(pickle.dumps([1]))
    with pytest.raises(InputError, match="is not a pipeline that skops wrote"):
        Scikit(str(tmp_path / "model.pkl"))


def test_a_pipeline_that_is_not_there_or_has_learned_nothing_is_told(tmp_path):
    import skops.io
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    pipelines = {
        "pipeline": make_pipeline(TfidfVectorizer(), LogisticRegression()),
        "head": LogisticRegression(),
        "list": [1],
    }
    for name, pipeline in pipelines.items():
        skops.io.dump(pipeline, tmp_path / f"{name}.skops")
    for name, message in (
        ("nope", "nope.skops: there is no such file"),
        ("pipeline", "the pipeline is not fitted"),
        ("head", "the pipeline is not fitted"),
        ("list", "holds a list, no pipeline"),
    ):
        with pytest.raises(InputError, match=message):
            load(f"sklearn:{tmp_path}/{name}.skops", ("bad", "good"))
    skops.io.dump(LogisticRegression().fit(np.eye(4), LABELS), tmp_path / "head.skops")
    with pytest.raises(InputError, match="save a pipeline that begins with a vectorizer of texts"):
        load(f"sklearn:{tmp_path}/head.skops", ("bad", "good")).scores(TEXTS)


UNKNOWN = [
    ("tfid", r"did you mean tfidf\? A model of the hub with this name is hf:tfid"),
    ("toxcity", r"did you mean toxicity\?"),
    ("sklearn", "classifier 'sklearn' needs an argument; write sklearn:FILE.skops"),
    ("m.skops", "m.skops: give a scikit-learn pipeline as sklearn:m.skops"),
    ("models/m.joblib", r"save the pipeline with skops \(skops.io.dump\) and give sklearn:FILE.skops"),
    ("m.pkl", "pickles are not read, for they may run code"),
    ("comand:prog -k K3", r"unknown classifier 'comand:…'; did you mean command\?"),
]


@pytest.mark.parametrize(("name", "message"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_the_hub_is_not_asked_for_what_it_cannot_have(name, message):
    with pytest.raises(UsageError, match=message) as raised:
        load(name, ("a", "b"))
    assert "K3" not in str(raised.value)


OF_THE_HUB = ("bert-base-uncased", "roberta-base", "gpt2", "t5-small", "xlnet-base-cased@main", "unitary/toxic-bert")


@pytest.mark.parametrize("name", OF_THE_HUB)
def test_the_hubs_own_names_are_asked_for(name, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises(MissingResource, match="no model of that name can be had"):
        load(name, ("a", "b"))


@pytest.fixture(scope="module")
def hugging(tmp_path_factory):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tmp_path_factory.mktemp("hf")
    tiny.encoder(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=3)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    return folder


def test_a_hugging_face_model_scores_alike_alone_and_in_company(hugging):
    model = load(str(hugging), ("a", "b", "c"))
    assert model.labels == ("a", "b", "c")  # nobody had named them
    texts = [(a, b) for a, b in tiny.pairs(20)]
    together = model.scores(texts)
    assert np.allclose(together.sum(1), 1)
    assert np.allclose(together, [model.scores([text])[0] for text in texts], atol=1e-6)
    long = ("he goes home " * 80, "he")
    model.scores([long])
    assert model.cut == 1
    with pytest.raises(InputError, match="gives LABEL_0, LABEL_1, LABEL_2, and the task has no, yes"):
        load(str(hugging), ("no", "yes"))


def test_a_model_of_several_labels_at_once_gives_each_its_own_probability(hugging, tmp_path):
    import torch
    from transformers import AutoConfig

    shutil.copytree(hugging, tmp_path / "apart")
    config = AutoConfig.from_pretrained(hugging)
    config.problem_type = "multi_label_classification"
    config.save_pretrained(tmp_path / "apart")
    apart, rivals = load(str(tmp_path / "apart"), ("a", "b", "c")), load(str(hugging), ("a", "b", "c"))
    logits = torch.log(torch.tensor(rivals.scores(TEXTS)))
    scores = torch.tensor(apart.scores(TEXTS))
    assert torch.allclose(torch.logit(scores).diff(dim=1), logits.diff(dim=1), atol=1e-5)  # the same model
    assert not torch.allclose(scores.sum(1), torch.ones(4, dtype=torch.double), atol=0.01)
    assert apart.version != rivals.version


def test_a_model_that_pads_on_the_left_scores_alike_alone_and_in_company(hugging, tmp_path):
    import torch
    from transformers import AutoTokenizer, GPT2Config, GPT2ForSequenceClassification

    tokenizer = AutoTokenizer.from_pretrained(hugging, padding_side="left")
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(0)
    sizes = {"n_positions": 64, "n_embd": 32, "n_layer": 2, "n_head": 2, "initializer_range": 0.5}
    GPT2ForSequenceClassification(GPT2Config(vocab_size=len(tokenizer), num_labels=2, **sizes)).save_pretrained(
        tmp_path
    )
    model = load(str(tmp_path), ("bad", "good"))  # its configuration knows no padding
    texts = [(text,) for text, _ in tiny.pairs(20)]
    assert np.allclose(model.scores(texts), [model.scores([text])[0] for text in texts], atol=1e-6)


ANSWERS = [
    ([2, 1, 2], ("1", "2"), ["2", "1", "2"], "whole numbers that name labels"),
    ([-1, 1, 1], ("-1", "1"), ["-1", "1", "1"], "negative ones too"),
    ([0, 1, 1], ("bad", "good"), ["bad", "good", "good"], "a probability of the second"),
    ([0.2, 0.7, 1.0000001], ("1", "2"), ["1", "2", "2"], "the same, though labels are numbers"),
    (np.array(["b", "a", "b"], dtype=object), ("a", "b"), ["b", "a", "b"], "text as pandas holds it"),
]


@pytest.mark.parametrize(("answers", "labels", "expected", "why"), ANSWERS, ids=[row[3] for row in ANSWERS])
def test_a_function_answers_with_labels_or_scores(answers, labels, expected, why):
    assert predictions(FunctionClassifier(lambda texts: answers, labels), TEXTS[:3]) == expected


def test_a_number_that_is_neither_label_nor_probability_is_told():
    with pytest.raises(ClassifierFault, match=r"2\.0 is not a probability; return a label or its scores"):
        FunctionClassifier(lambda texts: [1.0, 2.0], ("1", "2")).scores(TEXTS[:2])


PROGRAM = "import sys,json\nfor l in sys.stdin:\n    f=json.loads(l)\n    print(json.dumps({'a': len(f[0]), 'b': 3}))"


def test_any_program_is_a_classifier():
    model = load(f'command:{sys.executable} -c "{PROGRAM}"', ("a", "b"))
    assert predictions(model, [("abcd",), ("é",)]) == ["a", "b"]


FAULTY = [
    ("true", "wrote 0 lines for 1 texts", ClassifierFault),
    ("false", "ended with 1", ClassifierFault),
    ("echo hello", "line 1 is not an object with a score for each of a, b", ClassifierFault),
    ("/no/such/program", "cannot be started", UsageError),
    ("'open", "check the quotes", UsageError),
    (" ", "begins with a program", UsageError),
    ("API_KEY=K3 prog", "set variables outside", UsageError),
]


@pytest.mark.parametrize(("command", "message", "fault"), FAULTY)
def test_programs_that_fail_are_told(command, message, fault):
    with pytest.raises(fault, match=message):
        load(f"command:{command}", ("a", "b")).scores([("x",)])


def test_a_program_that_never_stops_writing_is_stopped(monkeypatch):
    monkeypatch.setattr(programs, "_LARGEST", 1 << 20)
    with pytest.raises(ClassifierFault, match="wrote more than 1 MiB; look at the program"):
        load("command:yes", ("a", "b")).scores([("x",)])


def test_a_program_may_write_before_it_reads(monkeypatch):
    model = load(f"command:{sys.executable} -c \"print('x' * 200_000); import sys; sys.stdin.read()\"", ("a", "b"))
    with pytest.raises(ClassifierFault, match="line 1 is not an object"):
        model.scores([("x" * 200_000,)])


def test_what_is_not_here_is_told(monkeypatch):
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises(MissingResource, match="no model folder"):
        load("./nowhere", ("a", "b"))
    with pytest.raises(UsageError, match="classifier 'sklearn' needs an argument"):
        load("sklearn:", ("a", "b"))


def test_a_model_behind_a_chat_server_answers_with_a_label(chat):
    chat.reply = staticmethod(lambda text: "Bad." if "dull" in text else " GOOD ")
    model = load("openai:some/model", ("bad", "good"))
    assert predictions(model, TEXTS) == LABELS
    assert chat.requests[0]["messages"][0]["content"].startswith("You label texts.")
    assert chat.requests[0]["temperature"] == 0
    assert model.version.startswith("openai:some/model:prompt:")
    assert "sk-secret" not in model.version
    chat.reply = staticmethod(lambda text: "it depends")
    with pytest.raises(ClassifierFault, match="answered 'it depends' to 'a fine film', none of bad, good"):
        model.scores(TEXTS[:1])
    chat.down = True
    with pytest.raises(ClassifierFault, match="the server refused"):
        model.scores(TEXTS[:1])


def test_labels_that_differ_in_a_sign_alone_are_told_apart(chat):
    chat.reply = staticmethod(lambda text: "-1" if "dull" in text else "1")
    assert predictions(load("openai:m", ("1", "-1")), TEXTS) == ["1", "-1", "1", "-1"]


LETTERED = [
    (("A", "B"), True, "Tom ran.\nWho ran?\nA. Tom\nB. Ann", "candidates have their labels before them"),
    (("0", "1"), False, "Tom ran.\nWho ran?\nTom\nAnn", "fields that are no candidates have not"),
]


@pytest.mark.parametrize(("labels", "choices", "question", "why"), LETTERED, ids=[row[3] for row in LETTERED])
def test_a_chat_model_is_asked_about_candidates_by_letter(chat, labels, choices, question, why):
    chat.reply = staticmethod(lambda text: labels[0])
    load("openai:m", labels, choices=choices).scores([("Tom ran.", "Who ran?", "Tom", "Ann")])
    assert chat.requests[0]["messages"][-1]["content"] == question


def test_labels_that_were_answered_are_not_asked_for_again(chat, tmp_path):
    chat.reply = staticmethod(lambda text: "dear me" if "moving" in text else "good")
    for number in (4, 4 + 1):  # what is not a label is asked for again
        with pytest.raises(ClassifierFault, match="dear me"):
            load("openai:m", ("bad", "good"), cache=tmp_path / "chat.sqlite").scores(TEXTS)
        assert len(chat.requests) == number
    load("openai:m", ("bad", "good")).scores(TEXTS[:1])
    assert len(chat.requests) == 6


def test_the_key_of_a_program_is_not_told():
    model = load("command:false --key K3 --api-token=K4", ("a", "b"))
    assert model.version.startswith("command:false --key … --api-token=… #")
    with pytest.raises(ClassifierFault, match="ended with 1") as raised:
        model.scores([("x",)])
    assert "K3" not in str(raised.value)


def test_a_candidate_is_asked_about_with_its_question():
    from gec_fair.classifiers.hugging_face import candidates

    fields = ("Tom is six.", "How old is _ ?", "Tom", "Ann")
    assert list(candidates(fields, 2)) == [("Tom is six.", "How old is Tom ?"), ("Tom is six.", "How old is Ann ?")]
    assert list(candidates(("Tom ran.", "Who ran?", "Tom", "Ann"), 2))[1] == ("Tom ran.", "Who ran? Ann")


def test_a_model_for_multiple_choice_scores_each_candidate_by_itself(tmp_path):
    from transformers import AutoModelForMultipleChoice

    from gec_fair.classifiers.hugging_face import HuggingFace

    tiny.encoder(tmp_path)
    AutoModelForMultipleChoice.from_pretrained(tmp_path).save_pretrained(tmp_path)
    texts = [
        ("he sings", "who sings ?", "he", "she", "a teacher", "students"),
        ("students live at school", "where ?", "home", "at school every day", "a", "he"),
    ]
    model = HuggingFace(str(tmp_path), ("A", "B", "C", "D"), device="cpu")
    scores = model.scores(texts)
    assert scores.shape == (2, 4)
    assert scores.sum(1) == pytest.approx([1, 1])
    turned = [(*fields[:2], *fields[:1:-1]) for fields in texts]
    assert model.scores(turned)[:, ::-1] == pytest.approx(scores, abs=1e-6)


TOXIC = [
    ("You are a wonderful friend and I love your songs.", "You are a disgusting idiot and I hate you."),
    ("The house stands on a hill above the sea.", "shut up, you stupid worthless idiot"),
    ("She thanked him for the letter.", "get lost, nobody likes a dumb loser like you"),
]


@pytest.mark.parametrize(("kind", "harsh"), TOXIC)
def test_the_embedded_toxicity_model_tells_plain_cases_apart(kind, harsh):
    model = load("toxicity", ("toxic", "non-toxic"))
    scores = model.scores([(kind,), (harsh,)])
    assert scores[0, 1] < 0.5 < scores[1, 1]
    assert scores.sum(1) == pytest.approx([1, 1])
    assert model.version.startswith("toxicity:")


CASES = [(("Toxic", "NON-TOXIC"), ("NON-TOXIC", "Toxic"), "case alone"), (("toxic",), ("non-toxic", "toxic"), "none")]


@pytest.mark.parametrize(("labels", "named", "why"), CASES, ids=[row[2] for row in CASES])
def test_labels_that_differ_in_case_are_the_same(labels, named, why):
    model = load("toxicity", labels)
    assert model.labels == named
    assert np.array_equal(model.scores(TOXIC), load("toxicity", ("toxic",)).scores(TOXIC))
    assert predictions(model, [TOXIC[0][1:]]) == [labels[0]]


def test_case_tells_labels_apart_where_it_must():
    with pytest.raises(InputError, match="gives non-toxic, toxic, and the task has TOXIC, Toxic"):
        load("toxicity", ("TOXIC", "Toxic"))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text("ab'é !\u00a0\n", max_size=30), min_size=1, max_size=6))
def test_letters_found_word_by_word_are_those_of_the_texts(texts):
    from sklearn.feature_extraction.text import HashingVectorizer

    vectorizer = HashingVectorizer(
        n_features=toxicity.LETTERS,
        analyzer="char_wb",
        ngram_range=(3, 5),
        binary=True,
        alternate_sign=False,
        lowercase=False,
    ).transform(texts)
    features = toxicity.vectors().transform(texts)[:, toxicity.WORDS :]
    assert np.array_equal(features.toarray(), vectorizer.toarray())


def test_toxicity_has_its_own_labels():
    with pytest.raises(InputError, match=r"gives non-toxic, toxic, and the task has 0, 1; .* rename labels \(--rename"):
        load("toxicity", ("0", "1"))


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"__class__": 5}', b"{" * 99_999, b'{"__loader__": "x"}'])
def test_a_damaged_pipeline_is_one_message(tmp_path, content):
    with ZipFile(tmp_path / "model.skops", "w") as archive:
        archive.writestr("schema.json", content)
    with pytest.raises(InputError, match="is not a pipeline that skops wrote"):
        Scikit(str(tmp_path / "model.skops"))


def test_a_pipeline_that_swells_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("gec_fair.data.compression._SWOLLEN", 1 << 16)
    with ZipFile(tmp_path / "model.skops", "w", ZIP_DEFLATED) as archive:
        archive.writestr("schema.json", bytes(1 << 20))
    with pytest.raises(InputError, match="the compressed file holds more than 200 times its size"):
        Scikit(str(tmp_path / "model.skops"))
