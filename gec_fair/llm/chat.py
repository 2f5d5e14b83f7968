"""Ask a chat model one question with one instruction, many at a time: an answer to each, or an error."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gec_fair.errors import GecFairError
from gec_fair.llm.answer import REASONS, Answer
from gec_fair.llm.client import Client, Kept
from gec_fair.llm.request import Request
from gec_fair.llm.server import GOES_ON, LLMFault


class Chat:
    """`model` as the server names it. Temperature 0, seed 0. `fault` is raised where the server refuses or gives no
    answer. `kept`: where answers are looked for and kept."""

    def __init__(self, model: str, fault: type[GecFairError], kept: Kept | None = None) -> None:
        self.model, self.fault = model, fault
        self.client = Client(kept=kept)

    @property
    def name(self) -> str:
        return f"openai:{self.model}"

    @property
    def server(self) -> str:
        return self.client.server.name

    def __call__(
        self, instructions: str, questions: Sequence[str], *, usable: Callable[[str], bool] = bool
    ) -> list[str]:
        """One answer for each question, in order, white space within as one space; each distinct question is asked
        once. A `usable` answer is kept as soon as it is there, so that a run that was stopped or refused goes on."""
        requests = [Request(self.model, (("system", instructions), ("user", question))) for question in questions]
        try:
            outcomes = self.client.ask(requests, usable=lambda answer: usable(_plain(answer)))
        except LLMFault as wrong:
            raise self.fault(str(wrong)) from wrong
        answers: list[str] = []
        for question, outcome in zip(questions, outcomes, strict=True):
            if not isinstance(outcome, Answer):
                told = self.hidden(f"{self.name}: no answer to {question!r} ({REASONS[outcome.reason]}")
                more = f": {outcome.detail})" if outcome.detail else ")"
                remedy = GOES_ON if outcome.reason == "failed" else "leave the text out, or change the prompt"
                raise self.fault(f"{told}{more}; {remedy}")
            answers.append(_plain(outcome.text))
        return answers

    def hidden(self, text: str) -> str:
        return self.client.server.hidden(text)


def _plain(text: str) -> str:
    return " ".join(text.split())
