"""Fixtures that several rooms share."""

from __future__ import annotations

import shutil

import pytest


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium, headless, through Playwright; skipped, saying so, where either is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="page tests need playwright")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("page tests need a Chromium; Debian's package is called chromium")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()
