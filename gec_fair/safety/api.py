"""`gec_fair.safety.audit`: whether swapping an identity in a text swings a safety score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from gec_fair.config.options import part
from gec_fair.data.columns import Rows, one_or_more, read_rows, wrong_argument
from gec_fair.data.keywords import keywords
from gec_fair.extras import require
from gec_fair.progress import unheard
from gec_fair.report.results import Result
from gec_fair.report.table import Table
from gec_fair.safety.options import SafetyAuditOptions
from gec_fair.version import __version__

if TYPE_CHECKING:
    from gec_fair.classifiers.protocol import Classifier
    from gec_fair.safety.auditing.audit import Audit
    from gec_fair.safety.counterfactuals.identities import Identities
    from gec_fair.safety.data.groups import Groups
    from gec_fair.safety.sources.protocol import Source

AnySource: TypeAlias = "str | Source | Callable[[list[str]], Any] | None"


@dataclass(frozen=True, slots=True, repr=False)
class SafetyAudit(Result):
    """ACV (how much scores vary within a set of counterfactuals) and sliced averages, with intervals.

    `acv_normalised` is ACV divided by the variance of all scores. Both are None where no two texts share a
    set, and `acv_normalised` where all scores are alike.
    """

    acv: float | None
    acv_normalised: float | None
    signature: str
    result: Audit
    scores: Sequence[Mapping[str, Any]] = ()
    """The table that was audited, where `audit` made it: a row for each text and subgroup."""
    summary: str = ""
    """How many texts were scored and rewritten, and how many name no group; empty for a table of scores."""

    def to_dict(self) -> dict[str, Any]:
        """The report that `gec-fair safety audit --json` prints."""
        from gec_fair.safety.auditing.audit import as_json

        return as_json(self.result)

    def tables(self) -> Sequence[Table]:
        """By harm, by category, sliced averages, gaps, AUC and token gaps by subgroup, changes, the largest swings."""
        from gec_fair.safety.auditing.audit import tables

        return tables(self.result)

    @property
    def finding(self) -> str:
        """The result in a few sentences. What fewer than ten sets or texts would show is not said."""
        from gec_fair.safety.report.finding import describe_audit

        return f"{describe_audit(self.result)}."

    def __str__(self) -> str:
        return "\n\n".join(filter(None, (self.summary, self.finding, Result.__str__(self))))

    def write(self, folder: str | Path, texts: Sequence[str | Path] = ()) -> None:
        """Write report.html, every table as Markdown, CSV, JSON and LaTeX, and scores.csv if `audit` made
        that table.

        Args:
            folder: The folder; it is made if it does not exist.
            texts: Tables with the texts by id, so that the report can show them.
        """
        from gec_fair.data.user_tables import write_rows
        from gec_fair.safety.report import page

        page.write_audit(self.result, Path(folder), tuple(map(Path, one_or_more(texts, "texts"))))
        if self.scores:
            write_rows(Path(folder) / "scores.csv", self.scores)


@keywords(SafetyAuditOptions)
def audit(scores: Rows | str | Path, options: SafetyAuditOptions) -> SafetyAudit:
    """Audit a safety classifier: the scores that it gave, or the classifier itself.

    A table of scores has set_id, category, subgroup, harm, label (0 safe, 1 unsafe), score (0 to 1), and id where a
    text names several subgroups. Any other table needs a label and a score, or texts and a `source` that scores them.
    Where the subgroups are missing, they are found in the texts.

    Args:
        scores: A `DataFrame`, an Arrow `Table`, dicts, or a file (CSV, TSV, JSONL, Parquet).

    Returns:
        The audit. Without counterfactual sets `acv` is None. `result.subgroups` has for each harm the AUC of every
        subgroup and the counterfactual token fairness gaps.

    Raises:
        InputError: For a missing column, and for a value that cannot be meant, with its row.
        UsageError: For an unknown classifier, for options that contradict the table, and for a text that is not a
            string, with its row.
        MissingResource: Without the extra `[safety]`.

    Examples:
        >>> import gec_fair as gf
        >>> row = {"set_id": "1", "category": "Religion", "harm": "hate", "label": 0}
        >>> texts = [row | {"subgroup": "Islam", "score": 0.7}, row | {"subgroup": "Judaism", "score": 0.1}]
        >>> round(gf.safety.audit(texts).acv, 4)
        0.09
        >>> comments = [{"text": "Muslims are kind.", "label": 0}, {"text": "I hate Jews.", "label": 1}]
        >>> audited = gf.safety.audit(comments, source=lambda texts: [0.5 for _ in texts], counterfactuals=True)
        >>> audited.acv, len(audited.scores) > len(comments)
        (0.0, True)

    Source: Sturman et al. (2024), equations for ACV and SA; Borkan et al. (2019), §4.1, for AUC by subgroup; Garg et
    al. (2019), §3, for token gaps.
    """
    require("safety", "safety", "scipy")
    from gec_fair.safety.auditing.audit import AuditOptions, audit_scores
    from gec_fair.safety.auditing.bootstrap import OVERALL
    from gec_fair.safety.data import groups as grouping
    from gec_fair.safety.data import scores as tables

    known = grouping.read(Path(options.groups)) if options.groups is not None else grouping.read_shipped()
    source = _load_source(options.source, options.score or options.harm)
    options = replace(options, source=source)

    def identities() -> Identities:
        """How the subgroups are said in texts: as the paper's are, or by the user's own tables."""
        from gec_fair.safety.counterfactuals.identities import load, read

        if options.groups is None and options.terms is None:
            return load()
        return read(known, Path(options.terms) if options.terms is not None else None)

    audited = _open(scores, "scores", options, known, identities)
    harms, before = tables.read_rows(audited.rows, known, audited.name), []
    numbers = f"threshold:{options.threshold:g}|resamples:{options.resamples}|seed:{options.seed}"
    signature = [f"scores:{audited.digest}", numbers]
    if source is not None:
        signature.append(f"source:{source.version}")
    signature.append(f"gec_fair:{__version__}")
    if options.against is not None:
        scored_before = replace(options, source=None, counterfactuals=False, progress=unheard)
        baseline = _open(options.against, "against", scored_before, known, identities)
        before = tables.read_rows(baseline.rows, known, baseline.name)
        harms = tables.align(before, harms, known)
        signature.append(f"against:{baseline.digest}")
    result = audit_scores(harms, part(options, AuditOptions), "|".join(signature), before=before)
    overall = result.overall.find_consistency(OVERALL, "all")
    scored = tuple(row for _, row in audited.rows) if audited.is_prepared else ()
    return SafetyAudit(
        overall.acv.value, overall.acv_normalised.value, result.signature, result, scored, audited.summary
    )


@dataclass(frozen=True, slots=True)
class _ScoreTable:
    """A table of scores behind its name in messages. `is_prepared`: whether another table was made into it."""

    name: str
    rows: Sequence[tuple[str, Mapping[str, Any]]]
    digest: str
    is_prepared: bool = False
    summary: str = ""


def _open(
    table: Any, name: str, options: SafetyAuditOptions, known: Groups, identities: Callable[[], Identities]
) -> _ScoreTable:
    """A table as a table of scores. Raises as `Preparing.prepare` does."""
    from gec_fair.runs.digests import file_digest, short_digest
    from gec_fair.safety.auditing.prepare import Preparing, is_complete
    from gec_fair.safety.data.cells import as_text, rows

    path = Path(table) if isinstance(table, str | Path) else None
    if path is not None:
        table_rows = list(rows(path, "text" if options.source else options.score or "score"))
    else:
        table_rows = [(f", row {number}", row) for number, row in enumerate(read_rows(table, name), 1)]
    if table_rows and name == "against":  # a column has the name that the first table's has, or else the usual one
        cells, columns = table_rows[0][1], ("score", "label", "text")
        usual: dict[str, Any] = {name: "" for name in columns if name in cells and getattr(options, name) not in cells}
        options = replace(options, **usual)
    is_prepared, summary = bool(table_rows) and not is_complete(table_rows[0][1], options), ""
    if is_prepared:
        with options.progress("audit") as step:
            preparing = Preparing(str(table) if path else "rows", options, known, identities, step)
            table_rows, summary = preparing.prepare(table_rows)
    elif path is not None:
        return _ScoreTable(str(table), table_rows, file_digest(path)["sha256"][:12])
    digest = short_digest([{column: as_text(value) for column, value in row.items()} for _, row in table_rows])
    return _ScoreTable(str(path or name), table_rows, digest, is_prepared, summary)


def _load_source(source: AnySource, attribute: str) -> Source | None:
    """A source by name, a function as one, or a classifier."""
    if source is None:
        return None
    from gec_fair.runs.cache import cache_directory
    from gec_fair.safety.sources.installed import Classified, FunctionSource
    from gec_fair.safety.sources.registry import load

    if isinstance(source, str):
        return load(source, cache=cache_directory() / "moderation.sqlite", every_label=True)
    if hasattr(source, "attributes"):
        return cast("Source", source)
    if hasattr(source, "labels"):
        return Classified(cast("Classifier", source), every_label=True)
    if not callable(cast("object", source)):
        expected = "a name, a classifier, or a function from a list of texts to a score from 0 to 1 for each"
        raise wrong_argument("source", source, expected)
    return FunctionSource(source, attribute or "score")
