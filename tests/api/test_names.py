"""The public names: light to import, and never hidden by a folder of the package."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pandas
import pytest

import gec_fair as gf
from gec_fair.errors import UsageError

FRAME = pandas.DataFrame({"text": ["a"], "label": [1]})
PACKAGE = Path(gf.__file__).parent
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())
SIBLINGS = {"babylm", "fairscore", "lmbias", "razor", "safety"}


def test_no_public_function_has_the_name_of_a_folder():
    assert set(gf.__all__) & set(ROOMS) == SIBLINGS


def test_every_name_is_itself_before_and_after_the_rooms_are_imported():
    code = f"""
import importlib
import gec_fair as gf
before = {{name: getattr(gf, name) for name in gf.__all__}}
for room in {ROOMS}:
    importlib.import_module("gec_fair." + room)
    for path in {sorted(f"gec_fair.{p.stem}" for p in PACKAGE.glob("*.py") if not p.stem.startswith("_"))}:
        importlib.import_module(path)
assert all(getattr(gf, name) is value for name, value in before.items())
call = [("He go .", "He goes .")]
first = gf.augment(call, "fm")
importlib.import_module("gec_fair.augmentation.run")
importlib.import_module("gec_fair.api.augmenting")
assert gf.augment(call, "fm") == first
assert gf.rewrite(["He goes ."], "fm") == ["She goes ."]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_dir_lists_the_public_names_alone():
    assert dir(gf) == sorted([*gf.__all__, "__version__"])
    assert [name for name in dir(gf) if not hasattr(gf, name)] == []
    for room in SIBLINGS:
        assert dir(getattr(gf, room)) == sorted(getattr(gf, room).__all__)


PAIR = [("a", "b")]
WRONG = {
    "augment(None)": (lambda: gf.augment(None, "fm"), r"pairs is None; give a list of \(source, target\)"),
    "augment(5)": (lambda: gf.augment(5, "fm"), "pairs is of type int; give"),
    "Augmenter()(None)": (lambda: gf.Augmenter("fm")(None), "pairs is None; give"),
    "rewrite(None)": (lambda: gf.rewrite(None, "fm"), "texts is None; give a list of texts"),
    "perturb(5)": (lambda: gf.perturb(5), "texts is of type int; give a list of texts"),
    "perturb(axes=None)": (lambda: gf.perturb(["a"], axes=None), "axes is None; give a name or a path, or a list"),
    "audit(None)": (lambda: gf.audit(None), "pairs is None; give"),
    "audit_corpus(None)": (lambda: gf.audit_corpus(None), "inputs is None; give a string or a path"),
    "augment_corpus(None)": (lambda: gf.augment_corpus(None, "out", "fm"), "inputs is None; give a string or a path"),
    "measure(frame, clf)": (
        lambda: gf.fairscore.measure(FRAME, str.upper),
        r"classifier is of type DataFrame; give a name, .*; the call is measure\(classifier, examples\)",
    ),
    "measure(rows, clf)": (lambda: gf.fairscore.measure([{"text": "a"}], str.upper), "classifier is of type list"),
    "measure(clf, None)": (lambda: gf.fairscore.measure(str.upper, None), "examples is None; give a table"),
    "gap(f, None)": (lambda: gf.gap("identity", None), "evalset is None; give the name of an evaluation set"),
    "counterfactual(evalset=5)": (lambda: gf.counterfactual("identity", evalset=5), "evalset is of type int; give"),
    "compare(evalsets=5)": (lambda: gf.compare({"a": "identity"}, 5), "evalsets is of type int; give names of"),
    "safety.audit(None)": (lambda: gf.safety.audit(None), "scores is None; give a table, or a list of dicts"),
    "safety.audit(clf)": (lambda: gf.safety.audit(str.upper), "scores is of type method_descriptor; give a table"),
    "safety.audit(column)": (lambda: gf.safety.audit(FRAME["text"]), "scores is of type Series; give a table"),
    "safety.audit(source=5)": (lambda: gf.safety.audit(FRAME, source=5), "source is of type int; give a name, a class"),
    "safety.audit(source=frame)": (lambda: gf.safety.audit(FRAME, source=FRAME), "source is of type DataFrame; give"),
    "razor.score(5)": (lambda: gf.razor.score(5), "documents is of type int; give a table"),
    "razor.score(column)": (lambda: gf.razor.score(FRAME["text"]), "documents is of type Series; give a table"),
    "lmbias.score(None)": (
        lambda: gf.lmbias.score(None),
        "model is None; give a folder, a name of the hub, or a model of transformers",
    ),
    "lmbias.score(suites=5)": (lambda: gf.lmbias.score("m", 5), "suites is of type int; give a name or a path"),
    "lmbias.surprisal(None)": (lambda: gf.lmbias.surprisal(None, ["a"]), "model is None; give the folder"),
    "load_system(None)": (lambda: gf.load_system(None), "system is None; give a name, a system, or a function"),
    "augment(limit=text)": (lambda: gf.augment(PAIR, "st", limit="3"), "limit is of type str; give an integer or None"),
    "augment(limit=2.5)": (lambda: gf.augment(PAIR, "st", limit=2.5), "limit is of type float; give an integer"),
    "mix(None)": (lambda: gf.mix(None, "b", st="c", mf="d"), "original is None; give a string or a path"),
    "mix(seed=True)": (lambda: gf.mix("a", "b", st="c", mf="d", seed=True), "seed is of type bool; give an integer"),
    "perturb_corpus(bytes)": (lambda: gf.perturb_corpus("a", b"x"), "output is of type bytes; give a string or a path"),
    "audit_corpus([None])": (lambda: gf.audit_corpus(["a", None]), "inputs is of type list; give a string or a path"),
    "audit_corpus(fields=5)": (lambda: gf.audit_corpus("a", fields=5), "fields is of type int; give a list of strings"),
    "gap(english=5)": (lambda: gf.gap(list, "a", english=5), "english is of type int; give a string"),
    "gap(f, [1])": (lambda: gf.gap(list, [1]), "evalset is of type list; give the name of an evaluation set"),
    "score(no_cache=[])": (lambda: gf.score([], [], no_cache=[]), "no_cache is of type list; give True or False"),
    "load_classifier(5)": (lambda: gf.load_classifier(5, ["a"]), "classifier is of type int; give a name"),
}
"""Calls with an argument of another type, and how the message begins."""


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_an_argument_of_another_type_is_named_with_what_to_give(call, message):
    with pytest.raises(TypeError, match=f"^{message}") as caught:
        call()
    assert isinstance(caught.value, UsageError)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(gf, "augmnt")
    assert set(gf.__all__) <= set(dir(gf))


def test_a_lexicon_is_printed_in_a_line():
    assert re.fullmatch(r"Lexicon\(feminine, masculine, .*; [\d,]+ nouns, [\d,]+ names\)", repr(gf.load_lexicon()))
