"""Language models by folder or hub name: a masked or a causal one, by what its configuration says."""

from __future__ import annotations

from typing import Any, Literal

from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, PreTrainedModel, PreTrainedTokenizerBase
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
)

from gec_fair.errors import InputError, UsageError
from gec_fair.lmbias.scoring.causal import Causal
from gec_fair.lmbias.scoring.masked import Masked
from gec_fair.lmbias.scoring.model import Encoder, Reader
from gec_fair.lmbias.scoring.self_debias import SelfDebias
from gec_fair.models.configuration import no_pooler
from gec_fair.models.load import load_config
from gec_fair.models.weights import HeadlessModel, check_rows, load_complete, load_model, load_tokenizer

Kind = Literal["auto", "masked", "causal"]


def load(
    name: str, *, kind: Kind = "auto", device: str | None = None, self_debias: SelfDebias | None = None
) -> Masked | Causal:
    """A language model with all of its weights, in full precision. UsageError for a `kind` that it is not,
    HeadlessModel for an encoder alone, InputError for a model of neither kind, without the mask that a masked one
    needs, or with another's tokenizer, MissingResource for what is not here."""
    config = load_config(name)
    detected = kind_of(name, config, requested=kind)
    tokenizer = load_tokenizer(name)
    kind_of_model = AutoModelForMaskedLM if detected == "masked" else AutoModelForCausalLM
    model = load_model(kind_of_model, name, config, "predicting")
    reader: Masked | Causal = _reader(name, model, tokenizer, detected, device=device, self_debias=self_debias)
    return reader


def load_for_vectors(name: str, *, kind: Kind = "auto", self_debias: SelfDebias | None = None) -> Reader:
    """A language model, or an encoder without a head, for what reads vectors alone. Raises as `load` does otherwise."""
    try:
        return load(name, kind=kind, self_debias=self_debias)
    except HeadlessModel:
        config = load_config(name)
        model = load_complete(AutoModel, name, config, **no_pooler(config))
        encoder: Reader = _reader(name, model, load_tokenizer(name), "auto")
        return encoder


def hold(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *, kind: Kind = "auto", self_debias: SelfDebias | None
) -> Reader:
    """A model that is in memory: on its device, in its precision. Raises as `load` does."""
    name = type(model).__name__
    detected: Kind = "auto"
    if model.get_output_embeddings() is not None:
        detected = kind_of(name, model.config, requested=kind, saved_as=name)
    reader: Reader = _reader(name, model, tokenizer, detected, device=str(model.device), self_debias=self_debias)
    return reader


def _reader(name: str, model: Any, tokenizer: Any, kind: Kind, **options: Any) -> Any:  # of the kind's type
    if kind == "masked" and tokenizer.mask_token_id is None:
        raise InputError(
            f"{name}: its tokenizer has no mask, which a masked model is asked by; give a model that was "
            "trained with one, or --kind causal"
        )
    check_rows(name, model, tokenizer)
    return _READERS[kind](model, tokenizer, **options)


_READERS = {"masked": Masked, "causal": Causal, "auto": Encoder}
"""Kind → reader; `auto` is a model without a head."""


def kind_of(name: str, config: Any, *, requested: Kind = "auto", saved_as: str = "") -> Kind:
    """What a model was trained as: by its class (`saved_as`), if that is known, or by its configuration. If that does
    not say, it is `requested`."""
    has_decoder = getattr(config, "is_encoder_decoder", False)
    trained_kind = None if has_decoder else _find_kind(config, saved_as or " ".join(config.architectures or ()))
    if trained_kind is None and requested == "auto":
        fault = InputError if has_decoder else HeadlessModel
        raise fault(
            f"{name}: is neither a masked nor a causal language model, so it gives no likelihood of a "
            "sentence; give one that is, or say which with --kind"
        )
    if trained_kind is not None and requested not in ("auto", trained_kind):
        raise UsageError(
            f"{name}: is a {trained_kind} model ({config.model_type}) and no {requested} one; leave --kind out"
        )
    return trained_kind or requested


def _find_kind(config: Any, says: str) -> Kind | None:
    """By its class's name, else by what its architecture is for: where that is both, a decoder is causal."""
    masked, causal = "MaskedLM" in says, "CausalLM" in says or "LMHeadModel" in says
    if masked == causal:
        masked = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
        causal = config.model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
        if masked and causal:
            masked = not getattr(config, "is_decoder", False)
    return "masked" if masked else "causal" if causal else None
