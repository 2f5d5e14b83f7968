"""Models by folder or by hub name: which it is, whether it may be fetched, and that it is said.

`name@revision` pins a branch, a tag or a commit of the hub's repository.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from gec_fair.corpus.fetch import offline
from gec_fair.errors import MissingResource


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


@lru_cache(maxsize=64)
def _say(name: str) -> None:
    print(f"{name} is no folder here: asking the Hugging Face hub (or its cache) for it", file=sys.stderr)
