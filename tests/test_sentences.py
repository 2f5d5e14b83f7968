"""No sentence of the data that development uses stands in the project: its licences do not allow that everywhere."""

from __future__ import annotations

import lzma
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

SUFFIXES = {".md", ".py", ".tsv", ".txt", ".ipynb", ".csv", ".yaml"}
OUTPUTS = {"build", "dist", "node_modules", "out", "__pycache__"}
"""Folders that are not of the repository."""
SHORTEST = 8
"""Words of a sentence; shorter ones (*I look forward to hearing from you*) are everybody's."""
WORD = re.compile(r"\w+")


def words_of(text):
    return WORD.findall(text.lower())


def project_texts():
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [name for name in inside if not name.startswith(".") and name not in OUTPUTS]
        for path in (Path(folder) / name for name in names):
            if path.suffix in SUFFIXES and path.parent.name != "closed":
                yield str(path.relative_to(ROOT)), words_of(path.read_text(encoding="utf-8"))


def sentences(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".txt", ".tsv", ".m2", ".conllu", ".csv", ".json", ".jsonl", ".src") and path.is_file():
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            yield from lines[path.suffix == ".csv" :]  # its header
        elif path.suffix == ".xz" and path.stat().st_size < 5_000_000:
            with lzma.open(path, "rt", encoding="utf-8") as file:
                yield from file


@pytest.mark.slow
def test_no_sentence_of_the_data_is_in_the_project(data: Path):
    starts = defaultdict(set)
    texts = {}
    for name, words in project_texts():
        texts[name] = " ".join(words)
        for at in range(len(words) - SHORTEST + 1):
            starts[tuple(words[at : at + SHORTEST])].add(name)
    copied = set()
    for folder in ("bea", "gec", "jfleg", "ud", "coref", "rewrite", "nli", "fever", "safety", "babylm"):
        for line in sentences(data / folder):
            for cell in line.removeprefix("S ").split("\t") if "|||" not in line else ():
                words = words_of(cell)
                for name in starts.get(tuple(words[:SHORTEST]), ()):
                    if " ".join(words) in texts[name]:
                        copied.add((name, " ".join(words)))
    assert not copied
