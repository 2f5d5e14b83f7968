"""Rewriters and verifiers by name, as `razor run` takes them.

    rewriter   rules       numbers, dates, antonyms, synonyms     verifier   nli:MODEL   an NLI model of Hugging Face's
               llm:MODEL   a chat model                                      none        every rewriting is kept
                                                                             llm:MODEL, or any classifier's name

Other packages add rewriters as entry points of `gec_fair.rewriters`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gec_fair.classifiers import registry as classifiers
from gec_fair.extras import require
from gec_fair.llm.ask import Asker
from gec_fair.razor.baselines.crossaug import Negater
from gec_fair.razor.documents.documents import Document, has_evidence
from gec_fair.razor.rewriting.candidates import Rewriter, Verifier
from gec_fair.razor.rewriting.chat_model import LLMRewriter, LLMVerifier
from gec_fair.razor.rewriting.verifiers import Entailment, Nobody, Trained
from gec_fair.registry import Factory, Registry

LLM = "llm"
_NLI_LABELS = ("entailment", "neutral", "contradiction")


def _chat_rewriter(name: str, *, asker: Asker, prompts: Path, **settings: Any) -> Rewriter:
    return LLMRewriter(asker.model(name, prompts=prompts), **settings)


def _chat_verifier(name: str, documents: Sequence[Document], *, asker: Asker, prompts: Path) -> Verifier:
    return LLMVerifier(asker.model(name, prompts=prompts), list_labels(documents))


def _nli_verifier(name: str, documents: Sequence[Document]) -> Verifier:
    model = classifiers.load(f"hf:{name}", _NLI_LABELS, ordered=False)
    return Entailment(model, list_labels(documents), evidence=has_evidence(documents))


def _no_verifier(documents: Sequence[Document]) -> Verifier:
    print(
        "WARNING: no verifier: a rewriting that turns its label around will be kept; give --verifier",
        file=sys.stderr,
    )
    return Nobody()


REWRITERS: Registry[Rewriter] = Registry(
    "rewriter",
    {
        "rules": Factory("gec_fair.razor.rewriting.rules:Rules"),
        LLM: Factory(
            _chat_rewriter,
            argument="MODEL",
            options=("asker", "prompts", "number", "temperature", "top_p", "seed"),
        ),
    },
    group="rewriters",
)
VERIFIERS: Registry[Verifier] = Registry(
    "verifier",
    {
        LLM: Factory(_chat_verifier, argument="MODEL", options=("asker", "prompts")),
        "nli": Factory(_nli_verifier, argument="MODEL"),
        "none": Factory(_no_verifier),
    },
)
"""Each factory takes the documents whose labels are to be kept."""


def is_chat_model(name: str) -> bool:
    """Whether a rewriter or verifier is a chat model."""
    return name.startswith(f"{LLM}:")


def list_labels(documents: Sequence[Document]) -> list[str]:
    """The labels of the documents, sorted."""
    return sorted({document.label for document in documents})


def load_rewriter(name: str, asker: Asker, prompts: Path, *, candidates: int, **settings: Any) -> Rewriter:
    """The rewriter of that name, which proposes so many `candidates`; `settings`: temperature, top_p, seed. Raises as
    `Registry.load` does."""
    return REWRITERS.load(name, asker=asker, prompts=prompts, number=candidates, **settings)


def load_verifier(name: str, asker: Asker, documents: Sequence[Document], prompts: Path) -> Verifier:
    """The verifier of that name; any other name is a classifier's. Raises as `Registry.load` and
    `classifiers.registry.load` do."""
    if name in VERIFIERS:
        return VERIFIERS.load(name, documents, asker=asker, prompts=prompts)
    return Trained(classifiers.load(name, list_labels(documents), ordered=False), evidence=has_evidence(documents))


def load_negater(name: str) -> Negater:
    """A seq2seq model of Hugging Face's. Raises MissingResource without torch and transformers."""
    require("a negater", "train", "torch", "transformers")
    from gec_fair.razor.baselines.negater import Negater as Model

    return Model(name)
