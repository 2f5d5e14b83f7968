"""Models by folder or by hub name: which it is, whether it may be fetched, that it is said, and what can be wrong.

`name@revision` pins a branch, a tag or a commit of the hub's repository.
"""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar

import torch
from transformers import (
    AutoConfig,
    AutoModel,
    AutoTokenizer,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from gec_fair.corpus.fetch import offline
from gec_fair.errors import InputError, MissingResource

Model = TypeVar("Model", bound=PreTrainedModel)
Use = Literal["training", "predicting"]


def located(name: str) -> tuple[str, dict[str, Any]]:
    """What to hand to `from_pretrained`: the folder or hub name, and arguments. Where it is no folder, the hub is asked
    and that is said on stderr; offline, only what is in Hugging Face's cache counts."""
    if Path(name).is_dir():
        return name, {}
    plain, at, revision = name.partition("@")
    pinned = {"revision": revision} if at else {}
    if offline():
        return plain, {"local_files_only": True, **pinned}
    _say(name)
    return plain, pinned


def missing(name: str, fault: Exception) -> MissingResource:
    """The error for a model that is neither a folder nor to be had."""
    reason = "downloads are forbidden, GEC_FAIR_OFFLINE" if offline() else first_line(fault)
    return MissingResource(f"{name}: no model folder, and no model of that name can be had ({reason}); give the folder "
                           "of a model that transformers can load")  # fmt: skip


def first_line(fault: BaseException) -> str:
    """The first line of what an exception says; its kind where it says nothing."""
    told = str(fault).strip()
    return told.splitlines()[0][:200] if told else type(fault).__name__


def config_of(name: str) -> Any:
    """A model's configuration, from a folder or the hub. MissingResource where there is none."""
    where, how = located(name)
    try:
        return AutoConfig.from_pretrained(where, **how)
    except (OSError, ValueError) as fault:
        raise missing(name, fault) from fault


def attention(use: Use) -> str:
    """Which attention is quickest: torch's fused one, but for training on a CPU, where its backward pass is slow."""
    return "eager" if use == "training" and not torch.cuda.is_available() else "sdpa"


def tokenizer_of(name: str, **how_read: Any) -> PreTrainedTokenizerBase:
    """A model's tokenizer as it was saved, or as `how_read` has it. MissingResource where there is none."""
    where, how = located(name)
    try:
        found: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(where, **how_read, **how)
    except (OSError, ValueError) as fault:
        raise MissingResource(f"{name}: has no tokenizer ({first_line(fault)}); save one beside the model") from fault
    return found


def spaced_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """A model's tokenizer, taking every word as if a space stood before it."""
    return tokenizer_of(name, add_prefix_space=True)


def model_of(kind: type[Model], name: str, config: PretrainedConfig, use: Use) -> Model:
    """A model of a known kind with its weights, in full precision. InputError where they do not fit the configuration,
    MissingResource where they cannot be read."""
    where, how = located(name)
    try:
        found: Model = kind.from_pretrained(
            where, config=config, dtype=torch.float32, attn_implementation=attention(use), **how
        )
    except RuntimeError as fault:
        raise InputError(f"{name}: its weights do not fit its configuration ({first_line(fault)})") from fault
    except OSError as fault:
        raise MissingResource(f"{name}: its weights cannot be read ({first_line(fault)})") from fault
    return found


def own(kind: type[Model], name: str, use: Use, *, title: str, dropout: float | None) -> Model:
    """A model of ours, with its weights. InputError for another one, MissingResource for what is not here."""
    config = config_of(name)
    if not isinstance(config, kind.config_class):
        command = f"gec-fair {title.lower()}"
        raise InputError(
            f"{name}: is a {config.model_type}, no {title} of ours; convert an official checkpoint with {command} "
            f"import, or train one on this encoder with {command} train"
        )
    if dropout is not None:
        set_dropout(config.encoder, dropout)
    return model_of(kind, name, config, use)


def encoder_of(name: str, *, dropout: float | None) -> PreTrainedModel:
    """Any encoder, to build a head on; weights that are kept in half precision are read in full, for training computes
    its updates so. MissingResource for what transformers cannot load."""
    config = config_of(name)
    if dropout is not None:
        set_dropout(config, dropout)
    where, how = located(name)
    try:
        found: PreTrainedModel = AutoModel.from_pretrained(
            where, config=config, dtype=torch.float32, **how, **no_pooler(config)
        )
    except (OSError, ValueError, RuntimeError) as fault:
        raise MissingResource(f"{name}: is no encoder that transformers can load ({first_line(fault)})") from fault
    return found


def take_over(encoder: PreTrainedModel, body: PreTrainedModel, name: str) -> None:
    """The weights of `body` into an encoder of the same configuration. InputError where some are lacking."""
    lacking = encoder.load_state_dict(body.state_dict(), strict=False).missing_keys
    if lacking:
        raise InputError(f"{name}: its weights lack {', '.join(lacking[:3])}; it is no whole encoder")


def check_rows(name: str, encoder: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """InputError where the tokenizer knows rows that the encoder has not."""
    rows = encoder.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise InputError(f"{name}: the tokenizer has {len(tokenizer):,} rows and the encoder {rows:,}; they are not of "
                         "one model")  # fmt: skip


def set_dropout(config: object, share: float) -> None:
    """Every dropout of an encoder's configuration, whatever it is called there."""
    for name in vars(config):
        if "dropout" in name and isinstance(getattr(config, name), (int, float)) and not name.startswith("_"):
            setattr(config, name, share)


def no_pooler(config: PretrainedConfig) -> dict[str, bool]:
    """For the model of this configuration: leave out a pooling layer that nobody reads, if it has one."""
    return {"add_pooling_layer": False} if config.model_type in _POOLED else {}


_POOLED = frozenset(["bert", "roberta", "xlm-roberta", "camembert", "albert"])


def weights_digest(model: PreTrainedModel) -> str:
    """A name for a model's weights."""
    found = sha256()
    for name, values in sorted(model.state_dict().items()):
        found.update(name.encode())
        found.update(values.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes())
    return found.hexdigest()


def digest_of(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *more: str) -> str:
    """A name for everything that decides a model's predictions: weights, sub-words, and `more`."""
    parts = (weights_digest(model), tokenizer_text(tokenizer), *more)
    return sha256("\0".join(parts).encode()).hexdigest()[:20]


def tokenizer_text(tokenizer: PreTrainedTokenizerBase) -> str:
    """What decides how words are cut."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return backend.to_str() if backend is not None else json.dumps(tokenizer.get_vocab(), sort_keys=True)


@lru_cache(maxsize=64)
def _say(name: str) -> None:
    print(f"{name} is no folder here: asking the Hugging Face hub (or its cache) for it", file=sys.stderr)
