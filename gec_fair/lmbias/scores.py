"""What suites found of a model, kept beside it: a JSON file for each choice of suites and options, which it tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from gec_fair.errors import ResumeError
from gec_fair.lmbias.suites import catalogue
from gec_fair.runs.atomic import write_text


def path_of(folder: Path, stem: str, options: catalogue.Options) -> Path:
    """Where it is kept: what is judged by other suites lies beside it."""
    name = sha256(json.dumps(_plain(options), sort_keys=True).encode()).hexdigest()[:8]
    return folder / f"{stem}-{name}.json"


def judged(path: Path, options: catalogue.Options) -> Mapping[str, Any] | None:
    """What was found by these suites; None if nothing was, or by others. ResumeError for a file that is none of
    ours."""
    if not path.exists():
        return None
    try:
        record: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return record if record["options"] == _plain(options) else None
    except (ValueError, KeyError, TypeError) as fault:
        raise ResumeError(f"{path}: holds no figures of ours ({fault}); remove it") from fault


def judge(model: str, path: Path, options: catalogue.Options, **more: Any) -> None:
    """Score a model and write down what came of it, unless these suites were asked before; `more` is written next to
    it."""
    from gec_fair.lmbias.scoring.load import load

    if judged(path, options) is not None:
        return
    scored = catalogue.run(load(model), options)
    record = {
        **more,
        "options": _plain(options),
        "signature": scored.signature,
        "figures": [figure.as_json() for figure in scored.figures],
    }
    write_text(path, json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def _plain(options: catalogue.Options) -> Any:
    return json.loads(json.dumps(asdict(options)))
