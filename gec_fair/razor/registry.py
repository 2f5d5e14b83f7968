"""What a name on the command line stands for."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from gec_fair.classifiers.protocol import Called, Classifier, load
from gec_fair.config.suggest import closest
from gec_fair.errors import InputError, UsageError
from gec_fair.extras import require
from gec_fair.llm.bill import Bill, Prices, estimate
from gec_fair.llm.client import Client
from gec_fair.razor.baselines.crossaug import Negater
from gec_fair.razor.baselines.eda import Variants
from gec_fair.razor.baselines.encoder import Encoder, EncoderTraining
from gec_fair.razor.baselines.methods import METHODS
from gec_fair.razor.baselines.methods import read as read_as
from gec_fair.razor.documents.documents import Document, Fields, read, tell
from gec_fair.razor.evaluation.evaluate import figures_of
from gec_fair.razor.evaluation.explain import Attribution, Examined, examine, occlusion, shapley
from gec_fair.razor.rewriting.candidates import NONE, Rewriter, Verifier
from gec_fair.razor.rewriting.chat_model import LLMRewriter, LLMVerifier
from gec_fair.razor.rewriting.loop import RewriteOptions, Rewriting
from gec_fair.razor.rewriting.rules import Rules
from gec_fair.razor.rewriting.verifiers import Entailment, Nobody, Trained
from gec_fair.runs.cache import Store, cache_directory

LLM, NLI, RULES, EDA = "llm:", "nli:", "rules", "eda"
_NLI_LABELS = ("entailment", "neutral", "contradiction")


class Asking:
    """The client of a chat model, made when the first one is named; its replies lie in the cache directory, if they are
    to be `keep`t."""

    def __init__(
        self, base_url: str | None, price: str | None, budget: float | None, *, at_once: int, keep: bool
    ) -> None:
        self._prepared = Bill(Prices.read(price) if price else None, budget)
        self._how = {"base_url": base_url, "at_once": at_once}
        self._keep = keep
        self.bill: Bill | None = None

    @property
    def prices(self) -> Prices | None:
        return self._prepared.prices

    @cached_property
    def client(self) -> Client:
        self.bill = self._prepared
        kept = Store(cache_directory() / "chat.sqlite", "replies") if self._keep else None
        return Client(kept=kept, bill=self.bill, **self._how)  # type: ignore[arg-type]


def rewriter_of(name: str, asking: Asking, prompts: Path, *, candidates: int, **how: Any) -> Rewriter:
    """llm:MODEL, rules or eda. UsageError for another."""
    if name == RULES:
        return Rules()
    if name == EDA:
        return Variants(candidates, how["seed"])
    if not name.startswith(LLM):
        raise UsageError(
            f"no rewriter is called {name!r}{closest(name, (RULES, EDA))}; there are rules, eda and llm:MODEL"
        )
    return LLMRewriter(asking.client, name.removeprefix(LLM), number=candidates, prompts=prompts, **how)


def verifier_of(name: str, asking: Asking, documents: Sequence[Document], prompts: Path) -> Verifier:
    """llm:MODEL, nli:MODEL, none, or a classifier's name (`classifiers.protocol.load`)."""
    labels = sorted({document.label for document in documents})
    if name == "none":
        print(
            "WARNING: no verifier: a rewriting that turns its label around will be kept; give --verifier",
            file=sys.stderr,
        )
        return Nobody()
    if name.startswith(LLM):
        return LLMVerifier(asking.client, name.removeprefix(LLM), labels, prompts=prompts)
    if name.startswith(NLI):
        evidence = any(document.evidence for document in documents)
        return Entailment(load(f"hf:{name.removeprefix(NLI)}", _NLI_LABELS, ordered=False), labels, evidence=evidence)
    return Trained(load(name, labels, ordered=False))


def allowed(train: Sequence[Document], rewritten: Sequence[Document], *, claim_only: bool) -> tuple[str, ...]:
    """The methods that these data allow; says on stderr which they do not, and why."""
    found = []
    for name, method in METHODS.items():
        lacking = method.lacks(train, claim_only) or ("" if rewritten or name != "razor" else "--rewritten")
        if lacking:
            print(f"note: without {name}, which wants {lacking}", file=sys.stderr)
        else:
            found.append(name)
    return tuple(found)


def negater_of(name: str) -> Negater:
    """A seq2seq model by name. Needs torch and transformers."""
    require("a negater", "train", "torch", "transformers")
    from gec_fair.razor.baselines.negater import Negater as Model

    return Model(name)


def encoder_of(
    options: EncoderTraining, runs: Path, tests: Mapping[str, Sequence[Document]], looks: int, *, claim_only: bool
) -> Encoder:
    """That is looked at so often on the test sets while it learns."""
    from gec_fair.trainer.callbacks import Watch

    sets = {name: (read_as(some, claim_only=claim_only), [each.label for each in some]) for name, some in tests.items()}
    return Encoder(options, runs, Watch(sets, looks, figures_of) if looks else None)


def first_turn(documents: Sequence[Document], options: RewriteOptions, rewriter: Rewriter, *, judged: bool) -> str:
    """What the first turn would ask at most, and cost: with a model that judges, as many verdicts as candidates, each
    with a document's words."""
    assert isinstance(rewriter, LLMRewriter)
    rewriting = Rewriting(documents, options, rewriter, Nobody())
    asked = [document for label in rewriting.names for document in rewriting.highest(label)]
    requests = rewriter.requests(asked, [0] * len(asked))
    waiting = rewriter.client.waiting(requests)
    tokens = sum((estimate(request) for request in waiting), NONE)
    whole = tokens + tokens if judged else tokens
    prices = rewriter.client.bill.prices
    cost = "" if prices is None else f", at most {prices.of(whole):.4f} by your prices"
    verdicts = " and as many to verify" if judged else ""
    return (
        f"{len(asked):,} documents in the first turn: {len(requests):,} requests to rewrite ({len(waiting):,} not "
        f"answered yet){verdicts}; about {whole.prompt:,} tokens read and at most {whole.completion:,} "
        f"written{cost}"
    )


def examined(
    documents: Sequence[Document],
    name: str,
    model: str,
    part: Sequence[str],
    attribution: str | None,
    renamed: Mapping[str, str],
) -> Examined:
    """Of the document with this id. UsageError for an id that is none, or an attribution that the model does not
    give."""
    found = next((each for each in documents if each.id == name), None)
    if found is None:
        near = closest(name, [each.id for each in documents])
        raise UsageError(f"no document has the id {name!r}{near}; --id names the field that holds it")
    labels = sorted({renamed.get(each.label, each.label) for each in documents})
    classifier = load(model, labels, ordered=False)
    h = attribution_of(attribution, classifier)
    return examine(classifier, replace(found, label=renamed.get(found.label, found.label)), h, part)


def attribution_of(name: str | None, classifier: Classifier) -> Attribution:
    """attention and gradients of Hugging Face's models, occlusion and shapley of any; None is the first that it has."""
    inner = classifier.classifier if isinstance(classifier, Called) else classifier
    with_states = inner.version.startswith("hf:")
    if name in ("occlusion", None) and not (name is None and with_states):
        return occlusion(classifier)
    if name == "shapley":
        return shapley(classifier)
    if not with_states:
        raise UsageError(f"--attribution {name} is for hf: models; choose occlusion or shapley")
    from gec_fair.classifiers.hugging_face import HuggingFace
    from gec_fair.razor.evaluation.attribution import attention, gradients

    assert isinstance(inner, HuggingFace)
    return gradients(inner) if name == "gradients" else attention(inner)


def data_of(paths: Sequence[Path], fields: Fields, labels: Sequence[str]) -> list[Document]:
    """The documents of several files, with these labels if any are named. InputError for an id that two files have, or
    where none is left."""
    found: list[Document] = []
    for path in paths:
        some, left = read(path, fields)
        tell(left)
        found += [document for document in some if not labels or document.label in labels]
    seen: dict[str, Document] = {}
    for document in found:
        if (other := seen.setdefault(document.id, document)) is not document:
            raise InputError(
                f"{document.where}: the id {document.id!r} stands in {other.where} too; give each document its own"
            )
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: no document is {' or '.join(labels)}; check --labels")
    return found
