"""What suites found of a model, kept beside it: a JSON file for each choice of suites and options, which it tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair.lmbias.suites import catalogue
from gec_fair.runs.identity import as_plain
from gec_fair.runs.results import read_result, write_result


def path_of(folder: Path, stem: str, options: catalogue.Options) -> Path:
    """Where it is kept: what is judged by other suites lies beside it."""
    name = sha256(json.dumps(_plain(options), sort_keys=True).encode()).hexdigest()[:8]
    return folder / f"{stem}-{name}.json"


def judged(path: Path, options: catalogue.Options) -> Mapping[str, Any] | None:
    """The scores of these suites; None if there are none, or those of others. ResumeError for a file of another
    kind."""
    return read_result(path, "options", _plain(options), refuse=False)


def judge(model: str, path: Path, options: catalogue.Options, **more: Any) -> None:
    """Score a model and write the result, unless these suites have one; `more` is written next to it."""
    from gec_fair.lmbias.scoring.load import load

    if judged(path, options) is not None:
        return
    scored = catalogue.run(load(model), options)
    figures = [figure.as_json() for figure in scored.figures]
    write_result(path, {**more, "options": _plain(options), "signature": scored.signature, "figures": figures})


def _plain(options: catalogue.Options) -> Any:
    return as_plain(options)
