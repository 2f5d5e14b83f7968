"""Commands that are killed while they prepare data, train, and write results end with the bytes of a run that is not.

Each command is killed three times in one folder, once in each phase, and run a fourth time.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.gec.gector import tiny
from tests.reliability import kill_points
from tests.safety.remedy.test_train import rows, write

IGNORED = r"\.lock$|(^|/)(log\.jsonl|training_args\.bin)$"
"""Locks, logs with times, and transformers' arguments, which name the folder of the run."""


@dataclass(frozen=True)
class Command:
    """`words` makes the inputs in a folder and answers the command line. `phases`: the files of each phase."""

    words: Callable[[Path], list[object]]
    phases: dict[str, str]


def safety_train(folder: Path) -> list[object]:
    changes = [
        f"{split}=[{write(folder / f'{split}.csv', rows(sets, first))}]"
        for split, sets, first in (("train", 60, 0), ("validation", 40, 1000), ("test", 40, 2000))
    ]
    changes += ["ensemble.trees=5", "seeds=2", "resamples=10", "search.trials=2", "rounds=1"]
    return ["safety", "train", "training/safety.yaml", *(word for change in changes for word in ("--set", change))]


def fairtune(folder: Path) -> list[object]:
    tiny.encoder(folder / "encoder")
    for name, number in (("train", 24), ("dev", 8)):
        lines = [f"he sings well {n},good\nshe sings badly {n},bad\n" for n in range(number)]
        (folder / f"{name}.csv").write_text("text,label\n" + "".join(lines))
    training = "{steps: 6, batch: 8, learning_rate: 0.001, log_every: 1, save_every: 2, device: cpu}"
    (folder / "settings.yaml").write_text(f"start: x\ntask: sst2\nepochs: 2\ntraining: {training}\n")
    return [
        *("fairtune", folder / "train.csv", "--dev", folder / "dev.csv", "--seeds", 1, "--axes", "gender"),
        *("--model", "tfidf", "--model", folder / "encoder", "--settings", folder / "settings.yaml"),
    ]


def babylm_experiment(folder: Path) -> list[object]:
    (folder / "text.txt").write_text("\n".join(target.capitalize() for _, target in tiny.pairs(300)))
    training = {"steps": 6, "batch": 4, "learning_rate": 1e-3, "save_every": 2, "log_every": 1, "device": "cpu"}
    shape = {"architecture": "ltg-bert", "hidden": 16, "layers": 1, "heads": 2, "intermediate": 24, "positions": 128}
    pretrain = {
        "training": training | {"precision": "fp32"},
        "words": "raw",
        "vocabulary": 400,
        "block": 16,
        "validation": 0.1,
        "unit": "pieces",
        "keep_at": [0, 3],
        "encoder": shape,
    }
    settings = {
        "texts": [str(folder / "text.txt")],
        "corpora": ["original", "cda"],
        "seeds": 1,
        "sample": 8,
        "suites": ["crows", "blimp_supplement_fast"],
        "pretrain": pretrain,
    }
    (folder / "settings.yaml").write_text(json.dumps(settings))
    return ["babylm", "experiment", folder / "settings.yaml"]


def lmbias_survey(folder: Path) -> list[object]:
    masked = tiny.make_masked(folder / "masked")
    models = {"bert": masked, "gpt": tiny.causal(folder / "causal", masked), "gone": folder / "gone"}
    (folder / "models.tsv").write_text("".join(f"{name}\t{path}\tsmall\n" for name, path in models.items()))
    suites = "crows,blimp_supplement_fast"
    return ["lmbias", "survey", "--models", folder / "models.tsv", "--suite", suites, "--sample", 8]


COMMANDS = {
    "safety train": Command(
        safety_train,
        {"data": r"begun\.json", "training": r"search\.json|seeds/0", "results": r"seeds/1|tables|figures|report"},
    ),
    "fairtune": Command(
        fairtune, {"data": "original/0/begun", "training": "checkpoints", "results": r"best|manifest|0\.json"}
    ),
    "babylm experiment": Command(
        babylm_experiment,
        {
            "data": "corpora|packed|tokenizer",
            "training": "checkpoints|steps",
            "results": "judged|tables|figures|report",
        },
    ),
    "lmbias survey": Command(
        lmbias_survey,
        {
            "data": r"open models/\.bert",
            "training": r"to models/bert|models/\.?gpt",
            "results": "faults|tables|figures",
        },
    ),
}


@pytest.mark.slow(14)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_killed_in_each_phase_ends_with_the_same_bytes(name, bias_sets, tmp_path):
    command = COMMANDS[name]
    words = command.words(tmp_path)
    done = kill_points.run(words, tmp_path / "whole", tmp_path / "log")
    assert done.returncode == 0, done.stderr
    points = kill_points.draw(kill_points.operations(tmp_path / "log"), command.phases, seed=30)
    for phase, point in points.items():
        killed = kill_points.run(words, tmp_path / "killed", tmp_path / phase, point)
        assert killed.returncode == -9, f"{phase}, {point}: {killed.stderr}"
    done = kill_points.run(words, tmp_path / "killed", tmp_path / "last")
    assert done.returncode == 0, done.stderr
    assert kill_points.contents(tmp_path / "killed", IGNORED) == kill_points.contents(tmp_path / "whole", IGNORED)
