"""Models by folder or by hub name: which it is, whether it may be fetched, and that it is said.

`name@revision` pins a branch, a tag or a commit of the hub's repository.
"""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import torch
from transformers import AutoConfig, PreTrainedTokenizerBase

from gec_fair.corpus.fetch import offline
from gec_fair.errors import MissingResource

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


def tokenizer_text(tokenizer: PreTrainedTokenizerBase) -> str:
    """What decides how words are cut."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return backend.to_str() if backend is not None else json.dumps(tokenizer.get_vocab(), sort_keys=True)


@lru_cache(maxsize=64)
def _say(name: str) -> None:
    print(f"{name} is no folder here: asking the Hugging Face hub (or its cache) for it", file=sys.stderr)
