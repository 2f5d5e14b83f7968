"""Any program as a classifier: a JSON list of fields a line in, a JSON object of label → score a line out."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence

import numpy as np

from gec_fair.classifiers.protocol import ClassifierFault, Scores, Text
from gec_fair.errors import UsageError


class Command:
    """`command` is split as a shell would, but no shell runs. Started once for all texts that are asked together."""

    def __init__(self, command: str, labels: Sequence[str]) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as fault:
            raise UsageError(f"command:{command}: {fault}; check the quotes") from fault
        self.labels = tuple(labels)

    @property
    def version(self) -> str:
        return f"command:{shlex.join(self.words)}"

    def scores(self, texts: Sequence[Text]) -> Scores:
        given = "".join(json.dumps(list(fields), ensure_ascii=False) + "\n" for fields in texts)
        try:
            done = subprocess.run(self.words, input=given, stdout=subprocess.PIPE, encoding="utf-8", check=True)
        except OSError as fault:
            raise UsageError(f"{self.version}: cannot be started ({fault.strerror}); check the path") from fault
        except subprocess.CalledProcessError as fault:
            raise ClassifierFault(f"{self.version}: ended with {fault.returncode}; its words are above") from fault
        lines = done.stdout.splitlines()
        if len(lines) != len(texts):
            raise ClassifierFault(f"{self.version}: wrote {len(lines)} lines for {len(texts)} texts; one for each")
        return np.array([self._row(number, line) for number, line in enumerate(lines, 1)])

    def _row(self, number: int, line: str) -> list[float]:
        try:
            told = json.loads(line)
            return [float(told[label]) for label in self.labels]
        except (ValueError, KeyError, TypeError) as fault:
            raise ClassifierFault(f"{self.version}: line {number} is no object with a score for each of "
                                  f"{', '.join(self.labels)} ({fault})") from fault  # fmt: skip
