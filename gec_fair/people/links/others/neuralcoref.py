"""The paper's resolver, NeuralCoref, behind a pipe: it needs Python 3.7 and spaCy 2, so it runs in its own environment.

`GEC_FAIR_NEURALCOREF_PYTHON` names that environment's Python, `GEC_FAIR_NEURALCOREF_MODEL` the spaCy 2 pipeline. The
worker is `worker.py` beside this file, and the protocol (one JSON object a line) is written at its top.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from typing import IO, TYPE_CHECKING, Any

from gec_fair.errors import GecFairError, MissingResource
from gec_fair.people.links.others.neural import from_words
from gec_fair.people.links.resolver import Cluster, Coref

if TYPE_CHECKING:
    from spacy.tokens import Doc

PYTHON, MODEL = "GEC_FAIR_NEURALCOREF_PYTHON", "GEC_FAIR_NEURALCOREF_MODEL"
WORKER = Path(__file__).with_name("worker.py")
BATCH = 64
"""Texts per request."""


class WorkerError(GecFairError):
    """The worker died, hung, or said something that is not an answer."""


@dataclass(frozen=True, slots=True)
class Command:
    """How the worker is started, and how many seconds it may take to load and to answer one request."""

    arguments: tuple[str, ...]
    load_seconds: float = 120.0
    answer_seconds: float = 300.0


@dataclass(slots=True)
class NeuralCoref:
    """A `Coref` that asks a worker process. Started at the first text; `close` ends it, as does leaving Python."""

    command: Command
    _process: subprocess.Popen[str] | None = None
    _version: str = ""
    _lines: Queue[str | None] = field(default_factory=Queue)
    _ids: count[int] = field(default_factory=count)

    def clusters(self, docs: Sequence[Doc]) -> list[list[Cluster]]:
        """The clusters of each parsed text, in order; several texts go to the server at once."""
        clusters: list[list[Cluster]] = []
        for start in range(0, len(docs), BATCH):
            batch = docs[start : start + BATCH]
            answer = self._ask([[token.text for token in doc] for doc in batch])
            try:
                clusters += [_clusters(doc, spans) for doc, spans in zip(batch, answer, strict=True)]
            except (TypeError, ValueError, IndexError) as error:
                raise self._fail(f"answered with spans that are none of the text's ({error})") from error
        return clusters

    @property
    def version(self) -> str:
        """What decides the clusters, as the worker says: its packages and a digest of its models."""
        self._start()
        return self._version

    def close(self) -> None:
        """End the worker. The next text starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None

    def _ask(self, texts: list[list[str]]) -> list[Any]:
        process = self._start()
        number = next(self._ids)
        try:
            process.stdin.write(json.dumps({"id": number, "words": texts}) + "\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
        except OSError as error:
            raise self._fail(f"stopped reading ({error})") from error
        answer = self._hear(self.command.answer_seconds)
        if "error" in answer:
            raise self._fail(f"failed on a batch of {len(texts)} texts: {answer['error']}")
        clusters = answer.get("clusters")
        if answer.get("id") != number or not isinstance(clusters, list) or len(clusters) != len(texts):
            raise self._fail(f"answered something else than was asked: {str(answer)[:120]}")
        return clusters

    def _start(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                process = subprocess.Popen(
                    self.command.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
                )
            except OSError as error:
                raise MissingResource(f"{self.command.arguments[0]} cannot be run ({error}); {_INSTALL}") from error
            self._process, self._lines = process, Queue()
            threading.Thread(target=_forward, args=(process.stdout, self._lines), daemon=True).start()
            answer = self._hear(self.command.load_seconds)
            if "ready" not in answer:
                raise self._fail(f"cannot load NeuralCoref: {answer.get('error', 'it did not say why')}; {_INSTALL}")
            self._version = str(answer["ready"])
        return self._process

    def _hear(self, seconds: float) -> Mapping[str, Any]:
        """The next line of the worker as an object."""
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise self._fail(f"gave no answer in {seconds:g} seconds") from None
        if line is None:
            code = self._process.wait() if self._process else None
            raise self._fail(f"ended with exit code {code}; its own message stands above; {_INSTALL}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise self._fail(f"wrote a line that is not a JSON object: {line[:80]!r}")
        return answer

    def _fail(self, message: str) -> WorkerError:
        self.close()
        return WorkerError(f"the NeuralCoref worker {message}")


_INSTALL = (
    "make a Python 3.7 environment, pip install --only-binary :all: spacy==2.1.0 neuralcoref==4.0 in it, "
    f"set {PYTHON} to its python, and {MODEL} to the folder that training/weights.py neuralcoref prints"
)


def neuralcoref() -> Coref:
    """The worker of the environment that `GEC_FAIR_NEURALCOREF_PYTHON` names, with its pipeline or the paper's."""
    python = os.environ.get(PYTHON)
    if not python:
        raise MissingResource(f"NeuralCoref needs its own environment: {_INSTALL}")
    # isolated, else the worker's folder comes first and `import neuralcoref` imports this file
    return NeuralCoref(Command((python, "-I", str(WORKER), os.environ.get(MODEL) or "en_core_web_lg")))


def _forward(pipe: IO[str], lines: Queue[str | None]) -> None:
    """Read the worker's lines into a queue, so that waiting for one can time out; None says that it ended."""
    try:
        for line in pipe:
            lines.put(line)
    except ValueError:  # the pipe was closed while we read
        pass
    lines.put(None)


def _clusters(doc: Doc, spans: list[list[list[int]]]) -> list[Cluster]:
    if any(not 0 <= start < end <= len(doc) for cluster in spans for start, end in cluster):
        raise ValueError(f"{len(doc)} words, clusters {str(spans)[:80]}")
    clusters = (from_words(doc, ((start, end) for start, end in cluster)) for cluster in spans)
    return sorted(cluster for cluster in clusters if len(cluster) > 1)
