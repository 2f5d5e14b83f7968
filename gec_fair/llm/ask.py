"""The one way to ask a chat model. The caller keeps its prompt, its schema, and what an answer means.

    asker = Asker(base_url, bill=read_bill("0.15,0.60", 5.0), cache=Store(path, "replies"))
    model = asker.model("gpt-4o-mini", prompts=Path("prompts"))
    requests = [model.request(model.prompt("rewrite"), {"text": Data(text)}, schema=Rewritten) for text in texts]
    outcomes = model.ask(requests, title="rewritings")        # an Answer or a NoAnswer for each request, in order
    asker.bill.summary()                                        # requests, tokens and cost

Replies are cached under the server's address and the whole request, so that a killed run resumes and nothing is
paid for twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gec_fair.errors import GecFairError
from gec_fair.llm.answer import REASONS, NoAnswer, Outcome
from gec_fair.llm.bill import Bill
from gec_fair.llm.client import AT_ONCE, Client
from gec_fair.llm.prompts import Prompt, read
from gec_fair.llm.request import Request
from gec_fair.llm.server import GOES_ON, LLMFault
from gec_fair.progress import bar
from gec_fair.runs.cache import Store


class Asker:
    """A server, the cache of its replies and the bill. Nothing is opened before the first model is named."""

    def __init__(
        self,
        base_url: str | None = None,
        *,
        bill: Bill | None = None,
        cache: Store | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        self.base_url, self.cache, self.at_once = base_url, cache, at_once
        self.bill = Bill() if bill is None else bill

    @cached_property
    def client(self) -> Client:
        """A client of the server, with the cache and the bill."""
        return Client(base_url=self.base_url, cache=self.cache, bill=self.bill, at_once=self.at_once)

    def model(self, name: str, *, prompts: Path | None = None) -> ChatModel:
        """The model as the server names it. MissingResource without the extra or a key."""
        return ChatModel(self.client, name, prompts)


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model behind a server; `prompts` is the folder of its prompts."""

    client: Client
    name: str
    prompts: Path | None = None

    @property
    def server(self) -> str:
        """What a version says about the server; "" for OpenAI's."""
        return self.client.server.name

    def hidden(self, text: str) -> str:
        """The text without the server's key."""
        return self.client.server.hidden(text)

    def prompt(self, name: str) -> Prompt:
        """The prompt in `NAME.txt`. InputError for a file that is not a prompt."""
        assert self.prompts is not None
        return read(self.prompts / f"{name}.txt")

    def request(self, prompt: Prompt, fields: Mapping[str, str], **settings: Any) -> Request:
        """The prompt with these fields; `settings` are the other fields of `Request`."""
        return Request(self.name, prompt.fill(fields), **settings)

    def waiting(self, requests: Sequence[Request]) -> list[Request]:
        """The requests whose replies are not cached."""
        return self.client.waiting(requests)

    def ask(self, requests: Sequence[Request], *, title: str = "") -> list[Outcome]:
        """An outcome for each request, in order; `title` shows a progress bar. Raises as `Client.ask` does."""
        if not requests:
            return []
        with bar(title) if title else nullcontext(_no_progress) as progress:
            return self.client.ask(requests, progress=progress)

    def ask_all(self, requests: Sequence[Request], *, title: str = "") -> list[Outcome]:
        """As `ask`; LLMFault where the server failed at any of the requests, as their answers may still come."""
        outcomes = self.ask(requests, title=title)
        if failed := [outcome for outcome in outcomes if isinstance(outcome, NoAnswer) and outcome.reason == "failed"]:
            raise LLMFault(
                f"{self.name}: the server failed at {len(failed)} of {len(outcomes)} requests "
                f"({failed[0].detail}); answers are kept. {GOES_ON}"
            )
        return outcomes

    def ask_texts(
        self,
        instructions: str,
        questions: Sequence[str],
        fault: type[GecFairError],
        *,
        usable: Callable[[str], bool] = bool,
    ) -> list[Outcome]:
        """An outcome for each question, in order; temperature 0, seed 0. Each distinct question is asked once, and an
        answer that is `usable` is cached. `fault` where the server fails or refuses access."""
        requests = [Request(self.name, (("system", instructions), ("user", question))) for question in questions]
        try:
            outcomes = self.client.ask(requests, usable=usable)
        except LLMFault as refusal:
            raise fault(str(refusal)) from refusal
        for question, outcome in zip(questions, outcomes, strict=True):
            if isinstance(outcome, NoAnswer) and outcome.reason == "failed":
                raise fault(self.explain(question, outcome))
        return outcomes

    def explain(self, question: str, outcome: NoAnswer) -> str:
        """Why a question has no answer, for a message."""
        reason = self.hidden(f"openai:{self.name}: no answer to {question!r} ({REASONS[outcome.reason]}")
        detail = f": {outcome.detail})" if outcome.detail else ")"
        remedy = GOES_ON if outcome.reason == "failed" else "leave the text out, or change the prompt"
        return f"{reason}{detail}; {remedy}"


def _no_progress(done: int, total: int) -> None: ...
