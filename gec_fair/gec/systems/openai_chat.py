"""A model behind any server that speaks OpenAI's chat protocol, as a GEC system."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from gec_fair.errors import InputError
from gec_fair.gec.systems.registry import SystemFault
from gec_fair.llm.chat import Chat

PROMPT = Path(__file__).with_name("prompt.txt")


class OpenAIChat:
    """`model` as the server names it; `prompt`: a file with the instructions."""

    def __init__(self, model: str, *, prompt: Path = PROMPT) -> None:
        self._chat = Chat(model, SystemFault)
        try:
            self.instructions = prompt.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"{prompt}: cannot be read as UTF-8 text; check --prompt") from fault

    @property
    def version(self) -> str:
        digest = hashlib.sha256(self.instructions.encode()).hexdigest()[:8]
        return f"{self._chat.name}:prompt:{digest}{self._chat.server}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        asked = [text for text in texts if text.strip()]
        answers = iter(self._chat(self.instructions, asked) if asked else ())
        return [next(answers) if text.strip() else text for text in texts]
