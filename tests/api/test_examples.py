"""Every public function has a docstring with arguments, results, errors and an example, and the examples run."""

from __future__ import annotations

import doctest
import inspect
import json
import re

import pytest

import gec_fair as gf

FUNCTIONS = {
    **{name: getattr(gf, name) for name in gf.__all__ if inspect.isfunction(getattr(gf, name))},
    "Augmenter": gf.Augmenter,
    "babylm.debias": gf.babylm.debias,
    "fairscore.measure": gf.fairscore.measure,
    "lmbias.score": gf.lmbias.score,
    "lmbias.surprisal": gf.lmbias.surprisal,
    "razor.score": gf.razor.score,
    "safety.audit": gf.safety.audit,
}
PAIR = {
    "sentence_good": "he goes home .",
    "sentence_bad": "he go home .",
    "UID": "agreement",
    "field": "syntax",
    "linguistics_term": "agreement",
}


@pytest.fixture
def place(tmp_path, monkeypatch, masked):
    """A folder with what the examples read."""
    (tmp_path / "pairs.tsv").write_text("My sister say she hurt her foot .\tMy sister says she hurt her foot .\n")
    (tmp_path / "texts.txt").write_text("She lost her keys .\n")
    (tmp_path / "minimal-pairs").mkdir()
    (tmp_path / "minimal-pairs/agreement.jsonl").write_text(json.dumps(PAIR) + "\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/encoder").symlink_to(masked)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "babylm.debias" else ()) for name in FUNCTIONS]
)
def test_the_example_of_a_function_runs(name):
    (example,) = doctest.DocTestFinder(recurse=False).find(FUNCTIONS[name], name, globs={})
    assert example.examples, name
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "Augmenter"])
def test_a_docstring_names_every_argument_and_what_is_raised(name):
    text, parameters = inspect.getdoc(FUNCTIONS[name]), inspect.signature(FUNCTIONS[name]).parameters
    documented = set(re.findall(r"^    \**(\w+): ", text, re.MULTILINE))
    assert set(parameters) <= documented
    assert all(f"{section}:" in text for section in ("Args", "Returns", "Raises", "Examples"))
