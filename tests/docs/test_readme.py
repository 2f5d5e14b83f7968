"""The README: its Python lines print what their comments say, and its picture is drawn from committed results."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.scripts import module

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_lines_give_what_their_comments_say():
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names = {}
    for line in filter(str.strip, block.splitlines()):
        code, _, comment = line.partition("#")
        if not comment:
            exec(code, names)
            continue
        result = eval(code, names)
        value = f"{result:.2f}" if isinstance(result, float) else repr(result)
        assert comment.strip().startswith(value), line


def test_the_lines_about_data_run():
    """The block that is not fenced: names that it leaves to the reader are given here."""
    from datasets import Dataset
    from pandas import DataFrame

    (block,) = re.findall(r"\n\n((?:    [^\n]*\n)+)", README)
    texts = ["He say hi to Anna 's friend ."]
    corrected = ["He says hi to Anna 's friend ."]
    names = {
        "dataset": Dataset.from_dict({"source": texts, "target": corrected}),
        "hypotheses": corrected,
        "references": corrected,
        "sources": texts,
        "my_function": lambda texts: texts,
        "frame": DataFrame({"text": ["Muslims are kind.", "It rained."], "label": [0, 0]}),
        "my_scores": lambda texts: [0.5] * len(texts),
    }
    exec("import gec_fair as gf", names)
    for line in map(str.strip, block.splitlines()):
        exec(f"result = {line}" if not line.startswith("dataset =") else line, names)
        assert names.get("result", names["dataset"]) is not None
    assert {"source_augmented", "outcome"} <= set(names["dataset"].column_names)


def test_it_is_short():
    assert len(README.splitlines()) <= 120


def test_the_picture_is_that_of_the_committed_results():
    picture = module("../benchmarks/picture.py")
    drawn = picture.draw(picture.read_rows())
    assert (ROOT / "docs/images/overview.svg").read_text(encoding="utf-8") == drawn


def test_the_table_of_correctors_is_that_of_the_committed_results(monkeypatch, capsys):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    results = [
        ROOT / f"benchmarks/results/{name}.json"
        for name in ("systems", "systems-checkers", "systems-text", "systems-chat")
    ]
    module("../benchmarks/systems.py").print_table([json.loads(path.read_text(encoding="utf-8")) for path in results])
    table = capsys.readouterr().out
    assert len(table.splitlines()) == 2 + 6
    assert table in (ROOT / "docs/how-to/compare.md").read_text(encoding="utf-8")
