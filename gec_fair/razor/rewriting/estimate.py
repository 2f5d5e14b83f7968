"""What the first turn of a chat model would cost, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence

from gec_fair.llm.bill import estimate
from gec_fair.razor.documents.documents import Document
from gec_fair.razor.options import RewriteOptions
from gec_fair.razor.rewriting.candidates import NONE, Rewriter
from gec_fair.razor.rewriting.chat_model import LLMRewriter
from gec_fair.razor.rewriting.loop import RewritingLoop
from gec_fair.razor.rewriting.verifiers import Nobody


def estimate_first_turn(
    documents: Sequence[Document], options: RewriteOptions, rewriter: Rewriter, *, judged: bool
) -> str:
    """How many requests the first turn sends at most, and their cost: where a model judges as well, as many verdicts as
    candidates, each with a document's words."""
    assert isinstance(rewriter, LLMRewriter)
    rewriting = RewritingLoop(documents, options, rewriter, Nobody())
    highest = [document for label in rewriting.names for document in rewriting.highest(label)]
    requests = rewriter.requests(highest, [0] * len(highest))
    waiting = rewriter.model.waiting(requests)
    tokens = sum((estimate(request) for request in waiting), NONE)
    total = sum((estimate(request) for request in requests), tokens) if judged else tokens
    prices = rewriter.model.client.bill.prices
    cost = "" if prices is None else f", at most {prices.cost(total):.4f} by your prices"
    verdicts = " and as many to verify" if judged else ""
    return (
        f"{len(highest):,} documents in the first turn: {len(requests):,} requests to rewrite ({len(waiting):,} not "
        f"answered yet){verdicts}; about {total.prompt:,} tokens read and at most {total.completion:,} "
        f"written{cost}"
    )
