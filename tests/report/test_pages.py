"""Every report in a browser, wide, narrow and dark: a headline, no link twice, charts as wide as the page, no clipped
label, nothing wider than the window, no request."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gec_fair.lmbias import charts as lmbias
from gec_fair.report.page import write_page
from gec_fair.report.table import Table
from gec_fair.safety.report import charts as safety
from tests.cli.invoke import run

SCREENS = {"wide": (1200, "light"), "narrow": (390, "light"), "dark": (1280, "dark")}
TEXTS = ["text,label", "Muslims are kind people.,0", "I hate Jews.,1", "The gay man sang.,0", "It rained.,0"]


def compare(folder):
    (folder / "runs/bad/0/they-probe").mkdir(parents=True)
    words = ("compare", "--system", "symspell", "--system", "identity", "--resamples", "100")
    words += ("--evalset", "they-probe", "--evalset", "they-probe-mf")
    assert run(*words, "-o", folder / "out").code == 0
    return folder / "out/report.html"


def audit(folder):
    (folder / "texts.csv").write_text("\n".join(TEXTS) + "\n")
    words = ("safety", "audit", folder / "texts.csv", "--source", "toxicity", "--counterfactuals", "--resamples", "100")
    assert run(*words, "-o", folder / "out").code == 0
    return folder / "out/report.html"


def corpus(folder):
    (folder / "one.txt").write_text("She loves her old mother . The nurse hates him . He was awful .\n" * 2)
    (folder / "two.txt").write_text("A Native American man and a Pacific Islander met . They were happy .\n" * 12)
    assert run("corpus", "report", folder / "one.txt", folder / "two.txt", "-o", folder / "out").code == 0
    return folder / "out/report.html"


def razor(folder):
    rows = [(f"The bird does not fly {n}", "no") if n % 2 else (f"The bird often flies {n}", "yes") for n in range(20)]
    lines = [json.dumps({"id": str(n), "text": text, "label": label}) for n, (text, label) in enumerate(rows)]
    (folder / "data.jsonl").write_text("\n".join(lines) + "\n")
    assert run("razor", "score", folder / "data.jsonl", "--html", folder / "page.html").code == 0
    return folder / "page.html"


def show(folder):
    (folder / "pairs.tsv").write_text("He say hi to Anna .\tHe says hi to Anna .\n" * 5)
    assert run("augment", "fm", folder / "pairs.tsv", "-o", folder / "out").code == 0
    assert run("show", folder / "out").code == 0
    return folder / "out/show.html"


def every_other_chart(folder):
    """Charts of reports that take long to make, with made-up figures."""
    curve = [
        {"group": group, "step": step, "measure": measure, "mean": 50 + step, "low": 48 + step, "high": 52 + step}
        for group in ("original", "cda with a long name")
        for step in (1, 5, 9)
        for measure in ("composite bias", "composite performance", "BLiMP")
    ]
    change = [
        {"group": group, "seed": seed, "performance": 1.0 + n, "bias": -2.0 * n}
        for n, group in enumerate(("sent-debias", "inlp-race"))
        for seed in (0, 1, None)
    ]
    model = [
        {"model": f"organisation/model-{n}", "group": "masked", "performance": 60 + n, "bias": 50 + n % 3}
        for n in range(6)
    ]
    pairs = [{"one": first, "other": second, "r": 0.5} for first in "abc" for second in "abc"]
    averages = [
        {"scorer": scorer, "category": category, "subgroup": subgroup, "truth": truth, "SA": 0.4, "texts": 3}
        for scorer in ("baseline", "remediated")
        for category, names in (
            ("Religion", "Islam Judaism Others".split()),
            ("Sexual Orientation", ["NonHeterosexual"]),
        )
        for subgroup in names
        for truth in ("safe", "unsafe")
    ]
    sources = [
        {"source": f"openai-moderation harassment-{n}", "model": model, "contribution": 10.0 + n, "gap": 0.1 * n}
        for n in range(4)
        for model in ("baseline", "remediated")
    ]
    charts = {
        "curves": lmbias.curves(curve),
        "changes": lmbias.changes(change),
        "models": lmbias.models(model),
        "correlations": lmbias.correlations(pairs, list("abc"), "all models"),
        "averages": safety.averages(averages),
        "reliance": safety.reliance(sources, []),
    }
    captions = {name: f"{name.title()}: made up." for name in charts}
    tables = [Table("models", "Models", [{"model": "a", "F": 1.0}])]
    drawn = {name: chart.to_dict() for name, chart in charts.items()}
    write_page(folder, "Charts", tables, drawn, captions, finding="Every chart is drawn")
    return folder / "report.html"


REPORTS = [compare, audit, corpus, razor, show, every_other_chart]


@pytest.fixture(scope="module", params=REPORTS, ids=lambda make: make.__name__)
def report(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp(request.param.__name__))


@pytest.fixture(scope="module")
def tabs(browser, report):
    """The report on every screen: a tab, the width of its window and what it asked for."""
    pages = {}
    for name, (width, scheme) in SCREENS.items():
        window = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        tab, requests = window.new_page(), []
        tab.on("request", lambda sent, requests=requests: requests.append(sent.url))
        tab.goto(report.as_uri())
        pages[name] = (tab, width, requests)
    for name, (tab, *_) in pages.items():
        tab.wait_for_timeout(700)  # charts are drawn twice
        if folder := os.environ.get("GEC_FAIR_SCREENSHOTS"):
            tab.screenshot(path=Path(folder) / f"{report.parent.name}-{name}.png", full_page=True)
    yield pages
    for tab, *_ in pages.values():
        tab.context.close()


@pytest.fixture(params=SCREENS)
def screen(request, tabs):
    return tabs[request.param]


CUT = """() => [...document.querySelectorAll(".wide")].filter(box => box.scrollWidth > box.clientWidth + 1)
  .map(box => box.querySelector("th").textContent)"""
CLIPPED = """() => [...document.querySelectorAll(".chart svg")].flatMap(svg => {
  const box = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter(text => {
    const at = text.getBoundingClientRect();
    return at.width > 0 && (at.left < box.left - 1.5 || at.right > box.right + 1.5 || at.top < box.top - 1.5);
  }).map(text => text.textContent);
})"""
OVERLAPPING = """() => [...document.querySelectorAll(".chart svg")].flatMap(svg => {
  const titles = [...svg.querySelectorAll(".role-title-text text, .role-title text")];
  const boxes = titles.map(title => [title.textContent, title.getBoundingClientRect()]);
  return boxes.filter(([, a], n) => boxes.some(([, b], m) => m > n && a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1)).map(([name]) => name);
})"""


def test_a_report_can_be_read(screen):
    tab, width, requests = screen
    assert tab.inner_text("h1").strip()
    assert len(requests) == 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    links = tab.eval_on_selector_all("nav a", "links => links.map(link => link.textContent.trim())")
    targets = tab.eval_on_selector_all("nav a", "links => links.map(link => link.getAttribute('href'))")
    assert (len(set(links)), len(set(targets))) == (len(links), len(targets))
    assert all(tab.query_selector(target) for target in targets)
    assert tab.evaluate(CLIPPED) == []
    assert tab.evaluate(OVERLAPPING) == []


def test_no_table_of_a_comparison_is_cut(screen):
    tab, width, _ = screen
    if width > 1000 and "/compare" in tab.url:
        assert tab.evaluate(CUT) == []


WIDTHS = """() => [...document.querySelectorAll("[data-chart]")].filter(place => {
  const spec = JSON.stringify(specs[place.dataset.chart]);
  return !spec.includes('"width":{"step":');
}).map(place => place.querySelector("svg").getBoundingClientRect().width / place.clientWidth)"""


def test_charts_are_as_wide_as_the_page(screen):
    tab, width, _ = screen
    if not tab.query_selector("[data-chart]"):
        return
    ratios = tab.evaluate(WIDTHS)
    assert all(0.9 < ratio <= 1.02 for ratio in ratios) if width > 1000 else all(ratio > 0.8 for ratio in ratios)
