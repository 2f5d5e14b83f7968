"""Source classifiers (§4): texts in, a few attributes each out, whatever stands behind them.

views                    embedded: linear models of words and of letters, and word lists; different views of one text
toxicity, polarity       embedded (`gec_fair.classifiers`)
profanity                alt-profanity-check, where it is installed
vader                    vaderSentiment, where it is installed
detoxify:original, hf:NAME, sklearn:FILE.skops, command:PROGRAM     as in `gec_fair.classifiers`
perspective[:ATTRIBUTES], openai-moderation[:MODEL]                 over HTTP, kept in a cache
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import numpy as np

from gec_fair.classifiers import protocol
from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.safety.data.scores import Floats

AT_ONCE = 512
"""Texts between two strokes of a progress bar."""


class Source(Protocol):
    """`attributes` are the scores' columns; `version` names all that decides them."""

    @property
    def attributes(self) -> tuple[str, ...]: ...

    @property
    def version(self) -> str: ...

    def scores(self, texts: Sequence[str]) -> Floats:
        """(texts, attributes); NaN where the source has no answer."""
        ...


class Profanity:
    """alt-profanity-check: a linear SVM of words. It takes words for identities for profanity."""

    attributes = ("profanity",)

    def __init__(self) -> None:
        require("profanity", "safety", "profanity_check")
        self.version = f"alt-profanity-check:{version('alt-profanity-check')}"

    def scores(self, texts: Sequence[str]) -> Floats:
        from profanity_check import predict_prob

        return np.asarray(predict_prob(list(texts)), dtype=np.float64).reshape(-1, 1)


class Vader:
    """VADER's sentiment (Hutto & Gilbert 2014), by rules and word list."""

    attributes = ("neg", "neu", "pos", "compound")

    def __init__(self) -> None:
        require("vader", "safety", "vaderSentiment")
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        self.version = f"vaderSentiment:{version('vaderSentiment')}"
        self._judge = SentimentIntensityAnalyzer()

    def scores(self, texts: Sequence[str]) -> Floats:
        told = [self._judge.polarity_scores(text) for text in texts]
        return np.array([[each[name] for name in self.attributes] for each in told]).reshape(len(told), -1)


class Classified:
    """A classifier as a source. Of two labels that share one probability the second tells all."""

    def __init__(self, name: str) -> None:
        self._classifier = protocol.as_it_is(name)
        self.version = self._classifier.version
        labels = self._classifier.labels or ("value",)
        self._first = 1 if len(labels) == 2 else 0
        self.attributes = labels[self._first :]

    def scores(self, texts: Sequence[str]) -> Floats:
        found: Floats = self._classifier.scores([(text,) for text in texts])[:, self._first :]
        return found


def _views() -> Source:
    from gec_fair.safety.sources.embedded import Views

    return Views()


ALONE: dict[str, Callable[[], Source]] = {"views": _views, "profanity": Profanity, "vader": Vader}
HTTP = ("perspective", "openai-moderation")
OFFLINE = ("views", "profanity", "vader")
"""Those that need no model and no network, of views that differ; `toxicity` learned from the counterfactual-fairness
seeds, and would know them."""


def load(name: str, *, cache: Path | None = None) -> Source:
    """The source of that name. `cache`: a SQLite file for what comes over HTTP. UsageError for no name; raises as
    `gec_fair.classifiers.load` does."""
    kind, _, argument = name.partition(":")
    if name in ALONE:
        return ALONE[name]()
    if kind in HTTP:
        from gec_fair.safety.sources.moderation import openai_moderation, perspective

        return (perspective if kind == HTTP[0] else openai_moderation)(argument, cache)
    known = (*ALONE, *HTTP, *sorted(protocol.ALONE))
    if ":" not in name and "/" not in name and name not in known and not Path(name).exists():
        raise UsageError(
            f"no source is called {name!r}{closest(name, known)}; there are {', '.join(known)}, and "
            "detoxify:…, hf:…, sklearn:…, command:…"
        )
    return Classified(name)


def called(words: Sequence[str], cache: Path | None) -> list[tuple[str, Source]]:
    """Sources by the names that their columns have: what stands before a first `=` (of a word without a colon before
    it), else their own. UsageError for one that is named twice."""
    found: dict[str, Source] = {}
    for word in words:
        before, equals, behind = word.partition("=")
        name, source = (before, behind) if equals and ":" not in before else (word, word)
        if name in found:
            raise UsageError(f"{name} is named twice; give each source a name of its own: NAME={source}")
        found[name] = load(source, cache=cache)
    return list(found.items())


def score(
    texts: Sequence[str], sources: Sequence[tuple[str, Source]], progress: Callable[[int, int], None]
) -> tuple[tuple[str, ...], Floats]:
    """The columns `SOURCE attribute`, and (texts, columns)."""
    columns = tuple(f"{name} {attribute}" for name, source in sources for attribute in source.attributes)
    found = []
    for n, (_, source) in enumerate(sources):
        parts = []
        for first in range(0, len(texts), AT_ONCE):
            parts.append(source.scores(texts[first : first + AT_ONCE]))
            progress(n * len(texts) + min(len(texts), first + AT_ONCE), len(sources) * len(texts))
        found.append(np.concatenate(parts) if parts else np.zeros((0, len(source.attributes))))
    return columns, np.hstack(found)
