"""A chat model as rewriter and as verifier (Yang et al. 2024, §3.3): two prompts, two calls, two models if you like."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, create_model

from gec_fair.llm.answer import REASONS, Answer, NoAnswer, Outcome
from gec_fair.llm.ask import ChatModel
from gec_fair.llm.prompts import Data
from gec_fair.llm.request import Request
from gec_fair.llm.server import LLMFault
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.truncate import size
from gec_fair.razor.rewriting.candidates import Candidate, Verdict

PROMPTS = Path(__file__).with_name("prompts")
LONGEST = 512
"""Tokens of an answer at least; words of evidence that are shown."""
_A_WORD = 3
"""Tokens of a word at most, nearly always."""


class Rewritten(BaseModel):
    """A rewriter's answer."""

    text: str = Field(min_length=1)


def verdict_schema(labels: Sequence[str]) -> type[BaseModel]:
    """A verifier's answer: `label`, one of these. A number is its digits; case, white space and a full stop behind it
    do not count where no two labels differ in them alone."""
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(_plain(label), []).append(label)

    def spell(answer: object) -> object:
        matches = alike.get(_plain(str(answer)), []) if isinstance(answer, (str, int)) else []
        return answer if answer in labels or len(matches) != 1 else matches[0]

    def check_label(answer: str) -> str:
        if answer not in labels:
            raise ValueError(f"is none of {', '.join(labels)}")
        return answer

    field = Field(json_schema_extra={"enum": list(labels)})
    of_these: Any = Annotated[str, field, BeforeValidator(spell), AfterValidator(check_label)]
    return create_model("Judged", label=(of_these, ...))


def _plain(label: str) -> str:
    return " ".join(label.casefold().split()).rstrip(" .")


class LLMRewriter:
    """G_α: `number` candidates for a document, each from its own request."""

    def __init__(self, model: ChatModel, *, number: int, temperature: float, top_p: float, seed: int) -> None:
        self.model, self.number, self.seed = model, number, seed
        self.temperature, self.top_p = temperature, top_p
        self.alone, self.paired = model.prompt("rewrite"), model.prompt("rewrite-pair")

    @property
    def version(self) -> str:
        """The model, digests of its prompts, the settings and the server."""
        settings = f"temperature:{self.temperature:g}:top-p:{self.top_p:g}:candidates:{self.number}:seed:{self.seed}"
        return f"{_version(self)}:{settings}{self.model.server}"

    @property
    def draws(self) -> bool:
        """Whether the temperature is above 0."""
        return self.temperature > 0

    def requests(self, documents: Sequence[Document], tries: Sequence[int]) -> list[Request]:
        """`number` for each document, in order."""
        return [
            self.model.request(
                self.paired if document.evidence else self.alone,
                _fields(document, document.text, label=document.label),
                temperature=self.temperature,
                top_p=self.top_p,
                max_tokens=_longest(document),
                schema=Rewritten,
                seed=self.seed,
                draw=tried * self.number + draw,
            )
            for document, tried in zip(documents, tries, strict=True)
            for draw in range(self.number)
        ]

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        """`number` candidates for each document, in order. LLMFault where the server refuses every request."""
        outcomes = _ask(self.model, self.requests(documents, tries), "rewritings")
        return [
            [_candidate(outcome) for outcome in outcomes[first : first + self.number]]
            for first in range(0, len(outcomes), self.number)
        ]


class LLMVerifier:
    """G_β: it knows the labels, but not which one is wanted. Temperature 0."""

    def __init__(self, model: ChatModel, labels: Sequence[str]) -> None:
        self.model, self.labels = model, tuple(labels)
        self.schema = verdict_schema(self.labels)
        self.alone, self.paired = model.prompt("verify"), model.prompt("verify-pair")

    @property
    def version(self) -> str:
        """The model, digests of its prompts and the server."""
        return f"{_version(self)}{self.model.server}"

    def verdicts(self, documents: Sequence[Document], texts: Sequence[str]) -> list[Verdict]:
        """The label of each document if it read so. LLMFault where the server refuses every request."""
        requests = [self._request(document, text) for document, text in zip(documents, texts, strict=True)]
        return [_verdict(outcome) for outcome in _ask(self.model, requests, "verdicts")]

    def _request(self, document: Document, text: str) -> Request:
        prompt = self.paired if document.evidence else self.alone
        fields = _fields(document, text, labels=", ".join(self.labels))
        return self.model.request(prompt, fields, max_tokens=LONGEST, schema=self.schema)


def _version(asks: LLMRewriter | LLMVerifier) -> str:
    return f"llm:{asks.model.name}:prompts:{asks.alone.digest},{asks.paired.digest}"


def _longest(document: Document) -> int:
    """Tokens that a rewriting of a document may have."""
    return max(LONGEST, _A_WORD * size(document.text))


def _fields(document: Document, text: str, **more: str) -> dict[str, str]:
    """The fields of the document that the prompt shows, with `text` in place of the document's text."""
    evidence = {"evidence": Data(" ".join(document.evidence.split()[:LONGEST]))} if document.evidence else {}
    return {**more, "text": Data(text), **evidence}


def _ask(model: ChatModel, requests: Sequence[Request], title: str) -> list[Outcome]:
    """LLMFault where the server refuses every request, so that the next ones would fail too."""
    outcomes = model.ask(requests, title=title)
    refused = [outcome for outcome in outcomes if isinstance(outcome, NoAnswer) and outcome.reason == "refused"]
    if refused and len(refused) == len(outcomes):
        raise LLMFault(
            f"{model.name}: the server refuses every request ({refused[0].detail}); another model, or another "
            "--temperature or --top-p may do"
        )
    return outcomes


def _candidate(outcome: Outcome) -> Candidate:
    if isinstance(outcome, Answer) and isinstance(outcome.value, Rewritten):
        return Candidate(" ".join(outcome.value.text.split()), tokens=outcome.tokens)
    return Candidate("", "answer", _why(outcome), outcome.tokens)


def _verdict(outcome: Outcome) -> Verdict:
    label = getattr(outcome.value, "label", None) if isinstance(outcome, Answer) else None
    return Verdict(label, outcome.tokens, "" if label else _why(outcome))


def _why(outcome: Outcome) -> str:
    """There was no answer."""
    return ": ".join(filter(None, (REASONS[outcome.reason], outcome.detail))) if isinstance(outcome, NoAnswer) else ""
