"""Fixtures that several rooms share."""

from __future__ import annotations

import http.server
import os
import shutil
import threading
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data():
    """The folder of public data sets; skipped, saying so, without it."""
    given = os.environ.get("GEC_FAIR_DATA")
    if not given:
        pytest.skip("needs GEC_FAIR_DATA, the folder of the public data sets")
    return Path(given)


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


@pytest.fixture
def chat(monkeypatch):
    """A chat server that answers as its `reply` says; the environment leads to it."""
    from tests.llm.server import Chat

    class Mine(Chat):
        asked, keys = [], set()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mine)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    yield Mine
    server.shutdown()
