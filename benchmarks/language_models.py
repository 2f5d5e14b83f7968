"""Suites and debiasing on weights that others trained: SmolLM2-135M-Instruct (causal), MiniLM and a DistilBERT.

    GEC_FAIR_WEIGHTS=weights make weights
    python benchmarks/language_models.py weights $GEC_FAIR_DATA/babylm/mixed7m/dev.fairytales.txt.xz \\
        [--part NAME …] [-o benchmarks/results/language-models.json]

Parts that OUTPUT has are not run again. Intervals: of a sample's figures, standard errors times 1.96; of a change by
Self-Debias or a projection of SmolLM2, bootstrap over the items, each scored before and after; of a change of an
encoder's SEAT, Student's over the seeds that draw the text of the projection.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from report import record

import gec_fair as gf
from gec_fair.babylm.api import run_debias
from gec_fair.babylm.debiasing.methods import DebiasExperiment, Inlp, SentDebias
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.load import load, load_for_vectors
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Floats
from gec_fair.lmbias.scoring.self_debias import SelfDebias
from gec_fair.lmbias.suites import catalogue, choices, crows, minimal, seat
from gec_fair.stats.bootstrap import percentiles, resample_mean
from gec_fair.stats.estimate import Kind
from gec_fair.stats.seeds import half_width

SUITES = ("crows", "stereoset", "seat", "holisticbias", "blimp", "blimp_supplement", "winobias")
SAMPLE, PAIRS, SEEDS = 200, 150, 3
PROJECTIONS = ("sent-debias", "inlp-gender")
Part = Callable[[], dict[str, Any]]


def score(model: Path, suite: str) -> dict[str, Any]:
    """One suite, with the standard errors of its sample."""
    results = gf.lmbias.score(str(model), [suite], sample=SAMPLE)
    fields = ("suite", "part", "measure", "value", "n", "se")
    figures = [{name: getattr(figure, name) for name in fields} for figure in results.figures]
    return {"signature": results.signature, "figures": figures}


def debias(model: Path, text: Path, method: str, folder: str, *, seeds: int = SEEDS) -> list[Path]:
    """Folders of the projected models."""
    experiment = DebiasExperiment(
        model=str(model),
        texts=(str(text),),
        methods=(method,),
        sent_debias=SentDebias(500),
        inlp=Inlp(300, 10),
        seeds=seeds,
        suites=(),
    )
    return list(run_debias(experiment, Path(folder), say=lambda line: None).models.values())


def sizes(model: Path) -> Floats:
    """|d| of SEAT's tests of gender."""
    place = catalogue.folder("seat")
    tests = [seat.read(place / f"{name}.jsonl") for name in seat.GROUPS["gender"]]
    return np.array([abs(effect.d) for effect in seat.effects(load_for_vectors(str(model)), tests)])


def change_seat(model: Path, text: Path, method: str) -> dict[str, Any]:
    """The mean |d| of gender before and after, and its change over the seeds."""
    before = sizes(model)
    with TemporaryDirectory() as folder:
        after = [sizes(projected) for projected in debias(model, text, method, folder)]
    changes = [float((values - before).mean()) for values in after]
    return {
        "before": float(before.mean()),
        "after": [float(values.mean()) for values in after],
        "change": float(np.mean(changes)),
        "half": half_width(changes, Kind.STUDENT),
    }


def preferences(model: Masked | Causal) -> dict[str, Floats]:
    """Of each pair 1 for the first sentence, 0 for the second: gender's pairs of CrowS-Pairs, and BLiMP's."""
    pairs = crows.read(catalogue.folder("crows_pairs") / "crows_pairs_anonymized.csv")
    gender = [pair for pair in pairs if pair.kind == "gender"][:PAIRS]
    grammar = minimal.read(catalogue.folder("blimp"), allow_equal=True)
    grammar = grammar[:: len(grammar) // PAIRS][:PAIRS]
    scores = {"CrowS-Pairs gender": crows.score(model, gender), "BLiMP": np.stack(choices.score(model, grammar))}
    return {name: 100 * choices.hits(values[:, 0] - values[:, 1]) for name, values in scores.items()}


def change_preferences(model: Path, text: Path, method: str) -> dict[str, Any]:
    """Percentages before and after, and how much they change, over the same pairs."""
    before = preferences(load(str(model)))
    if method == "self-debias-gender":
        after = preferences(load(str(model), self_debias=SelfDebias("gender")))
    else:
        with TemporaryDirectory() as folder:
            (projected,) = debias(model, text, method, folder, seeds=1)
            after = preferences(load(str(projected)))
    return {
        name: {
            "pairs": len(values),
            "before": float(values.mean()),
            "after": float(after[name].mean()),
            "change": float((after[name] - values).mean()),
            "interval": percentiles(resample_mean(after[name] - values)),
        }
        for name, values in before.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("--part", action="append")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    smollm2, *encoders = (arguments.weights / name for name in ("smollm2", "minilm", "distilbert"))
    parts: dict[str, Part] = {f"smollm2 {suite}": partial(score, smollm2, suite) for suite in SUITES}
    for model in encoders:
        parts[f"{model.name} seat"] = partial(score, model, "seat")
        for method in PROJECTIONS:
            parts[f"{model.name} {method}"] = partial(change_seat, model, arguments.text, method)
    for method in (*PROJECTIONS, "self-debias-gender"):
        parts[f"smollm2 {method}"] = partial(change_preferences, smollm2, arguments.text, method)
    output = arguments.output
    results = json.loads(output.read_text())["parts"] if output and output.exists() else {}
    for name in arguments.part or parts:
        if name in results:
            continue
        begin = time.process_time()
        results[name] = parts[name]()
        results[name]["cpu_seconds"] = round(time.process_time() - begin, 1)
        print(name, json.dumps(results[name])[:300])
        figures = {"sample": SAMPLE, "parts": {name: results[name] for name in parts if name in results}}
        record(output, "language-models", figures, ("torch", "transformers", "scikit-learn"))


if __name__ == "__main__":
    main()
