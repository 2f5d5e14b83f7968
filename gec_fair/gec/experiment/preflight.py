"""What training needs, looked at before anything is trained or predicted: a device, models, files with pairs in them.

Of a model only its configuration is read, and each file of pairs once, however many cells train on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gec_fair.corpus.formats.pair_lines import pairs_of
from gec_fair.errors import InputError, MissingResource
from gec_fair.evaluate.scoring.texts import is_m2, read_reference
from gec_fair.progress import note
from gec_fair.runs.digests import file_digest


def check(model: str, settings: Any, trains: Iterable[str], *, trains_here: bool = True) -> None:
    """What trainings of a model on the files `trains` would lack. InputError for a file that cannot be read or holds no
    pair and for a start that is none, MissingResource for a device or a model that is not here. Devices are
    checked only if it `trains_here`."""
    if trains_here:
        _check_device(settings.training.device)
    _STARTS[model](settings)
    for name in (name for name in settings.files if name != "train"):
        paths = getattr(settings, name)
        with _name_key(f"settings.{name}"):
            for path in (paths,) if isinstance(paths, str) else paths:
                _check_file(path, model, pairs=name == "dev")
    for path in dict.fromkeys(trains):
        _check_file(path, model, pairs=True)


def _check_device(device: str) -> None:
    from gec_fair.models.inference import require_gpu

    if device == "gpu":
        require_gpu("settings", "give --set settings.training.device=any")


def _check_file(path: str, model: str, *, pairs: bool) -> None:
    if path:
        file_digest(Path(path))
    if path and pairs:
        if model == "editscorer" and is_m2(Path(path)):
            read_reference(Path(path))
        elif (lines := pairs_of(Path(path))).malformed:
            note(f"{path}: {lines.malformed:,} malformed lines are left out; the first: {lines.complaint()}")


def _gector(settings: Any) -> None:
    from gec_fair.gec.gector.checkpoint import is_gector
    from gec_fair.models.load import load_encoder_config

    with _name_key("settings.start"):
        if is_gector(settings.start):
            return
        load_encoder_config(settings.start)
        if not settings.labels:
            raise InputError(
                f"{settings.start} is an encoder without tags; name a labels.txt with "
                "--set settings.labels=FILE (gec-fair gector vocab makes one)"
            )


def _bart(settings: Any) -> None:
    from gec_fair.models.load import load_config

    with _name_key("settings.start"):
        kind = load_config(settings.start).model_type
        if kind != "bart":
            raise InputError(f"{settings.start} is a {kind}, not a BART; give facebook/bart-large or another BART")


def _editscorer(settings: Any) -> None:
    from gec_fair.gec.editscorer.checkpoint import is_editscorer, setup_of
    from gec_fair.gec.gector.checkpoint import is_gector
    from gec_fair.models.load import load_encoder_config

    with _name_key("settings.start"):
        starts_from_scorer = is_editscorer(settings.start)
        if not starts_from_scorer:
            load_encoder_config(settings.start)
        named = setup_of(settings.start).generator_of(settings.start) if starts_from_scorer else ""
        if not settings.generator and not named:
            raise InputError(
                f"{settings.start} names no GECToR that proposes edits; give one with --set settings.generator=MODEL"
            )
    generator = settings.generator or named
    with _name_key("settings.generator"):
        if not is_gector(generator):
            raise InputError(f"{generator} is not a GECToR of ours; give one that gec-fair trained or converted")


_STARTS: Mapping[str, Callable[[Any], None]] = {"gector": _gector, "bart": _bart, "editscorer": _editscorer}
"""Model → what is wrong with that which its training starts from."""


@contextmanager
def _name_key(key: str) -> Iterator[None]:
    """A fault, with the key of the settings that it is about."""
    try:
        yield
    except (InputError, MissingResource) as fault:
        kind = MissingResource if isinstance(fault, MissingResource) else InputError
        raise kind(f"{key}: {fault}") from fault
