"""`gec_fair.babylm.debias`: take a bias out of a language model, and measure what that changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.data.columns import check_arguments, one_or_more
from gec_fair.extras import require
from gec_fair.report.results import Result
from gec_fair.report.table import Table

if TYPE_CHECKING:
    from gec_fair.babylm.debiasing.methods import DebiasExperiment

DEFAULT_TEXT = "winobias"
"""The public data set whose sentences a projection is found in where no text is named."""


@dataclass(frozen=True, slots=True, repr=False)
class Debiased(Result):
    """Debiased models by name (`METHOD/SEED`), each a folder that transformers loads, and what was measured: `shifts`,
    the changes of composites and of every figure, are empty without suites. `written` are the report and its tables."""

    models: Mapping[str, Path]
    shifts: Sequence[Table] = ()
    written: Sequence[Path] = ()

    def to_dict(self) -> dict[str, Any]:
        """The folders of the models, and the tables by name."""
        models = {name: str(folder) for name, folder in self.models.items()}
        return {"models": models, "tables": {table.name: table.as_json() for table in self.shifts}}

    def tables(self) -> Sequence[Table]:
        """What each method changes, if it was measured; the models."""
        models = [{"model": name, "folder": str(folder)} for name, folder in self.models.items()]
        return [*self.shifts, Table("models", "Debiased models", models)]


@check_arguments
def debias(
    model: str,
    output: str | Path,
    *,
    methods: str | Sequence[str] = "sent-debias",
    texts: str | Path | Sequence[str | Path] | None = None,
    suites: str | Sequence[str] = (),
    seeds: int | Sequence[int] = 1,
    workers: int = 1,
    say: Callable[[str], None] = lambda line: None,
) -> Debiased:
    """Debias a trained language model. After a kill the same call resumes.

    Args:
        model: A masked or causal language model, by folder or hub name.
        output: The folder of the debiased models, DIR/METHOD/SEED/best.
        methods: sent-debias, inlp-gender, cda-gender, dropout and the others of `gec-fair babylm debias` but cds and
            debiasing-loss, which have texts of their own. Those that train on need a masked model, and self-debias-…
            needs suites.
        texts: Text files to debias with; None for the sentences of WinoBias (`gec-fair data fetch winobias`), which
            suit sent-debias.
        suites: Measure every model before and after by these suites of `lmbias.score`, of bias and of grammar, or by
            SEAT alone; () to measure nothing.
        seeds: How many, counted from 0, or which.
        workers: Processes.
        say: Hears which method is at work.

    Returns:
        The folders of the models, and what each method changes.

    Raises:
        UsageError: For an unknown method or suite.
        InputError: For text without a sentence that the method can use.
        MissingResource: For WinoBias or a suite that is not fetched, for a model that is not here, and without the
            extras `[train]` and `[lm]`.

    Examples:
        >>> import gec_fair as gf
        >>> debiased = gf.babylm.debias("out/encoder", "out/debiased", texts="texts.txt")
        >>> list(debiased.models)
        ['sent-debias/0']

    Source: Liang et al. (2020) for Sent-Debias; Meade et al. (2022); Trhlik et al. (2026), §4.2.
    """
    from gec_fair.babylm.debiasing.methods import DebiasExperiment

    files = [_default_text(Path(output))] if texts is None else one_or_more(texts, "texts")
    experiment = DebiasExperiment(
        model=model,
        texts=tuple(map(str, files)),
        methods=tuple(one_or_more(methods, "methods")),
        suites=tuple(one_or_more(suites, "suites")),
        seeds=seeds if isinstance(seeds, int) else tuple(seeds),
    )
    return run_debias(experiment, Path(output), workers=workers, say=say)


def run_debias(
    experiment: DebiasExperiment, output: Path, *, workers: int = 1, say: Callable[[str], None] = print
) -> Debiased:
    """Debias by every method of the experiment, and write the report if it has suites. Raises as `debias` does."""
    require("babylm", "train", "torch", "transformers", "pyarrow")
    require("babylm", "lm", "scipy")
    if any(name.startswith("inlp") for name in experiment.methods):
        require("INLP", "razor", "sklearn")
    from gec_fair.babylm.debiasing.experiment import jobs, run
    from gec_fair.babylm.report import page
    from gec_fair.report.page import check
    from gec_fair.trainer.records import BEST

    if experiment.suites:
        check()  # now, not after days
    run(experiment, output, workers=workers, say=say)
    written, tables = page.write_shifts([output], output) if experiment.suites else ([], [])
    models = {job.name: job.folder / BEST for job in jobs(experiment, output) if (job.folder / BEST).is_dir()}
    return Debiased(models, tables, written)


def _default_text(output: Path) -> Path:
    """WinoBias' sentences, one a line, in the folder of the output. MissingResource, with the command that fetches
    them, if they are not here."""
    from gec_fair.data import public
    from gec_fair.data.winobias import read_sentences
    from gec_fair.runs.atomic import write_text
    from gec_fair.runs.cache import cache_directory

    folder = public.find(DEFAULT_TEXT, cache_directory() / "data")
    files = sorted(path for path in folder.iterdir() if ".txt." in path.name)
    output.mkdir(parents=True, exist_ok=True)
    text = output / f"{DEFAULT_TEXT}.txt"
    write_text(text, "".join(f"{sentence}\n" for file in files for _, sentence, _ in read_sentences(file)))
    return text
