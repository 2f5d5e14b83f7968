"""`gec_fair.safety.audit`: whether swapping an identity in a text swings a safety score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from gec_fair.config.options import part
from gec_fair.data.columns import Rows, read_rows, wrong_argument
from gec_fair.data.keywords import keywords
from gec_fair.report.results import Result
from gec_fair.report.table import Table
from gec_fair.safety.options import SafetyAuditOptions

if TYPE_CHECKING:
    from gec_fair.classifiers.protocol import Classifier
    from gec_fair.safety.auditing.audit import Audit
    from gec_fair.safety.auditing.prepare import Preparation
    from gec_fair.safety.counterfactuals.identities import Identities
    from gec_fair.safety.data.groups import Groups
    from gec_fair.safety.sources.protocol import Source

AnySource: TypeAlias = "str | Source | Callable[[list[str]], Any] | None"


@dataclass(frozen=True, slots=True, repr=False)
class SafetyAudit(Result):
    """ACV (how much scores vary within a set of counterfactuals) and sliced averages, with intervals.

    `acv_normalised` is ACV divided by the variance of all scores. Both are None where no two texts share a set.
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
        """Write report.html, every table as Markdown, CSV, JSON and LaTeX, and scores.csv if `audit` scored the texts.

        Args:
            folder: The folder; it is made if it does not exist.
            texts: Tables with the texts by id, so that the report can show them.
        """
        from gec_fair.data.user_tables import write_rows
        from gec_fair.safety.report import page

        page.write_audit(self.result, Path(folder), tuple(map(Path, texts)))
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
    from gec_fair.extras import require
    from gec_fair.version import __version__

    require("safety", "safety", "scipy")
    from gec_fair.safety.auditing import audit as auditing
    from gec_fair.safety.auditing.prepare import Preparation, Prepared, prepare
    from gec_fair.safety.data import groups as grouping
    from gec_fair.safety.data import public
    from gec_fair.safety.data import scores as tables

    known = grouping.read(Path(options.groups)) if options.groups is not None else grouping.shipped()
    resampling = part(options, auditing.AuditOptions)
    source = _load_source(options.source, options.harm or options.score)
    preparation = replace(part(options, Preparation), source=source)
    against = options.against
    prepared = Prepared([])
    if not isinstance(scores, str | Path):
        scores = list(read_rows(scores, "scores"))
    if against is not None and not isinstance(against, str | Path):
        against = list(read_rows(against, "against"))
    is_hatecheck = options.groups is None and _is_hatecheck(scores)
    if is_hatecheck:
        known, scores = public.groups_of("hatecheck"), _with_text_columns(scores)
        against = None if against is None else _with_text_columns(against)
    if not preparation.is_empty or not _is_complete(scores):

        def identities() -> Identities:
            return _identities(known if is_hatecheck or options.groups is not None else None, options.terms)

        with options.progress("audit") as step:
            prepared = prepare(_rows(scores, preparation), _name(scores), preparation, known, identities, step)
        scores = [row for _, row in prepared.rows]
        if against is not None:
            without_source = replace(preparation, source=None, counterfactuals=False)
            baseline_rows = prepare(_rows(against, without_source), _name(against), without_source, known, identities)
            against = [row for _, row in baseline_rows.rows]
    if isinstance(scores, str | Path) and (against is None or isinstance(against, str | Path)):
        baseline = Path(against) if against is not None else None
        result = auditing.audit(Path(scores), known, resampling, against=baseline)
    else:
        rows = _rows(scores)
        signature = (
            f"scores:{_digest(rows)}|threshold:{options.threshold:g}|resamples:{options.resamples}|seed:{options.seed}"
        )
        harms = _read(rows, known, "scores")
        before = _read(_rows(against), known, "against") if against is not None else []
        if before:
            harms = tables.aligned(before, harms, known)
            signature += f"|against:{_digest(_rows(against))}"
        if preparation.source is not None:
            signature += f"|source:{preparation.source.version}"
        signature += f"|gec_fair:{__version__}"
        result = auditing.audit_scores(harms, resampling, signature, before=before)
    report = auditing.as_json(result)
    return SafetyAudit(
        report["acv"],
        report["acv_normalised"],
        result.signature,
        result,
        tuple(row for _, row in prepared.rows),
        "\n".join(filter(None, (_HATECHECK if is_hatecheck else "", prepared.summary))),
    )


_HATECHECK = "HateCheck: its seven groups are used (hatecheck-groups.csv)."


def _is_hatecheck(table: Any) -> bool:
    """Whether a table has HateCheck's own columns, or its first named group is one of HateCheck's."""
    from gec_fair.errors import GecFairError
    from gec_fair.safety.data.scores import rows

    if not isinstance(table, str | Path):
        return _names_hatecheck(table)
    for column in ("target_ident", "category", "slices"):  # one of them is there; a Parquet file is asked for one
        try:
            return _names_hatecheck(row for _, row in rows(Path(table), column))
        except GecFairError:  # the audit reads the table again, and says what is wrong
            continue
    return False


def _names_hatecheck(rows: Iterable[Mapping[str, Any]]) -> bool:
    from gec_fair.safety.data import public

    for row in rows:
        if public.has_hatecheck_columns(row):
            return True
        if not {"category", "slices"} & set(row):
            return False
        if row.get("category") or row.get("slices"):
            return public.name_hatecheck_groups(row)
    return False


def _with_text_columns(table: Any) -> Any:
    """A table with HateCheck's own columns as rows of a table of texts; another as it is."""
    from gec_fair.safety.data import public
    from gec_fair.safety.data.scores import rows

    placed: Iterator[tuple[str, Mapping[str, Any]]]
    if isinstance(table, str | Path):
        placed = ((f"{table}{place}", row) for place, row in rows(Path(table), "target_ident"))
    else:
        placed = ((f"scores: row {number}", row) for number, row in enumerate(table, 1))
    first = next(placed, None)
    if first is None or not public.has_hatecheck_columns(first[1]):
        return table
    return [row for _, row in public.from_hatecheck([first, *placed])]


def _load_source(source: AnySource, attribute: str) -> Source | None:
    """A source by name, a function as one, or a classifier."""
    if source is None:
        return None
    from gec_fair.runs.cache import cache_directory
    from gec_fair.safety.sources.installed import Classified, FunctionSource
    from gec_fair.safety.sources.registry import load

    if isinstance(source, str):
        return load(source, cache=cache_directory() / "moderation.sqlite")
    if hasattr(source, "attributes"):
        return cast("Source", source)
    if hasattr(source, "labels"):
        return Classified(cast("Classifier", source))
    if not callable(cast("object", source)):
        expected = "a name, a classifier, or a function from a list of texts to a score from 0 to 1 for each"
        raise wrong_argument("source", source, expected)
    return FunctionSource(source, attribute or "score")


def _identities(known: Groups | None, terms: Any) -> Identities:
    """How the subgroups are said in texts; None stands for the paper's."""
    from gec_fair.safety.counterfactuals import identities
    from gec_fair.safety.data import groups as grouping

    if known is None and terms is None:
        return identities.load()
    return identities.read(known or grouping.shipped(), Path(terms) if terms is not None else None)


def _is_complete(table: Any) -> bool:
    """Whether a table has every column of a table of scores; True too where its first row cannot be read, so that
    reading it says why."""
    from gec_fair.errors import GecFairError
    from gec_fair.safety.auditing.prepare import is_complete
    from gec_fair.safety.data.scores import rows

    try:
        first = next(iter(rows(Path(table), "score")), None) if isinstance(table, str | Path) else ("", *table[:1])
    except GecFairError:
        return True
    return first is None or len(first) < 2 or is_complete(first[1])


def _name(table: Any) -> str:
    return str(table) if isinstance(table, str | Path) else "rows"


def _rows(table: Any, preparation: Preparation | None = None) -> list[tuple[str, Mapping[str, Any]]]:
    """The rows behind their places, of a file or in memory."""
    from gec_fair.safety.data.scores import rows

    if isinstance(table, str | Path):
        wanted = "score" if preparation is None else "text" if preparation.source else preparation.score or "score"
        return list(rows(Path(table), wanted))
    return [(f", row {number}", row) for number, row in enumerate(read_rows(table, "scores"), 1)]


def _read(rows: Sequence[tuple[str, Mapping[str, Any]]], groups: Groups, name: str) -> list[Any]:
    from gec_fair.safety.data.scores import read_rows

    return read_rows(rows, groups, name)


def _digest(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    from gec_fair.runs.digests import short_digest
    from gec_fair.safety.data.scores import as_text

    return short_digest([{name: as_text(value) for name, value in row.items()} for _, row in rows])
