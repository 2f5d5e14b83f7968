"""An ensemble on disk, without a pickle: skops for Python, ONNX for everything else, and what both want to know.

ensemble.skops   scikit-learn's models by harm, for `load`
ensemble.onnx    scores (texts, sources), float32 with NaN where a source gave nothing → a probability for each harm
ensemble.json    sources, medians, harms, options, versions
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from gec_fair.classifiers.skops_file import written
from gec_fair.config.settings import checked
from gec_fair.config.values import Source
from gec_fair.data.compression import check_archive
from gec_fair.errors import GecFairError, InputError
from gec_fair.extras import require
from gec_fair.runs.atomic import write_bytes, write_text
from gec_fair.runs.json_files import parse_json
from gec_fair.safety.ensemble.model import Ensemble, EnsembleOptions, Inputs
from gec_fair.version import __version__

SKOPS, ONNX, MANIFEST = "ensemble.skops", "ensemble.onnx", "ensemble.json"
_OPSET = 18
_KNOWN = frozenset(
    {"sklearn.tree._tree.Tree", "sklearn.calibration._CalibratedClassifier", "sklearn.calibration._SigmoidCalibration"}
)
"""What our ensembles hold beside the estimators that skops trusts itself. A closed list: scikit-learn has functions
that fetch and delete."""
SCORES = "scores"
"""The ONNX graph's input."""


def save(ensemble: Ensemble, folder: Path) -> list[Path]:
    """The three files; MissingResource without skops, skl2onnx or onnx."""
    require("export", "safety", "skops", "skl2onnx", "onnx")

    inputs = ensemble.inputs
    manifest = {
        "harms": list(ensemble.harms),
        "sources": list(inputs.sources),
        "medians": inputs.medians.tolist(),
        "flagged": list(inputs.flagged),
        "centre": inputs.centre.tolist(),
        "scale": inputs.scale.tolist(),
        "options": asdict(ensemble.options),
        "gec_fair": __version__,
        "scikit-learn": version("scikit-learn"),
    }
    write_bytes(folder / SKOPS, [written(dict(ensemble.models))])
    write_bytes(folder / ONNX, [graph(ensemble).SerializeToString()])
    write_text(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")
    return [folder / SKOPS, folder / ONNX, folder / MANIFEST]


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
        inputs = Inputs(
            tuple(manifest["sources"]),
            np.array(manifest["medians"]),
            tuple(manifest["flagged"]),
            np.array(manifest["centre"]),
            np.array(manifest["scale"]),
        )
        options = checked(EnsembleOptions, Source(folder / MANIFEST, None, manifest["options"]))
        return Ensemble(inputs, {harm: models[harm] for harm in manifest["harms"]}, options)
    except GecFairError:
        raise
    except Exception as fault:  # whatever a damaged file makes skops and scikit-learn raise
        raise InputError(
            f"{folder}: holds no ensemble ({fault}); give the folder that gec-fair safety train wrote it into"
        ) from fault


def graph(ensemble: Ensemble) -> Any:
    """The ensemble as one ONNX model: what `Inputs.ready` does, then each harm's model."""
    from onnx import TensorProto, checker, compose, helper, numpy_helper
    from skl2onnx import to_onnx

    inputs = ensemble.inputs
    constants = {"medians": inputs.medians, "centre": inputs.centre, "scale": inputs.scale}
    stored = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in constants.items()]
    stored.append(numpy_helper.from_array(np.array(inputs.flagged, dtype=np.int64), "flagged"))
    nodes = [
        helper.make_node("IsNaN", [SCORES], ["missing"]),
        helper.make_node("Where", ["missing", "medians", SCORES], ["filled"]),
        helper.make_node("Cast", ["missing"], ["flags"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["flags", "flagged"], ["told"], axis=1),
        helper.make_node("Concat", ["filled", "told"], ["whole"], axis=1),
        helper.make_node("Sub", ["whole", "centre"], ["centred"]),
        helper.make_node("Div", ["centred", "scale"], ["ready"]),
    ]
    outputs, opsets = [], {"": _OPSET}
    for n, (harm, model) in enumerate(ensemble.models.items()):
        example = np.zeros((1, len(inputs.names)), dtype=np.float32)
        exported = to_onnx(model, example, target_opset={"": _OPSET, "ai.onnx.ml": 3}, options={"zipmap": False})
        exported = compose.add_prefix(exported, f"{n}/")
        opsets.update({opset.domain: opset.version for opset in exported.opset_import})
        stored += list(exported.graph.initializer)
        nodes.append(helper.make_node("Identity", ["ready"], [exported.graph.input[0].name]))
        nodes += list(exported.graph.node)
        both = exported.graph.output[1].name  # (texts, 2): safe, unsafe
        stored.append(numpy_helper.from_array(np.array(1, dtype=np.int64), f"{n}/unsafe"))
        nodes.append(helper.make_node("Gather", [both, f"{n}/unsafe"], [harm], axis=1))
        outputs.append(helper.make_tensor_value_info(harm, TensorProto.FLOAT, ["texts"]))
    scores_input = helper.make_tensor_value_info(SCORES, TensorProto.FLOAT, ["texts", len(inputs.sources)])
    graph = helper.make_graph(nodes, "ensemble", [scores_input], outputs, stored)
    exported = helper.make_model(
        graph,
        producer_name="gec_fair",
        producer_version=__version__,
        opset_imports=[helper.make_opsetid(*opset) for opset in opsets.items()],
    )
    exported.ir_version = 9
    checker.check_model(exported)
    return exported
