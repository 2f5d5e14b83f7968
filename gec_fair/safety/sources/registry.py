"""Source classifiers (§4): texts in, a few attributes each out, whatever stands behind them.

views                    embedded: linear models of words and of letters, and word lists; different views of one text
toxicity, polarity       embedded (`gec_fair.classifiers`)
profanity                alt-profanity-check, where it is installed; in a separate process
vader                    vaderSentiment, where it is installed
detoxify:original, hf:NAME, sklearn:FILE.skops, command:PROGRAM     as in `gec_fair.classifiers`
openai-moderation[:MODEL]                                           over HTTP, kept in a cache
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gec_fair.classifiers.registry import CLASSIFIERS
from gec_fair.registry import Factory, Registry, read_labels
from gec_fair.safety.data.scores import Floats
from gec_fair.safety.sources.installed import Classified, Profanity, Vader
from gec_fair.safety.sources.protocol import Source

AT_ONCE = 4096
"""Texts between two updates of a progress bar; a program is started once for so many."""
SOURCES: Registry[Source] = Registry(
    "source",
    {
        "views": Factory("gec_fair.safety.sources.embedded:Views"),
        "profanity": Factory(Profanity),
        "vader": Factory(Vader),
        "openai-moderation": Factory(
            "gec_fair.safety.sources.moderation:Moderation", argument="MODEL", optional=True, options=("cache",)
        ),
    },
)
OFFLINE = ("views", "profanity", "vader")
"""Those that need no model and no network, of views that differ; `toxicity` learned from the counterfactual-fairness
seeds, and would know them."""


def load(name: str, *, cache: Path | None = None, every_label: bool = False) -> Source:
    """The source of that name; one that is not in the table is a classifier's, of both its labels if it has two and
    `every_label` is wanted. `cache`: a SQLite file for what comes over HTTP. UsageError for an unknown name; raises as
    `gec_fair.classifiers.load` does."""
    if name in SOURCES:
        return SOURCES.load(name, cache=cache)
    if ":" not in name and "/" not in name and name not in CLASSIFIERS and not Path(name).exists():
        raise SOURCES.refusal(name, also=CLASSIFIERS.choices)
    return Classified(name, every_label=every_label)


def load_named(words: Sequence[str], cache: Path | None) -> list[tuple[str, Source]]:
    """Sources by the names that their columns have. Raises as `read_labels` does."""
    return [(label, load(name, cache=cache)) for label, name in read_labels("source", words).items()]


def score(
    texts: Sequence[str], sources: Sequence[tuple[str, Source]], progress: Callable[[int, int], None]
) -> tuple[tuple[str, ...], Floats]:
    """The columns `SOURCE attribute`, and (texts, columns)."""
    columns = tuple(f"{name} {attribute}" for name, source in sources for attribute in source.attributes)
    blocks = []
    for n, (_, source) in enumerate(sources):
        parts = []
        for first in range(0, len(texts), AT_ONCE):
            parts.append(source.scores(texts[first : first + AT_ONCE]))
            progress(n * len(texts) + min(len(texts), first + AT_ONCE), len(sources) * len(texts))
        blocks.append(np.concatenate(parts) if parts else np.zeros((0, len(source.attributes))))
    return columns, np.hstack(blocks)
