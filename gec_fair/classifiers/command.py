"""Any program as a classifier: a JSON list of fields a line in, a JSON object of label → score a line out; of a
regression a number a line."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from gec_fair.classifiers.protocol import ClassifierFault, Scores, Text
from gec_fair.data.programs import Program


class Command:
    """Started once for all texts that are asked together. `version` has no values of keys, tokens and passwords."""

    def __init__(self, command: str, labels: Sequence[str]) -> None:
        self._program = Program(command, ClassifierFault)
        self.labels = tuple(labels)

    @property
    def version(self) -> str:
        """The version of the program: a digest of its command and files."""
        return self._program.version

    def scores(self, texts: Sequence[Text]) -> Scores:
        """One row of scores for each text, texts × labels. ClassifierFault for an answer of another shape."""
        lines = self._program("".join(json.dumps(list(fields), ensure_ascii=False) + "\n" for fields in texts))
        if len(lines) != len(texts):
            raise ClassifierFault(f"{self.version}: wrote {len(lines)} lines for {len(texts)} texts; one for each")
        return np.array([self._row(number, line) for number, line in enumerate(lines, 1)])

    def _row(self, number: int, line: str) -> list[float]:
        try:
            answer = json.loads(line)
            return [float(answer[label]) for label in self.labels] if self.labels else [float(answer)]
        except (ValueError, KeyError, TypeError) as fault:
            wanted = f"an object with a score for each of {', '.join(self.labels)}" if self.labels else "a number"
            raise ClassifierFault(f"{self.version}: line {number} is not {wanted} ({fault})") from fault
