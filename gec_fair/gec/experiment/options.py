"""What an experiment is, read from YAML; imports no torch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from gec_fair.augmentation.mix import SYSTEMS
from gec_fair.config.settings import check_values, knows
from gec_fair.config.values import KeyPath, read_yaml
from gec_fair.errors import InputError, UsageError
from gec_fair.registry import Factory, Registry
from gec_fair.runs.json_files import parse_json
from gec_fair.stats.seeds import list_seeds

SETTINGS: Registry[Any] = Registry(
    "model",
    {
        "gector": Factory("gec_fair.gec.gector.options:GectorTraining"),
        "bart": Factory("gec_fair.gec.bart.options:BartTraining"),
        "editscorer": Factory("gec_fair.gec.editscorer.options:RankerTraining"),
    },
)
"""The dataclass of each model's settings. `MODEL:FOLDER` is the model's name as a system."""
TRAININGS: Registry[Any] = Registry(
    "model",
    {
        "gector": Factory("gec_fair.gec.gector.train:train"),
        "bart": Factory("gec_fair.gec.bart.train:train"),
        "editscorer": Factory("gec_fair.gec.editscorer.train:train"),
    },
)

"""The function that trains each model from its settings."""
BASELINE = "0"
"""The name of the model before fine-tuning, as in the paper."""
_NAME = re.compile(r"[\w+][\w.+-]*")


@dataclass(frozen=True, slots=True)
class Experiment:
    """Cells are mixes × seeds. UsageError for values that cannot be meant."""

    model: Literal["gector", "bart", "editscorer"]
    """Which of the three is trained."""
    settings: Mapping[str, Any]
    """The settings of that model's training, without `train`."""
    mix: str = ""
    """A folder that `gec-fair mix` wrote: systems 1–4 train on its system1 … system4."""
    mixes: Mapping[str, str] | None = None
    """Instead: names of systems → files of pairs. A name is a folder's: letters, digits and . _ + -."""
    systems: tuple[str, ...] = ()
    """Only these of the mixes."""
    seeds: int | tuple[int, ...] = 10
    """How many, counted from 0, or which."""
    sets: tuple[str, ...] = ()
    """Evaluation sets by name or folder; none: all that are here."""
    full: str = ""
    """An M2 of a whole development set (Tables 3 and 8)."""
    baseline: str = ""
    """A trained model that is judged as system 0; often the one that `settings.start` names."""
    keep_models: bool = True
    """False removes a cell's model when its predictions are written: forty models of roberta-base are 20 GB. A set that
    is added afterwards cannot be predicted without training anew."""

    def __post_init__(self) -> None:
        if bool(self.mix) == bool(self.mixes):
            raise UsageError("mix or mixes: name a folder of gec-fair mix, or the files one by one")
        if "train" in self.settings:
            raise UsageError("settings.train is what the mixes are for; remove it")
        list_seeds(self.seeds)  # seeds that cannot be meant are an error now
        self._check_names()

    def _check_names(self) -> None:
        for name in self._all:
            if not _NAME.fullmatch(name):
                raise UsageError(
                    f"mixes has a system called {name!r}; the name becomes a folder's: letters, digits "
                    "and . _ + -, no dot or dash in front"
                )
        if BASELINE in self.names and self.baseline:
            raise UsageError(f"mixes has a system called {BASELINE}, the baseline's name; give the mix another")
        unknown = [name for name in self.systems if name not in self._all]
        if unknown:
            raise UsageError(f"systems has {', '.join(unknown)}, which is not a mix; known are {', '.join(self._all)}")
        for name, number in Counter(self.systems).items():
            if number > 1:
                raise UsageError(f"systems has {name} twice; remove one")

    @property
    def _all(self) -> dict[str, str]:
        if self.mixes:
            return dict(self.mixes)
        return {str(number): str(Path(self.mix) / f"system{number}" / "train.tsv") for number in SYSTEMS}

    @property
    def names(self) -> dict[str, str]:
        """Name of each system → its pairs."""
        return {name: path for name, path in self._all.items() if not self.systems or name in self.systems}

    @property
    def trained_on(self) -> dict[str, tuple[str, ...]]:
        """System → the parts of its mix, as the manifest of `gec-fair mix` has them; nothing without one, for files of
        one's own may hold anything, whatever they are called."""
        mixed = _read_mix(Path(self.mix)) if self.mix else {}
        parts_of_systems = {str(number): mixed[f"system{number}"] for number in SYSTEMS if f"system{number}" in mixed}
        return {BASELINE: (), **parts_of_systems} if parts_of_systems else {}


def read_experiment(path: Path, *, changes: Mapping[str, Any] | None = None) -> tuple[Experiment, Any]:
    """The experiment in a YAML file, and the settings of its model, checked. InputError with the file and line, or the
    --set that changed it."""
    source = read_yaml(path, changes=changes)
    _refuse_one_training(path, source.file)
    model = source.values().get("model")

    def instead(keys: KeyPath) -> KeyPath | None:
        return ("settings", *keys) if model in SETTINGS.factories and knows(SETTINGS.resolve(model), keys) else None

    experiment = check_values(Experiment, source, instead=instead)
    settings = check_values(SETTINGS.resolve(experiment.model), source.under("settings"))
    for system, pairs in experiment.names.items():
        if not Path(pairs).is_file():
            place = source.place(("mixes", system) if experiment.mixes else ("mix",))
            raise InputError(
                f"{place}: {pairs}: no such file; gec-fair mix writes it, or name another with --set mix=DIR"
            )
    if experiment.full and not Path(experiment.full).is_file():
        raise InputError(
            f"{source.place(('full',))}: {experiment.full}: no such file; name an M2 with "
            "--set full=FILE, or leave full out"
        )
    return experiment, settings


def _refuse_one_training(path: Path, values: Mapping[str, Any]) -> None:
    """InputError for the settings of one training, which lack what an experiment has around them."""
    if "model" in values or not {"start", "training"} & {*values}:
        return
    fit = [
        f"gec-fair {model} train"
        for model in SETTINGS
        if {*values} <= {field.name for field in fields(SETTINGS.resolve(model))}
    ]
    if fit:
        raise InputError(
            f"{path}:1: these are the settings of one training, for {' or '.join(fit)}; an experiment has "
            "them under settings:, beside model and mix or mixes"
        )


def _read_mix(folder: Path) -> dict[str, tuple[str, ...]]:
    """Name of each file of a mix → the kinds of pairs in it; nothing where no `gec-fair mix` says so."""
    try:
        manifest = parse_json((folder / "manifest.json").read_text(encoding="utf-8"))
        systems = manifest["systems"] if manifest["job"] == "mix" else {}
        return {name: tuple(kind for kind, pairs in kinds.items() if pairs) for name, kinds in systems.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # no manifest, or another program's
        return {}
