"""`--keys` names what a settings file takes, with the defaults that it has."""

from __future__ import annotations

from dataclasses import MISSING, fields

import pytest
import yaml

from gec_fair.config.keys import keys
from gec_fair.gec.bart.options import BartTraining
from gec_fair.gec.editscorer.options import RankerTraining
from gec_fair.gec.experiment.options import Experiment
from gec_fair.gec.gector.options import GectorTraining
from gec_fair.trainer.options import PretrainOptions, TrainingOptions
from tests.cli.invoke import run

COMMANDS = {
    ("gector", "train"): GectorTraining,
    ("bart", "train"): BartTraining,
    ("editscorer", "train"): RankerTraining,
    ("experiment", "run"): Experiment,
    ("pretrain", "mlm"): PretrainOptions,
}


@pytest.mark.parametrize(("command", "options"), COMMANDS.items(), ids=["-".join(command) for command in COMMANDS])
def test_every_key_is_named_and_explained(command, options):
    result = run(*command, "--keys")
    assert result.code == 0, result.stderr
    by_name = {key.name: key for key in keys(options)}
    assert [line.partition(" = ")[0] for line in result.stdout.splitlines() if line[0] != " "] == [*by_name]
    holders = {name.rpartition(".")[0] for name in by_name}
    assert [name for name, key in by_name.items() if not key.meaning and name not in holders] == []


@pytest.mark.parametrize("options", [*COMMANDS.values(), TrainingOptions])
def test_defaults_are_those_that_the_options_have(options):
    defaults = {key.name: key.default for key in keys(options) if "." not in key.name}
    for field in fields(options):
        if field.default is not MISSING:
            default = [*field.default] if isinstance(field.default, tuple) else field.default
            assert yaml.safe_load(defaults[field.name]) == default
        elif field.default_factory is MISSING:
            assert defaults[field.name] == ""  # it must be given


def test_nested_defaults_are_those_of_the_whole():
    assert {key.name: key.default for key in keys(RankerTraining)}["training.batch"] == "1"
    assert {key.name: key.default for key in keys(GectorTraining)}["training.batch"] == "32"
