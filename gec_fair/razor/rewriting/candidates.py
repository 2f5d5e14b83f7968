"""What a rewriter proposes for a document, and what is not a rewriting of it at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from gec_fair.llm.answer import Tokens
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.words import words

REASONS: Mapping[str, str] = {
    "empty": "no words",
    "same": "the words that the document has already",
    "again": "the words of another candidate",
    "foreign": "another language than the data set's",
    "long": "more than three times as long as the document",
    "answer": "the model gave no answer",
    "label": "the verifier found another label",
    "unsure": "the verifier gave no answer",
    "higher": "the score is not lower",
}
"""Why a candidate did not take the document's place."""
NONE = Tokens()
_LONGER = 3  # by hand: 10 words may become 30, not 31


@dataclass(frozen=True, slots=True)
class Candidate:
    """`reason`: of REASONS, "" for one that may take the document's place; `detail` says more. `tokens`: what asking
    for it cost, whenever that was."""

    text: str
    reason: str = ""
    detail: str = ""
    tokens: Tokens = NONE


@dataclass(frozen=True, slots=True)
class Verdict:
    """The label of a text, or None and `detail` with the reason."""

    label: str | None
    tokens: Tokens = NONE
    detail: str = ""


class Rewriter(Protocol):
    """`version` names all that decides what it proposes; `draws`: whether it may propose something else when it is
    asked again."""

    @property
    def version(self) -> str:
        """What decides the proposals."""
        ...

    @property
    def draws(self) -> bool:
        """Whether another try may bring other proposals."""
        ...

    def propose(self, documents: Sequence[Document], tries: Sequence[int]) -> list[list[Candidate]]:
        """Candidates for each document; `tries`: how often it was asked for each before, so that it may answer
        otherwise."""
        ...


class Verifier(Protocol):
    """The second judgement: G_β of equation 13."""

    @property
    def version(self) -> str:
        """What decides the verdicts."""
        ...

    def verdicts(self, documents: Sequence[Document], texts: Sequence[str]) -> list[Verdict]:
        """The label of each document if it read so."""
        ...


def check(document: Document, proposed: Sequence[Candidate], foreign: Callable[[str, str], bool]) -> list[Candidate]:
    """The candidates, those that are no rewriting with their reason. `foreign`: whether a text is in another language
    than another text, and the data set."""
    original = words(document.text)
    seen: set[tuple[str, ...]] = set()
    candidates: list[Candidate] = []
    for candidate in proposed:
        reason = candidate.reason or _fault(original, words(candidate.text), seen)
        if not reason and foreign(candidate.text, document.text):
            reason = "foreign"
        seen.add(tuple(words(candidate.text)))
        candidates.append(replace(candidate, reason=reason))
    return candidates


def _fault(original: list[str], words: list[str], seen: set[tuple[str, ...]]) -> str:
    if not any(word.isalnum() for word in words):
        return "empty"
    if words == original:
        return "same"
    if tuple(words) in seen:
        return "again"
    if len(words) > _LONGER * max(len(original), 5):
        return "long"
    return ""
