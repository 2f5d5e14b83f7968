"""Models that gec-fair trained or converted, as systems: `gector:FOLDER`, `bart:FOLDER`, `editscorer:FOLDER`.

Each reads its model when it is built, counts in `passed` the texts that it returned unchanged because they are too
long, and has so many texts `at_once` between two writes to the store of answers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gec_fair.extras import require
from gec_fair.models.locate import find_model


class GectorSystem:
    """The thresholds are those saved beside the model (`gector predict --tune --save`)."""

    at_once = 4096

    def __init__(self, name: str) -> None:
        _find("GECToR", name)
        from gec_fair.gec.gector.checkpoint import load
        from gec_fair.gec.gector.predict import Predictor
        from gec_fair.gec.gector.tune import load_decoding

        self._predictor = Predictor(load(name))
        self._decoding = load_decoding(name)
        self.passed = 0
        self.version = f"gector:{self._predictor.tagger.digest()}:{_plain(self._decoding)}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order."""
        from gec_fair.gec.gector.predict import in_place

        done = self._predictor.correct([text.split() for text in texts], self._decoding)
        self.passed += done.too_long if self._decoding.long == "unchanged" else 0
        return [in_place(text, words) for text, words in zip(texts, done.texts, strict=True)]


class Bart:
    """Searches with a beam of 2. Texts for which it writes nothing, or comes to no end, are returned unchanged too."""

    at_once = 512  # minutes on a CPU

    def __init__(self, name: str) -> None:
        _find("BART", name)
        from gec_fair.gec.bart.checkpoint import load
        from gec_fair.gec.bart.options import Decoding
        from gec_fair.gec.bart.predict import Predictor

        self._predictor = Predictor(load(name))
        self._decoding = Decoding()
        self.passed = 0
        self.version = f"bart:{self._predictor.corrector.digest()}:{_plain(self._decoding)}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order."""
        done = self._predictor.correct(texts, self._decoding)
        self.passed += done.too_long + done.unanswered + done.cut_off
        return done.texts


class EditScorer:
    """Its folder names the generator and the thresholds."""

    at_once = 1024

    def __init__(self, name: str) -> None:
        _find("EditScorer", name)
        from gec_fair.gec.editscorer.checkpoint import load
        from gec_fair.gec.editscorer.predict import Corrector, gector

        scorer = load(name)
        setup = scorer.setup
        self._corrector = Corrector(scorer, gector(setup.generator, setup.candidates, scorer=Path(name)))
        self.passed = 0
        generator = self._corrector.generator.version
        self.version = f"editscorer:{scorer.digest()}:{_plain(setup.decoding)}:{generator}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order."""
        done = self._corrector.correct(texts)
        self.passed += done.too_long
        return done.texts


def _find(title: str, name: str) -> None:
    """Raise MissingResource before torch is imported where a package or the model is missing."""
    require(title, "train", "torch", "transformers", "datasets")
    find_model(name)


def _plain(decoding: Any) -> str:
    return json.dumps(asdict(decoding), sort_keys=True)
