"""A model whose kind and configuration are known, with all of its weights; and its tokenizer.

transformers fills what a checkpoint lacks with random numbers and says so in a warning. Here that is an error.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import torch
from tokenizers import normalizers, pre_tokenizers
from transformers import AutoTokenizer, PretrainedConfig, PreTrainedModel, PreTrainedTokenizerBase
from transformers.utils import logging

from gec_fair.errors import GecFairError, InputError, MissingResource
from gec_fair.models.configuration import Use, attention
from gec_fair.models.locate import CONFIG, first_line, model_error, read_pretrained

Model = TypeVar("Model", bound=PreTrainedModel)
_MAY_LACK = re.compile(r"(^|[._])(pooler|position_ids|final_logits_bias)(\.|$)")
"""What nobody reads, or is made and not learned; rows that are tied to others transformers leaves out itself."""
_SPACE = "▁"
"""The one word beside special tokens that SentencePiece tokenizers have without a vocabulary."""

_ADD_HEAD = {
    "MaskedLM": "gec-fair pretrain mlm SETTINGS --set start={name} trains one; the suite seat, Sent-Debias and INLP "
    "need none",
    "SequenceClassification": "gec-fair fairtune TASK --model {name} trains classifiers on it and measures them; else "
    "give a classifier",
}
"""Kind of head → what to do about one that is missing."""

# no progress bars for loading and saving weights, no report of the heads that an encoder does not bring
logging.set_verbosity_error()
logging.disable_progress_bar()


class HeadlessModel(InputError):
    """An encoder without the head that a command needs."""


def load_tokenizer(name: str, **options: Any) -> PreTrainedTokenizerBase:
    """A model's tokenizer as it was saved, except for these `options`. In a text, the name of a special token (`</s>`,
    `[MASK]`) is text like any other; whoever wants the token adds its number. Raises MissingResource if none can be
    read, InputError if it has Python code of its own."""
    try:
        tokenizer: PreTrainedTokenizerBase = read_pretrained(AutoTokenizer, name, **options)
        if not tokenizer.model_max_length > 0:
            raise ValueError(f"its model_max_length is {tokenizer.model_max_length}")
        if {*tokenizer.get_vocab()} <= {*tokenizer.all_special_tokens, _SPACE}:  # transformers makes one from nothing
            raise ValueError("its vocabulary is missing")
        tokenizer("a")
    except GecFairError:
        raise
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as fault:  # the tokenizers library raises Exception itself, and a panic of Rust
        if "trust_remote_code" in str(fault):
            raise model_error(name, fault) from fault
        raise MissingResource(
            f"{name}: has no tokenizer that can be read ({first_line(fault)}); look at tokenizer.json and "
            "tokenizer_config.json, or save a tokenizer beside the model"
        ) from fault
    tokenizer.split_special_tokens = True
    return tokenizer


def load_trained_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """The tokenizer of a model that was trained on words with a space before each, as it was saved then."""
    return load_tokenizer(name, add_prefix_space=True)


def load_encoder_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """An encoder's tokenizer, for a new model: it reads every word as if a space stood before it, and is saved so."""
    tokenizer = load_trained_tokenizer(name)
    if tokenizer.is_fast:  # one of no known class takes no notice of the option
        _prefix_words(tokenizer.backend_tokenizer)
    return tokenizer


def _prefix_words(backend: Any) -> None:
    are_several = isinstance(backend.pre_tokenizer, pre_tokenizers.Sequence)
    first, *others = backend.pre_tokenizer if are_several else [backend.pre_tokenizer]
    if isinstance(first, pre_tokenizers.ByteLevel):
        first.add_prefix_space = True
    elif any(isinstance(step, pre_tokenizers.ByteLevel) for step in others):  # it would prefix parts of words
        before = [] if backend.normalizer is None else [backend.normalizer]
        if not before or not before[0].normalize_str("a").startswith(" "):
            backend.normalizer = normalizers.Sequence([*before, normalizers.Prepend(" ")])


def load_model(kind: type[Model], name: str, config: PretrainedConfig, use: Use) -> Model:
    """A model of a known kind in full precision. Raises HeadlessModel for an encoder alone, InputError where the
    weights are damaged or do not fit the configuration, MissingResource where they cannot be read."""
    model: Model = load_complete(kind, name, config, attn_implementation=attention(use, config))
    return model


def load_with_head(kind: Any, name: str, config: PretrainedConfig) -> Any:
    """A model of a known kind for training, with all of the encoder's weights. What the checkpoint lacks, or has in
    another shape, belongs to the head, which is new then. Raises as `load_model` does."""
    return load_complete(kind, name, config, new_head=True, attn_implementation=attention("training", config))


def load_complete(kind: Any, name: str, config: PretrainedConfig, *, new_head: bool = False, **options: Any) -> Any:
    """`kind.from_pretrained` with all weights except those of a `new_head`. Raises as `load_model` does."""
    options = {
        "dtype": torch.float32,
        "output_loading_info": True,
        "ignore_mismatched_sizes": True,
        "weights_only": True,
        **options,
    }
    try:
        model, report = read_pretrained(kind, name, config=config, **options)
    except GecFairError:
        raise
    except OSError as fault:
        raise MissingResource(
            f"{name}: its weights cannot be read ({first_line(fault)}); copy the model again, or give another"
        ) from fault
    except Exception as fault:  # whatever a damaged file makes torch, safetensors and transformers raise
        if "trust_remote_code" in str(fault):
            raise model_error(name, fault) from fault
        if "Weights only load failed" in str(fault):
            raise InputError(
                f"{name}: its weights are a pickle that holds other things than tensors, which is never read; give the "
                "model as safetensors"
            ) from fault
        raise InputError(
            f"{name}: its weights are damaged, or none for its {CONFIG} ({first_line(fault)}); copy the model again"
        ) from fault
    if not new_head and not report["mismatched_keys"] and (missing := _missing_head(model, report["missing_keys"])):
        remedy = _ADD_HEAD.get(type(model).__name__.rpartition("For")[2], "give a model that was saved with it")
        raise HeadlessModel(
            f"{name}: is an encoder without the head of a {type(model).__name__} (no {missing[0]}, …); "
            f"{remedy.format(name=name)}"
        )
    if faults := _faults(report, tuple(_encoder_prefixes(model)) if new_head else ("",)):
        raise InputError(
            f"{name}: its weights do not fit its configuration: {faults[0]} ({len(faults)} such); copy "
            "the model again, or give another"
        )
    if any(not weights.isfinite().all() for weights in model.parameters()):
        raise InputError(
            f"{name}: its weights hold values that are not numbers; copy the model again, or train it anew"
        )
    return model


def _missing_head(model: Any, missing: set[str]) -> list[str]:
    """The names of a model's head, if the checkpoint has its encoder and nothing of its head. A head that is the
    encoder's own rows (tied ones) is there."""
    inner = {id(values) for values in model.base_model.parameters()}
    head: dict[int, list[str]] = {}
    for key, values in model.named_parameters(remove_duplicate=False):
        if id(values) not in inner:
            head.setdefault(id(values), []).append(key)
    names = {key for keys in head.values() for key in keys}
    is_whole = all(key in names or _MAY_LACK.search(key) for key in missing)
    return sorted(names & missing) if is_whole and all(missing.intersection(keys) for keys in head.values()) else []


def _faults(report: dict[str, Any], prefixes: tuple[str, ...]) -> list[str]:
    """What transformers reports of the weights under these prefixes: other shapes first, then missing ones."""
    mismatched = sorted(
        f"{key} is {tuple(shape)} and should be {tuple(expected)}"
        for key, shape, expected in report["mismatched_keys"]
        if key.startswith(prefixes)
    )
    missing = (key for key in report["missing_keys"] if key.startswith(prefixes) and not _MAY_LACK.search(key))
    return mismatched + sorted(f"they lack {key}" for key in missing)


def _encoder_prefixes(model: Any) -> list[str]:
    """Prefixes of the keys of a model's encoder; where it has no name, those of its parts."""
    if model.base_model_prefix:
        return [f"{model.base_model_prefix}."]
    return [f"{name}." for name, _ in model.base_model.named_children()]


def check_rows(name: str, encoder: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """Raise InputError where the tokenizer has more rows than the encoder."""
    rows = encoder.get_input_embeddings().weight.shape[0]
    needed = max(tokenizer.get_vocab().values(), default=-1) + 1
    if needed > rows:
        raise InputError(f"{name}: the tokenizer has {needed:,} rows and the model {rows:,}; they are not of one model")
