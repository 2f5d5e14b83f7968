"""Fairtuning both ways, records that a killed run goes on from, tables in form."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from gec_fair.errors import UsageError
from gec_fair.fairscore.options import ClassifierTraining
from gec_fair.fairscore.run import Rewritten
from gec_fair.fairscore.tasks import Example
from gec_fair.fairscore.tuning import Cell, run, tables, tuned
from gec_fair.pretrain.options import TrainingOptions
from tests.cli.invoke import run as command
from tests.gec.gector import tiny


@dataclass(frozen=True)
class Swaps:
    version: str = "swaps"

    def __call__(self, texts, ids):
        return [Rewritten(("she",), "gender", "man", "woman", misaligned=False) if fields == ("he",)
                else Rewritten(fields, misaligned=fields == ("lost",)) for fields in texts]  # fmt: skip


EXAMPLES = [Example("1", ("he",), "a"), Example("2", ("it",), "b"), Example("3", ("lost",), "a")]
WAYS = [("original", ["he", "it", "lost"]), ("replaced", ["she", "it", "lost"]),
        ("appended", ["he", "it", "lost", "she"])]  # fmt: skip


@pytest.mark.parametrize(("how", "texts"), WAYS)
def test_what_is_trained_on(how, texts):
    found = tuned(EXAMPLES, Swaps(), how)
    assert [example.fields[0] for example in found] == texts
    assert found[-1].label == "a"
    with pytest.raises(UsageError, match="no way of tuning is called 'fair'"):
        tuned(EXAMPLES, Swaps(), "fair")


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
    told = {path.parent.name: json.loads(path.read_text()) for path in stamps}
    assert told["appended"]["trained_on"] == 160 > told["replaced"]["trained_on"] == 80
    other = json.loads(command(*words[:-2], "--axes", "age", "--json", "-o", glue / "out").stdout)
    assert {each["n"] for each in other} == {0}  # nothing of age is in it, and the records are not those of gender


def test_an_encoder_is_fine_tuned_and_measured(glue):
    tiny.encoder(glue / "encoder")
    training = TrainingOptions(steps=4, batch=8, learning_rate=1e-3, log_every=2, save_every=2)
    settings = ClassifierTraining("x", "sst2", training=training, epochs=2)
    cell = Cell("sst2", str(glue / "encoder"), "replaced", 0)
    (record,) = run([cell], glue / "out", axes=("gender",), settings=settings)
    assert record["trained_on"] == 80
    assert record["n"] == 24
    assert 0 <= record["fairscore"] <= 100
    assert "| replaced | 1 |" in tables([record])
    assert list((glue / "out/runs").rglob("best/model.safetensors"))
    done = command("fairtune", "sst2", "--model", glue / "encoder", "-o", glue / "x")
    assert (done.code, "--settings training/fairtune.yaml" in done.stderr) == (2, True)
