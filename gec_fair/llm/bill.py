"""What asking costs: tokens as the server counts them, money by prices that the user names, and the most that may be
spent.

Before a request is sent, the most that it can cost is set aside; where that would go over the budget, it is not sent.
So a budget is never overspent by more than a server reads or answers beyond the estimate.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from math import isfinite

from gec_fair.errors import GecFairError, UsageError
from gec_fair.llm.answer import NoAnswer, Outcome, Tokens
from gec_fair.llm.dialect import CHANGES
from gec_fair.llm.request import Request

_BYTES = 4
"""Bytes of UTF-8 a token, about: of English as many signs, of Chinese a sign and a third."""
_AROUND = 8
"""Tokens around a message."""
_LONGEST = 1024
"""Tokens that are set aside for an answer without a largest length; chosen by hand."""


class OverBudget(GecFairError):
    """The next request could cost more than is left; answers are kept."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens."""

    prompt: float
    completion: float

    @staticmethod
    def read(words: str) -> Prices:
        """`0.15,0.60`. UsageError for another."""
        try:
            prices = Prices(*(float(word) for word in words.split(",")))
        except (TypeError, ValueError) as fault:
            raise UsageError(
                "--price wants two numbers, for a million tokens that are read and that are written, such "
                f"as 0.15,0.60; not {words!r}"
            ) from fault
        if not all(isfinite(price) and price >= 0 for price in (prices.prompt, prices.completion)):
            raise UsageError(f"--price {words}: a price is a number of 0 or more")
        return prices

    def cost(self, tokens: Tokens) -> float:
        """The cost of some tokens; prices are for a million."""
        return (tokens.prompt * self.prompt + tokens.completion * self.completion) / 1e6


def estimate(request: Request) -> Tokens:
    """About how many tokens a request has, and the most that its answer has."""
    size = sum(len(content.encode("utf-8", "replace")) for _, content in request.messages)
    if request.schema is not None:  # servers read it too
        size += len(json.dumps(request.schema.model_json_schema()))
    return Tokens(size // _BYTES + _AROUND * len(request.messages), request.max_tokens or _LONGEST)


@dataclass(slots=True)
class Bill:
    """What was asked and what it cost. `budget`: the most that may be spent, None for no limit; needs `prices`.

    UsageError for a budget without prices.
    """

    prices: Prices | None = None
    budget: float | None = None
    requests: int = 0
    """Requests that were answered, without what was kept."""
    cached: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    usable: int = 0
    """Answers that could be read."""
    unusable: Counter[str] = field(default_factory=Counter)
    """Requests without an answer, by reason (`answer.REASONS`)."""
    changes: set[str] = field(default_factory=set)
    """How requests were changed, because a server refused them as they were (`dialect.CHANGES`)."""
    _aside: float = 0.0

    def __post_init__(self) -> None:
        if self.budget is not None and self.prices is None:
            raise UsageError("--budget counts money; say what a million tokens cost with --price IN,OUT")
        if self.budget is not None and not (isfinite(self.budget) and self.budget >= 0):
            raise UsageError(f"--budget {self.budget}: a budget is a number of 0 or more")

    @property
    def waiting(self) -> bool:
        """Whether money is set aside for requests that are on their way."""
        return self._aside > 1e-12

    @property
    def cost(self) -> float | None:
        """None without prices."""
        return None if self.prices is None else self.prices.cost(self.tokens)

    def count(self, outcome: Outcome) -> None:
        """What came of a request."""
        if isinstance(outcome, NoAnswer):
            self.unusable[outcome.reason] += 1
        else:
            self.usable += 1

    def set_aside(self, request: Request) -> float:
        """The most that the request can cost, which is kept free until it is `paid`. OverBudget where it is not
        there."""
        if self.prices is None or self.budget is None:
            return 0.0
        most = self.prices.cost(estimate(request))
        spent = self.prices.cost(self.tokens)
        if spent + self._aside + most > self.budget:
            raise OverBudget(
                f"{spent:.4f} of the budget of {self.budget:g} are spent, and the next request may cost "
                f"{most:.4f}; raise --budget, and the same command resumes"
            )
        self._aside += most
        return most

    def paid(self, aside: float, tokens: Tokens) -> None:
        """A request was answered, or failed and cost nothing (no tokens)."""
        self._aside -= aside
        self.tokens = self.tokens + tokens

    def summary(self) -> str:
        """In a line."""
        cost = "" if self.cost is None else f", cost {self.cost:.4f}"
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in sorted(self.unusable.items()))
        total = self.usable + self.unusable.total()
        usable = f"; {self.usable:,} of {total:,} answers usable ({reasons})" if reasons else ""
        changes = "".join(f"; {CHANGES[name]}" for name in sorted(self.changes & CHANGES.keys()))
        return (
            f"{self.requests:,} requests, {self.cached:,} answers from the cache; {self.tokens.prompt:,} tokens read, "
            f"{self.tokens.completion:,} written{cost}{usable}{changes}"
        )


def read_bill(price: str | None, budget: float | None) -> Bill:
    """The bill for `--price IN,OUT` and `--budget`. UsageError for a price that cannot be read, or a
    budget without a price."""
    return Bill(Prices.read(price) if price else None, budget)
