"""Fixtures that several folders share, and the environment that every test runs in.

A test sees the public data sets only if it uses the `data` fixture, which marks it `data`; without that mark,
GEC_FAIR_DATA is unset. In the same way, the fixture `weights` marks the tests that need pretrained weights. No test
sees the user's cache: GEC_FAIR_CACHE is a new folder in each run.
"""

from __future__ import annotations

import gc
import http.server
import os
import shutil
import tempfile
import threading
from collections import Counter
from pathlib import Path

import pytest

DATA = os.environ.get("GEC_FAIR_DATA")
WEIGHTS = os.environ.get("GEC_FAIR_WEIGHTS")
REMEDIES = {
    "needs the public data sets": "set GEC_FAIR_DATA to their folder (CONTRIBUTING.md lists it)",
    "needs pretrained weights": "run make weights, and set GEC_FAIR_WEIGHTS to their folder",
    "needs a GPU": "run on a machine with CUDA",
    "needs a browser": "install Debian's package chromium",
    "needs Node": "install Node 20 or newer and run make harper",
}
MISREAD = Path(__file__).with_name("people") / "misread.txt"
"""Constructed cases that the reader of people gets wrong: expected failures, until one is right."""
MACHINE = ("needs a GPU", "needs a browser", "needs Node")


def pytest_addoption(parser):
    parser.addoption(
        "--fail-on-skip", action="store_true", help="fail if a test is skipped, except for a GPU, a browser or Node"
    )
    parser.addoption("--fifth", type=int, metavar="N", help="of the slow tests, run those of this fifth alone (0 to 4)")


def pytest_configure(config):
    if hasattr(config, "workerinput"):
        return  # the worker has inherited the environment
    from gec_fair.gec.systems import harper

    os.environ["GEC_FAIR_HARPER"] = str(harper.folder())  # installed by `make harper`, before the cache is replaced
    os.environ["GEC_FAIR_CACHE"] = tempfile.mkdtemp(prefix="gec_fair-cache-")
    config.add_cleanup(lambda: shutil.rmtree(os.environ["GEC_FAIR_CACHE"], ignore_errors=True))


@pytest.hookimpl(tryfirst=True)
def pytest_collection():
    """Which tests there are does not depend on the data sets."""
    os.environ.pop("GEC_FAIR_DATA", None)


def pytest_collection_finish():
    """Keep all modules out of the garbage collections to come: each training begins with a whole one."""
    gc.collect()
    gc.freeze()


def fifths(slow):
    """Five lists of tests that take about the same time: the longest first, each to the list that has least."""
    lists, totals = [[] for _ in range(5)], [0] * 5

    def seconds(item):
        mark = item.get_closest_marker("slow")
        return mark.args[0] if mark.args else 7  # most take 3 to 14

    for item in sorted(slow, key=seconds, reverse=True):
        least = totals.index(min(totals))
        lists[least].append(item)
        totals[least] += seconds(item)
    return lists


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    misread = set(MISREAD.read_text(encoding="utf-8").splitlines()) if MISREAD.is_file() else ()
    for item in items:
        for name in {"data", "weights"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(name)
        if item.nodeid in misread:
            item.add_marker(pytest.mark.xfail(strict=True, reason="the reader of people misreads it"))
    fifth = config.getoption("fifth")
    if fifth is not None:
        slow = {item for item in items if item.get_closest_marker("slow")}
        left_out = slow - {*fifths([item for item in items if item in slow])[fifth]}
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if DATA and item.get_closest_marker("data"):
        os.environ["GEC_FAIR_DATA"] = str(Path(DATA).resolve())
    else:
        os.environ.pop("GEC_FAIR_DATA", None)


def _skipped(reporter):
    """Reason → number of skipped tests."""
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reporter.stats.get("skipped", []))


def _forbidden(reporter):
    """The reasons for which no test may be skipped under --fail-on-skip."""
    return [reason for reason in _skipped(reporter) if not reason.startswith(MACHINE)]


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and session.config.getoption("fail_on_skip") and _forbidden(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return (yield)


def _seconds(reporter):
    """The time of the quick tests and of the slow ones, as all workers together needed it."""
    seconds = Counter()
    for reports in reporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds["slow" if "slow" in report.keywords else "quick"] += report.duration
    return seconds


def pytest_terminal_summary(terminalreporter, config):
    seconds = _seconds(terminalreporter)
    terminalreporter.write_line(f"quick tests {seconds['quick']:.0f} s, slow tests {seconds['slow']:.0f} s")
    counts = _skipped(terminalreporter)
    parts = []
    for start, remedy in REMEDIES.items():
        if number := sum(counts[reason] for reason in counts if reason.startswith(start)):
            parts.append(f"{number} {start.replace('needs', 'need')}: {remedy}")
    others = [reason for reason in counts if not reason.startswith(tuple(REMEDIES))]
    parts += [f"{counts[reason]}: {reason}" for reason in others]
    if parts:
        terminalreporter.write_line(f"skipped {sum(counts.values())} tests; {'; '.join(parts)}")
    if config.getoption("fail_on_skip") and (forbidden := _forbidden(terminalreporter)):
        terminalreporter.write_line(f"--fail-on-skip allows none of: {'; '.join(forbidden)}", red=True)


@pytest.fixture(scope="session")
def data():
    """The folder of public data sets, absolute; the test is skipped without it."""
    if not DATA:
        pytest.skip("needs the public data sets")
    return Path(DATA).resolve()


@pytest.fixture(scope="session")
def weights():
    """The folder of pretrained weights of a name of `training/weights.py`; the test is skipped without it."""

    def folder_of(name):
        folder = Path(WEIGHTS or "", name).resolve()
        if not WEIGHTS or not folder.is_dir():
            pytest.skip(f"needs pretrained weights: {name}")
        return folder

    return folder_of


@pytest.fixture(scope="session")
def _bias_sets(tmp_path_factory):
    from tests.lmbias import bias_sets

    return bias_sets.write(tmp_path_factory.mktemp("sets"))


@pytest.fixture
def bias_sets(_bias_sets, monkeypatch):
    """Small suites of our own in the place of the public ones."""
    monkeypatch.setenv("GEC_FAIR_DATA", str(_bias_sets))


@pytest.fixture(scope="session")
def masked(tmp_path_factory):
    """The folder of a small masked language model."""
    from tests.gec.gector import tiny

    return tiny.make_masked(tmp_path_factory.mktemp("masked"))


@pytest.fixture(scope="session")
def causal(tmp_path_factory, masked):
    """The folder of a small causal one."""
    from tests.gec.gector import tiny

    return tiny.causal(tmp_path_factory.mktemp("causal"), masked)


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium, headless, through Playwright; the test is skipped if either is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs a browser: playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("needs a browser: no Chromium is installed")
    with playwright.sync_playwright() as started:
        browser_ = started.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser_
        browser_.close()


@pytest.fixture
def chat(monkeypatch):
    """A chat server that answers as its `reply` says; the environment leads to it."""
    from tests.llm.server import Chat

    class Mine(Chat):
        requests, keys = [], set()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mine)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    yield Mine
    server.shutdown()
