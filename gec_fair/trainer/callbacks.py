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
Looked: TypeAlias = "tuple[int, dict[str, dict[str, float]]]"
"""After so many updates, the figures of each set."""
_KEY = "watched"


@dataclass(frozen=True, slots=True)
class Watch:
    """`sets`: texts and right answers by name. `looks`: how many, as far apart as may be, the last at the end.
    `figures`: of the right answers and the classifier's."""

    sets: Mapping[str, tuple[Sequence[Text], Sequence[str]]]
    looks: int
    figures: Callable[[Sequence[str], Sequence[str]], Figures]

    @property
    def digest(self) -> str:
        """Of all that decides what is seen."""
        return sha256(
            repr(
                (self.looks, sorted((name, list(texts), list(right)) for name, (texts, right) in self.sets.items()))
            ).encode("utf-8", "surrogatepass")
        ).hexdigest()

    def fits(self, texts: Sequence[Text]) -> bool:
        """Whether the sets have as many fields as these texts."""
        return {len(text) for some, _ in self.sets.values() for text in some} == {len(text) for text in texts}

    def due(self, step: int, steps: int) -> bool:
        return step * self.looks // steps > (step - 1) * self.looks // steps

    def look(self, classifier: HuggingFace) -> dict[str, dict[str, float]]:
        return {
            name: dict(self.figures(right, predictions(classifier, texts)))
            for name, (texts, right) in self.sets.items()
        }


class Watching(TrainerCallback):
    """Logs what a watch sees. The model is in training again afterwards."""

    def __init__(self, trainer: Any, watch: Watch, tokenizer: Any, labels: Sequence[str]) -> None:
        self.trainer, self.watch, self.tokenizer, self.labels = trainer, watch, tokenizer, labels

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        if self.watch.due(state.global_step, state.max_steps):
            model.eval()
            classifier = HuggingFace.of(model, self.tokenizer, self.labels)
            self.trainer.log({_KEY: self.watch.look(classifier)})
            model.train()


def looked(log: Sequence[Mapping[str, Any]]) -> dict[str, list[Looked]]:
    """Of a trainer's log, for a run's result; {} where nobody looked."""
    found = [(int(entry["step"]), entry[_KEY]) for entry in log if _KEY in entry]
    return {_KEY: found} if found else {}


def seen(out: Path) -> list[Looked]:
    """Of a finished run's folder, in order."""
    told = json.loads((out / MANIFEST).read_text(encoding="utf-8"))["result"]
    return [(int(step), figures) for step, figures in told.get(_KEY, [])]
