"""The Harper grammar checker (harper.js, Apache-2.0) as a GEC system: rules alone, offline, under Node."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gec_fair.errors import MissingResource
from gec_fair.gec.systems.checker import Finding, correct
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
        return [correct(text, self._check) for text in texts]

    def _check(self, text: str) -> list[Finding]:
        """The first suggestion of each lint."""
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
        return [(start, end, new) for start, end, new, _ in json.loads(answer)]

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
