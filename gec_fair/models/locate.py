"""Models by folder or by hub name: which it is, whether it may be fetched, that it is said, and what can be wrong.

`name@revision` pins a branch, a tag or a commit of the hub's repository.
"""

from __future__ import annotations

import json
import re
import sys
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from inspect import signature
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Literal, TypeVar

import torch
from safetensors import SafetensorError
from transformers import (
    AutoConfig,
    AutoModel,
    AutoTokenizer,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_MAPPING,
)
from transformers.utils import cached_file

from gec_fair.data.download import offline
from gec_fair.errors import GecFairError, InputError, MissingResource
from gec_fair.trainer.records import BEST

Model = TypeVar("Model", bound=PreTrainedModel)
Use = Literal["training", "predicting"]
CONFIG = "config.json"
_OURS = {
    "gec-fair-gector": "gec_fair.gec.gector.model",
    "gec-fair-editscorer": "gec_fair.gec.editscorer.model",
}
"""Our own kinds of model, and what must be imported before transformers knows them."""
ARCHITECTURES = {
    "ltgbert": "gec_fair.models.ltg_bert.model",
    "gec-fair-projected": "gec_fair.babylm.debias.projected_model",
}
"""Language models that transformers does not have, and where they are here: by name, for that is a floor higher."""
_BUCKETS = "position_bucket_size"
"""What every LTG-BERT's config.json has, whatever it calls itself; transformers knows none."""
_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
"""What the hub can have: owner/model, or a model alone. All else is a path."""
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError)
"""What transformers raises for a config.json that is none, or is not what it says it is."""
_MAY_LACK = re.compile(r"(^|[._])(pooler|position_ids|final_logits_bias)(\.|$)")
"""What nobody reads, or is made and not learned; rows that are tied to others transformers leaves out itself."""
_COUNT_FROM_PADDING = frozenset(
    [
        "camembert",
        "data2vec-text",
        "esm",
        "ibert",
        "longformer",
        "luke",
        "mpnet",
        "roberta",
        "roberta-prelayernorm",
        "xlm-roberta",
        "xlm-roberta-xl",
        "xmod",
    ]
)
"""The first sub-word's position is the one after the padding's: RoBERTa with 514 rows reads 512."""
_DECIDES_NOTHING = re.compile(
    r"_name_or_path|transformers_version|architectures|(torch_)?dtype|use_cache|gec_fair"  # how it was saved
    r"|init.*|.*drop.*|problem_type|label_smoothing|loss_average"  # of training
)
"""Keys of a configuration that change no prediction: all is read in full precision, and what stands under `gec_fair` is
told by its reader."""
UNLIMITED = sys.maxsize
_BOTH_WAYS = frozenset(["bert-generation", "xlnet"])  # among those that can write, these read both sides as they stand


def located(name: str) -> tuple[str, dict[str, Any]]:
    """What to hand to `from_pretrained`: the folder or hub name, and arguments. Where it is no folder, the hub is asked
    and that is said on stderr; offline, only what is in Hugging Face's cache counts. MissingResource, without asking,
    for what is neither a folder nor a hub's name."""
    if Path(name).is_dir():
        return name, {}
    plain, at, revision = name.partition("@")
    if not _HUB_NAME.fullmatch(plain):
        remedy = "write the home directory out, only a shell reads ~" if name.startswith("~") else "check the path"
        raise MissingResource(
            f"{name}: no model folder is there, and no model of the hub (owner/model) has such a name; {remedy}"
        )
    pinned = {"revision": revision} if at else {}
    if offline():
        return plain, {"local_files_only": True, **pinned}
    _say(name)
    return plain, pinned


def beside(name: str, filename: str) -> Path | None:
    """Another file of a model, from its folder or the hub; None where the model has none, or where we are offline and
    it is not in the cache. MissingResource where the hub cannot be asked."""
    if Path(name).is_dir():
        path = Path(name) / filename
        return path if path.is_file() else None
    where, how = located(name)
    try:
        found = cached_file(
            where,
            filename,
            _raise_exceptions_for_missing_entries=False,
            _raise_exceptions_for_connection_errors=not offline(),
            **how,
        )
    except OSError as fault:
        raise missing(name, fault) from fault
    return None if found is None else Path(found)


def commit_of(name: str) -> str | None:
    """The commit that a hub name stands for now: what a branch's name means changes. None for a folder, and for what
    the cache does not have when we are offline."""
    found = None if Path(name).is_dir() else beside(name, CONFIG)
    return None if found is None else found.parent.name  # …/snapshots/COMMIT/config.json


def missing(name: str, fault: BaseException) -> GecFairError:
    """The error for a model that cannot be read: what is wrong with the folder, or why the hub has no such name."""
    folder = Path(name)
    if folder.is_dir():
        reason = first_line(fault) if (folder / CONFIG).is_file() else f"it holds no {CONFIG}"
        remedy = "give the folder of a model that transformers can load"
        if (folder / BEST / CONFIG).is_file():  # a training's folder
            remedy = f"did you mean {folder / BEST}?"
        return InputError(f"{name}: is a folder, but no model can be read from it ({reason}); {remedy}")
    reason = first_line(fault)
    if offline():
        reason = f"downloads are forbidden, GEC_FAIR_OFFLINE, and the cache does not have it: {reason}"
    return MissingResource(
        f"{name}: no model folder, and no model of that name can be had ({reason}); give the folder "
        "of a model that transformers can load"
    )


def first_line(fault: BaseException) -> str:
    """The first line of what an exception says; its kind where it says nothing."""
    told = str(fault).strip()
    return told.splitlines()[0][:200] if told else type(fault).__name__


def config_of(name: str) -> Any:
    """A model's configuration. InputError for a folder without one that can be read, MissingResource for a name that
    cannot be had."""
    where, how = located(name)
    for module in (*_OURS.values(), *ARCHITECTURES.values()):
        import_module(module)
    try:
        found = AutoConfig.from_pretrained(where, **how)
    except _UNREADABLE as fault:
        raise missing(name, fault) from fault
    if getattr(found, _BUCKETS, None) and found.model_type in ("bert", "ltgbert"):  # DeBERTa-v2 has them too
        return import_module("gec_fair.models.ltg_bert.layouts").settled(name, found)
    return found


def attention(use: Use, config: PretrainedConfig) -> str:
    """Which attention is quickest for a model of this configuration: torch's fused one where transformers has it for
    such a model (not for DeBERTa or XLNet), but for training on a CPU, where its backward pass is slow."""
    fused = getattr(MODEL_MAPPING.get(type(config), None), "_supports_sdpa", False)
    slow = use == "training" and not torch.cuda.is_available()
    return "sdpa" if fused and not slow else "eager"


def tokenizer_of(name: str, **how_read: Any) -> PreTrainedTokenizerBase:
    """A model's tokenizer as it was saved, or as `how_read` has it. MissingResource where none can be read."""
    where, how = located(name)
    try:
        found: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(where, **how_read, **how)
    except Exception as fault:  # the tokenizers library raises Exception itself
        raise MissingResource(f"{name}: has no tokenizer ({first_line(fault)}); save one beside the model") from fault
    return found


def spaced_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """A model's tokenizer, taking every word as if a space stood before it."""
    return tokenizer_of(name, add_prefix_space=True)


def model_of(kind: type[Model], name: str, config: PretrainedConfig, use: Use) -> Model:
    """A model of a known kind with all of its weights, in full precision. InputError where they do not fit the
    configuration or are not whole, MissingResource where they cannot be had."""
    found: Model = _whole(kind, name, config, attn_implementation=attention(use, getattr(config, "encoder", config)))
    return found


def own(kind: type[Model], name: str, use: Use, *, title: str, dropout: float | None) -> Model:
    """A model of ours, with its weights. InputError for another one, MissingResource for what is not here."""
    config = config_of(name)
    if not isinstance(config, kind.config_class):
        command = f"gec-fair {title.lower()}"
        on = "" if config.model_type in _OURS else " on this encoder"
        raise InputError(
            f"{name}: is a {config.model_type}, no {title} of ours; convert an official checkpoint with {command} "
            f"import, or train one{on} with {command} train"
        )
    if config.encoder is None:
        raise InputError(f"{name}: its {CONFIG} says nothing of its encoder; copy the model again")
    if dropout is not None:
        set_dropout(config.encoder, dropout)
    return model_of(kind, name, config, use)


def encoder_of(name: str, *, dropout: float | None) -> PreTrainedModel:
    """Any encoder with all of its weights, to build a head on; what is kept in half precision is read in full, for
    training computes its updates so. InputError for a model that reads one way only, is one of ours, or is not whole;
    MissingResource for what cannot be had."""
    config = encoder_config(name)
    if dropout is not None:
        set_dropout(config, dropout)
    found: PreTrainedModel = _whole(AutoModel, name, config, **no_pooler(config))
    return found


def headed(kind: Any, name: str, config: PretrainedConfig) -> Any:
    """A model of a known kind for training, with all of the encoder's weights; what the checkpoint lacks, or has in
    another shape, is the head's, which is new then. Raises as `model_of` does."""
    return _whole(kind, name, config, head=True, attn_implementation=attention("training", config))


def _whole(kind: Any, name: str, config: PretrainedConfig, *, head: bool = False, **more: Any) -> Any:
    """transformers fills what a checkpoint lacks with random numbers and says so in a warning; here it is an error, but
    for a `head` that may be new."""
    where, how = located(name)
    more = {"dtype": torch.float32, "output_loading_info": True, "ignore_mismatched_sizes": True, **more, **how}
    try:
        found, told = kind.from_pretrained(where, config=config, **more)
    except OSError as fault:
        raise MissingResource(
            f"{name}: its weights cannot be read ({first_line(fault)}); copy the model again, or give another"
        ) from fault
    except (SafetensorError, UnpicklingError, EOFError, RuntimeError, *_UNREADABLE) as fault:
        raise InputError(
            f"{name}: its weights are damaged, or none for its {CONFIG} ({first_line(fault)}); copy the model again"
        ) from fault
    parts = tuple(_prefixes(found)) if head else ("",)
    lacking = sorted(
        f"they lack {key}" for key in told["missing_keys"] if key.startswith(parts) and not _MAY_LACK.search(key)
    )
    other = sorted(
        f"{key} is {tuple(there)} and should be {tuple(here)}"
        for key, there, here in told["mismatched_keys"]
        if key.startswith(parts)
    )
    if faults := other + lacking:
        raise InputError(
            f"{name}: its weights do not fit its configuration: {faults[0]} ({len(faults)} such); copy "
            "the model again, or give another"
        )
    return found


def _prefixes(model: Any) -> list[str]:
    """Of the keys of a model's encoder; where it has no name, those of its parts."""
    if model.base_model_prefix:
        return [f"{model.base_model_prefix}."]
    return [f"{name}." for name, _ in model.base_model.named_children()]


def encoder_config(name: str) -> PretrainedConfig:
    """The configuration of a model that a head can be built on, else InputError. What a word becomes depends on what
    follows it, so a decoder's states will not do; nor on what stands in a batch beside its sentence. A model of ours
    has an encoder inside, with a head on it that would be lost."""
    config: PretrainedConfig = config_of(name)
    kind = config.model_type
    causal = kind in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and kind not in {*MODEL_FOR_MASKED_LM_MAPPING_NAMES, *_BOTH_WAYS}
    others = (
        (kind in _OURS, "a model of ours, an encoder with its head"),
        (config.is_encoder_decoder, "an encoder with a decoder"),
        (causal or getattr(config, "is_decoder", False), "a decoder, which reads from left to right"),
        (kind == "funnel", "an encoder that pools neighbours, padding among them"),
    )
    if what := next((what for is_so, what in others if is_so), None):
        raise InputError(
            f"{name}: is {what} ({kind}), and what is built here wants an encoder alone, whose states are "
            "one sub-word's each; give one such as roberta-base"
        )
    return config


def positions_of(config: PretrainedConfig) -> int:
    """The longest sequence, in sub-words, that a model of this configuration has positions for; UNLIMITED where it
    counts distances alone (XLNet says −1)."""
    config = getattr(config, "encoder", None) or config  # of a model of ours, what is inside
    most = int(getattr(config, "max_position_embeddings", None) or -1)
    if most < 0:
        return UNLIMITED
    return most - int(config.pad_token_id) - 1 if config.model_type in _COUNT_FROM_PADDING else most


def check_rows(name: str, encoder: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """InputError where the tokenizer knows rows that the encoder has not."""
    rows = encoder.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise InputError(
            f"{name}: the tokenizer has {len(tokenizer):,} rows and the encoder {rows:,}; they are not of one model"
        )


def set_dropout(config: object, share: float | None, *, attention: float | None = None) -> None:
    """Every dropout of an encoder's configuration, whatever it is called there; those of `attention` are others where
    that is given. None leaves them as they are."""
    for name in vars(config):
        if "dropout" in name and isinstance(getattr(config, name), (int, float)) and not name.startswith("_"):
            value = attention if "att" in name and attention is not None else share
            setattr(config, name, getattr(config, name) if value is None else value)


def no_pooler(config: PretrainedConfig) -> dict[str, bool]:
    """For the model of this configuration: leave out a pooling layer that nobody reads, if it has one."""
    kind = MODEL_MAPPING.get(type(config), None)
    pooled = isinstance(kind, type) and "add_pooling_layer" in signature(kind).parameters
    return {"add_pooling_layer": False} if pooled else {}


def weights_digest(model: PreTrainedModel) -> str:
    """A name for a model's weights."""
    found = sha256()
    for name, values in sorted(model.state_dict().items()):
        found.update(name.encode())
        found.update(values.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes())
    return found.hexdigest()


def digest_of(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *more: str) -> str:
    """A name for everything that decides a model's predictions, the same wherever its folder lies: its kind, its
    configuration, weights, sub-words, and `more`."""
    parts = (type(model).__name__, config_text(model.config), weights_digest(model), tokenizer_text(tokenizer), *more)
    return sha256("\0".join(parts).encode()).hexdigest()[:20]


def config_text(config: PretrainedConfig) -> str:
    """What a configuration says of the computation: heads, activation, positions; of an encoder inside it too."""
    return json.dumps(_deciding(json.loads(config.to_json_string())), sort_keys=True)


def _deciding(told: Any) -> Any:
    if not isinstance(told, dict):
        return told
    return {key: _deciding(value) for key, value in told.items() if not _DECIDES_NOTHING.fullmatch(key)}


def tokenizer_text(tokenizer: PreTrainedTokenizerBase) -> str:
    """What decides how words are cut, where a text ends and which rows are special; not how the last batch was padded
    or cut short, which stands there too."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    cut = {"vocabulary": tokenizer.get_vocab()} if backend is None else json.loads(backend.to_str())
    more = {"special": tokenizer.special_tokens_map, "longest": tokenizer.model_max_length}
    return json.dumps({**cut, "padding": None, "truncation": None, **more}, sort_keys=True)


@lru_cache(maxsize=64)
def _say(name: str) -> None:
    print(f"{name} is no folder here: asking the Hugging Face hub (or its cache) for it", file=sys.stderr)
