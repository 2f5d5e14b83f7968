"""Package metadata that depends on the repository's address: the project's URLs, and the README's links.

The address is in pyproject.toml, `[tool.hatch.metadata.hooks.custom] repository`. While it is empty there are no URLs,
and links stay relative.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^\]]*\]\()(?!https?:|#)([^)\s]+)\)")


class Metadata(MetadataHookInterface):
    """Sets `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the dynamic fields."""
        root = Path(self.root)
        repository = str(self.config.get("repository", "")).rstrip("/")
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": make_absolute(text, repository)}
        metadata["urls"] = make_urls(repository)


def make_urls(repository: str) -> dict[str, str]:
    """The project's URLs; none without an address."""
    if not repository:
        return {}
    return {
        "Repository": repository,
        "Documentation": f"{repository}/tree/main/docs",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def make_absolute(text: str, repository: str) -> str:
    """Markdown whose relative links lead to the repository; unchanged without an address."""
    if not repository:
        return text

    def replace(match: re.Match[str]) -> str:
        place = "raw" if match[1] else "blob"
        return f"{match[1]}{match[2]}{repository}/{place}/main/{match[3]})"

    return _LINK.sub(replace, text)
