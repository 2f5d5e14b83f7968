"""A model by its name: first its configuration, which says what kind it is, then its weights.

transformers recognises a saved model by its `model_type`. Four types are ours, and transformers knows them once their
modules are imported: LTG-BERT and projected language models, which are in this room, and GECToR and EditScorer, whose
configurations `heads` stands in for until theirs are imported. So a checkpoint of any kind can be recognised, and
refused by its kind where another is wanted, without an import that points up.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from transformers import AutoConfig, AutoModel, PretrainedConfig, PreTrainedModel
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)

from gec_fair.config.settings import check_values
from gec_fair.config.values import Source
from gec_fair.errors import GecFairError, InputError
from gec_fair.models import projected  # noqa: F401  (transformers learns its type)
from gec_fair.models.configuration import COUNT_FROM_PADDING, Use, no_pooler, set_dropout
from gec_fair.models.heads import OverEncoderConfig
from gec_fair.models.locate import CONFIG, model_error, read_pretrained
from gec_fair.models.ltg_bert.layouts import with_layout
from gec_fair.models.sizes import check_config_file, check_size
from gec_fair.models.weights import Model, load_complete, load_model

Conventions = TypeVar("Conventions")
_BOTH_WAYS = frozenset(["bert-generation", "xlnet"])  # among those that can write, these read both sides as they stand


def load_config(name: str) -> Any:
    """A model's configuration. Raises InputError for a folder without a readable one, MissingResource for a name that
    cannot be had."""
    check_config_file(name)
    try:
        config = read_pretrained(AutoConfig, name)
    except GecFairError:
        raise
    except Exception as fault:  # whatever a damaged file makes transformers raise
        raise model_error(name, fault) from fault
    check_size(name, config)
    _settle(name, config)
    return with_layout(name, config)


def _settle(name: str, config: Any) -> None:
    """Set what a configuration may not choose: code on the hub that computes the attention, and a form of the answer
    that nobody here reads. Raises InputError for a padding from which positions cannot be counted."""
    config._attn_implementation = None
    config.update({"return_dict": True, "chunk_size_feed_forward": 0})
    if config.model_type in COUNT_FROM_PADDING and not (config.pad_token_id or 0) >= 0:
        raise InputError(f"{name}: its {CONFIG} says pad_token_id {config.pad_token_id}; copy the model again")


def load_ours(kind: type[Model], name: str, use: Use, *, title: str, dropout: float | None) -> Model:
    """A GECToR or an EditScorer with its weights; `title` is its name. Raises InputError for a model of another kind,
    MissingResource for one that cannot be had."""
    config = load_config(name)
    if not isinstance(config, kind.config_class):
        command = f"gec-fair {title.lower()}"
        on = "" if isinstance(config, OverEncoderConfig) else " on this encoder"
        raise InputError(
            f"{name}: is a {config.model_type}, no {title} of ours; convert an official checkpoint with {command} "
            f"import, or train one{on} with {command} train"
        )
    if config.encoder is None:
        raise InputError(f"{name}: its {CONFIG} says nothing of its encoder; copy the model again")
    if dropout is not None:
        set_dropout(config.encoder, dropout)
    return load_model(kind, name, config, use)


def read_conventions(kind: type[Conventions], name: str, recorded: Any, *, title: str) -> Conventions:
    """How a model of ours reads texts, as its configuration says. InputError for what this version does not know."""
    try:
        if not isinstance(recorded, dict):
            raise InputError(f"{recorded!r} is not an object")
        return check_values(kind, Source(Path(CONFIG), None, recorded))
    except InputError as fault:
        raise InputError(
            f"{name}: its {CONFIG} is of no {title} that this version reads ({fault}); copy the model again, or train "
            "it anew"
        ) from fault


def load_encoder(name: str, *, dropout: float | None) -> PreTrainedModel:
    """Any encoder with all of its weights, to build a head on. Weights in half precision are read in full, because
    training computes its updates so. Raises InputError for a decoder, a model of ours, or one that is not complete;
    MissingResource for one that cannot be had."""
    config = load_encoder_config(name)
    if dropout is not None:
        set_dropout(config, dropout)
    encoder: PreTrainedModel = load_complete(AutoModel, name, config, **no_pooler(config))
    return encoder


def load_encoder_config(name: str) -> PretrainedConfig:
    """The configuration of a model that a head can be built on, else InputError. What a word becomes depends on what
    follows it, so a decoder's states will not do; nor may it depend on what stands in a batch beside its sentence. A
    model of ours has an encoder inside, with a head on it that would be lost."""
    config: PretrainedConfig = load_config(name)
    kind = config.model_type
    is_causal = (
        kind in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and kind not in {*MODEL_FOR_MASKED_LM_MAPPING_NAMES, *_BOTH_WAYS}
    ) or getattr(config, "is_decoder", False)
    faults = (
        (isinstance(config, OverEncoderConfig), "a model of ours, an encoder with its head"),
        (config.is_encoder_decoder, "an encoder with a decoder"),
        (is_causal, "a decoder, which reads from left to right"),
        (kind == "funnel", "an encoder that pools neighbours, padding among them"),
    )
    if fault := next((fault for is_so, fault in faults if is_so), None):
        raise InputError(
            f"{name}: is {fault} ({kind}), and what is built here wants an encoder alone, whose states are "
            "one sub-word's each; give one such as roberta-base"
        )
    return config
