"""A trained GECToR as one of the systems: `gector:FOLDER`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from gec_fair.extras import require
from gec_fair.models.locate import find_model


class GectorSystem:
    """Reads the model when it is built; the thresholds are those saved beside it (`gector predict --tune --save`)."""

    at_once = 4096

    def __init__(self, name: str) -> None:
        require("GECToR", "train", "torch", "transformers", "datasets")
        find_model(name)
        from gec_fair.gec.gector.checkpoint import load
        from gec_fair.gec.gector.predict import Predictor
        from gec_fair.gec.gector.tune import load_decoding

        self._predictor = Predictor(load(name))
        self._decoding = load_decoding(name)
        self.passed = 0  # texts, see `systems.passed`
        self.version = f"gector:{self._predictor.tagger.digest()}:{json.dumps(asdict(self._decoding), sort_keys=True)}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order. Texts that are too long stay as they are."""
        from gec_fair.gec.gector.predict import in_place

        done = self._predictor.correct([text.split() for text in texts], self._decoding)
        self.passed += done.too_long if self._decoding.long == "unchanged" else 0
        return [in_place(text, words) for text, words in zip(texts, done.texts, strict=True)]
