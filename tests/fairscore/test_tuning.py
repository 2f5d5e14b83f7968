"""Fairtuning both ways, records that a killed run resumes from, tables in form."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
from transformers import AutoTokenizer

from gec_fair.errors import UsageError
from gec_fair.fairscore.examples import Lessons
from gec_fair.fairscore.options import ClassifierTraining
from gec_fair.fairscore.run import Once, measure
from gec_fair.fairscore.tables import parts
from gec_fair.fairscore.tasks import Example, Task
from gec_fair.fairscore.tuning import Cell, TuningOptions, make_examples, run
from gec_fair.models.ltg_bert.config import LtgBertConfig
from gec_fair.models.ltg_bert.model import LtgBertForMaskedLM
from gec_fair.perturber.rewriting.perturb import Drawn, Perturbed
from gec_fair.report.table import join_parts
from gec_fair.trainer.classifier import finetune
from gec_fair.trainer.options import TrainingOptions
from tests.cli.invoke import run as command
from tests.gec.gector import tiny


@dataclass(frozen=True)
class Swaps:
    version: str = "swaps"

    def __call__(self, texts, ids):
        refused = {("lost",): "misaligned"}
        return [
            Perturbed(("she",), Drawn("he", "gender", "man", "woman"))
            if fields == ("he",)
            else Perturbed(fields, refused=refused.get(fields))
            for fields in texts
        ]


class Fair:
    labels, version = ("a", "b"), "fair"

    def scores(self, texts):
        return np.tile([1.0, 0.0], (len(texts), 1))


EXAMPLES = [Example("1", ("he",), "a"), Example("2", ("it",), "b"), Example("3", ("lost",), "a")]
WAYS = [
    ("original", ["he", "it", "lost"]),
    ("replaced", ["she", "it", "lost"]),
    ("appended", ["he", "it", "lost", "she"]),
]


@pytest.mark.parametrize(("tuning_", "texts"), WAYS)
def test_what_is_trained_on(tuning_, texts):
    examples_ = make_examples(EXAMPLES, Swaps(), tuning_)
    assert [example.fields[0] for example in examples_] == texts
    assert examples_[-1].label == "a"
    with pytest.raises(UsageError, match="no way of tuning is called 'fair'"):
        make_examples(EXAMPLES, Swaps(), "fair")


def test_an_example_is_rewritten_once():
    calls = []

    class Counts(Swaps):
        def __call__(self, texts, ids):
            calls.extend(ids)
            return super().__call__(texts, ids)

    once = Once(Counts())
    texts, ids = [example.fields for example in EXAMPLES], [example.id for example in EXAMPLES]
    first = once(texts, ids)
    assert once(texts[::-1], ids[::-1]) == first[::-1] == Swaps()(texts, ids)[::-1]
    assert (calls, once.version) == (ids, "swaps")
    once([("he",)], ["2"])  # another text under a known name
    assert calls == [*ids, "2"]


def test_training_and_judging_draw_alike_wherever_the_examples_lie():
    calls = []

    class Counts(Swaps):
        def __call__(self, texts, ids):
            calls.append(tuple(ids))
            return super().__call__(texts, ids)

    second_task = [replace(example, id=f"other:{n}", label="b") for n, example in enumerate(EXAMPLES)]
    for examples in (EXAMPLES, second_task):
        make_examples(examples, Counts(), "replaced")
        measure(examples, Fair(), Counts())
    assert len(set(calls)) == 1
    assert len(set(calls[0])) == len(EXAMPLES)


@pytest.fixture
def glue(tmp_path, monkeypatch):
    """A task in which women's sentences are negative."""
    folder = tmp_path / "data/glue/sst2"
    folder.mkdir(parents=True)
    good, bad = "he sings well , a fine film", "she sings badly , a dull film"
    for name, number in (("train", 40), ("dev", 12)):
        lines = [f"{good} {n}\t1\n{bad} {n}\t0\n" for n in range(number)]
        (folder / f"{name}.tsv").write_text("".join(lines))
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path / "data"))
    return tmp_path


def test_records_are_kept_and_tables_have_medians_and_the_papers_rows(glue):
    words = ("fairtune", "sst2", "--seeds", "2", "--tuning", "original,replaced,appended", "-o", glue / "out")
    done = command(*words)
    assert done.code == 0, done.stderr
    assert "| tfidf | original | 2 |" in done.stdout
    assert "| FairBERTa 16GB, Qian et al. 2022 | original | 5 | 92.66 | |" in done.stdout
    assert "| RoBERTa 16GB, Qian et al. 2022 | replaced | 5 | 3.06 | |" in done.stdout
    stamps = {path: path.stat().st_mtime_ns for path in (glue / "out").rglob("*.json")}
    assert len(stamps) == 6
    assert command(*words).stdout == done.stdout
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps
    report = {path.parent.name: json.loads(path.read_text()) for path in stamps}
    assert report["appended"]["trained_on"] == 160 > report["replaced"]["trained_on"] == 80
    refused = command(*words[:-2], "--axes", "age", "-o", glue / "out")
    assert (refused.code, "holds a result with other axes (" in refused.stderr) == (2, True)
    aged = json.loads(command(*words[:-2], "--axes", "age", "--json", "-o", glue / "aged").stdout)
    assert {record["n"] for record in aged} == {0}  # nothing of age is in it
    with (glue / "data/glue/sst2/train.tsv").open("a") as file:
        file.write("one more\t1\n")
    changed = command(*words)
    assert (changed.code, "holds a result with other data (" in changed.stderr) == (2, True)


def test_an_encoder_is_fine_tuned_and_measured(glue):
    tiny.encoder(glue / "encoder")
    training = TrainingOptions(steps=4, batch=8, learning_rate=1e-3, log_every=2, save_every=2)
    settings = ClassifierTraining("x", "sst2", training=training, epochs=2)
    cell = Cell("sst2", str(glue / "encoder"), "replaced", 0)
    (record,) = run([cell], glue / "out", TuningOptions(axes=("gender",)), points={"": settings})
    assert record["trained_on"] == 80
    assert record["n"] == 24
    assert 0 <= record["fairscore"] <= 100
    assert "| replaced | 1 |" in join_parts(parts([record]))
    (weights,) = (glue / "out/runs").rglob("best/model.safetensors")
    tokenizer = AutoTokenizer.from_pretrained(weights.parent)
    ids = tokenizer("he left", "she came")["input_ids"]
    ends = [tokenizer.sep_token_id] * 2
    assert ids[0] == tokenizer.cls_token_id  # what a head reads; that encoder's own tokenizer puts nothing anywhere
    assert ends in [ids[n : n + 2] for n in range(len(ids))]
    done = command("fairtune", "sst2", "--model", glue / "encoder", "-o", glue / "x")
    assert (done.code, "--settings training/fairtune.yaml" in done.stderr) == (2, True)


@pytest.mark.parametrize("kind", ["roberta", "ltg-bert"])
def test_parts_of_an_update_are_averaged(kind, tmp_path):
    tiny.encoder(tmp_path / "encoder")
    if kind == "ltg-bert":
        tokenizer = AutoTokenizer.from_pretrained(tmp_path / "encoder")
        sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
        LtgBertForMaskedLM(LtgBertConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(tmp_path / "encoder")
    examples = [Example(str(n), (text,), "ab"[n % 2]) for n, (text, _) in enumerate(tiny.pairs(8))]
    first = {}
    for name, batch, accumulation in (("whole", 8, 1), ("parts", 2, 4)):
        training = TrainingOptions(steps=1, batch=batch, accumulation=accumulation, log_every=1)
        options = ClassifierTraining(str(tmp_path / "encoder"), "sst2", training=training, epochs=1, warmup=0)
        finetune(options, examples, ("a", "b"), tmp_path / name, seed=0)
        first[name] = json.loads((tmp_path / name / "log.jsonl").open().readline())["loss"]
    assert first["parts"] == pytest.approx(first["whole"], rel=0.1)  # nearly: other words are dropped out


def yaml(folder):
    path = folder / "fairtune.yaml"
    lines = [
        "start: x",
        "task: sst2",
        "epochs: 2",
        "training:",
        "  steps: 4",
        "  batch: 8",
        "  learning_rate: 0.001",
        "  log_every: 2",
        "  save_every: 2",
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_of_a_grid_the_point_with_the_best_median_is_taken(glue, monkeypatch):
    """Table 12: three runs of each point, five of the best."""
    from gec_fair.fairscore import tuning

    tiny.encoder(glue / "encoder")
    figures = {
        ("training.batch=4", 0): 50,
        ("training.batch=4", 1): 90,
        ("training.batch=4", 2): 60,
        ("training.batch=8", 0): 70,
        ("training.batch=8", 1): 20,
        ("training.batch=8", 2): 80,
    }
    trained = []

    def measured(cell, options, settings):
        trained.append((cell.point, cell.seed, settings.training.batch))
        return {"figure": figures.get((cell.point, cell.seed), 75), "fairscore": 1.0, "n": 10, "metric": "accuracy"}

    monkeypatch.setattr(tuning, "_measure", measured)
    words = (
        "fairtune",
        "sst2",
        "--model",
        glue / "encoder",
        "--tuning",
        "original",
        "--seeds",
        "5",
        "--settings",
        yaml(glue),
        "--grid",
        "training.batch=4,8",
        "-o",
        glue / "out",
    )
    done = command(*words)
    assert done.code == 0, done.stderr
    assert trained == [
        *((f"training.batch={size}", seed, size) for size in (4, 8) for seed in range(3)),
        ("training.batch=8", 3, 8),
        ("training.batch=8", 4, 8),
    ]
    assert "original: best at training.batch=8" in done.stdout
    assert "| 5 | 75.00 |" in done.stdout
    assert command(*words).stdout == done.stdout
    assert len(trained) == 8
    assert "--grid wants key=value,value, not 'batch'" in command(*words, "--grid", "batch").stderr


CHANGED = [
    ("config.json", True),
    ("tokenizer.json", True),
    ("tokenizer_config.json", True),
    ("vocab.txt", True),
    ("special_tokens_map.json", True),
    ("spiece.model", True),
    ("model.safetensors", True),
    ("model-00001-of-00002.safetensors", True),
    ("README.md", False),
    ("trainer_state.json", False),
]


@pytest.mark.parametrize(("name", "decides"), CHANGED, ids=[row[0] for row in CHANGED])
def test_a_record_is_of_all_that_a_models_folder_predicts_with(glue, monkeypatch, name, decides):
    from gec_fair.fairscore import tuning

    monkeypatch.setattr(
        tuning, "_measure", lambda *options: {"figure": 1.0, "fairscore": 1.0, "n": 10, "metric": "accuracy"}
    )
    tiny.encoder(glue / "encoder")
    words = (
        "fairtune",
        "sst2",
        "--model",
        glue / "encoder",
        "--seeds",
        "1",
        "--settings",
        yaml(glue),
        "-o",
        glue / "out",
    )
    assert command(*words).code == 0
    with (glue / "encoder" / name).open("a") as file:
        file.write("\n")
    done = command(*words)
    assert done.code == (2 if decides else 0), done.stderr
    assert ("holds a result with other start (" in done.stderr) is decides


def test_a_regression_and_a_multiple_choice_are_fine_tuned_too(glue):
    tiny.encoder(glue / "encoder")
    similar = glue / "data/glue/stsb"
    similar.mkdir()
    for name in ("sts-train.csv", "sts-dev.csv"):
        lines = [f"m\tMS\t2012\t{n}\t{n % 5}.5\tHe sings {n}.\tShe sings.\n" for n in range(16)]
        (similar / name).write_text("".join(lines))
    expected = {
        "article": "Tom has a sister. She is six.",
        "questions": ["How old is she?", "Tom has _ ."],
        "options": [["six", "seven", "eight", "nine"], ["a cat", "a sister", "a car", "a dog"]],
        "answers": ["A", "B"],
    }
    for split in ("train", "dev"):
        folder = glue / "data/race" / split / "high"
        folder.mkdir(parents=True)
        for number in range(4):
            (folder / f"{number}.txt").write_text(json.dumps(expected))
    done = command(
        "fairtune",
        "stsb",
        "race",
        "--model",
        glue / "encoder",
        "--seeds",
        "1",
        "--settings",
        yaml(glue),
        "--json",
        "-o",
        glue / "out",
    )
    assert done.code == 0, done.stderr
    records = json.loads(done.stdout)
    assert [(record["task"], record["tuning"], record["metric"]) for record in records] == [
        ("stsb", "original", "pearson"),
        ("stsb", "replaced", "pearson"),
        ("race", "original", "accuracy"),
        ("race", "replaced", "accuracy"),
    ]
    assert records[0]["fairscore"] is None
    assert records[2]["n"] == 8
    table = command(
        "fairtune",
        "stsb",
        "race",
        "--model",
        glue / "encoder",
        "--seeds",
        "1",
        "--settings",
        yaml(glue),
        "-o",
        glue / "out",
    ).stdout
    assert "| model | tuning | seeds | race | mean |" in table  # of Table 5: STS-B has no fairscore
    best = glue / "out/runs/race"
    (config,) = best.rglob("original/0/best/config.json")
    assert json.loads(config.read_text())["architectures"][0].endswith("ForMultipleChoice")


def test_labels_are_checked_and_any_perturber_rewrites(glue):
    done = command("fairtune", "sst2", "--seeds", "1", "--check-labels", "--json", "-o", glue / "out")
    (first, *_) = json.loads(done.stdout)
    assert "|check-labels:yes|" in first["signature"]
    wrong = command("fairtune", "sst2", "--perturber", "rulez", "-o", glue / "other")
    assert (wrong.code, "unknown perturber 'rulez'" in wrong.stderr) == (2, True)


NAMES = [
    (("sst2", "--tuning", "original,replace"), "no way of tuning is called 'replace'; did you mean replaced?"),
    (("sst2", "sst"), "no task is called 'sst'; did you mean sst2?"),
    (("sst2", "--model", "tfidf", "--model", "./nowhere", "--settings", "SETTINGS"), "no model folder"),
    (("sst2", "--model", "tfidf", "--model", "x"), "x is an encoder; say how it is trained with --settings"),
    (("sst2", "--model", "tfid"), "did you mean tfidf?"),
    (("sst2", "--model", "sklearn:stars.skops"), "sklearn:…: fairtuning trains tfidf or an encoder"),
    (("sst2", "--model", "hf:x", "--settings", "SETTINGS"), "or a hub's name (without hf:)"),
    (("sst2", "--model", "command:prog -k K3"), "command:…: fairtuning trains tfidf or an encoder"),
    (("sst2", "--model", "toxicity"), "toxicity: fairtuning trains tfidf or an encoder"),
    (("sst2", "--model", "stars.skops"), "stars.skops: fairtuning trains tfidf or an encoder"),
    (("sst2", "--perturber", "neural:./nowhere"), "no model folder"),
    (("sst2", "--grid", "training.batch=16,32"), "--grid is for encoders, and tfidf has no settings"),
    (("sst2", "--set", "foo=3"), "--set is for encoders"),
    (("sst2", "--settings", "SETTINGS"), "--settings is for encoders"),
    (("sst2", "--model", "x", "--set", "foo=3"), "--set changes settings; give them with --settings"),
    (("sst2", "--label", "stars"), "--label is for a file of your own; give one as TASK"),
    (("mine.csv",), "what is judged on is missing; name a file of the same form with --dev"),
    (("mine.csv", "other.csv"), "one file at a time"),
]


@pytest.mark.parametrize(("words", "message"), NAMES, ids=[row[1] for row in NAMES])
def test_names_and_options_that_are_none_are_told_before_anything_is_trained(glue, words, message):
    arguments = [yaml(glue) if word == "SETTINGS" else word for word in words]
    done = command("fairtune", *arguments, "--seeds", "1", "-o", glue / "out")
    assert (done.code, message in done.stderr) == (2, True), done.stderr
    assert not (glue / "out").exists()


@pytest.fixture
def stars(tmp_path):
    """Files of one's own in which women's reviews have one star."""
    for name, number in (("train", 30), ("dev", 8)):
        rows = [f'5,"he sings well, a fine film {n}"\n1,she sings badly {n}\n' for n in range(number)]
        (tmp_path / f"{name}.csv").write_text("stars,review\n" + "".join(rows))
    return tmp_path


def test_a_file_of_ones_own_is_tuned_on(stars):
    words = (
        "fairtune",
        stars / "train.csv",
        "--dev",
        stars / "dev.csv",
        "--fields",
        "review",
        "--label",
        "stars",
        "--rename",
        "5=good",
        "--seeds",
        "1",
        "--axes",
        "gender",
        "-o",
        stars,
    )
    done = command(*words)
    assert done.code == 0, done.stderr  # the files are in the output folder
    assert "| model | tuning | seeds | train.csv | mean |" in done.stdout
    assert "| tfidf | original | 1 | 100.00 | 100.00 |" in done.stdout
    records = json.loads(command(*words, "--json").stdout)
    assert [(record["tuning"], record["metric"], record["n"], record["paper"]) for record in records] == [
        ("original", "accuracy", 16, None),
        ("replaced", "accuracy", 16, None),
    ]
    with (stars / "dev.csv").open("a") as file:
        file.write("5,a good one\n")
    changed = command(*words)
    assert (changed.code, "holds a result with other data (" in changed.stderr) == (2, True)
    with (stars / "dev.csv").open("a") as file:
        file.write("4,a fair one\n")
    unknown = command(*words)
    assert unknown.code == 2
    assert f"{stars}/dev.csv:19: '4' is not a label of {stars}/train.csv (1, good)" in unknown.stderr


def test_an_encoder_is_fine_tuned_on_a_file_of_ones_own(stars):
    tiny.encoder(stars / "encoder")
    own_data = (stars / "train.csv", "--dev", stars / "dev.csv", "--fields", "review", "--label", "stars")
    done = command(
        "fairtune",
        *own_data,
        "--model",
        stars / "encoder",
        "--seeds",
        "1",
        "--tuning",
        "original",
        "--settings",
        yaml(stars),
        "--json",
        "-o",
        stars / "out",
    )
    assert done.code == 0, done.stderr
    assert json.loads(done.stdout)[0]["trained_on"] == 60


def test_the_papers_figures_stand_in_the_json(glue):
    records = json.loads(command("fairtune", "sst2", "--seeds", "1", "--json", "-o", glue / "out").stdout)
    original, replaced = (record["paper"] for record in records)
    assert original["figure"]["RoBERTa 16GB"] == 93.92
    assert replaced["fairscore"]["RoBERTa 16GB"] == 3.06


EPOCHS = [(1, 13, 104), (2, 7, 112), (4, 4, 128)]


@pytest.mark.parametrize(("processes", "steps", "seen"), EPOCHS)
def test_an_epoch_is_one_pass_on_any_number_of_devices(processes, steps, seen):
    from gec_fair.trainer.classifier import limit_updates

    training = TrainingOptions(steps=1000, batch=4, accumulation=2)
    done, total = limit_updates(ClassifierTraining("x", "sst2", training=training, epochs=2, warmup=0.5), 50, processes)
    assert (done.steps, total, done.warmup) == (steps, seen, round(steps / 2))


def test_settings_that_would_do_nothing_are_refused():
    for more, message in (
        ({"eval_every": 5}, "no validation data"),
        ({"warmup": 9}, "warmup is a share of all updates"),
    ):
        with pytest.raises(UsageError, match=message):
            ClassifierTraining("x", "sst2", training=TrainingOptions(steps=4, **more))


# What a pretrained encoder knows: the adjectives of the development set are not in the training set.
ADJECTIVES = {
    "train": {"good": ("good", "great", "charming", "funny"), "bad": ("bad", "awful", "dull", "boring")},
    "dev": {"good": ("wonderful", "superb", "delightful"), "bad": ("terrible", "horrible", "tedious")},
}


def films(part):
    """(text, label) of verdicts."""
    return [
        (f"a {adjective} film , {speaker} said", label)
        for label, adjectives in ADJECTIVES[part].items()
        for adjective in adjectives
        for speaker in ("my sister", "the actor", "a young man", "she")
    ]


@pytest.mark.slow(20)
def test_a_pretrained_encoder_learns_a_task_from_few_examples(weights, tmp_path):
    train, dev = ([Example(text, (text,), label) for text, label in films(part)] for part in ("train", "dev"))
    lessons = Lessons(Task("films", ("bad", "good"), ("text",), answer="label"), train, dev)
    settings = ClassifierTraining("x", "films", training=TrainingOptions(steps=12, batch=16, learning_rate=3e-4))
    cell = Cell("films", str(weights("minilm")), "replaced", 0)
    (record,) = run([cell], tmp_path, points={"": settings}, lessons={"films": lessons})
    assert (record["figure"], record["flips"]) == (100, 0)
    assert record["n"] == len(dev)
    assert record["ci95"][1] > 10  # no flip of so few says little
