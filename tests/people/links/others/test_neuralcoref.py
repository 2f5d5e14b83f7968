"""NeuralCoref and its worker: the protocol, every way it may fail, and the page that sets it up."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from gec_fair.errors import MissingResource
from gec_fair.people import links
from gec_fair.people.links.others.neuralcoref import PYTHON, WORKER, Command, NeuralCoref, WorkerError
from tests.english.docs import doc
from tests.people.links.others.test_neural import EXPECTED, TABLE

ROOT = Path(__file__).parents[4]
READY = 'print(\'{"ready": "neuralcoref-4.0.0"}\', flush=True)'
ECHO = """
import json, sys
{ready}
for line in sys.stdin:
    asked = json.loads(line)
    spans = [[[[1, 3], [w.index("her"), w.index("her") + 1]]] if "her" in w else [] for w in asked["words"]]
    print(json.dumps({{"id": asked["id"], "clusters": spans}}), flush=True)
"""


def _worker(folder: Path, code: str, **limits: float) -> NeuralCoref:
    path = folder / "worker.py"
    path.write_text(textwrap.dedent(code), encoding="utf-8")
    return NeuralCoref(Command((sys.executable, str(path)), **{"load_seconds": 20.0, "answer_seconds": 20.0, **limits}))


def test_neuralcoref_answers_in_order_over_several_requests(tmp_path: Path) -> None:
    client = _worker(tmp_path, ECHO.format(ready=READY))
    assert client.clusters([doc(TABLE)] * 70) == EXPECTED * 70
    assert client.clusters([]) == []
    client.close()
    assert client.clusters([doc(TABLE)]) == EXPECTED, "a closed worker is started again"
    client.close()


def _says(line: str) -> str:
    """A worker that reads one request and answers with this line."""
    return f"import sys\n{READY}\nsys.stdin.readline()\nprint({line!r}, flush=True)"


FAILURES = [
    ("a worker that hangs", f"import time\n{READY}\ntime.sleep(60)", {"answer_seconds": 0.5}, "no answer in 0.5 sec"),
    ("one that hangs while loading", "import time\ntime.sleep(60)", {"load_seconds": 0.5}, "no answer in 0.5 sec"),
    ("one that dies", f"import sys\n{READY}\nsys.stdin.readline()\nsys.exit(3)", {}, "ended with exit code 3"),
    ("one that cannot import", "import no_such_module", {}, "ended with exit code 1"),
    ("one that is not ready", "print('{}', flush=True)", {}, "did not say why"),
    ("a missing model", 'print(\'{"error": "E050"}\', flush=True)', {}, "cannot load NeuralCoref: E050; make a Python"),
    ("garbage", _says("hello"), {}, "not a JSON object: 'hello"),
    ("a list", _says("[1]"), {}, "not a JSON object"),
    ("the answer to another request", _says('{"id": 99, "clusters": [[]]}'), {}, "something else"),
    ("too few texts", _says('{"id": 0, "clusters": []}'), {}, "something else"),
    ("spans that are none", _says('{"id": 0, "clusters": [[[["a"]]]]}'), {}, "spans"),
    ("spans outside the text", _says('{"id": 0, "clusters": [[[[0, 1], [70, 71]]]]}'), {}, "spans"),
    ("an error", _says('{"id": 0, "error": "KeyError: 7"}'), {}, "KeyError: 7"),
]


@pytest.mark.parametrize(("code", "limits", "message"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
def test_a_failing_worker_is_a_clear_error(tmp_path: Path, code: str, limits: dict[str, float], message: str) -> None:
    client = _worker(tmp_path, code, **limits)
    with pytest.raises(WorkerError, match=message):
        client.clusters([doc(TABLE)])


def test_without_an_environment_it_says_how_to_make_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON, raising=False)
    with pytest.raises(MissingResource, match="pip install --only-binary :all: spacy"):
        links.load("neuralcoref")


def test_a_python_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PYTHON, "/no/such/python3.7")
    with pytest.raises(MissingResource, match="cannot be run"):
        links.load("neuralcoref").clusters([doc(TABLE)])


def test_the_worker_is_python_37_and_knows_nothing_of_us() -> None:
    import ast

    source = WORKER.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    assert "import gec_fair" not in source
    assert "from gec_fair" not in source


def test_the_worker_serves_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import json

    from gec_fair.people.links.others import worker

    monkeypatch.setattr(worker, "resolve", lambda nlp, words: [[[0, 1], [2, 3]]] if words[0] == "Ann" else 1 / 0)
    out = io.StringIO()
    lines = [json.dumps({"id": 1, "words": [["Ann", "saw", "her"], []]}), json.dumps({"id": 2, "words": [["x"]]})]
    worker.serve(None, lines, out)
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert first == {"id": 1, "clusters": [[[[0, 1], [2, 3]]], []]}
    assert second["id"] == 2
    assert "ZeroDivisionError" in second["error"]


def _python37() -> Path:
    """A Python 3.7 of pyenv's or on the path."""
    pyenv = shutil.which("pyenv")
    pythons = sorted(Path(pyenv).parents[1].glob("versions/3.7.*/bin/python3.7")) if pyenv else []
    if not pythons and (python := shutil.which("python3.7")) is None:
        pytest.skip("needs pretrained weights: neuralcoref needs a Python 3.7")
    return pythons[-1] if pythons else Path(python)


@pytest.mark.slow(90)
def test_the_page_sets_up_neuralcoref(weights, tmp_path: Path) -> None:
    """Its five lines, word for word, in a folder beside the repository's."""
    python = _python37()
    page = (ROOT / "docs/concepts/coreference.md").read_text(encoding="utf-8")
    (lines,) = (block for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL) if "python3.7" in block)
    (tmp_path / "training").symlink_to(ROOT / "training")
    (tmp_path / "pairs.tsv").write_text("My aunt say she loved her dog .\tMy aunt says she loved her dog .\n")
    (tmp_path / "python3.7").symlink_to(python)
    (tmp_path / "gec-fair").write_text(f'#!/bin/sh\nexec {sys.executable} -m gec_fair "$@"\n')
    (tmp_path / "gec-fair").chmod(0o755)
    done = subprocess.run(
        ["bash", "-e"],
        input=re.sub(r"^\$ ", "", lines, flags=re.MULTILINE),
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT),
            "GEC_FAIR_WEIGHTS": str(weights("neuralcoref").parent),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    pairs = (tmp_path / "out/pairs.tsv").read_text(encoding="utf-8")
    assert pairs == "My aunt say they loved their dog .\tMy aunt says they loved their dog .\n"
    assert "coref:neuralcoref-4.0.0+spacy-2.1.0+sha256:de04af68557a6cf0" in done.stdout
