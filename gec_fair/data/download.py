"""Download a file whole or not at all (pooch): to a temporary name, checked, renamed; never when offline."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from gec_fair.errors import InputError, MissingResource
from gec_fair.extras import require
from gec_fair.runs.atomic import sync
from gec_fair.runs.digests import file_digest

HOST = "https://raw.githubusercontent.com"
PARTIAL = ".partial"  # ends the name of a folder until it is whole
_TIMEOUT = 60  # seconds without an answer


def offline() -> bool:
    """Whether `GEC_FAIR_OFFLINE` forbids downloads."""
    return os.environ.get("GEC_FAIR_OFFLINE", "") not in ("", "0")


def fetch(url: str, path: Path, *, sha256: str | None = None, forbidden: bool = False) -> Path:
    """Get `url` into `path`, with a progress bar; a file that is there and whole is not fetched again.

    Raises MissingResource where the file is not there and downloads are forbidden or the address does not answer,
    InputError where the bytes are not the published ones; nothing is left behind then.
    """
    if forbidden or offline():
        if path.is_file():
            return _check(path, sha256)
        raise _forbidden(path.name, {url: path})
    require("downloading", "evaluate", "pooch", "requests")
    import pooch
    from requests import RequestException

    pooch.get_logger().setLevel("WARNING")
    bar = sys.stderr.isatty()
    try:
        pooch.retrieve(
            url,
            known_hash=f"sha256:{sha256}" if sha256 else None,
            fname=path.name,
            path=path.parent,
            downloader=pooch.HTTPDownloader(progressbar=bar, timeout=_TIMEOUT),
        )
    except RequestException as fault:
        raise MissingResource(
            f"{url}: cannot be fetched ({fault}); try again later, or put the file into {path.parent}"
        ) from fault
    except ValueError as fault:  # pooch's word for a wrong hash
        raise InputError(
            f"{url}: is not the published file (its sha256 differs); nothing was kept. If a proxy or a "
            f"mirror is between, get it from its source"
        ) from fault
    return path


def _forbidden(name: str, wanted: Mapping[str, Path]) -> MissingResource:
    """The error that names the addresses and where their files belong."""
    listing = "\n".join(f"{url} → {path}" for url, path in wanted.items())
    return MissingResource(
        f"{name} is not here and downloads are forbidden (--offline, GEC_FAIR_OFFLINE); get what is "
        f"missing elsewhere, and run the same command again: {listing}"
    )


def _check(path: Path, sha256: str | None) -> Path:
    if sha256 and file_digest(path)["sha256"] != sha256:
        raise InputError(f"{path}: is not the published file (its sha256 differs); get it from its source again")
    return path


def gather(
    urls: Mapping[str, str],
    sha256: Mapping[str, str],
    final: Path,
    *,
    forbidden: bool = False,
    check: Callable[[Path], object] = lambda folder: None,
) -> Path:
    """Files (name → address; a name may have folders) into the folder `final`, which is there when all are right and
    `check` has not objected: a stopped download continues, and half a set is never found. Raises as `fetch` does."""
    waiting = final.with_name(final.name + PARTIAL)
    for name in urls:
        (waiting / name).parent.mkdir(parents=True, exist_ok=True)
    missing = {url: waiting / name for name, url in urls.items() if not (waiting / name).is_file()}
    if missing and (forbidden or offline()):
        raise _forbidden(final.name, missing)
    for name, url in urls.items():
        fetch(url, waiting / name, sha256=sha256.get(name), forbidden=forbidden)
    for path in waiting.rglob("*"):
        if path.is_file() and str(path.relative_to(waiting)) not in urls:  # the half file of a download that was killed
            path.unlink()
    check(waiting)
    move(waiting, final)
    return final


def move(waiting: Path, final: Path) -> None:
    """A folder to its place, on disk when this returns."""
    os.replace(waiting, final)
    sync(final.parent)
