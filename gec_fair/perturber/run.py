"""Perturb a whole corpus, line by line or in chunks, in a run directory (`corpus.run`): the same bytes however it is
run.

OUT/rewritten.txt (every line or chunk, changed or not)  ledger.jsonl (what was changed, word by word)  manifest.json
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from gec_fair import __version__
from gec_fair.corpus.outcome import Augmented, Outcome, Unchanged
from gec_fair.corpus.readers import Reading
from gec_fair.corpus.records import Pair
from gec_fair.corpus.run import Engine, Finished, Progress, run
from gec_fair.corpus.step import Step
from gec_fair.perturber.axes import AXIS_OF
from gec_fair.perturber.perturb import Perturbed, Perturbing, PerturbOptions

_TO = " → "


@dataclass(frozen=True)
class PerturbStep:
    """The step: a text's outcome does not depend on its company."""

    perturbing: Perturbing

    def __call__(self, pairs: Sequence[Pair]) -> list[Outcome]:
        found = self.perturbing([(pair.source,) for pair in pairs], [pair.id for pair in pairs])
        return [_outcome(pair, each) for pair, each in zip(pairs, found, strict=True)]


def perturb_corpus(
    inputs: Sequence[str | Path], out: str | Path, options: PerturbOptions, *, tokens: int = 0, workers: int = 1,
    engine: Engine = "local", chunk: int = 64, limit: int | None = None, strict: bool = False,
    overwrite: bool = False, progress: Progress | None = None,
) -> Finished:  # fmt: skip
    """Perturb plain-text files into the directory `out`; a killed run resumes with the same call. `tokens`: words a
    chunk, 0 for a line each (256 in FairBERTa's pretraining). Raises as `corpus.run` does."""
    return run(
        inputs, out, partial(_step, options), told(options), job="perturb", versions=versions(options),
        reading=Reading(format="text", limit=limit, tokens=tokens or None), workers=workers, engine=engine, chunk=chunk,
        strict=strict, overwrite=overwrite, progress=progress,
    )  # fmt: skip


def statistics(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Of a run's reasons: axis → target attribute → texts (BabyLM Table 14 in form)."""
    found: dict[str, Counter[str]] = {}
    for kind, number in counts.items():
        target = kind.partition(_TO)[2]
        found.setdefault(AXIS_OF[target], Counter())[target] += number
    return {axis: dict(some.most_common()) for axis, some in found.items()}


def versions(options: PerturbOptions) -> dict[str, str]:
    """What else decides the bytes."""
    from gec_fair.english import coref, lexicon, pipeline

    coref.load(options.coref)
    return {"gec-fair": __version__, "lexicon": lexicon.version(None),
            "english": pipeline.version_of(options.english), "coref": coref.version(options.coref)}  # fmt: skip


def told(options: PerturbOptions) -> dict[str, object]:
    """The options as the manifest has them."""
    return {**asdict(options), "axes": list(options.axes), "targets": list(options.targets),
            "weights": dict(options.weights), "english": Path(options.english).name}  # fmt: skip


def _step(options: PerturbOptions) -> Step:
    step = PerturbStep(Perturbing(options))
    step.perturbing.load()
    return step


def _outcome(pair: Pair, found: Perturbed) -> Outcome:
    if found.drawn is None or found.edits is None:
        return Unchanged()
    words = found.words
    rows = tuple(("source", e.start, e.end, " ".join(words[e.start : e.end]), " ".join(e.replacement))
                 for e in found.edits)  # fmt: skip
    kind = f"{found.drawn.source}{_TO}{found.drawn.target}"
    return Augmented(replace(pair, source=found.fields[0]), rows, kind)
