"""Rewrite the documents that give their label away until the labels' surfaces are alike (Yang et al. 2024, §3.3).

    pass: one label's highest documents ─ candidates ─ a second judgement ─ the lowest score takes its place, if lower
    turn: a pass of each label, until a turn gains no more

In a pass the document frequencies stay as they were, and every document that takes another's place is measured against
those that did before it: so with equation 12 the objective of equation 14 cannot fall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gec_fair.edits import Rewriting
from gec_fair.llm.answer import Tokens
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.documents.languages import Languages
from gec_fair.razor.documents.truncate import beginning
from gec_fair.razor.documents.words import words
from gec_fair.razor.options import RewriteOptions
from gec_fair.razor.rewriting.candidates import NONE, Candidate, Rewriter, Verifier, check
from gec_fair.razor.scoring.ranking import labels_of, shortcuts
from gec_fair.razor.scoring.shortcuts import Shortcuts


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass did. `rows`: the ledger's, a document each. `before`, `after`: mean cosine and squared distance, by
    the document frequencies of this pass."""

    number: int
    label: str
    rows: tuple[Mapping[str, Any], ...]
    before: Mapping[str, float]
    after: Mapping[str, float]

    @property
    def replacements(self) -> dict[str, str]:
        """Texts by document."""
        return {row["id"]: row["candidates"][row["chosen"]]["text"] for row in self.rows if row["chosen"] is not None}

    @property
    def tokens(self) -> Tokens:
        """The tokens of all rows together."""
        return Tokens(*(sum(row["tokens"][side] for row in self.rows) for side in (0, 1)))


class RewritingLoop:
    """The documents as they read now, and what was tried. `done`: passes of a run that was stopped, made again without
    asking anybody. `rewritings`: by document's number, from the original to the text as it reads now, over all
    passes."""

    def __init__(
        self,
        documents: Sequence[Document],
        options: RewriteOptions,
        rewriter: Rewriter,
        verifier: Verifier,
        done: Sequence[Pass] = (),
    ) -> None:
        self.documents, self.options, self.rewriter, self.verifier = documents, options, rewriter, verifier
        self.labels = [document.label for document in documents]
        self.names = sorted(labels_of(documents))
        self.texts = [document.text for document in documents]
        self.most = options.tries if rewriter.draws else 1
        self.tried: Counter[str] = Counter()
        self.passes: list[Pass] = []
        self.rewritings: dict[int, Rewriting] = {}
        self._languages = Languages(self.texts)
        self._at = {document.id: i for i, document in enumerate(documents)}
        for one_pass in done:
            self._take(one_pass)

    @property
    def finished(self) -> str:
        """Why there is no more to do; "" where there is."""
        rounds = len(self.passes) // len(self.names)
        turns = [self.passes[turn * len(self.names) : (turn + 1) * len(self.names)] for turn in range(rounds)]
        if len(self.passes) % len(self.names):
            return ""
        if turns and not any(one_pass.rows for one_pass in turns[-1]):
            return "every document that may be rewritten was"
        if rounds >= self.options.turns:
            return f"{rounds} turns were made"
        last = turns[-self.options.patience :]
        if len(last) == self.options.patience and all(self._gain(turn) <= self.options.least for turn in last):
            return f"the last {self.options.patience} turns gained no more than {self.options.least:g}"
        return ""

    @property
    def left(self) -> list[str]:
        """Documents that are never rewritten: those without words."""
        return [document.id for document in self.documents if not words(document.text)]

    def make(self, keep: Callable[[Pass], None]) -> str:
        """Passes until there is no more to do; each is given to `keep` before the next. Answers why it stopped."""
        while not (why := self.finished):
            new_pass = self._pass(len(self.passes))
            keep(new_pass)
            self._take(new_pass)
        return why

    def highest(self, label: str) -> list[Document]:
        """The documents that a pass of this label would begin with now, with what is rewritten of their texts."""
        scores = shortcuts(self.texts, self.labels, self.options)
        return [self._beginning(i)[0] for i in self._highest(scores, label)]

    def _beginning(self, i: int) -> tuple[Document, str]:
        """Document i with what is rewritten of its text, and the rest of the text."""
        first, rest = beginning(self.texts[i], self.options.longest)
        return replace(self.documents[i], text=first), rest

    def _take(self, new_pass: Pass) -> None:
        self.passes.append(new_pass)
        self.tried.update(row["id"] for row in new_pass.rows)
        for name, text in new_pass.replacements.items():
            at = self._at[name]
            step = Rewriting.between(self.texts[at], text)
            self.rewritings[at] = self.rewritings[at].then(step) if at in self.rewritings else step
            self.texts[at] = text

    def _gain(self, turn: Sequence[Pass]) -> float:
        """As a share of what is measured."""
        name = "likeness" if self.options.stop == "objective" else "mmd"
        sign = 1 if self.options.stop == "objective" else -1
        gain = sum(sign * (one_pass.after[name] - one_pass.before[name]) for one_pass in turn)
        return gain / (abs(turn[0].before[name]) or 1.0)

    def _pass(self, number: int) -> Pass:
        label = self.names[number % len(self.names)]
        scores = shortcuts(self.texts, self.labels, self.options)
        before = _measures(scores)
        chosen = self._highest(scores, label)
        parts = [self._beginning(i) for i in chosen]
        current = [document for document, _ in parts]
        proposed = self.rewriter.propose(current, [self.tried[document.id] for document in current]) if current else []
        candidates = [
            check(document, texts, self._languages.is_foreign)
            for document, texts in zip(current, proposed, strict=True)
        ]
        judged = self._judge(current, candidates)
        rows = tuple(
            self._row(scores, i, [replace(candidate, text=candidate.text + rest) for candidate in candidates])
            for i, (_, rest), candidates in zip(chosen, parts, judged, strict=True)
        )
        return Pass(number, label, rows, before, _measures(scores))

    def _highest(self, table: Shortcuts, label: str) -> list[int]:
        """The label's documents with the highest scores that may be rewritten still; of equal ones the first."""
        scores = table.scores()
        may = [
            i
            for i, document in enumerate(self.documents)
            if document.label == label and self.tried[document.id] < self.most and words(self.texts[i])
        ]
        order = np.argsort(-scores[np.array(may, dtype=np.int64)], kind="stable")
        return [may[n] for n in order[: self.options.top]]

    def _judge(self, documents: Sequence[Document], proposals: Sequence[list[Candidate]]) -> list[list[Candidate]]:
        """Those that kept their label have no reason still."""
        judged = [list(candidates) for candidates in proposals]
        pending = [(n, m) for n, row in enumerate(judged) for m, candidate in enumerate(row) if not candidate.reason]
        texts = [judged[n][m].text for n, m in pending]
        verdicts = self.verifier.verdicts([documents[n] for n, _ in pending], texts) if pending else []
        for (n, m), verdict in zip(pending, verdicts, strict=True):
            was = judged[n][m]
            reason = "" if verdict.label == documents[n].label else "unsure" if verdict.label is None else "label"
            judged[n][m] = Candidate(was.text, reason, verdict.label or verdict.detail, was.tokens + verdict.tokens)
        return judged

    def _row(self, table: Shortcuts, i: int, candidates: Sequence[Candidate]) -> Mapping[str, Any]:
        """The ledger's row, and the lowest candidate in the document's place."""
        document, text = self.documents[i], self.texts[i]
        score, *scores = table.candidates(i, [text, *(candidate.text for candidate in candidates)]).tolist()
        usable = [n for n, candidate in enumerate(candidates) if not candidate.reason and scores[n] < score]
        best = min(usable, key=lambda n: (scores[n], n), default=None)
        if best is not None:
            table.replace(i, candidates[best].text)
        rows = [
            {
                "text": candidate.text,
                "score": value,
                "reason": candidate.reason or ("" if value < score else "higher"),
                "detail": candidate.detail,
            }
            for candidate, value in zip(candidates, scores, strict=True)
        ]
        tokens = sum((candidate.tokens for candidate in candidates), NONE)
        return {
            "id": document.id,
            "label": document.label,
            "text": text,
            "score": score,
            "candidates": rows,
            "chosen": best,
            "tokens": [tokens.prompt, tokens.completion],
        }


def _measures(scores: Shortcuts) -> dict[str, float]:
    return {"likeness": scores.sums.likeness or 0.0, "mmd": scores.sums.mmd, "objective": scores.sums.objective}
