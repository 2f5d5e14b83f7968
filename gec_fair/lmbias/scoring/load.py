"""Language models by folder or hub name: a masked or a causal one, by what its configuration says."""

from __future__ import annotations

from typing import Any, Literal

from transformers import AutoModelForCausalLM, AutoModelForMaskedLM
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)

from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.self_debias import SelfDebias
from gec_fair.models.load import load_config
from gec_fair.models.weights import check_rows, load_model, load_tokenizer

Kind = Literal["auto", "masked", "causal"]
KINDS = ("auto", "masked", "causal")


def load(
    name: str, *, kind: Kind = "auto", device: str | None = None, self_debias: SelfDebias | None = None
) -> Masked | Causal:
    """A language model with all of its weights, in full precision. UsageError for a `kind` that it is not, InputError
    for a model of neither, without the mask that a masked one needs, or with another's tokenizer, MissingResource for
    what is not here."""
    config = load_config(name)
    detected = kind_of(name, config, requested=kind)
    tokenizer = load_tokenizer(name)
    if detected == "masked" and tokenizer.mask_token_id is None:
        raise InputError(
            f"{name}: its tokenizer has no mask, which a masked model is asked by; give a model that was "
            "trained with one, or --kind causal"
        )
    kind_of_model = AutoModelForMaskedLM if detected == "masked" else AutoModelForCausalLM
    model = load_model(kind_of_model, name, config, "predicting")
    check_rows(name, model, tokenizer)
    reader = Masked if detected == "masked" else Causal
    return reader(model, tokenizer, device=device, self_debias=self_debias)


def kind_of(name: str, config: Any, *, requested: Kind = "auto") -> Kind:
    """What a model was trained as. If the configuration does not say, it is `requested`."""
    trained_kind = None if getattr(config, "is_encoder_decoder", False) else _trained_as(config)
    if trained_kind is None and requested == "auto":
        raise InputError(
            f"{name}: is neither a masked nor a causal language model, so it gives no likelihood of a "
            "sentence; give one that is, or say which with --kind"
        )
    if trained_kind is not None and requested not in ("auto", trained_kind):
        raise UsageError(
            f"{name}: is a {trained_kind} model ({config.model_type}) and no {requested} one; leave --kind out"
        )
    return trained_kind or requested


def _trained_as(config: Any) -> Kind | None:
    """By what its file says, else by what its architecture is for: where that is both, a decoder is causal."""
    says = " ".join(config.architectures or ())
    masked, causal = "MaskedLM" in says, "CausalLM" in says or "LMHeadModel" in says
    if masked == causal:
        masked = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
        causal = config.model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
        if masked and causal:
            masked = not getattr(config, "is_decoder", False)
    return "masked" if masked else "causal" if causal else None
