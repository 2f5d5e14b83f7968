"""Where a model computes, how precisely, and one vector for a text from the states of its sub-words."""

from __future__ import annotations

from typing import Literal

import torch

from gec_fair.errors import MissingResource
from gec_fair.models.options import Precision

Pool = Literal["mean", "first"]


def has_gpu() -> bool:
    """Whether torch sees a GPU."""
    return torch.cuda.is_available()


def choose_device(name: str | None = None) -> torch.device:
    """The device of that name; by default the GPU, or the CPU where torch sees no GPU."""
    return torch.device(name or ("cuda" if has_gpu() else "cpu"))


def require_gpu(source: str, remedy: str) -> None:
    """Raise MissingResource where torch sees no GPU. `source`: what demands one (`options`); `remedy`: what to do
    instead of installing one."""
    if not has_gpu():
        raise MissingResource(
            f"the {source} demand a GPU and torch sees none; install a torch build for your GPU and driver, or {remedy}"
        )


def choose_dtype(device: torch.device) -> torch.dtype:
    """The precision to generate text in: half on a GPU, full on a CPU. Scores are always computed in full."""
    return torch.bfloat16 if device.type == "cuda" else torch.float32


def trains_in_bf16(precision: Precision, device: Literal["cuda", "cpu"]) -> bool:
    """Whether training computes in half precision; `auto` does so where the hardware multiplies bf16 quickly."""
    return precision == "bf16" or (precision == "auto" and _has_fast_bf16(device))


def _has_fast_bf16(device: Literal["cuda", "cpu"]) -> bool:
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    try:  # AMX multiplies bf16 an order of magnitude faster than fp32; without it, bf16 on a CPU is slower
        return bool(torch.cpu._is_amx_tile_supported())
    except AttributeError:
        return False


def pool_states(states: torch.Tensor, pool: Pool = "mean", *, mask: torch.Tensor | None = None) -> torch.Tensor:
    """(texts, width) from last states (texts, sub-words, width): their mean over the sub-words that `mask` (texts,
    sub-words) marks with 1, or over all of them, special ones too; or the state of the `first` one."""
    if pool == "first":
        return states[:, 0]
    if mask is None:
        return states.mean(1)
    marked = mask[..., None].float()
    return (states * marked).sum(1) / marked.sum(1).clamp(min=1)
