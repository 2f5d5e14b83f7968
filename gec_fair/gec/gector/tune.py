"""Choose the two inference thresholds on a development set, each distinct text through the encoder once.

What a setting does to a text is decided by a few probabilities of the model (`Opinion`). They are kept, so a further
setting costs a pass only for texts that no setting before it has come by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from gec_fair.config.settings import as_dict, read_settings
from gec_fair.evaluate.scoring.counts import Counts
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.score import figures
from gec_fair.evaluate.scoring.scores import score
from gec_fair.evaluate.scoring.texts import Reference
from gec_fair.gec.gector.options import Decoding
from gec_fair.gec.gector.predict import Predictor
from gec_fair.models.locate import model_file
from gec_fair.progress import Progress
from gec_fair.report.results import Result
from gec_fair.report.table import Record, Table, right
from gec_fair.runs.atomic import write_text

CONFIDENCES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
PROBABILITIES = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
FILE = "decoding.yaml"


@dataclass(frozen=True, slots=True)
class Setting:
    """One pair of thresholds and what it scored."""

    decoding: Decoding
    counts: Counts


@dataclass(frozen=True, slots=True, repr=False)
class Tuned(Result):
    """Every setting, and what the search cost."""

    settings: tuple[Setting, ...]
    passes: int
    """Texts through the encoder."""
    naive: int
    """What they would have been with every setting run by itself."""

    @property
    def best(self) -> Setting:
        """The highest F0.5; of equals the one that edits least readily."""
        return max(
            self.settings,
            key=lambda s: (round(s.counts.f(), 6), s.decoding.min_error_probability, s.decoding.confidence),
        )

    def to_dict(self) -> dict[str, Any]:
        """Every setting with its figures, the best one, and the cost."""
        rows = self._rows()
        best = rows[self.settings.index(self.best)]
        return {"settings": rows, "best": best, "passes": self.passes, "passes_one_by_one": self.naive}

    def tables(self) -> Sequence[Table]:
        """The settings; an arrow stands behind the best one."""
        rows = self._rows()
        best = rows[self.settings.index(self.best)]
        columns = (
            right("confidence", "{:g}"),
            right("min_error_probability", "{:g}", "min. error probability"),
            right("precision", "{:.2f}", "P"),
            right("recall", "{:.2f}", "R"),
            right("f0.5", lambda row: f"{row['f0.5']:.2f}{' ←' if row is best else ''}", "F0.5"),
        )
        return [Table("settings", "Settings", rows, columns=columns)]

    @property
    def notes(self) -> Sequence[str]:
        """What the search cost."""
        return [f"{self.passes:,} texts through the encoder; one setting at a time they would be {self.naive:,}"]

    def _rows(self) -> list[Record]:
        thresholds = ("confidence", "min_error_probability")
        return [
            {**{name: getattr(setting.decoding, name) for name in thresholds}, **figures(setting.counts)}
            for setting in self.settings
        ]


def tune(
    predictor: Predictor,
    gold: Reference,
    decoding: Decoding,
    annotator: Annotator,
    *,
    confidences: Sequence[float] = CONFIDENCES,
    probabilities: Sequence[float] = PROBABILITIES,
    heard: Progress = lambda done, total: None,
) -> Tuned:
    """Score every pair of thresholds on a reference (ERRANT F0.5). The predictor must remember texts."""
    grid = [
        replace(decoding, confidence=confidence, min_error_probability=probability)
        for confidence, probability in product(confidences, probabilities)
    ]
    passes, naive = predictor.passes, 0
    outputs = []
    for number, setting in enumerate(grid, 1):
        done = predictor.correct(gold.sources, setting)
        naive += done.requested
        outputs.append(done.texts)
        heard(number, len(grid))
    pairs = [pair for texts in outputs for pair in zip(gold.sources, texts, strict=True)]
    annotated = iter(annotator(pairs))
    settings = tuple(
        Setting(setting, score([next(annotated) for _ in gold.sources], gold.annotators).counts) for setting in grid
    )
    return Tuned(settings, predictor.passes - passes, naive)


def save(decoding: Decoding, folder: Path, *, origin: str = "chosen by gec-fair gector predict --tune") -> Path:
    """Beside the model, where prediction finds it; `origin` says where the thresholds are from."""
    lines = [f"# {origin}", *(f"{name}: {value}" for name, value in as_dict(decoding).items())]
    write_text(folder / FILE, "".join(line + "\n" for line in lines))
    return folder / FILE


def load_decoding(model: str | Path) -> Decoding:
    """What was chosen for a model, or the defaults."""
    return find_decoding(str(model)) or Decoding()


def find_decoding(model: str) -> Decoding | None:
    """What was chosen for a model, of a folder or the hub. InputError for a file that is spoilt."""
    path = model_file(model, FILE)
    return None if path is None else read_settings(path, Decoding)
