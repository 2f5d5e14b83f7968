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


def test_it_is_short():
    assert len(README.splitlines()) <= 120


def test_the_picture_is_that_of_the_committed_results():
    picture = module("../benchmarks/picture.py")
    rows = json.loads((ROOT / "benchmarks/results/systems.json").read_text(encoding="utf-8"))["rows"]
    assert (ROOT / "docs/images/overview.svg").read_text(encoding="utf-8") == picture.draw(rows)
