"""What is not installed is named before the work, with what installs it; and what need not be imported is not."""

import subprocess
import sys

import pytest

from gec_fair import extras
from gec_fair.errors import MissingResource
from tests.cli.invoke import run


def test_a_missing_module_is_named_with_its_extra():
    extras.require("nothing", "evaluate", "json")
    with pytest.raises(MissingResource, match=r"a thing needs no_such; pip install 'gec-fair\[evaluate\]'"):
        extras.require("a thing", "evaluate", "json", "no_such")


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("altair", "compare", "a report needs altair; pip install 'gec-fair[evaluate]'"),
        ("errant", "gap --evalset they-probe --hyp x y", "measuring a gap needs errant"),
        ("symspellpy", "correct --system symspell", "symspell needs symspellpy"),
        ("quire_grammar", "correct --system quire", "pip install 'gec-fair[quire]'"),
        ("torch", "gector predict model text.txt", "GECToR needs torch; pip install 'gec-fair[train]'"),
        ("torch", "correct --system gector:model", "GECToR needs torch; pip install 'gec-fair[train]'"),
        ("openai", "correct --system openai:m", "pip install 'gec-fair[llm]'"),
    ],
)
def test_commands_say_what_they_lack(name, words, message, monkeypatch):
    find = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda module: None if module == name else find(module))
    monkeypatch.setitem(sys.modules, name, None)
    done = run(*words.split())
    assert (done.code, message in done.stderr) == (2, True), done.stderr


LIGHT = [
    ("gec_fair", "click numpy pandas spacy torch", "the package"),
    ("gec_fair.english.pipeline", "spacy torch", "the pipeline before it is loaded"),
    ("gec_fair.people.links", "fastcoref numpy spacy torch", "resolvers before they are loaded"),
    ("gec_fair.models.digest", "torch transformers", "the name of a model"),
    ("gec_fair.gec.editscorer.options", "spacy torch transformers", "options"),
    ("gec_fair.gec.systems.trained", "spacy torch transformers", "a system before it is loaded"),
]


@pytest.mark.parametrize(("module", "heavy", "why"), LIGHT, ids=[row[2] for row in LIGHT])
def test_an_import_is_light(module, heavy, why):
    code = f"import sys, {module}; print(*{set(heavy.split())} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
