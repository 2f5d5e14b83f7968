"""`gec_fair.lmbias.score`: bias suites over a language model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.config.options import part
from gec_fair.data.columns import wrong_argument
from gec_fair.data.keywords import keywords
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.lmbias.options import SuiteOptions, Suites
from gec_fair.models.locate import find_model
from gec_fair.report.results import Result
from gec_fair.report.table import Part, Table

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from gec_fair.lmbias.scoring.model import Reader
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

    def parts(self) -> Sequence[Part]:
        """The tables, what is to be said of them, and the signature."""
        from gec_fair.lmbias import table

        return [*table.parts(self.figures, kind=self.kind), "", self.signature]

    def tables(self) -> Sequence[Table]:
        """A row for each figure, the paper's beside it."""
        from gec_fair.lmbias.table import tabulate

        return [tabulate(self.figures, kind=self.kind)]


@keywords(SuiteOptions)
def score(model: str | PreTrainedModel, options: SuiteOptions) -> SuiteResults:
    """Score a language model on bias suites, and on grammar.

    Args:
        model: A masked or causal language model, by folder or hub name, or a model of transformers in memory. The suite
            seat also takes an encoder without a language model's head.

    Returns:
        A figure for each suite, part and measure.

    Raises:
        UsageError: For an unknown suite or axis, and a model in memory without its tokenizer.
        InputError: For an encoder without a head, if a suite needs probabilities, and an axis that HolisticBias lacks.
        MissingResource: For data or a model that are not here, and without the extra `[lm]`.

    Examples:
        >>> import gec_fair as gf
        >>> results = gf.lmbias.score("out/encoder", ["minimal-pairs"])
        >>> results.figures[0].measure
        'accuracy, %'

    Source: Nangia et al. (2020), Nadeem et al. (2021), May et al. (2019), Smith et al. (2022), Warstadt et al. (2020),
    Zhao et al. (2018), Parrish et al. (2022), Kim & Schuster (2023); Self-Debias is Schick et al. (2021).
    """
    require("lmbias", "lm", "torch", "transformers", "scipy")
    if isinstance(model, str):
        find_model(model)
    from gec_fair.lmbias.scoring.self_debias import SelfDebias
    from gec_fair.lmbias.suites.cache import SuiteCache
    from gec_fair.lmbias.suites.catalogue import run
    from gec_fair.runs.atomic import write_text

    chosen = part(options, Suites)
    debias = SelfDebias(options.self_debias) if isinstance(options.self_debias, str) else options.self_debias
    output = None if options.output is None else Path(options.output)
    cache = SuiteCache.for_output(output)
    reading = {"kind": options.kind, "self_debias": debias}
    with _reader(model, options.tokenizer, needs_head=chosen.needs_head, **reading) as reader:
        scores = run(reader, chosen, progress=options.progress, cache=cache)
    name = model if isinstance(model, str) else model.name_or_path or type(model).__name__
    results = SuiteResults(name, reader.kind, scores.figures, scores.signature)
    if output is not None:
        write_text(output, results.json() + "\n")
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
