"""An ensemble on disk, without a pickle.

ensemble.skops   scikit-learn's models by harm
ensemble.json    sources, medians, harms, options, versions
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.classifiers.skops_file import to_bytes
from gec_fair.data.compression import check_archive
from gec_fair.errors import GecFairError, InputError
from gec_fair.extras import require
from gec_fair.runs.atomic import write_bytes, write_text
from gec_fair.runs.json_files import parse_json
from gec_fair.safety.ensemble.model import Ensemble, EnsembleOptions, Inputs
from gec_fair.version import __version__

SKOPS, MANIFEST = "ensemble.skops", "ensemble.json"
_KNOWN = frozenset({"sklearn.tree._tree.Tree"})
"""What our ensembles hold beside the estimators that skops trusts itself. A closed list: scikit-learn has functions
that fetch and delete."""


def save(ensemble: Ensemble, options: EnsembleOptions, folder: Path) -> None:
    """Both files; MissingResource without skops."""
    require("export", "safety", "skops")
    inputs = ensemble.inputs
    manifest = {
        "harms": list(ensemble.harms),
        "sources": list(inputs.sources),
        "medians": inputs.medians.tolist(),
        "flagged": list(inputs.flagged),
        "options": asdict(options),
        "gec_fair": __version__,
        "scikit-learn": version("scikit-learn"),
    }
    write_bytes(folder / SKOPS, [to_bytes(dict(ensemble.models))])
    write_text(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")


def load(folder: Path) -> Ensemble:
    """InputError for what `save` did not write, or what may run code."""
    require("an ensemble", "safety", "skops", "sklearn")
    from skops.io import get_untrusted_types
    from skops.io import load as read

    if (folder / "remediated" / MANIFEST).is_file():
        raise InputError(f"{folder}: is a run's folder; give {folder / 'remediated'} or {folder / 'baseline'}")
    try:
        manifest = parse_json((folder / MANIFEST).read_text(encoding="utf-8"))
        check_archive(folder / SKOPS)
        types = get_untrusted_types(file=folder / SKOPS)
        if unknown := sorted(set(types) - _KNOWN):
            raise InputError(
                f"{folder / SKOPS}: holds {', '.join(unknown)}, which may run code; only what gec-fair "
                "safety train wrote is read"
            )
        models: dict[str, Any] = read(folder / SKOPS, trusted=types)
        inputs = Inputs(tuple(manifest["sources"]), np.array(manifest["medians"]), tuple(manifest["flagged"]))
        return Ensemble(inputs, {harm: models[harm] for harm in manifest["harms"]})
    except GecFairError:
        raise
    except Exception as fault:  # whatever a damaged file makes skops and scikit-learn raise
        raise InputError(
            f"{folder}: holds no ensemble ({fault}); give the folder that gec-fair safety train wrote it into"
        ) from fault
