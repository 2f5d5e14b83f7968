"""The site is built without a warning, offline, and asks nothing of other hosts."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT
from tests.docs.test_pages import PAGES

ADDRESSES = ROOT / "tests/docs/addresses.txt"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return folder


def test_every_page_is_on_the_site(site):
    for page in PAGES:
        if page.is_relative_to(ROOT / "docs"):
            assert (site / page.relative_to(ROOT / "docs")).with_suffix(".html").is_file()


def test_the_command_line_and_the_functions_are_on_the_site(site):
    commands = (site / "reference/cli.html").read_text(encoding="utf-8")
    assert "gec-fair safety audit texts.csv --source" in commands.replace("&#39;", "'")
    functions = (site / "reference/functions.html").read_text(encoding="utf-8")
    for name in ("augment", "augment_corpus", "gap", "measure", "perturb_corpus", "load_system"):
        assert re.search(rf'id="gec_fair\.[\w.]*\.{name}"', functions), name


@pytest.mark.parametrize("name", ["index.html", "reference/functions.html", "tutorials/index.html"])
def test_a_page_makes_no_request_outside(site, browser, name):
    tab = browser.new_page()
    addresses = []
    tab.on("request", lambda request: addresses.append(request.url))
    tab.goto((site / name).as_uri())
    tab.wait_for_timeout(500)
    assert addresses
    assert [address for address in addresses if not address.startswith(("file:", "data:", "blob:"))] == []
    assert tab.inner_text("h1").strip()
    tab.close()


def test_the_addresses_outside_are_listed():
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    addresses = {address for text in texts for address in re.findall(r"\]\((https?://[^)\s]+)\)", text)}
    assert addresses == set(ADDRESSES.read_text(encoding="utf-8").split())
