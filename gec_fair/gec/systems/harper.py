"""The Harper grammar checker (harper.js, Apache-2.0) as a GEC system: rules alone, offline, under Node.

Harper reads prose, not tokens: on tokenised text most of what it finds is the white space. So each text is
detokenised, checked, and every first suggestion carried back to the tokens that it touches; only those are
tokenised anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from gec_fair.edits import Edit, Edits, rewritten
from gec_fair.english.prose import Prose, detokenise
from gec_fair.errors import MissingResource
from gec_fair.gec.systems.protocol import SystemFault
from gec_fair.runs.cache import cache_directory

VERSION = "2.10.0"
_WORKER = Path(__file__).with_name("harper_worker.mjs")


def folder() -> Path:
    """Where `node_modules/harper.js` lies: `GEC_FAIR_HARPER`, else in the cache directory."""
    folder_name = os.environ.get("GEC_FAIR_HARPER")
    return Path(folder_name).expanduser() if folder_name else cache_directory() / "harper"


class Harper:
    """Starts Node when the first text comes, and keeps it."""

    def __init__(self) -> None:
        package = folder() / "node_modules" / "harper.js" / "package.json"
        if shutil.which("node") is None:
            raise MissingResource("harper needs Node 20 or newer; install it (nodejs.org), then `make harper`")
        if not package.is_file():
            raise MissingResource(
                f"harper.js is not in {folder()}; `make harper`, or npm install --prefix {folder()} harper.js@{VERSION}"
            )
        self.number = json.loads(package.read_text(encoding="utf-8"))["version"]
        self._worker: subprocess.Popen[str] | None = None

    @property
    def version(self) -> str:
        """Harper's version number, and a digest of the worker that runs it."""
        return f"harper:{self.number}:worker:{hashlib.sha256(_WORKER.read_bytes()).hexdigest()[:8]}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order."""
        return [self._correct(text) for text in texts]

    def _correct(self, text: str) -> str:
        words = [word for word in text.split(" ") if word]
        if not words:
            return text
        prose = detokenise(words)
        return " ".join(rewritten(edits(words, prose, self._lints(prose.text), self._tokenise), words))

    @cached_property
    def _tokenise(self) -> Callable[[str], list[str]]:
        from gec_fair.english import pipeline

        tokenizer = pipeline.shared().tokenizer
        return lambda text: [t.text for t in tokenizer(text) if not t.is_space]

    def _lints(self, text: str) -> list[tuple[int, int, str, str]]:
        worker = self._worker or self._start()
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            worker.stdin.write(json.dumps({"text": text}) + "\n")
            worker.stdin.flush()
            answer = worker.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise SystemFault(f"{self.version}: Node stopped; its own words are above")
        return [tuple(lint) for lint in json.loads(answer)]

    def _start(self) -> subprocess.Popen[str]:
        command = ["node", str(_WORKER), str(folder())]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
        self._worker = subprocess.Popen(command, **pipes)
        return self._worker

    def __del__(self) -> None:
        worker = self.__dict__.get("_worker")
        if worker is not None:
            worker.stdin.close()
            worker.wait()
            worker.stdout.close()


def edits(
    words: Sequence[str],
    prose: Prose,
    lints: Sequence[tuple[int, int, str, str]],
    tokenise: Callable[[str], list[str]],
) -> Edits:
    """First suggestions as edits of tokens: from left to right, each that meets no token of one before it."""
    suggestions: list[Edit] = []
    at = -1  # the last token that is taken
    for start, end, new, _ in sorted(lints, key=lambda lint: lint[:2]):
        first, last = _find_touched(prose, start, end)
        if first <= at:
            continue
        left, right = _border(prose, first, last, start)
        text = prose.text[left:start] + new + prose.text[end:right]
        replacement = tuple(tokenise(text))
        if replacement != tuple(words[first:last]):
            suggestions.append(Edit(first, last, replacement))
            at = max(first, last - 1)
    return Edits(tuple(suggestions), len(words))


def _find_touched(prose: Prose, start: int, end: int) -> tuple[int, int]:
    """The tokens that share a character with a span of the prose; for an insertion the token that ends there, or
    begins there, is touched, and between two white spaces none is."""
    inside = [n for n, (a, b) in enumerate(prose.spans) if a < end and start < b] if end > start else []
    if not inside:
        inside = [n for n, (a, b) in enumerate(prose.spans) if start in (a, b)][:1] if end == start else []
    if inside:
        return inside[0], inside[-1] + 1
    before = sum(b <= start for _, b in prose.spans)
    return before, before


def _border(prose: Prose, first: int, last: int, start: int) -> tuple[int, int]:
    if first == last:
        return start, start
    return min(prose.spans[first][0], start), max(prose.spans[last - 1][1], start)
