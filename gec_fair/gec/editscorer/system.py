"""A trained EditScorer as one of the systems: `editscorer:FOLDER`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from gec_fair.extras import require
from gec_fair.models.locate import find_model


class EditScorer:
    """Reads ranker and generator when it is built; both, and the thresholds, are named in the folder."""

    at_once = 1024

    def __init__(self, name: str) -> None:
        require("EditScorer", "train", "torch", "transformers", "datasets")
        find_model(name)
        from gec_fair.gec.editscorer.checkpoint import load
        from gec_fair.gec.editscorer.predict import Corrector, gector

        scorer = load(name)
        setup = scorer.setup
        self._corrector = Corrector(scorer, gector(setup.generator, setup.candidates, scorer=Path(name)))
        decoding = json.dumps(asdict(setup.decoding), sort_keys=True)
        self.passed = 0  # texts, see `systems.passed`
        self.version = f"editscorer:{scorer.digest()}:{decoding}:{self._corrector.generator.version}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order. Texts that are too long stay as they are."""
        done = self._corrector.correct(texts)
        self.passed += done.too_long
        return done.texts
