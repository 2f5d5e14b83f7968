"""A chat model as rewriter and as verifier (Yang et al. 2024, §3.3): two prompts, two calls, two models if you like."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, create_model

from gec_fair.llm.answer import REASONS, Answer, NoAnswer, Outcome
from gec_fair.llm.client import Client
from gec_fair.llm.prompts import Data, Prompt, read
from gec_fair.llm.request import Message, Request
from gec_fair.llm.server import LLMFault
from gec_fair.progress import bar
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.truncate import size
from gec_fair.razor.rewriting.candidates import Candidate, Verdict

PROMPTS = Path(__file__).with_name("prompts")
TEMPERATURE, TOP_P = 0.7, 0.9
"""Of the rewriter (§4)."""
LONGEST = 512
"""Tokens of an answer at least; words of evidence that are shown."""
_A_WORD = 3
"""Tokens of a word at most, nearly always."""


class Rewritten(BaseModel):
    """A rewriter's answer."""

    text: str = Field(min_length=1)


def judged(labels: Sequence[str]) -> type[BaseModel]:
    """A verifier's answer: `label`, one of these. A number is its digits; case, white space and a full stop behind it
    do not count where no two labels differ in them alone."""
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(_plain(label), []).append(label)

    def named(said: object) -> object:
        found = alike.get(_plain(str(said)), []) if isinstance(said, (str, int)) else []
        return said if said in labels or len(found) != 1 else found[0]

    def known(said: str) -> str:
        if said not in labels:
            raise ValueError(f"is none of {', '.join(labels)}")
        return said

    field = Field(json_schema_extra={"enum": list(labels)})
    of_these: Any = Annotated[str, field, BeforeValidator(named), AfterValidator(known)]
    return create_model("Judged", label=(of_these, ...))


def _plain(label: str) -> str:
    return " ".join(label.casefold().split()).rstrip(" .")


class LLMRewriter:
    """G_α: `number` candidates for a document, each from a request of its own."""

    def __init__(
        self,
        client: Client,
        model: str,
        *,
        number: int = 3,
        temperature: float = TEMPERATURE,
        top_p: float = TOP_P,
        prompts: Path = PROMPTS,
        seed: int = 0,
    ) -> None:
        self.client, self.model, self.number, self.seed = client, model, number, seed
        self.temperature, self.top_p = temperature, top_p
        self.alone, self.paired = read(prompts / "rewrite.txt"), read(prompts / "rewrite-pair.txt")

    @property
    def version(self) -> str:
        how = f"temperature:{self.temperature:g}:top-p:{self.top_p:g}:candidates:{self.number}:seed:{self.seed}"
        return f"llm:{self.model}:prompts:{self.alone.digest},{self.paired.digest}:{how}{self.client.server.name}"

    @property
    def draws(self) -> bool:
        return self.temperature > 0

    def requests(self, documents: Sequence[Document], tries: Sequence[int]) -> list[Request]:
        """`number` for each document, in order."""
        return [
            Request(
                self.model,
                _filled(self._prompt(document), document, document.text, label=document.label),
                self.temperature,
                self.top_p,
                _longest(document),
                Rewritten,
                self.seed,
                tried * self.number + draw,
            )
            for document, tried in zip(documents, tries, strict=True)
            for draw in range(self.number)
        ]

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        with bar("rewritings") as progress:
            outcomes = self.client.ask(self.requests(documents, tries), progress=progress)
        _refuse_useless(self.model, outcomes)
        return [
            [_candidate(outcome) for outcome in outcomes[first : first + self.number]]
            for first in range(0, len(outcomes), self.number)
        ]

    def _prompt(self, document: Document) -> Prompt:
        return self.paired if document.evidence else self.alone


class LLMVerifier:
    """G_β: told the labels, not which one is wanted. Temperature 0."""

    def __init__(self, client: Client, model: str, labels: Sequence[str], *, prompts: Path = PROMPTS) -> None:
        self.client, self.model, self.labels = client, model, tuple(labels)
        self.schema = judged(self.labels)
        self.alone, self.paired = read(prompts / "verify.txt"), read(prompts / "verify-pair.txt")

    @property
    def version(self) -> str:
        return f"llm:{self.model}:prompts:{self.alone.digest},{self.paired.digest}{self.client.server.name}"

    def verdicts(self, documents: Sequence[Document], texts: Sequence[str]) -> list[Verdict]:
        asked = [self._request(document, text) for document, text in zip(documents, texts, strict=True)]
        with bar("verdicts") as progress:
            outcomes = self.client.ask(asked, progress=progress)
        _refuse_useless(self.model, outcomes)
        return [_verdict(outcome) for outcome in outcomes]

    def _request(self, document: Document, text: str) -> Request:
        prompt = self.paired if document.evidence else self.alone
        messages = _filled(prompt, document, text, labels=", ".join(self.labels))
        return Request(self.model, messages, max_tokens=LONGEST, schema=self.schema)


def _longest(document: Document) -> int:
    """Tokens that a rewriting of a document may have."""
    return max(LONGEST, _A_WORD * size(document.text))


def _filled(prompt: Prompt, document: Document, text: str, **told: str) -> tuple[Message, ...]:
    fields = {**told, "text": Data(text)}
    if document.evidence:
        fields["evidence"] = Data(" ".join(document.evidence.split()[:LONGEST]))
    return prompt.fill(fields)


def _refuse_useless(model: str, outcomes: Sequence[Outcome]) -> None:
    """LLMFault where the server refuses all that it is asked: nothing would come of going on."""
    refused = [each for each in outcomes if isinstance(each, NoAnswer) and each.reason == "refused"]
    if refused and len(refused) == len(outcomes):
        raise LLMFault(
            f"{model}: the server refuses every request ({refused[0].detail}); another model, or another "
            "--temperature or --top-p may do"
        )


def _candidate(outcome: Outcome) -> Candidate:
    if isinstance(outcome, Answer) and isinstance(outcome.value, Rewritten):
        return Candidate(" ".join(outcome.value.text.split()), tokens=outcome.tokens)
    return Candidate("", "answer", _why(outcome), outcome.tokens)


def _verdict(outcome: Outcome) -> Verdict:
    label = getattr(outcome.value, "label", None) if isinstance(outcome, Answer) else None
    return Verdict(label, outcome.tokens, "" if label else _why(outcome))


def _why(outcome: Outcome) -> str:
    """There is no answer."""
    return ": ".join(filter(None, (REASONS[outcome.reason], outcome.detail))) if isinstance(outcome, NoAnswer) else ""
