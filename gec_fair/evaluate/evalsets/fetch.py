"""Download public evaluation sets into the user's cache. Whole, or not there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from gec_fair.data.download import HOST, gather
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.evaluate.evalsets import catalogue
from gec_fair.evaluate.evalsets.catalogue import ENDINGS, EvalSet
from gec_fair.evaluate.scoring.texts import check_count, check_sources, read_reference, read_texts


def get(name: str, *, offline: bool = False, host: str | None = None) -> EvalSet:
    """Download a known public set unless it is here, and check sha256 and number of lines of each file.

    Files are gathered beside their place and moved there when all are right, so that a stopped download continues and
    half a set is never found. `host` (or `GEC_FAIR_MIRROR`) stands for raw.githubusercontent.com.
    """
    entry = catalogue.read_known().get(name)
    if entry is None:
        public = ", ".join(n for n, e in catalogue.read_known().items() if "repository" in e)
        raise UsageError(f"no evaluation set is called {name!r}; to be fetched: {public}")
    with suppress(MissingResource):
        return catalogue.find(name)
    if "repository" not in entry:
        return catalogue.find(name)  # says how to get it
    base = "/".join(
        (host or os.environ.get("GEC_FAIR_MIRROR") or HOST, entry["repository"], entry["commit"], entry["folder"])
    )
    final = catalogue.own_folder() / name
    urls = {stem + ending: f"{base}/{stem}{ending}" for stem in (entry["orig"], entry["aug"]) for ending in ENDINGS}

    def check_both_sides(folder: Path) -> None:
        for stem in (entry["orig"], entry["aug"]):
            check(catalogue.side(folder, stem), entry["items"])

    gather(urls, entry["sha256"], final, forbidden=offline, check=check_both_sides)
    return catalogue.find(name)


def check(side: catalogue.Side, items: int) -> None:
    """The three files belong together and have so many sentences; InputError says where they do not."""
    reference = read_reference(side.m2)
    if len(reference) != items:
        raise InputError(f"{side.m2}: {len(reference)} sentences, expected {items}; get the file again")
    check_sources(side.source, read_texts(side.source), reference)
    if side.target is not None:
        mine, theirs = read_texts(side.target), read_texts(side.m2)
        check_count(side.target, mine, reference)
        for line, (a, b) in enumerate(zip(mine, theirs, strict=True), start=1):
            if a != b:
                raise InputError(
                    f"{side.target}:{line}: is not what the edits of {side.m2.name} give\n  here   "
                    f"{' '.join(a)}\n  there  {' '.join(b)}"
                )
