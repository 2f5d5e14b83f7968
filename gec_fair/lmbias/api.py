"""`gec_fair.lmbias.score`: bias suites over a language model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gec_fair.data.columns import check_arguments, one_or_more, wrong_argument
from gec_fair.errors import UsageError
from gec_fair.models.locate import find_model
from gec_fair.progress import Progress
from gec_fair.report.results import Result
from gec_fair.report.table import Table

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from gec_fair.lmbias.scoring.model import Reader
    from gec_fair.lmbias.scoring.self_debias import SelfDebias
    from gec_fair.lmbias.suites.figures import Figure


@dataclass(frozen=True, slots=True, repr=False)
class SuiteResults(Result):
    """The figures of the suites. `kind` is what the model was trained as, masked or causal; encoder, if it has no
    head."""

    model: str
    kind: str
    figures: tuple[Figure, ...]
    signature: str

    def value(self, suite: str, part: str, measure: str) -> float | None:
        """One figure. KeyError if there is none."""
        for figure in self.figures:
            if (figure.suite, figure.part, figure.measure) == (suite, part, measure):
                return figure.value
        raise KeyError((suite, part, measure))

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair lmbias run --json` prints."""
        from gec_fair.lmbias.table import as_json

        return {"model": self.model, "figures": as_json(self.figures, kind=self.kind), "signature": self.signature}

    def json(self) -> str:
        """The report as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)

    def tables(self) -> Sequence[Table]:
        """A row for each figure, the paper's beside it."""
        from gec_fair.lmbias.table import tabulate

        return [tabulate(self.figures, kind=self.kind)]


@check_arguments
def score(
    model: str | PreTrainedModel,
    suites: str | Sequence[str] = ("crows", "stereoset", "seat", "holisticbias", "blimp"),
    *,
    tokenizer: PreTrainedTokenizerBase | None = None,
    suite_size: Literal["quick", "full"] = "quick",
    sample: int = 0,
    seed: int = 0,
    kind: Literal["auto", "masked", "causal"] = "auto",
    scoring: Literal["original", "within-word-l2r"] = "original",
    pool: Literal["mean", "first"] = "mean",
    axes: str | Sequence[str] = ("gender_and_sex", "race_ethnicity", "age"),
    holisticbias: str = "v1.0",
    self_debias: str | SelfDebias | None = None,
    output: str | Path | None = None,
    progress: Callable[[str], Progress | None] = lambda title: None,
) -> SuiteResults:
    """Score a language model on bias suites, and on grammar.

    Args:
        model: A masked or causal language model, by folder or hub name, or a model of transformers in memory. The suite
            seat also takes an encoder without a language model's head.
        suites: crows, stereoset, seat, holisticbias, winobias, bbq, entity_tracking, blimp and its kin; or folders of
            minimal pairs.
        tokenizer: Of a model in memory.
        suite_size: "quick" takes a part of BLiMP, entity tracking, BBQ and HolisticBias, "full" everything.
        sample: Items of each suite, drawn by seed, with their standard error; 0 is all.
        seed: Of the sample, of quick parts and of SEAT's divisions.
        kind: What the model was trained as, where its configuration does not say it.
        scoring: Of a sentence by a masked model.
        pool: SEAT's vector of a text.
        axes: Of HolisticBias.
        holisticbias: Its version, v1.0 or v1.1.
        self_debias: Score with Self-Debias of "gender", "race" or "religion", or a `SelfDebias` with its λ and ε. It
            changes probabilities, and no vector of SEAT.
        output: Write the report there as JSON; after a kill the same call resumes with the next suite.
        progress: For the name of a suite a function that hears (done, of how many).

    Returns:
        A figure for each suite, part and measure.

    Raises:
        UsageError: For an unknown suite or axis, and a model in memory without its tokenizer.
        InputError: For an encoder without a head, if a suite needs probabilities.
        MissingResource: For data or a model that are not here, and without the extra `[lm]`.

    Examples:
        >>> import gec_fair as gf
        >>> results = gf.lmbias.score("out/encoder", ["minimal-pairs"])
        >>> results.figures[0].measure
        'accuracy, %'

    Source: Nangia et al. (2020), Nadeem et al. (2021), May et al. (2019), Smith et al. (2022), Warstadt et al. (2020),
    Zhao et al. (2018), Parrish et al. (2022), Kim & Schuster (2023); Self-Debias is Schick et al. (2021).
    """
    from gec_fair.extras import require

    require("lmbias", "lm", "torch", "transformers", "scipy")
    suites, axes = one_or_more(suites, "suites"), one_or_more(axes, "axes")
    if isinstance(model, str):
        find_model(model)
    from gec_fair.lmbias.scoring.self_debias import SelfDebias
    from gec_fair.lmbias.suites.cache import SuiteCache
    from gec_fair.lmbias.suites.catalogue import Options, run
    from gec_fair.runs.atomic import write_text

    options = Options(
        suites=tuple(suites),
        size=suite_size,
        sample=sample,
        seed=seed,
        scoring=scoring,
        pool=pool,
        version=holisticbias,
        axes=tuple(axes),
    )
    debias = SelfDebias(self_debias) if isinstance(self_debias, str) else self_debias
    cache = SuiteCache.for_output(None if output is None else Path(output))
    with _reader(model, tokenizer, kind=kind, self_debias=debias, needs_head=options.needs_head) as reader:
        scores = run(reader, options, progress=progress, cache=cache)
    name = model if isinstance(model, str) else model.name_or_path or type(model).__name__
    results = SuiteResults(name, reader.kind, scores.figures, scores.signature)
    if output is not None:
        write_text(Path(output), results.json() + "\n")
    if cache is not None:
        cache.remove()
    return results


@contextmanager
def _reader(
    model: str | PreTrainedModel, tokenizer: PreTrainedTokenizerBase | None, *, needs_head: bool, **options: Any
) -> Iterator[Reader]:
    """A model by name, or the one in memory, which is left in the mode that it was in."""
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from gec_fair.lmbias.scoring.load import hold, load, load_for_vectors

    if isinstance(model, str):
        if tokenizer is not None:
            raise UsageError("tokenizer is for a model in memory; a model by name has its own")
        yield (load if needs_head else load_for_vectors)(model, **options)
        return
    if not isinstance(model, PreTrainedModel):
        raise wrong_argument("model", model, "a folder, a name of the hub, or a model of transformers")
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise wrong_argument("tokenizer", tokenizer, "the tokenizer of the model, as transformers loads it")
    is_training = model.training
    try:
        yield hold(model, tokenizer, **options)
    finally:
        model.train(is_training)
