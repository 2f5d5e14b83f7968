"""The site is built without a warning, offline, and asks nothing of other hosts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gec_fair as gf
from tests import shared
from tests.docs.blocks import ROOT
from tests.docs.test_pages import PAGES

ADDRESSES = ROOT / "tests/docs/addresses.txt"


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site that `make docs` has built, where GEC_FAIR_SITE names it; else one that is built here."""
    return Path(os.environ.get("GEC_FAIR_SITE") or shared.once(tmp_path_factory, "site", build))


def build(folder):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_every_page_is_on_the_site(site):
    for page in PAGES:
        if page.is_relative_to(ROOT / "docs"):
            assert (site / page.relative_to(ROOT / "docs")).with_suffix(".html").is_file()


def test_a_command_has_a_heading_its_usage_examples_and_a_table_of_options(site):
    page = (site / "reference/cli.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]*>", "", page.partition('id="safety-audit"')[2].partition("<h4")[0])
    assert "gec-fair safety audit [OPTIONS] TABLE" in text
    assert "gec-fair safety audit texts.csv --source" in text
    assert re.search(r"<td><code>-o, --output DIR</code></td>\s*<td>\w", page)


def test_the_functions_are_on_the_site_and_what_they_return_is_not_cut(site):
    page = (site / "reference/functions.html").read_text(encoding="utf-8")
    for name in ("augment", "augment_corpus", "gap", "measure", "perturb_corpus", "load_system"):
        assert re.search(rf'id="gec_fair\.[\w.]*\.{name}"', page), name
    text = " ".join(re.sub(r"<[^>]*>", "", page).split())
    for function in (gf.augment, gf.gap, gf.perturb, gf.rewrite):
        returned = re.search(r"Returns:\n(.*?)\n\n", function.__doc__, re.DOTALL)[1]
        assert " ".join(returned.replace("`", "").split()) in text


def test_a_notebook_is_a_page_with_its_code_and_its_outputs(site):
    page = (site / "notebooks/augmentation.html").read_text(encoding="utf-8")
    assert "Swap feminine and masculine words</h2>" in re.sub(r"<a .*?</a>", "", page)
    assert "<del style" in page or "<del>" in page
    assert "gec_fair" in page


@pytest.mark.parametrize("name", ["index.html", "reference/functions.html", "notebooks/gap-report.html"])
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


def test_the_search_works_from_the_disk(site, browser):
    tab = browser.new_page()
    tab.goto((site / "index.html").as_uri())
    tab.click(".md-search__input")
    tab.keyboard.type("neopronoun")
    tab.wait_for_selector(".md-search-result__item", state="attached", timeout=20_000)
    assert "matching documents" in tab.inner_text(".md-search-result__meta")
    tab.close()


def test_the_addresses_outside_are_listed():
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    addresses = {address for text in texts for address in re.findall(r"\]\((https?://[^)\s]+)\)", text)}
    assert addresses == set(ADDRESSES.read_text(encoding="utf-8").split())
