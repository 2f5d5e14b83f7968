"""Public data sets by name: in a folder of the user's, in the cache, or to be fetched from their authors at one commit.

$GEC_FAIR_DATA/bias/NAME   then   CACHE/data/NAME
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from gec_fair.config.suggest import closest
from gec_fair.config.values import read_toml
from gec_fair.data.download import HOST, gather
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.runs.json_files import parse_json

_MANIFEST = Path(__file__).with_name("public.toml")


@cache
def read_catalogue() -> Mapping[str, Mapping[str, Any]]:
    """Name → repository, commit, licence, files and their sha256."""
    return read_toml(_MANIFEST, "reinstall gec-fair")


def find(name: str, cached: Path) -> Path:
    """The folder of a data set, which is not empty. MissingResource, with the command that gets it, where it is not
    here; UsageError for a name that is none. `cached`: where fetched ones lie."""
    _entry(name)
    folder = os.environ.get("GEC_FAIR_DATA")
    places = [*([Path(folder) / "bias" / name] if folder else []), cached / name]
    for place in places:
        if place.is_dir() and any(place.iterdir()):
            return place
    raise MissingResource(f"{name} is not here ({', '.join(map(str, places))}); gec-fair data fetch {name}")


def fetch(name: str, cached: Path, *, offline: bool = False, host: str | None = None) -> Path:
    """The folder of a data set, fetched unless it is here. `host` (or `GEC_FAIR_MIRROR`) stands for
    raw.githubusercontent.com. MissingResource where it cannot be had, InputError for bytes that are others."""
    entry = _entry(name)
    final = cached / name
    if not final.is_dir():
        base = "/".join((host or os.environ.get("GEC_FAIR_MIRROR") or HOST, entry["repository"], entry["commit"]))
        urls = {file: f"{base}/{remote}" for file, remote in entry["files"].items()}
        gather(urls, entry.get("sha256", {}), final, forbidden=offline, check=partial(_check_counts, name, entry))
    return final


def _check_counts(name: str, entry: Mapping[str, Any], folder: Path) -> None:
    """InputError where a file without a sha256 has not as many items, or bytes, as are known."""
    for file, size in entry.get("bytes", {}).items():
        if (actual := (folder / file).stat().st_size) != size:
            (folder / file).unlink()
            raise InputError(f"{name}: {file} has {actual:,} bytes, and {size:,} are known; fetch it again later")
    for file, wanted in entry.get("counts", {}).items():
        try:
            data = parse_json((folder / file).read_text(encoding="utf-8"))["data"]
            sizes = {part: len(data[part]) for part in wanted}
        except (ValueError, KeyError, TypeError) as fault:
            (folder / file).unlink()
            raise InputError(
                f"{name}: {file} is not what its authors gave out ({fault}); fetch it again later"
            ) from fault
        if sizes != wanted:
            (folder / file).unlink()
            raise InputError(f"{name}: {file} has {sizes} items, and {dict(wanted)} are known; fetch it again later")


def _entry(name: str) -> Mapping[str, Any]:
    known = read_catalogue()
    if name not in known:
        raise UsageError(f"no data set is called {name!r}{closest(name, known)}; there are {', '.join(known)}")
    return known[name]
