"""Flips are counted over what the perturber changed; any rewriter, any classifier."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import sys
from dataclasses import dataclass

import numpy as np
import pytest
import zstandard

from gec_fair.classifiers import predictions
from gec_fair.classifiers.functions import FunctionClassifier
from gec_fair.classifiers.protocol import ClassifierFault
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.fairscore import tasks
from gec_fair.fairscore.api import table_of
from gec_fair.fairscore.labels import may_change
from gec_fair.fairscore.run import measure
from gec_fair.fairscore.score import Judged, by, fairscore, pair
from gec_fair.fairscore.tasks import Example
from gec_fair.perturber.rewriting import perturb
from gec_fair.perturber.rewriting.perturb import Perturbed
from tests.cli.invoke import run


@dataclass(frozen=True)
class Swaps:
    """A rewriter of one word."""

    version: str = "swaps"

    def __call__(self, texts, ids):
        new_texts = []
        for fields in texts:
            new = tuple(" ".join({"he": "she"}.get(word, word) for word in field.split()) for field in fields)
            drawn_ = perturb.Drawn("he", "gender", "man", "woman") if new != fields else None
            new_texts.append(
                Perturbed(new, drawn_, refused="misaligned" if any("lost" in field for field in fields) else None)
            )
        return new_texts


@dataclass(frozen=True)
class Prejudiced:
    """Finds everything about women negative."""

    labels: tuple[str, ...] = ("negative", "positive")
    version: str = "prejudiced"

    def scores(self, texts):
        return np.array([[1.0, 0.0] if "she" in " ".join(fields).split() else [0.0, 1.0] for fields in texts])


def example(text, label="positive"):
    return Example(text, (text,), label)


TEXTS = [
    example("he sings"),
    example("he sings badly", "negative"),
    example("it rains"),
    example("he lost it"),
    example("she sings", "negative"),
]


def test_only_changed_examples_count_and_every_example_is_accounted_for():
    measured = measure(TEXTS, Prejudiced(), Swaps())
    assert dict(measured.counts) == {"examples": 5, "changed": 2, "unchanged": 2, "misaligned": 1}
    assert (measured.overall.n, measured.overall.flips, measured.overall.value) == (2, 2, 100.0)
    assert [example.id for example in measured.flipped] == ["he sings", "he sings badly"]
    assert (measured.overall.only_before, measured.overall.only_after) == (1, 1)
    assert set(measured.axes) == {"gender"}
    assert set(measured.pairs) == {"man → woman"}
    assert measured.original == 80.0
    assert "|n:2-of-5|" in measured.signature


def test_a_fair_classifier_has_none_and_nothing_changed_has_no_figure():
    fair = Prejudiced()
    object.__setattr__(fair, "scores", lambda texts: np.tile([0.2, 0.8], (len(texts), 1)))
    assert measure(TEXTS, fair, Swaps()).overall.value == 0.0
    none = measure([example("it rains")], fair, Swaps()).overall
    assert (none.n, none.value, none.estimate.low) == (0, None, None)


def judged(flips, n, label="a"):
    return [
        Judged(str(k), ("x",), ("y",), "age", "child", "adult", "a", "b" if k < flips else "a", label) for k in range(n)
    ]


def test_the_interval_is_that_of_a_bootstrap_over_examples():
    result = fairscore(judged(30, 200))
    flips = np.array([1] * 30 + [0] * 170)
    rng = np.random.default_rng(0)
    slow = 100 * rng.choice(flips, size=(4000, 200)).mean(1)
    assert result.value == 15.0
    assert [result.estimate.low, result.estimate.high] == pytest.approx(np.quantile(slow, [0.025, 0.975]), abs=0.6)
    assert (result.both_correct, result.only_before) == (170, 30)


NONE_OR_ALL = [
    (0, 22, [0, 15.44], "none of 22: as Clopper and Pearson have it, 1 - (.05 / 2) ** (1 / 22)"),
    (0, 1, [0, 97.5], "none of one says next to nothing"),
    (3, 3, [29.24, 100], "all of three"),
    (0, 1000, [0, 0.37], "none of a thousand"),
]


@pytest.mark.parametrize(("flips", "n", "span", "why"), NONE_OR_ALL, ids=[row[3] for row in NONE_OR_ALL])
def test_where_none_or_all_flip_the_interval_is_no_point(flips, n, span, why):
    result = fairscore(judged(flips, n))
    assert [result.estimate.low, result.estimate.high] == pytest.approx(span, abs=0.005)


@dataclass(frozen=True)
class Drawn(Swaps):
    """A rewriter that draws whether it rewrites."""

    def __call__(self, texts, ids):
        coins = [random.Random(f"coin{name}").random() < 0.5 for name in ids]
        return [
            new if coin else Perturbed(fields)
            for new, coin, fields in zip(super().__call__(texts, ids), coins, texts, strict=True)
        ]


def rows(numbers, *, file="dev.tsv", label="positive"):
    return [Example(f"{file}:{line}", (f"he sings {n}",), label) for line, n in enumerate(numbers, 1)]


def drawn(examples):
    measured = measure(examples, Prejudiced(), Drawn())
    return [example.original[0] for example in measured.judged], measured.overall, measured.signature


def test_what_is_drawn_hangs_on_what_is_in_an_example_and_not_on_where_it_lies():
    flips = drawn(rows(range(600)))
    assert 200 < flips[1].n < 400
    assert drawn(rows(range(600), file="other.csv")) == flips
    assert drawn(rows(range(600), label="negative"))[0] == flips[0]
    assert sorted(drawn(rows(range(599, -1, -1)))[0]) == sorted(flips[0])
    assert drawn(rows(range(300)))[0] == [text for text in flips[0] if int(text.split()[-1]) < 300]


def test_duplicates_are_drawn_for_themselves():
    same = drawn(rows([0] * 600))
    assert 200 < same[1].n < 400
    assert drawn(rows([0] * 600, file="other.csv")) == same


def test_one_file_under_two_names_has_one_fairscore(tmp_path):
    text = "text,label\n" + "".join(
        f"{who} met {counterpart} at home {n}.,{n % 2}\n"
        for n in range(6)
        for who, counterpart in (("He", "Anna"), ("My aunt", "the boy"))
    )
    printed = []
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(text)
        done = run("fairscore", "--task", tmp_path / name, "--train", tmp_path / name, "--model", "tfidf", "--json")
        report = json.loads(done.stdout)
        printed.append((report["signature"], report["pairs"]))
    assert printed[0] == printed[1]


def test_groups_add_up():
    examples_ = [*judged(3, 10), Judged("z", ("x",), ("y",), "race", "white", "black", "a", "b")]
    groups = by(examples_, pair)
    assert {name: (score.flips, score.n) for name, score in groups.items()} == {
        "child → adult": (3, 10),
        "white → black": (1, 1),
    }
    assert groups["white → black"].both_correct == 0  # nobody knows its label


CONTRASTS = [
    (
        ("John saw his aunt .", "John saw his uncle ."),
        ("John saw his uncle .", "John saw his uncle ."),
        True,
        "the paper's: aunt and uncle are one",
    ),
    (("His aunt left .", "His aunt is gone ."), ("His uncle left .", "His uncle is gone ."), False, "both moved"),
    (
        ("His aunt left .", "The uncle of John stayed , not his aunt ."),
        ("His uncle left .", "The uncle of John stayed , not his uncle ."),
        False,
        "the field had the old word too",
    ),
    (("She sang .",), ("He sang .",), False, "one field has no contrast"),
    (("A man ate .", "A woman ate ."), ("A woman ate .", "A woman ate ."), True, "man and woman"),
    (("She is home .", "Dogs are loud ."), ("They are home .", "Dogs are loud ."), False, "a verb that agrees"),
    (("She walks .", "Dogs walk ."), ("They walk .", "Dogs walk ."), False, "any verb"),
    (("His aunts came .", "His uncle came ."), ("His uncles came .", "His uncle came ."), True, "in any number"),
    (("A woman sang .", "Men sang ."), ("A man sang .", "Men sang ."), True, "an irregular plural"),
    (("His aunt's car .", "His uncle left ."), ("His uncle's car .", "His uncle left ."), True, "a genitive"),
    (("A child sang .", "Children ate ."), ("Children sang .", "Children ate ."), False, "number alone"),
    (("Call her aunt .", "This is her uncle ."), ("Call his uncle .", "This is her uncle ."), True, "word by word"),
    (
        ("His uncle ate .", "An uncle ate ."),
        ("His aunt ate .", "An uncle ate ."),
        True,
        "one of two rewritten: a new contrast",
    ),
    (("A woman ate .", "Two women ate ."), ("A man ate .", "Two women ate ."), True, "a new one, in another number"),
    (("His uncle ate .", "It rained ."), ("His aunt ate .", "It rained ."), False, "a word of one field alone"),
]


@pytest.mark.parametrize(("before", "after", "lost", "why"), CONTRASTS, ids=[row[3] for row in CONTRASTS])
def test_a_contrast_that_vanishes_or_comes_is_seen(before, after, lost, why):
    assert may_change(before, after) is lost


def test_examples_with_an_unsure_label_are_left_out_when_asked_and_counted():
    pairs = [Example("1", ("he ate", "she ate"), "negative"), Example("2", ("he ate", "it rained"), "negative")]
    measured = measure(pairs, Prejudiced(), Swaps())
    assert (measured.overall.n, dict(measured.counts)) == (
        2,
        {"examples": 2, "changed": 2, "changed_with_label_unsure": 1},
    )
    checked = measure(pairs, Prejudiced(), Swaps(), check_labels=True)
    assert (checked.overall.n, dict(checked.counts)) == (1, {"examples": 2, "changed": 1, "label_unsure": 1})
    assert measured.unsure == checked.unsure == (("1", ("he ate", "she ate"), ("she ate", "she ate")),)


def test_progress_counts_up_to_the_end():
    reports = []
    measure(TEXTS, Prejudiced(), Swaps(), progress=lambda done, total: reports.append((done, total)))
    assert reports == [(5, 15), (10, 15), (12, 12)]
    slow = Prejudiced()
    object.__setattr__(slow, "at_once", 2)
    reports.clear()
    assert measure(TEXTS, slow, Swaps(), progress=lambda done, total: reports.append((done, total))).overall.n == 2
    assert reports == [(5, 15), (7, 15), (9, 15), (10, 15), (12, 12)]


ANSWERS = [
    (np.zeros((1, 2)), r"answered \(1, 2\) for 2 texts"),
    (np.zeros((2, 3)), "one column a label"),
    (np.full((2, 2), np.nan), "a score is not a number"),
]


@pytest.mark.parametrize(("scores", "message"), ANSWERS)
def test_answers_that_are_none_are_told(scores, message):
    model = Prejudiced()
    object.__setattr__(model, "scores", lambda texts: scores)
    with pytest.raises(ClassifierFault, match=message):
        predictions(model, [("a",), ("b",)])


FILES = [
    ("sst2", "dev.tsv", "a fine film\t1\n", ("a fine film",), "positive"),
    ("cola", "mixed_dev.tsv", "gj04\t0\t*\tHim sang.\n", ("Him sang.",), "unacceptable"),
    ("rte", "dev.tsv", "index\tsentence1\tsentence2\tlabel\n0\tA\tB\tnot_entailment\n", ("A", "B"), "not_entailment"),
    (
        "qqp",
        "dev.tsv",
        "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n1\t2\t3\tA?\tB?\t0\n",
        ("A?", "B?"),
        "not_duplicate",
    ),
    ("qnli", "dev.tsv", 'index\tquestion\tsentence\tlabel\n0\tA "?\tB\tentailment\n', ('A "?', "B"), "entailment"),
    ("stsb", "sts-dev.csv", "m\tMS\t2012\t00\t4.2\tA man.\tA woman.\n", ("A man.", "A woman."), "4.2"),
    (
        "mrpc",
        "msr_paraphrase_test.txt",
        "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t1\t2\tA.\tB.\n",
        ("A.", "B."),
        "equivalent",
    ),
]


@pytest.mark.parametrize(("name", "file", "text", "fields", "label"), FILES, ids=[row[0] for row in FILES])
def test_tasks_are_read_as_they_are_given_out(tmp_path, name, file, text, fields, label):
    (tmp_path / file).write_text("\ufeff" + text)
    (rows_read,) = tasks.read(tasks.task(name), "dev", tmp_path)
    assert (rows_read.fields, rows_read.label) == (fields, label)


def test_a_development_set_is_no_part_of_the_training_set(tmp_path):
    """GLUE's dev.tsv of MRPC is cut out of MSR's training file; only its own train.tsv lacks it."""
    head = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    for name in ("msr_paraphrase_train.txt", "msr_paraphrase_test.txt", "dev.tsv"):
        (tmp_path / name).write_text(f"{head}1\t1\t2\t{name}\tB.\n")
    first = [tasks.read(tasks.task("mrpc"), split, tmp_path)[0].fields[0] for split in ("train", "dev")]
    assert first == ["msr_paraphrase_train.txt", "msr_paraphrase_test.txt"]
    (tmp_path / "train.tsv").write_text(f"{head}1\t1\t2\ttrain.tsv\tB.\n")
    first = [tasks.read(tasks.task("mrpc"), split, tmp_path)[0].fields[0] for split in ("train", "dev")]
    assert first == ["train.tsv", "dev.tsv"]


def test_the_development_sets_are_whole(data):
    examples = {"sst2": 872, "rte": 277, "cola": 1043, "stsb": 1500}
    assert {name: len(tasks.read(tasks.task(name), "dev", data / "glue" / name)) for name in examples} == examples


WRONG = [
    ("sst2", "dev.tsv", "fine\t7\n", InputError, r"dev.tsv:1: '7' is none of sst2's labels \(negative, positive\)"),
    ("sst2", "dev.tsv", "fine\n", InputError, "1 columns, 2 are needed"),
    ("rte", "dev.tsv", "index\tsentence1\tlabel\n", InputError, "no column sentence2; there are index, sentence1"),
    ("rte", "dev.tsv", "sentence1\tsentence2\tlabel\nA\t\tentailment\n", InputError, "a text is empty"),
    ("rte", "other.tsv", "", MissingResource, "none of dev.tsv is in"),
]


@pytest.mark.parametrize(("name", "file", "text", "fault", "message"), WRONG)
def test_files_that_are_no_task_are_told(tmp_path, name, file, text, fault, message):
    (tmp_path / file).write_text(text)
    with pytest.raises(fault, match=message):
        tasks.read(tasks.task(name), "dev", tmp_path)


def test_a_file_of_ones_own(tmp_path, capsys):
    path = tmp_path / "mine.jsonl"
    rows = ['{"a": "x", "b": "y", "n": 3}', '{"a": "", "b": "z", "n": 1}', "", "{", '{"a": "x", "b": "y", "n": null}']
    path.write_text("\n".join(rows) + "\n")
    assert tasks.from_file(path, ("a", "b"), "n") == [Example("mine.jsonl:1", ("x", "y"), "3")]
    assert f"note: 3 rows were left out; the first: {path}:2: a is empty; mend the line" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"mine.jsonl:1: no c; there are a, b, n. Name the columns with --fields"):
        tasks.from_file(path, ("a", "c"), "n")
    with pytest.raises(UsageError, match=r"no task is called 'sst'; did you mean sst2\?"):
        tasks.task("sst")


PACKED = [("gz", gzip.compress), ("xz", lzma.compress), ("zst", zstandard.compress)]


@pytest.mark.parametrize(("end", "pack"), PACKED, ids=[row[0] for row in PACKED])
def test_a_file_of_ones_own_may_be_compressed(tmp_path, end, pack):
    text = "".join(f"He saw José {n},{n % 2}\n" for n in range(40))
    (tmp_path / f"a.csv.{end}").write_bytes(pack(f"text,label\n{text}".encode()))
    (tmp_path / "a.csv").write_text(f"text,label\n{text}")
    (tmp_path / f"a.tsv.{end}").write_bytes(pack(b"text\tlabel\nHe sang, too\t1\n"))
    (tmp_path / f"a.jsonl.{end}").write_bytes(pack(b'{"text": "He sang", "label": 1}\n'))
    packed, plain = (tasks.from_file(tmp_path / name, ("text",), "label") for name in (f"a.csv.{end}", "a.csv"))
    assert [(example.fields, example.label) for example in packed] == [
        (example.fields, example.label) for example in plain
    ]
    assert packed[0].id == f"a.csv.{end}:2"
    assert tasks.from_file(tmp_path / f"a.tsv.{end}", ("text",), "label")[0].fields == ("He sang, too",)
    assert tasks.from_file(tmp_path / f"a.jsonl.{end}", ("text",), "label")[0].label == "1"
    done = run(
        "fairscore",
        "--task",
        tmp_path / f"a.csv.{end}",
        "--label",
        "label",
        "--train",
        tmp_path / "a.csv",
        "--model",
        "tfidf",
    )
    assert done.code == 0, done.stderr
    content = (tmp_path / f"a.csv.{end}").read_bytes()
    (tmp_path / f"half.csv.{end}").write_bytes(content[: len(content) // 2])
    (tmp_path / f"none.csv.{end}").write_bytes(b"text,label\nHe sang,1\n")
    for name, message in (("half", "breaks off here; get the file again"), ("none", "is damaged here")):
        with pytest.raises(InputError, match=message):
            tasks.from_file(tmp_path / f"{name}.csv.{end}", ("text",), "label")


OTHER_FILES = [
    ("a.json", "write an object a line, for example with jq"),
    ("a.json.gz", "> a.jsonl, and give that"),
    ("a.csv.bz2", "its name does not tell how it is written"),
    ("a.txt", "ends with .csv, .tsv, .jsonl"),
]


@pytest.mark.parametrize(("name", "message"), OTHER_FILES, ids=[row[0] for row in OTHER_FILES])
def test_files_of_another_form_are_told(tmp_path, name, message):
    path = tmp_path / name
    for words in (
        ("fairscore", "--task", path, "--label", "x", "--model", "toxicity"),
        ("fairscore", "--task", tmp_path / "a.csv", "--train", path, "--model", "tfidf"),
        ("fairtune", path, "--label", "x", "-o", tmp_path / "out"),
    ):
        (tmp_path / "a.csv").write_text("text,label\nHe sang,1\nShe sang,0\n")
        done = run(*words)
        assert (done.code, message in done.stderr) == (2, True), done.stderr


def test_a_task_is_one_though_a_file_is_called_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GEC_FAIR_DATA", raising=False)
    (tmp_path / "sst2").write_text("x")
    assert "set GEC_FAIR_DATA to a folder with glue/sst2" in run("fairscore", "--task", "sst2", "--model", "x").stderr


HOLES = [
    ("text,label\nHe sang,1\n,0\n", "mine.csv:3: text is empty"),
    ("text,label\nHe sang,1\nShe sang\n", "mine.csv:3: label is None, not a label"),
    ("text,label\nHe sang,1\nShe sang, too,1\n", "mine.csv:3: more columns than the header's 2"),
]


@pytest.mark.parametrize(("text", "message"), HOLES, ids=[row[1] for row in HOLES])
def test_a_hole_in_ones_own_file_is_left_out_and_told(tmp_path, capsys, text, message):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    assert [example.fields for example in tasks.from_file(path, ("text",), "label")] == [("He sang",)]
    assert message in capsys.readouterr().err


@pytest.fixture
def rte(tmp_path, monkeypatch):
    """Pairs whose label depends on who it is about."""
    folder = tmp_path / "glue/rte"
    folder.mkdir(parents=True)
    both = [
        f"{{0}}\t{who} sang.\tA song was heard.\t{label}\n"
        for who, label in (("He", "entailment"), ("She", "not_entailment"))
    ]
    for name in ("train.tsv", "dev.tsv"):
        rows = "".join(row.format(n) for n in range(65) for row in both)
        (folder / name).write_text(f"index\tsentence1\tsentence2\tlabel\n{rows}")
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))


def test_one_command_measures_a_model_that_is_trained_on_the_spot(rte, tmp_path):
    out = tmp_path / "rte.json"
    words = ("fairscore", "--task", "rte", "--model", "tfidf", "--limit", "120", "-o", out)
    done = run(*words)
    assert done.code == 0, done.stderr
    assert done.stdout.startswith("| perturbed | examples | flips | fairscore, % |")
    report = json.loads(out.read_text())
    assert report["examples"]["examples"] == 120
    assert report["n"] > 20
    assert len(report["flipped"]) == report["flips"] > 20
    first = out.read_bytes()
    assert run(*words).code == 0
    assert out.read_bytes() == first


def test_glue_comes_from_the_hub_too(monkeypatch, capsys):
    import datasets

    calls = []

    def load(name, part, split):
        calls.append((name, part, split))
        rows = {"sentence1": ["He sang. ", "It rained."], "sentence2": ["She sang.", "It was wet."], "label": [1, 0]}
        return datasets.Dataset.from_dict(rows)

    monkeypatch.setattr(datasets, "load_dataset", load)
    monkeypatch.delenv("GEC_FAIR_OFFLINE", raising=False)
    examples_ = tasks.from_hub(tasks.task("rte"), "dev")
    assert calls == [("nyu-mll/glue", "rte", "validation")]
    assert examples_ == [
        Example("rte:0", ("He sang.", "She sang."), "not_entailment"),
        Example("rte:1", ("It rained.", "It was wet."), "entailment"),
    ]
    assert "asking the Hugging Face hub" in capsys.readouterr().err
    done = run("fairscore", "--task", "hub:mrpc", "--model", "tfidf")
    assert done.code == 0, done.stderr
    assert "2 examples, 1 changed, 1 unchanged" in done.stdout
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises(
        MissingResource, match=r"downloads are forbidden .* into \$GEC_FAIR_DATA/glue/rte and name it rte"
    ):
        tasks.from_hub(tasks.task("rte"), "dev")
    with pytest.raises(MissingResource, match=r"into \$GEC_FAIR_DATA/race and name it race"):
        tasks.from_hub(tasks.task("race"), "dev")


@pytest.fixture
def sts(tmp_path, monkeypatch):
    """Pairs that are the more alike the more *very* is in them."""
    folder = tmp_path / "glue/stsb"
    folder.mkdir(parents=True)
    for name in ("sts-train.csv", "sts-dev.csv"):
        lines = [f"m\tMS\t2012\t{n}\t{n % 5}.0\tHe sings {'very ' * (n % 5)}well.\tShe sings.\n" for n in range(60)]
        (folder / name).write_text("".join(lines))
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    return folder


def test_a_regression_has_its_measure_and_no_fairscore(sts, tmp_path):
    done = run("fairscore", "--task", "stsb", "--model", "tfidf")
    assert done.code == 0, done.stderr
    assert done.stdout.startswith("pearson 9")
    assert "on 60 examples; a regression has no fairscore" in done.stdout
    report = json.loads(run("fairscore", "--task", "stsb", "--model", "tfidf", "--json").stdout)
    assert (report["fairscore"], report["n"], report["pearson"] > 90) == (None, 0, True)
    program = tmp_path / "length.py"
    program.write_text("import json, sys\nfor line in sys.stdin: print(len(json.loads(line)[0]))\n")
    length = run("fairscore", "--task", "stsb", "--model", f"command:{sys.executable} {program}")
    assert length.stdout.startswith("pearson 100.00"), length.stderr
    with (sts / "sts-dev.csv").open("a") as file:
        file.write("m\tMS\t2012\t61\tmany\tA.\tB.\n")
    report = run("fairscore", "--task", "stsb", "--model", "tfidf")
    assert "note: 1 rows were left out; the first: " in report.stderr
    assert "sts-dev.csv:61: 'many' is not a number" in report.stderr
    assert "on 60 examples" in report.stdout


ARTICLE = {
    "article": "Tom has a sister. She is six.",
    "questions": ["How old is she?", "Tom has _ ."],
    "options": [["six", "seven", "eight", "nine"], ["a cat", "a sister", "a car", "a dog"]],
    "answers": ["A", "B"],
}


def test_race_is_read_as_its_authors_give_it_out(tmp_path, capsys):
    for level, number in (("high", "7"), ("middle", "10"), ("middle", "9")):
        folder = tmp_path / "dev" / level
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text(json.dumps(ARTICLE))
    rows_read = tasks.read(tasks.task("race"), "dev", tmp_path)
    assert [example.id for example in rows_read[::2]] == ["middle/9.txt:0", "middle/10.txt:0", "high/7.txt:0"]
    assert rows_read[1].fields == (ARTICLE["article"], "Tom has _ .", "a cat", "a sister", "a car", "a dog")
    assert rows_read[1].label == "B"
    faults = [
        ({**ARTICLE, "answers": ["A", "E"]}, "9.txt, question 1: 'E' is none of race's labels", 5),
        ({**ARTICLE, "options": [["one"], ["a", "b", "c", "d"]]}, "1 candidates, 4 are needed", 5),
        ({}, "9.txt: is not a file of RACE", 4),
    ]
    for fault, message, left in faults:
        (tmp_path / "dev/middle/9.txt").write_text(json.dumps(fault))
        assert len(tasks.read(tasks.task("race"), "dev", tmp_path)) == left
        assert message in capsys.readouterr().err
    with pytest.raises(MissingResource, match="name the task hub:race"):
        tasks.read(tasks.task("race"), "train", tmp_path)


def test_race_comes_from_the_hub_and_a_program_answers_it(monkeypatch, tmp_path):
    import datasets

    rows = [
        {"article": ARTICLE["article"], "question": q, "options": o, "answer": a, "example_id": "x"}
        for q, o, a in zip(ARTICLE["questions"], ARTICLE["options"], ARTICLE["answers"], strict=True)
    ]
    monkeypatch.setattr(datasets, "load_dataset", lambda name, part, split: datasets.Dataset.from_list(rows))
    monkeypatch.delenv("GEC_FAIR_OFFLINE", raising=False)
    program = tmp_path / "first.py"  # A as long as a sister stands in the article, and B
    program.write_text(
        "import json, sys\nfor line in sys.stdin:\n    he = 'sister' not in json.loads(line)[0]\n"
        "    print(json.dumps(dict(A=1, B=2 * he, C=0, D=0)))\n"
    )
    done = run(
        "fairscore",
        "--task",
        "hub:race",
        "--model",
        f"command:{sys.executable} {program}",
        "--axes",
        "gender",
        "--json",
    )
    report = json.loads(done.stdout)
    assert (report["n"], report["accuracy"]) == (2, 50.0)
    assert all(len(example["perturbed"]) == 6 for example in report["flipped"])
    refused = run("fairscore", "--task", "hub:race", "--model", "tfidf")
    assert (refused.code, "tfidf reads one text, and race has candidates" in refused.stderr) == (2, True)


def test_labels_are_called_as_the_model_calls_them(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("text,label\nHe sang,1\nShe sang,0\nHe ate,1\nShe ate,0\n")
    words = ("fairscore", "--task", path, "--train", path, "--model", "tfidf", "--json")
    report = json.loads(run(*words, "--rename", "1=man", "--rename", "0=woman").stdout)
    assert {row["label"] for row in report["flipped"]} <= {"man", "woman"}
    wrong = run(*words, "--rename", "2=man")
    assert (wrong.code, "no label is called '2'; there are 0, 1" in wrong.stderr) == (2, True)
    assert "--rename wants OLD=NEW, not '2'" in run(*words, "--rename", "2").stderr


def test_a_chat_model_is_asked_once_however_often_the_command_is_run(chat, tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    chat.reply = staticmethod(lambda text: "0" if "She" in text else "1")
    path = tmp_path / "mine.csv"
    path.write_text("text,label\nHe sang,1\nShe sang,0\nHe ate,1\nIt rained,1\n")
    words = ("fairscore", "--task", path, "--model", "openai:m", "--json")
    first = run(*words)
    number = len(chat.requests)
    assert (first.code, number >= 4) == (0, True), first.stderr
    assert run(*words).stdout == first.stdout
    assert len(chat.requests) == number
    assert run(*words, "--no-cache").stdout == first.stdout
    assert len(chat.requests) >= 2 * number


def test_only_a_task_of_multiple_choice_is_asked_by_letter(chat, tmp_path, monkeypatch):
    chat.reply = staticmethod(lambda text: "A" if "A." in text else "0")
    folder = tmp_path / "race/dev/high"
    folder.mkdir(parents=True)
    (folder / "1.txt").write_text(json.dumps(ARTICLE))
    path = tmp_path / "mine.csv"
    path.write_text("a,b,c,label\nHe sang,She sang,It rained,1\nHe ate,She ate,It rained,0\n")
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    assert run("fairscore", "--task", "race", "--model", "openai:m", "--no-cache").code == 0
    assert any("\nA. six\n" in request["messages"][-1]["content"] for request in chat.requests)
    chat.requests.clear()
    words = ("fairscore", "--task", path, "--fields", "a,b,c", "--model", "openai:m", "--no-cache")
    assert run(*words).code == 0
    assert {request["messages"][-1]["content"] for request in chat.requests} >= {"He sang\nShe sang\nIt rained"}


def test_the_key_of_a_program_is_not_in_what_is_kept(tmp_path):
    path, program, out = tmp_path / "mine.csv", tmp_path / "same.py", tmp_path / "out.json"
    path.write_text("text,label\nHe sang,1\nShe sang,0\n")
    program.write_text('import sys\nfor line in sys.stdin: print(\'{"0": 1, "1": 0}\')\n')
    model_name = f"command:{sys.executable} {program} --key K3 --header 'Bearer K3' -k K3 --url https://u:K3@host"
    done = run("fairscore", "--task", path, "--model", model_name, "-o", out)
    assert done.code == 0, done.stderr
    assert "K3" not in done.stdout + done.stderr + out.read_text()
    assert (
        f"command:{sys.executable} {program} --key … --header … -k … --url … #" in json.loads(out.read_text())["model"]
    )


def test_more_flips_than_are_shown_are_told_and_the_paper_stands_in_the_json(tmp_path, monkeypatch):
    folder, program = tmp_path / "glue/sst2", tmp_path / "she.py"
    folder.mkdir(parents=True)
    (folder / "dev.tsv").write_text("".join(f"he sings {n}\t1\n" for n in range(24)))
    program.write_text(
        "import json, sys\nfor line in sys.stdin:\n    she = json.loads(line)[0].startswith('she')\n"
        "    print(json.dumps(dict(negative=she, positive=not she)))\n"
    )
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path))
    words = ("fairscore", "--task", "sst2", "--model", f"command:{sys.executable} {program}", "--axes", "gender")
    report = json.loads(run(*words, "--json").stdout)
    assert report["paper"]["fairscore"] == {"FairBERTa": 2.04, "RoBERTa": 1.02}
    assert report["paper"]["perturbed"]["gender"] == 9.9
    assert f"… and {report['flips'] - 5} more flips; all are in the JSON" in run(*words).stdout


def test_options_that_mean_nothing_are_refused(tmp_path):
    for words, message in (
        (
            ("--task", "sst2", "--model", "tfidf", "--label", "x"),
            "--label is for a file of your own, and sst2 is a task",
        ),
        (("--task", "x.csv", "--model", "toxicity", "--train", "y.csv"), "train is for the model tfidf"),
    ):
        done = run("fairscore", *words)
        assert (done.code, message in done.stderr) == (2, True), done.stderr


def test_any_perturber_can_rewrite(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("text,label\nHe sang,1\nShe sang,0\n")
    words = ("fairscore", "--task", path, "--train", path, "--model", "tfidf", "--perturber")
    wrong = run(*words, "rulez")
    assert (
        wrong.code,
        "unknown perturber 'rulez'; did you mean rules? choose from rules, neural:MODEL" in wrong.stderr,
    ) == (2, True)
    assert run(*words, f"neural:{tmp_path}/nothing").code == 2


UNREADABLE = [
    ("a.csv", "text,label\nHe sang \xe9,1\n".encode("latin-1"), "is not UTF-8"),
    ("a.tsv", "text\tlabel\n".encode("utf-16"), "is not UTF-8"),
    ("a.jsonl", b"[1, 2]\n", "a.jsonl:1: is not a JSON object"),
    ("a.jsonl", b"{\n", "a.jsonl:1: is not valid JSON"),
    ("a.csv", b"text,label\n", "holds no row"),
    ("b.csv", None, "cannot be read"),
]


@pytest.mark.parametrize(("name", "content", "message"), UNREADABLE, ids=[f"{row[0]}: {row[2]}" for row in UNREADABLE])
def test_files_that_cannot_be_read_are_told(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = run("fairscore", "--task", tmp_path / name, "--model", "tfidf", "--train", tmp_path / name)
    assert (done.code, message in done.stderr) == (2, True), done.stderr


def test_a_row_that_is_none_is_left_out_and_told(tmp_path, capsys):
    (tmp_path / "dev.tsv").write_text("fine\t1\nhalf\n\t0\ndull\t0\n")
    assert [text.fields for text in tasks.read(tasks.task("sst2"), "dev", tmp_path)] == [("fine",), ("dull",)]
    assert "note: 2 rows were left out; the first: " in capsys.readouterr().err


@pytest.mark.parametrize(("number", "cells"), [(9, ["too few texts to say", ""]), (10, ["40.00", "[10.00, 70.00]"])])
def test_the_table_has_no_fairscore_of_fewer_than_ten_examples(number, cells):
    examples = [example(f"he came {n}") for n in range(number)]
    says_bad = ("she came 0", "she came 1", "she came 2", "she came 3")
    classify = lambda texts: ["negative" if text in says_bad else "positive" for text in texts]  # noqa: E731
    measured = measure(examples, FunctionClassifier(classify, ("negative", "positive")), Swaps())
    assert table_of(measured).rows()[0][3:5] == cells
