"""`gec_fair.fairscore.measure`: how often a classifier changes its mind when a text's people change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.config.options import part
from gec_fair.data.columns import Missing, Rows, read_rows, rows_with_texts, wrong_argument
from gec_fair.data.keywords import keywords
from gec_fair.errors import UsageError
from gec_fair.extras import require
from gec_fair.fairscore.options import FairscoreOptions
from gec_fair.report.results import Result
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.stats.estimate import FEW

if TYPE_CHECKING:
    from gec_fair.fairscore.run import Measured
    from gec_fair.fairscore.tasks import Example


def _value(record: Record) -> str | None:
    if record["value"] is None:
        return None
    return "too few texts to say" if record["n"] < FEW else f"{record['value']:.2f}"


def _interval(record: Record) -> str | None:
    return None if record["low"] is None or record["n"] < FEW else f"[{record['low']:.2f}, {record['high']:.2f}]"


COLUMNS = (
    Column("perturbed"),
    right("n", header="examples"),
    right("flips"),
    right("value", _value, "fairscore, %", "–"),
    Column("low", _interval, "95 % interval"),
    right("both_correct", header="both right"),
    right("neither_correct", header="neither right"),
)
_MOST_SHOWN = 5  # flipped examples


@dataclass(frozen=True, slots=True, repr=False)
class FairscoreResult(Result):
    """The share of perturbed examples whose prediction changed, in percent: `value`, with its 95 % interval.

    `n` examples were perturbed, of which `flips` changed their prediction. `by_axis` has the value by axis, `flipped`
    the examples. `accuracy` is the task's measure: MCC of cola, Pearson's correlation of stsb.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    flips: int
    by_axis: Mapping[str, float | None]
    accuracy: float
    signature: str
    measured: Measured
    version: str = ""
    """The classifier's version."""

    @property
    def flipped(self) -> Sequence[Mapping[str, Any]]:
        """The examples whose prediction changed: both texts, both predictions."""
        return self.to_dict()["flipped"]  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair fairscore --json` prints, without its head."""
        return self.measured.as_json()

    def parts(self) -> Sequence[Part]:
        """The table, what was counted, the first flipped examples, and the signature."""
        measured = self.measured
        if measured.metric == "pearson":
            return [
                f"{measured.metric} {measured.original:.2f} on {measured.counts['examples']:,} examples; "
                "a regression has no fairscore, for no prediction flips",
                measured.signature,
            ]
        lines: list[Part] = [*self.tables()]
        counts = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in measured.counts.items())
        lines += ["", f"{measured.metric} {measured.original:.2f} on the original examples; {counts}", ""]
        for example in measured.flipped[:_MOST_SHOWN]:
            original, perturbed = (" || ".join(texts) for texts in (example.original, example.perturbed))
            lines.append(f"{example.before} → {example.after}: {original}\n    {perturbed}")
        if (more := len(measured.flipped) - _MOST_SHOWN) > 0:
            lines.append(f"… and {more:,} more flips; all are in the JSON (-o FILE, or --json)")
        return [*lines, measured.signature]

    def tables(self) -> Sequence[Table]:
        """The fairscore over all, by axis and by pair of attributes."""
        return [table_of(self.measured)]


def table_of(measured: Measured) -> Table:
    """The fairscore over all, by axis and by pair of attributes; none is shown of fewer than FEW examples."""
    records = [
        {**score.as_json(), "perturbed": name, **score.estimate.figures()}
        for name, score in {"all": measured.overall, **measured.axes, **measured.pairs}.items()
    ]
    return Table("fairscore", "Fairscore", records, columns=COLUMNS)


@keywords(FairscoreOptions)
def measure(classifier: Any, examples: Rows | str | Path, options: FairscoreOptions) -> FairscoreResult:
    """Measure how often a classifier changes its mind when gender, race or age in a text is perturbed.

    Args:
        classifier: A name for `load_classifier`, a classifier, or a function from a list of texts to their labels or to
            scores, texts × labels: of a task by name in its order (cola: unacceptable, acceptable), else sorted.
        examples: Rows, (text, label) pairs, a `DataFrame`, a 🤗 `Dataset`; a task's name (sst2, cola, rte, …); or a
            file.

    Returns:
        The fairscore with its interval, by axis, and the flipped examples.

    Raises:
        UsageError: For examples without such columns, and for a text that is not a string, with its row.
        MissingResource: Without the extra `[fairscore]`, and for a model that is not installed.

    Examples:
        >>> import gec_fair as gf
        >>> examples = [("She was a great actress .", "good"), ("He fell asleep .", "bad")]
        >>> def says_good_of_women(texts):
        ...     return ["good" if "She" in text else "bad" for text in texts]
        >>> gf.fairscore.measure(says_good_of_women, examples, axes=("gender",)).n
        2

    Source: Qian et al. (2022), §5.3, equation 1.
    """
    require("fairscore", "fairscore", "sklearn", "scipy")
    from gec_fair.classifiers.functions import FunctionClassifier
    from gec_fair.fairscore.classifiers import load_classifier
    from gec_fair.fairscore.examples import Data, list_labels, load_examples
    from gec_fair.fairscore.examples import rename as rename_labels
    from gec_fair.fairscore.rewriting import PerturberRewriter, weigh_axes
    from gec_fair.fairscore.run import measure as measure_examples
    from gec_fair.perturber.registry import load_perturber
    from gec_fair.perturber.rewriting.options import PerturbOptions
    from gec_fair.runs.cache import cache_directory

    _check_classifier(classifier)
    if options.train is not None and classifier != "tfidf":
        raise UsageError("train is for the model tfidf; another one learns nothing here")
    fields, label, limit = tuple(options.fields), options.label, options.limit
    perturbing = part(options, PerturbOptions)
    dropped = 0
    if isinstance(examples, str | Path):
        data = load_examples(str(examples), fields, label, limit=limit, renamed=options.rename)
    else:
        rows, dropped = _examples(examples, fields, label, limit, options.missing)
        rows = rename_labels(rows, options.rename, list_labels(rows))
        data = Data(rows, "accuracy", list_labels(rows), fields=fields, label=label)
    if isinstance(classifier, str):
        cache = None if options.no_cache else cache_directory() / "chat.sqlite"
        loaded = load_classifier(classifier, data, None if options.train is None else Path(options.train), cache=cache)
    else:
        loaded = classifier if hasattr(classifier, "scores") else FunctionClassifier(classifier, data.labels)
    with options.progress("candidates") as update:
        rewriter = PerturberRewriter(load_perturber(weigh_axes(perturbing, data.examples, update)))
    with options.progress("fairscore") as update:
        measured = measure_examples(
            data.examples,
            loaded,
            rewriter,
            metric=data.metric,
            check_labels=options.check_labels,
            seed=options.seed,
            progress=update,
        )
    if dropped:
        measured = replace(measured, counts={**measured.counts, "without_text": dropped})
    overall = measured.overall
    by_axis = {axis: score.value for axis, score in measured.axes.items()}
    return FairscoreResult(
        overall.value,
        overall.estimate.low,
        overall.estimate.high,
        overall.n,
        overall.flips,
        by_axis,
        measured.original,
        measured.signature,
        measured,
        loaded.version,
    )


def _examples(
    examples: Rows, fields: tuple[str, ...], label: str, limit: int | None, missing: Missing
) -> tuple[list[Example], int]:
    """The examples, and how many rows without a text or a label were left out. UsageError for a row without the
    columns, and for no row."""
    from gec_fair.fairscore.tasks import Example

    if isinstance(examples, list | tuple | Iterator):
        columns, examples = (*fields, label), list(examples)
        if any(isinstance(row, tuple | list) and len(row) > len(columns) for row in examples):
            raise UsageError(f"examples: a row has more than {', '.join(columns)}; name its texts with fields=")
        examples = [dict(zip(columns, row, strict=False)) if isinstance(row, tuple | list) else row for row in examples]
    rows = []
    for number, row in enumerate(islice(read_rows(examples, "examples"), limit), 1):
        if absent := [name for name in (*fields, label) if name not in row]:
            raise UsageError(
                f"examples: number {number} has no {', '.join(absent)}; name the columns with fields= and label="
            )
        rows.append((f"examples: row {number}", row))
    checked = rows_with_texts(rows, fields, labels=[label], missing=missing)
    if not checked.rows:
        raise UsageError("examples: no row with a text; give at least one")
    return [
        Example(f"examples:{place.rpartition(' ')[2]}", tuple(row[name] for name in fields), str(row[label]))
        for place, row in checked.rows
    ], checked.dropped


def _check_classifier(classifier: Any) -> None:
    """ArgumentError for what cannot classify, above all for a table where the arguments were swapped."""
    is_table = isinstance(classifier, Mapping | list | tuple) or type(classifier).__name__ in ("DataFrame", "Dataset")
    if is_table or not (isinstance(classifier, str) or hasattr(classifier, "scores") or callable(classifier)):
        expected = "a name, a classifier, or a function from a list of texts to labels or scores"
        raise wrong_argument("classifier", classifier, f"{expected}; the call is measure(classifier, examples)")
