"""A model behind any server that speaks OpenAI's chat protocol, as a GEC system."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from gec_fair.errors import InputError
from gec_fair.gec.systems.protocol import SystemFault
from gec_fair.llm.answer import Answer, NoAnswer, Outcome
from gec_fair.llm.ask import Asker

PROMPT = Path(__file__).with_name("prompt.txt")
_SHORTEST = "OK ."


class OpenAIChat:
    """`model` as the server names it; `prompt`: a file with the instructions. A text stays as it is where the model's
    answer is missing, cut or more than one line. `passed` counts these."""

    at_once = 16  # texts between two writes to the store: a slow server needs minutes for them

    def __init__(self, model: str, *, prompt: Path = PROMPT) -> None:
        self._model = Asker().model(model)
        self.passed = 0
        try:
            self.instructions = prompt.read_text(encoding="utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"{prompt}: cannot be read as UTF-8 text; check --prompt") from fault
        if not self.instructions or "\0" in self.instructions:
            raise InputError(f"{prompt}: holds no instructions, or bytes that are not text; check --prompt")

    @property
    def version(self) -> str:
        """The model, a digest of its instructions, and the server if it is not OpenAI's."""
        digest = hashlib.sha256(self.instructions.encode()).hexdigest()[:8]
        return f"openai:{self._model.name}:prompt:{digest}{self._model.server}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The model's answers, in order; an empty text stays empty. SystemFault where the server fails, or refuses
        whatever it is asked."""
        questions = [text for text in texts if text.strip()]
        outcomes = self._ask(questions)
        if outcomes and all(map(_is_refused, outcomes)):
            (outcome,) = self._ask([_SHORTEST])  # it may refuse these texts alone, as too long
            if isinstance(outcome, NoAnswer) and _is_refused(outcome):
                raise SystemFault(self._model.explain(_SHORTEST, outcome))
        answers = map(self._read, questions, outcomes)
        return [next(answers) if text.strip() else text for text in texts]

    def _ask(self, questions: Sequence[str]) -> list[Outcome]:
        return self._model.ask_texts(self.instructions, questions, SystemFault) if questions else []

    def _read(self, text: str, outcome: Outcome) -> str:
        """The answer, or the text itself."""
        if isinstance(outcome, Answer) and len(outcome.text.splitlines()) == 1:
            return " ".join(outcome.text.split())
        self.passed += 1
        return text


def _is_refused(outcome: Outcome) -> bool:
    return isinstance(outcome, NoAnswer) and outcome.reason == "refused"
