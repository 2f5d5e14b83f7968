"""Look at a classifier while it learns: what it is worth on some sets after so many updates, in the run's log.

Looking decides nothing: no dropout, no draw, and the training that is watched ends with the weights of one that is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from transformers import TrainerCallback

from gec_fair.classifiers.hugging_face import HuggingFace
from gec_fair.classifiers.protocol import Text, predictions
from gec_fair.runs.record import MANIFEST

Figures: TypeAlias = Mapping[str, float]
WatchedFigures: TypeAlias = "tuple[int, dict[str, dict[str, float]]]"
"""After so many updates, the figures of each set."""
_KEY = "watched"


@dataclass(frozen=True, slots=True)
class Watch:
    """`sets`: texts and right answers by name. `evaluations`: how many, as far apart as may be, the last at the end.
    `figures`: of the right answers and the classifier's."""

    sets: Mapping[str, tuple[Sequence[Text], Sequence[str]]]
    evaluations: int
    figures: Callable[[Sequence[str], Sequence[str]], Figures]

    @property
    def digest(self) -> str:
        """A digest of all that decides what is seen."""
        sets = sorted((name, list(texts), list(right)) for name, (texts, right) in self.sets.items())
        return sha256(repr((self.evaluations, sets)).encode("utf-8", "surrogatepass")).hexdigest()

    def fits(self, texts: Sequence[Text]) -> bool:
        """Whether the sets have as many fields as these texts."""
        return {len(text) for set_texts, _ in self.sets.values() for text in set_texts} == {len(text) for text in texts}

    def due(self, step: int, steps: int) -> bool:
        """Whether an evaluation comes after this update of `steps`."""
        return step * self.evaluations // steps > (step - 1) * self.evaluations // steps

    def evaluate(self, classifier: HuggingFace) -> dict[str, dict[str, float]]:
        """The figures of a classifier on each set, by name."""
        return {
            name: dict(self.figures(right, predictions(classifier, texts)))
            for name, (texts, right) in self.sets.items()
        }


class Watching(TrainerCallback):
    """Logs what a watch sees. The model is in training again afterwards."""

    def __init__(self, trainer: Any, watch: Watch, tokenizer: Any, labels: Sequence[str]) -> None:
        self.trainer, self.watch, self.tokenizer, self.labels = trainer, watch, tokenizer, labels

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """Evaluate the model if it is time."""
        if self.watch.due(state.global_step, state.max_steps):
            model.eval()
            classifier = HuggingFace.from_model(model, self.tokenizer, self.labels)
            self.trainer.log({_KEY: self.watch.evaluate(classifier)})
            model.train()


def collect_watched_figures(log: Sequence[Mapping[str, Any]]) -> dict[str, list[WatchedFigures]]:
    """Collect watched figures from a trainer's log, for a run's result; {} if nothing was watched."""
    figures = [(int(entry["step"]), entry[_KEY]) for entry in log if _KEY in entry]
    return {_KEY: figures} if figures else {}


def read_watched_figures(out: Path) -> list[WatchedFigures]:
    """Read the watched figures of a finished run's folder, in order."""
    summary = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["result"]
    return [(int(step), figures) for step, figures in summary.get(_KEY, [])]
