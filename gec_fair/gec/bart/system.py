"""A BART as one of the systems: `bart:FOLDER`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from gec_fair.extras import require
from gec_fair.gec.bart.options import Decoding
from gec_fair.models.locate import find_model


class Bart:
    """Reads the model when it is built; searches with a beam of 2."""

    at_once = 512  # texts between two writes to the store: minutes on a CPU

    def __init__(self, name: str) -> None:
        require("BART", "train", "torch", "transformers", "datasets")
        find_model(name)
        from gec_fair.gec.bart.checkpoint import load
        from gec_fair.gec.bart.predict import Predictor

        self._predictor = Predictor(load(name))
        self._decoding = Decoding()
        decoding = json.dumps(asdict(self._decoding), sort_keys=True)
        self.passed = 0  # texts, see `systems.passed`
        self.version = f"bart:{self._predictor.corrector.digest()}:{decoding}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order. Texts that are too long stay as they are."""
        done = self._predictor.correct(texts, self._decoding)
        self.passed += done.too_long + done.unanswered + done.cut_off
        return done.texts
