"""A model with a method applied: trained on (§4.2's intra-model methods), or with its states projected (post-model)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from gec_fair.babylm.corpora.build import ORIGINAL, BuiltCorpus, Original
from gec_fair.babylm.debiasing.methods import PROJECTIONS, DebiasExperiment, intervention
from gec_fair.runs.atomic import write_text
from gec_fair.runs.digests import file_digest, model_digests
from gec_fair.runs.identity import Identity
from gec_fair.trainer.options import PretrainOptions, TrainingOptions, updates_of
from gec_fair.trainer.records import BEST

PROJECTION = "projection"
"""The corpus that they are found in."""
MANIFEST = "made.json"


def make(
    method: str, seed: int, folder: Path, experiment: DebiasExperiment, corpora: Mapping[str, BuiltCorpus], packed: Path
) -> None:
    """FOLDER/best: the model, as transformers keeps one. `made`: the corpora, by name; `packed`: where those that are
    trained on are kept cut. Killed, a training continues and a projection is found anew."""
    if method in PROJECTIONS:
        _project(method, seed, folder, experiment, corpora[PROJECTION].corpus)
    elif method == "debiasing-loss":
        _by_loss(seed, folder, experiment)
    else:
        _train_on(method, seed, folder, experiment, corpora, packed)


def _train_on(
    method: str, seed: int, folder: Path, experiment: DebiasExperiment, corpora: Mapping[str, BuiltCorpus], packed: Path
) -> None:
    from gec_fair.trainer.pretraining import encoder

    corpus = ORIGINAL if method == "dropout" else intervention(experiment, method).name
    options = PretrainOptions(
        training=experiment.training,
        texts=(str(corpora[corpus].corpus),),
        words="raw",
        start=experiment.model,
        block=experiment.block,
        mask=experiment.mask,
        unit="pieces",
        seed=seed,
        causal=_causal(experiment.model),
    )
    if method == "dropout":
        options = replace(options, dropout=experiment.dropout.hidden, attention_dropout=experiment.dropout.attention)
    if method == "cds":
        options = replace(options, block=experiment.cds.block)
        options = replace(options, training=_passes(options, experiment, packed))
    encoder.pretrain(options, folder, packed=packed)


def _causal(model: str) -> float:
    """A hybrid model is trained on with a share of causal blocks, GPT-BERT's."""
    from gec_fair.models.load import load_config

    return 1 / 16 if getattr(load_config(model), "predicts_next", False) else 0.0


def _passes(options: PretrainOptions, experiment: DebiasExperiment, packed: Path) -> TrainingOptions:
    """CDS is counted in passes over its texts, to a block of words each."""
    from gec_fair.trainer.pretraining import encoder
    from gec_fair.trainer.pretraining.packed import Packed

    _, cut = encoder.prepare_texts(options, packed)
    blocks = max(1, len(Packed(cut)) // options.block)
    cds = experiment.cds
    return replace(
        options.training,
        batch=cds.batch,
        accumulation=1,
        learning_rate=cds.learning_rate,
        steps=updates_of(cds.epochs, blocks, cds.batch),
    )


def _by_loss(seed: int, folder: Path, experiment: DebiasExperiment) -> None:
    from gec_fair.babylm.debiasing import debiasing_loss
    from gec_fair.babylm.debiasing.pronouns import read

    options = experiment.debiasing_loss
    paths = Original(options.texts).paths()
    resolutions = read(paths)
    training = replace(
        experiment.training,
        batch=options.batch,
        accumulation=1,
        learning_rate=options.learning_rate,
        steps=updates_of(options.epochs, len(resolutions), options.batch),
        eval_every=0,
        patience=0,
    )
    plain = {**asdict(options), "texts": "", "training": asdict(training)}
    inputs = {"texts": [file_digest(path) for path in paths], "start": model_digests(experiment.model)}
    identity = Identity("debiasing loss", plain, inputs, sections={"seed": seed})
    debiasing_loss.train(experiment.model, resolutions, options, training, folder, seed=seed, identity=identity)


def _project(method: str, seed: int, folder: Path, experiment: DebiasExperiment, text: Path) -> None:
    """Found anew after a kill; whole or not there."""
    from gec_fair.babylm.debiasing import projection_data
    from gec_fair.lmbias.scoring.load import load_for_vectors
    from gec_fair.models.projected import ProjectedForCausalLM, ProjectedForMaskedLM, ProjectedModel
    from gec_fair.trainer import loop
    from gec_fair.trainer.once import save_with

    if (folder / MANIFEST).exists() and (folder / BEST).is_dir():
        return
    model: Any = load_for_vectors(experiment.model)
    more: dict[str, Any] = {}
    if method == "sent-debias":
        matrix = projection_data.direction(model, text, experiment.sent_debias, seed=seed)
    else:
        kind = projection_data.KINDS[PROJECTIONS[method]]
        space = projection_data.nullspace(model, text, kind, experiment.inlp, seed=seed)
        matrix, more = space.matrix, {"rank": space.rank, "accuracy": space.accuracy}
    kinds = {"masked": ProjectedForMaskedLM, "causal": ProjectedForCausalLM, "encoder": ProjectedModel}
    projected = kinds[model.kind].around(model.model, matrix, method)
    loop.replace(folder / BEST, partial(save_with, model.tokenizer, projected))
    write_text(folder / MANIFEST, json.dumps({"method": method, **more}, indent=1) + "\n")
