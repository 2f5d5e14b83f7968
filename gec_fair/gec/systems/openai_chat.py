"""A model behind any server that speaks OpenAI's chat protocol, as a GEC system."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from gec_fair.errors import InputError
from gec_fair.gec.systems.protocol import SystemFault
from gec_fair.llm.ask import Asker

PROMPT = Path(__file__).with_name("prompt.txt")


class OpenAIChat:
    """`model` as the server names it; `prompt`: a file with the instructions."""

    def __init__(self, model: str, *, prompt: Path = PROMPT) -> None:
        self._model = Asker().model(model)
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
        """The model's answers, in order; an empty text stays empty."""
        questions = [text for text in texts if text.strip()]
        answers = iter(self._model.ask_texts(self.instructions, questions, SystemFault) if questions else ())
        return [next(answers) if text.strip() else text for text in texts]
