"""Download a file whole or not at all (pooch): to a temporary name, checked, renamed; never when offline."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gec_fair.errors import InputError, MissingResource
from gec_fair.extras import require

_TIMEOUT = 60  # seconds without an answer


def offline() -> bool:
    """Whether `GEC_FAIR_OFFLINE` forbids downloads."""
    return os.environ.get("GEC_FAIR_OFFLINE", "") not in ("", "0")


def fetch(url: str, path: Path, *, sha256: str | None = None, forbidden: bool = False) -> Path:
    """Get `url` into `path`, with a progress bar; a file that is there and whole is not fetched again.

    Raises MissingResource where downloads are forbidden or the address does not answer, InputError where the bytes
    are not the published ones; nothing is left behind then.
    """
    if forbidden or offline():
        raise MissingResource(f"{path.name} is not here and downloads are forbidden (--offline, GEC_FAIR_OFFLINE); "
                              f"get {url} elsewhere and put it into {path.parent}")  # fmt: skip
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
        raise MissingResource(f"{url}: cannot be fetched ({fault}); try again later, or put the file into "
                              f"{path.parent}") from fault  # fmt: skip
    except ValueError as fault:  # pooch's word for a wrong hash
        raise InputError(f"{url}: is not the published file (its sha256 differs); nothing was kept. If a proxy or a "
                         f"mirror is between, get it from its source") from fault  # fmt: skip
    return path
