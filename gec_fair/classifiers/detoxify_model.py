"""Detoxify (Hanu & Unitary 2020) as a classifier, where it is installed: `detoxify:original`, `:unbiased`,
`:multilingual`. Each label is judged by itself; rows do not add up to 1."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from gec_fair.classifiers.protocol import Scores, Text
from gec_fair.config.suggest import closest
from gec_fair.data.download import offline
from gec_fair.errors import MissingResource, UsageError
from gec_fair.extras import require

KINDS = ("original", "unbiased", "multilingual")
_BATCH = 64


class DetoxifyModel:
    """The weights come from Detoxify's release pages when they are first asked for, and are kept by torch."""

    at_once = 1024

    def __init__(self, name: str, labels: Sequence[str] = ()) -> None:
        if name not in KINDS:
            raise UsageError(f"Detoxify has no model {name!r}{closest(name, KINDS)}; there are {', '.join(KINDS)}")
        require(f"detoxify:{name}", "detoxify", "detoxify", "torch")
        from detoxify import Detoxify

        from gec_fair.models.inference import choose_device

        if offline():
            raise MissingResource(
                f"detoxify:{name} fetches its weights itself, and downloads are forbidden "
                "(GEC_FAIR_OFFLINE); hf:FOLDER reads a model that is here"
            )
        try:
            self._model = Detoxify(name, device=str(choose_device()))
        except (OSError, RuntimeError, KeyError) as fault:
            raise MissingResource(
                f"detoxify:{name}: its weights cannot be had ({fault}); try again with a connection, "
                "or name another classifier"
            ) from fault
        self.version = f"detoxify:{name}:{version('detoxify')}"
        self.labels = tuple(self._model.class_names)

    def scores(self, texts: Sequence[Text]) -> Scores:
        """(texts, labels) probabilities."""
        plain = [" ".join(fields) for fields in texts]
        rows = []
        for first in range(0, len(plain), _BATCH):
            batch_scores = self._model.predict(plain[first : first + _BATCH])
            rows.append(np.column_stack([batch_scores[label] for label in self.labels]))
        return np.concatenate(rows) if rows else np.zeros((0, len(self.labels)))
