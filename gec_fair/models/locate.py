"""Where a model is: a folder, or a name on the Hugging Face hub.

`name@revision` pins a branch, a tag or a commit of the hub's repository. Imports neither torch nor, before a name is
looked up, transformers.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from gec_fair.data.download import offline
from gec_fair.errors import GecFairError, InputError, MissingResource

CONFIG = "config.json"
_PATIENCE = 2.0  # seconds
_TRAINED = "best"
"""What a training's folder calls its model (`trainer.records.BEST`)."""
_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
"""What the hub can have: owner/model, or a model alone. All else is a path."""


def resolve(name: str) -> tuple[str, dict[str, Any]]:
    """The folder or hub name, and the keyword arguments, that `from_pretrained` takes. A name that is not a folder is
    looked up on the hub, and a line on stderr says so; offline, only Hugging Face's cache counts. Raises
    MissingResource, without a look-up, for a name that is neither a folder nor a possible hub name."""
    if Path(name).is_dir():
        return name, {}
    plain, at, revision = name.partition("@")
    if not _HUB_NAME.fullmatch(plain):
        remedy = "write the home directory out, only a shell reads ~" if name.startswith("~") else "check the path"
        raise MissingResource(
            f"{name}: no model folder is there, and no model of the hub (owner/model) has such a name; {remedy}"
        )
    pinned = {"revision": revision} if at else {}
    if offline() or not _is_on_hub(name, plain, revision or None):
        return plain, {"local_files_only": True, **pinned}
    return plain, pinned


def read_pretrained(reader: Any, name: str, **options: Any) -> Any:
    """`reader.from_pretrained` of a model's configuration, tokenizer or weights: the only call of it in the package.

    A folder's own Python code (`auto_map`) is never run, and its weights are never unpickled. Raises what transformers
    raises, MissingResource as `resolve` does.
    """
    place, arguments = resolve(name)
    return reader.from_pretrained(place, trust_remote_code=False, **options, **arguments)


def find_model(*names: str) -> None:
    """Look for models before torch is imported. Raises MissingResource as `resolve` does, within seconds."""
    for name in names:
        resolve(name)


def model_file(name: str, filename: str) -> Path | None:
    """Another file of a model, from its folder or the hub. None where the model does not have it, or where we are
    offline and the cache does not have it. Raises MissingResource where the hub cannot be reached."""
    if Path(name).is_dir():
        path = Path(name) / filename
        return path if path.is_file() else None
    from transformers.utils import cached_file

    place, arguments = resolve(name)
    try:
        path_of_copy = cached_file(
            place,
            filename,
            _raise_exceptions_for_missing_entries=False,
            _raise_exceptions_for_connection_errors=not offline(),
            **arguments,
        )
    except OSError as fault:
        raise model_error(name, fault) from fault
    return None if path_of_copy is None else Path(path_of_copy)


def commit_of(name: str) -> str | None:
    """The commit that a hub name means now, for a branch moves. None for a folder, and offline for what the cache does
    not have."""
    path = None if Path(name).is_dir() else model_file(name, CONFIG)
    return None if path is None else path.parent.name  # …/snapshots/COMMIT/config.json


def model_error(name: str, fault: BaseException) -> GecFairError:
    """The error for a model that cannot be read: what is wrong with the folder, or why the hub has no such name."""
    folder = Path(name)
    if "trust_remote_code" in str(fault):
        return InputError(
            f"{name}: the model has Python code in its folder (auto_map in its JSON files), which is never run; give a "
            "model of a kind that transformers knows"
        )
    if folder.is_dir():
        reason = first_line(fault) if (folder / CONFIG).is_file() else f"it holds no {CONFIG}"
        remedy = "give the folder of a model that transformers can load"
        if (folder / _TRAINED / CONFIG).is_file():  # a training's folder
            remedy = f"did you mean {folder / _TRAINED}?"
        return InputError(f"{name}: is a folder, but no model can be read from it ({reason}); {remedy}")
    reason = first_line(fault)
    if offline():
        reason = f"downloads are forbidden, GEC_FAIR_OFFLINE, and the cache does not have it: {reason}"
    return MissingResource(
        f"{name}: no model folder, and no model of that name can be had ({reason}); give the folder "
        "of a model that transformers can load"
    )


def first_line(fault: BaseException) -> str:
    """The first line of an exception's message; its class where the message is empty."""
    message = str(fault).strip()
    return message.splitlines()[0][:200] if message else type(fault).__name__


@lru_cache(maxsize=64)
def _is_on_hub(name: str, plain: str, revision: str | None) -> bool:
    """Ask the hub once, without retries. False where it does not answer but Hugging Face's cache has the model.

    Raises MissingResource if neither has it.
    """
    from huggingface_hub import HfApi, try_to_load_from_cache

    print(f"{name} is not a local folder: asking the Hugging Face hub (or its cache) for it", file=sys.stderr)
    try:
        HfApi().model_info(plain, revision=revision, timeout=_PATIENCE)
    except Exception as fault:  # of HTTP clients that the hub's library may change
        if isinstance(try_to_load_from_cache(plain, CONFIG, revision=revision), str):
            return False
        raise model_error(name, fault) from fault
    return True
