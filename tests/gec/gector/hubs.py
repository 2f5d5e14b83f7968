"""The Hugging Face cache as it is after a download, so that a hub name can be used without the hub."""

from __future__ import annotations

import shutil
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def cache_model(model: Path, name: str, cache: Path, monkeypatch) -> str:
    """Make `name` (owner/model) stand for a model's folder in the cache, and forbid downloads."""
    folder = cache / f"models--{name.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs/main").write_text(COMMIT)
    shutil.copytree(model, folder / "snapshots" / COMMIT)
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
    return name
