"""Faults of an experiment are reported, with the option or file at fault, before anything is trained or predicted."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gec_fair.config.settings import read_settings
from gec_fair.errors import InputError
from gec_fair.gec.editscorer.options import RankerTraining
from gec_fair.gec.experiment.options import read_experiment
from gec_fair.gec.experiment.preflight import _check_file
from gec_fair.gec.gector.options import GectorTraining
from gec_fair.stats.seeds import list_seeds
from tests.cli.invoke import run
from tests.gec.bart import tiny as bart
from tests.gec.experiment.toy import SETS, words

TRAINING = Path(__file__).parents[3] / "training"


def read_toy(place, **changes):
    return read_experiment(place / "toy.yaml", changes=changes)[0]


@pytest.mark.parametrize("verb", ["run", "status", "table"])
def test_the_example_of_each_commands_help_is_one_that_it_takes(place, tmp_path, verb):
    help_text = " ".join(run("experiment", verb, "--help").stdout.split())
    example = re.search(r"for example (--set \S+=\w+)", help_text)[1]
    done = run(*words(place, "status", tmp_path, *shlex.split(example), "--json"))
    assert done.code == 0, done.stderr
    assert f"for example {example}" in run(*words(place, verb, tmp_path, "--set", "steps")).stderr


SET = [
    ("training.steps=4", "unknown key training.steps; did you mean settings.training.steps?", "the prefix is lacking"),
    ("training.stepz=4", "unknown key training.stepz; did you mean settings.training?", "and a slip beside"),
    ("settings.training.stepz=4", "unknown key training.stepz; did you mean steps?", "a slip"),
    ("sedes=4", "unknown key sedes; did you mean seeds?", "a slip at the top"),
    ("seeds=abc", 'seeds: expected an integer such as 3, or a list of integers such as [0, 1], found "abc"', "a word"),
    ("systems=[yes]", "systems: expected a list of text such as [a, b], found [true]", "YAML's yes is not a word"),
    ("settings.training.steps=many", 'training.steps: expected an integer such as 3, found "many"', "no number"),
    ("settings.training=3", "training: expected keys and values, found 3", "a value where there are keys"),
    ("settings.training.steps=0", "training.steps is 0; it must be at least 1", "a value that cannot be meant"),
    ("settings.training.patience=2", "patience counts looks at the validation data; set eval_every too", "nor with it"),
    ("settings.input.max_pieces=0", "input.max_pieces is 0; it must be at least 1", "one of two"),
    ("mix=absent", "absent/system1/train.tsv: no such file", "a folder that is not there"),
    ("full=nowhere", "nowhere: no such file", "a file that is not there"),
    ("mixes={a: b}", "mix or mixes: name a folder of gec-fair mix", "beside the file's own mix"),
]


@pytest.mark.parametrize(("setting", "said", "why"), SET, ids=[row[2] for row in SET])
def test_a_fault_of_set_is_told_as_one_of_set_and_of_no_line(place, tmp_path, setting, said, why):
    done = run(*words(place, "run", tmp_path / "out", "--set", "seeds=1", "--set", setting))
    assert done.code == 2
    assert done.stderr.startswith(f"gec-fair: --set {setting.partition('=')[0]}=")
    assert said in done.stderr
    assert "toy.yaml" not in done.stderr


def test_a_fault_of_the_file_is_told_by_its_line_whatever_is_set(place, tmp_path):
    text = (place / "toy.yaml").read_text()
    (tmp_path / "x.yaml").write_text(text.replace('["1", "2"]', '["5"]'))
    done = run("experiment", "status", tmp_path / "x.yaml", "-o", tmp_path, "--set", f"mix={place / 'mix'}")
    assert "x.yaml:3: systems has 5, which is not a mix" in done.stderr


def test_one_training_takes_no_prefix_and_says_so():
    for key, near in (("settings.training.device", "training.device"), ("trainng", "training")):
        with pytest.raises(InputError, match=rf"^--set {key}=any: unknown key {key}; did you mean {near}\?"):
            read_settings(TRAINING / "gector-clang8.yaml", GectorTraining, changes={key: "any"}, part="settings")


def test_an_option_of_its_own_is_not_taken_for_set(tmp_path):
    (tmp_path / "x.yaml").write_text("start: x\nlists: [a]\n")
    with pytest.raises(InputError, match=r"x\.yaml:2: lists are about train"):
        read_settings(tmp_path / "x.yaml", RankerTraining, flags={"dev": "dev.tsv"})


def test_one_word_is_a_list_of_one_and_a_number_is_a_name(place, tmp_path):
    assert read_toy(place, sets="they-probe").sets == ("they-probe",)
    assert read_toy(place, systems=[1]).systems == ("1",)
    assert read_toy(place, systems=2).systems == ("2",)
    pairs = str(place / "dev.tsv")
    assert read_toy(place, mix="", systems=[7], mixes={7: pairs}).names == {"7": pairs}
    assert list_seeds(read_toy(place, seeds=3).seeds) == (0, 1, 2)  # where a number is a number it stays one
    assert run(*words(place, "status", tmp_path, "--set", "sets=they-probe")).code == 0


@pytest.mark.parametrize("name", ["bart", "editscorer"])
def test_the_settings_of_one_training_are_known_for_what_they_are(tmp_path, name):
    done = run("experiment", "run", TRAINING / f"{name}.yaml", "-o", tmp_path, "--set", "mix=mix")
    assert done.code == 2
    assert f"{name}.yaml:1: these are the settings of one training, for gec-fair {name} train; " in done.stderr
    assert "an experiment has them under settings:" in done.stderr


@pytest.fixture
def base(place, reference_run, tmp_path):
    """Settings with a baseline, and the folder of what is to come."""
    (tmp_path / "empty.tsv").write_text("")
    (tmp_path / "none.tsv").write_text("one column\n")
    bart.model(400).config.save_pretrained(tmp_path / "bart")
    return ("--set", f"baseline={reference_run[0]}/cells/1/0/best"), tmp_path


NEEDS = [
    ("settings.training.device=gpu", "give --set settings.training.device=any", "no GPU"),
    ("settings.start=models/absent", "settings.start: models/absent: no model folder", "no start"),
    ("settings.start=/no/such", "settings.start: /no/such: no model folder is there", "nor can the hub have it"),
    (
        "settings.start={tmp}/bart",
        "settings.start: {tmp}/bart: is an encoder with a decoder",
        "a start of another kind",
    ),
    ("settings.labels=''", "is an encoder without tags; name a labels.txt with --set settings.labels=", "no tags"),
    ("settings.labels=absent.txt", "settings.labels: absent.txt: cannot be read (No such file", "no such tags"),
    ("settings.dev=absent.tsv", "settings.dev: absent.tsv: cannot be read (No such file", "no development pairs"),
    ("settings.dev={tmp}/none.tsv", "settings.dev: {tmp}/none.tsv:1: ", "no pair in them"),
    ("mixes={{a: {tmp}/empty.tsv}}", "{tmp}/empty.tsv: the file is empty", "an empty file of pairs"),
    ("mixes={{a: {tmp}/none.tsv}}", "{tmp}/none.tsv:1: ", "no pair in a file of pairs"),
]


@pytest.mark.parametrize(("setting", "said", "why"), NEEDS, ids=[row[2] for row in NEEDS])
def test_what_training_would_lack_is_told_before_the_baseline_is_judged(place, base, monkeypatch, setting, said, why):
    more, tmp = base
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    without_mix = ("--set", "mix=''", "--set", "systems=[]") if setting.startswith("mixes") else ()
    done = run(*words(place, "run", tmp / "out", *more, *without_mix, "--set", setting.format(tmp=tmp)))
    assert (done.code, done.stdout) == (2, ""), done.stderr
    assert said.format(tmp=tmp) in done.stderr
    assert not (tmp / "out").exists()


def test_a_device_is_not_looked_for_where_the_training_will_not_be(place, tmp_path, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    gpu = ("--set", "settings.training.device=gpu", "--launch", "slurm")
    assert run(*words(place, "run", tmp_path / "out", *gpu)).stdout.startswith("#!/bin/bash")
    done = run(*words(place, "run", tmp_path / "out", *gpu, "--set", "settings.dev=absent.tsv"))
    assert "settings.dev: absent.tsv: " in done.stderr  # but files are


def test_a_finished_experiment_needs_nothing(place, reference_run, monkeypatch):
    monkeypatch.setattr("gec_fair.gec.experiment.preflight.check", lambda *_, **__: pytest.fail("looked"))
    assert run(*words(place, "run", reference_run[0])).code == 0


OTHERS = [
    ("bart", {"start": "{place}/encoder"}, "settings.start: {place}/encoder is a roberta, not a BART", "no BART"),
    ("editscorer", {"start": "{place}/encoder"}, "{place}/encoder names no GECToR that proposes", "nobody proposes"),
    (
        "editscorer",
        {"start": "{place}/encoder", "generator": "{place}/encoder"},
        "settings.generator: {place}/encoder is not a GECToR of ours",
        "no GECToR proposes",
    ),
]


@pytest.mark.parametrize(("model", "settings", "said", "why"), OTHERS, ids=[row[3] for row in OTHERS])
def test_other_models_starts_are_looked_at_too(place, tmp_path, model, settings, said, why):
    path = tmp_path / "x.yaml"
    values = {name: value.format(place=place) for name, value in settings.items()}
    training = {"steps": 3, "batch": 1, "device": "cpu"}
    path.write_text(
        yaml.safe_dump(
            {
                "model": model,
                "mix": str(place / "mix"),
                "systems": ["1"],
                "sets": [str(place / name) for name in SETS],
                "settings": values | {"training": training},
            }
        )
    )
    done = run("experiment", "run", path, "-o", tmp_path / "out")
    assert (done.code, done.stdout) == (2, ""), done.stderr
    assert said.format(place=place) in done.stderr
    assert not (tmp_path / "out").exists()


def test_malformed_pairs_are_noted(tmp_path, capsys):
    (tmp_path / "half.tsv").write_text("He go .\tHe goes .\nHe go .\tHe goes .\tan id\n")
    _check_file(str(tmp_path / "half.tsv"), "gector", pairs=True)
    assert f"half.tsv: 1 malformed lines are left out; the first: {tmp_path}/half.tsv:2" in capsys.readouterr().err


SCRIPT = """
import sys
sys.argv = ["gec-fair", *{words!r}]
from gec_fair.cli import main
try:
    main()
except SystemExit:
    pass
print({{"torch", "transformers"}} & set(sys.modules))
"""


def test_to_look_takes_no_torch(place, tmp_path):
    code = SCRIPT.format(words=words(place, "status", tmp_path, "--set", "settings.start=nowhere"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"
