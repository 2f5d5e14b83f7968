"""A model behind any server that speaks OpenAI's chat protocol, as a classifier: it answers with one label.

Answers are cached under address, model and request, so that a killed run resumes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gec_fair.classifiers.protocol import ClassifierFault, Scores, Text
from gec_fair.errors import UsageError
from gec_fair.llm.answer import NoAnswer, Outcome
from gec_fair.llm.ask import Asker
from gec_fair.runs.cache import Store

PROMPT = (
    "You label texts. Answer with exactly one of these labels and nothing else: {labels}. Fields of one example "
    "stand on their own lines."
)
_SIGNS = re.compile(r"[\W_]+")


class OpenAIChat:
    """Scores are 1 for the label that was answered and 0 for the others. `cache`: the file in which answers are kept,
    None for none. `choices`: the last fields, one a label, are candidates, and each is asked about with its label."""

    at_once = 64

    def __init__(self, model: str, labels: Sequence[str], *, choices: bool = False, cache: Path | None = None) -> None:
        if not labels:
            raise UsageError(f"openai:{model}: a chat model is asked for a label, and a regression has none")
        self.labels, self.choices = tuple(labels), choices
        self._model = Asker(cache=Store(cache, "answers")).model(model)
        self.instructions = PROMPT.format(labels=", ".join(self.labels))

    @property
    def version(self) -> str:
        """The model, a digest of its instructions, and the server if it is not OpenAI's."""
        digest = hashlib.sha256(self.instructions.encode()).hexdigest()[:8]
        return f"openai:{self._model.name}:prompt:{digest}{self._model.server}"

    def scores(self, texts: Sequence[Text]) -> Scores:
        """One row for each text: 1 for the label of the answer, 0 for the others."""
        questions = ["\n".join(_add_letters(fields, self.labels) if self.choices else fields) for fields in texts]
        outcomes = self._model.ask_texts(
            self.instructions, questions, ClassifierFault, usable=lambda answer: sum(self._matches(answer)) == 1
        )
        return np.array([self._row(question, outcome) for question, outcome in zip(questions, outcomes, strict=True)])

    def _matches(self, answer: str) -> list[float]:
        """Case and punctuation do not count, unless a label is answered to the letter, such as -1 beside 1."""
        plain = str.strip if answer.strip() in self.labels else _plain
        return [float(plain(label) == plain(answer)) for label in self.labels]

    def _row(self, question: str, outcome: Outcome) -> list[float]:
        """ClassifierFault for an answer that is not a label."""
        if isinstance(outcome, NoAnswer):
            raise ClassifierFault(self._model.explain(question, outcome))
        row = self._matches(outcome.text)
        if sum(row) != 1:
            message = self._model.hidden(f"{self.version}: answered {outcome.text!r} to {question[:60]!r}")
            raise ClassifierFault(f"{message}, none of {', '.join(self.labels)}; give another model")
        return row


def _add_letters(fields: Text, labels: Sequence[str]) -> list[str]:
    """Candidates with their labels before them."""
    number = len(labels)
    return [
        *fields[:-number],
        *(f"{label}. {candidate}" for label, candidate in zip(labels, fields[-number:], strict=True)),
    ]


def _plain(text: str) -> str:
    return _SIGNS.sub(" ", text).strip().casefold()
