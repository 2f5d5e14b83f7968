"""Files that torch saved elsewhere: read as data, never executed, and whatever is wrong with one said in a line."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from gec_fair.data.compression import check_archive
from gec_fair.errors import InputError


def load_foreign(path: Path, *, allowed: Sequence[Any] = ()) -> Any:
    """What torch saved there: tensors, plain values and, of Python's objects, those in `allowed` (classes, or pairs of
    one and the name that the file has for it). On the CPU; a file in torch's newer format is mapped, not copied.

    InputError for a file that cannot be read, is damaged, or holds another object.
    """
    try:
        path.open("rb").close()
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); give a checkpoint file") from fault
    try:
        check_archive(path)
        with torch.serialization.safe_globals(list(allowed)):
            return torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
    except InputError:
        raise
    except Exception as fault:  # a damaged file can make the unpickler stumble over anything
        raise InputError(_explain_refusal(path, fault)) from fault


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a file that holds nothing else, by name. InputError for any other file."""
    tensors = load_foreign(path)
    if not isinstance(tensors, Mapping) or not all(isinstance(values, torch.Tensor) for values in tensors.values()):
        raise InputError(
            f"{path}: holds other things than tensors by name; give the model's weights, not its training state"
        )
    return dict(tensors)


def rename(
    theirs: Mapping[str, torch.Tensor], names: Mapping[str, str], path: Path, *, title: str
) -> dict[str, torch.Tensor]:
    """The tensors under our names, by a table of prefixes; without poolers and positions, which hold nothing that is
    read. InputError, saying that it is not part of `title`, for a tensor that the table has no prefix for."""
    ours: dict[str, torch.Tensor] = {}
    for name, values in theirs.items():
        prefix = next((prefix for prefix in names if name.startswith(prefix)), None)
        if prefix is None:
            parts = ", ".join(f"{prefix}*" for prefix in names)
            raise InputError(f"{path}: {name} is not part of {title}; its checkpoints hold {parts}")
        ours_name = names[prefix] + name.removeprefix(prefix)
        if not ours_name.startswith("encoder.pooler.") and not ours_name.endswith("position_ids"):
            ours[ours_name] = values
    return ours


def fill(
    model: torch.nn.Module, tensors: Mapping[str, torch.Tensor], path: Path, *, why: str, assign: bool = False
) -> None:
    """Load tensors into a model; with `assign` they replace the model's. InputError, ending with `why`, if their names
    and shapes are not the model's."""
    shapes = {name: values.shape for name, values in model.state_dict().items()}
    wrong = {
        "lacks": shapes.keys() - tensors.keys(),
        "has in addition": tensors.keys() - shapes.keys(),
        "has in another shape": {
            name for name in shapes.keys() & tensors.keys() if shapes[name] != tensors[name].shape
        },
    }
    for problem, parts in wrong.items():
        if parts:
            raise InputError(f"{path}: {problem} {min(parts)} ({len(parts)} such): {why}")
    model.load_state_dict(dict(tensors), assign=assign)


def _explain_refusal(path: Path, fault: Exception) -> str:
    # of torch's own words only the reason: around it stands the advice to read such a file without the guard
    message = str(fault).rpartition("WeightsUnpickler error:")[2].strip()
    if "Unsupported global" in message or "Unsupported class" in message:
        refused = message.partition("GLOBAL ")[2].split(" ")[0] or "an object"
        return (
            f"{path}: holds {refused}, which would have to be executed to be read; give a file of tensors and plain "
            "values alone"
        )
    first = f"{type(fault).__name__}: {message.splitlines()[0][:120]}" if message else type(fault).__name__
    return f"{path}: is not a complete torch checkpoint ({first}); compare its size with the original and copy it again"
