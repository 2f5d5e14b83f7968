"""What `gec-fair razor evaluate` says: tables for people, the paper's beside ours, and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from gec_fair.razor.evaluation.evaluate import MethodResult, Surface
from gec_fair.razor.options import EvaluateOptions
from gec_fair.razor.scoring.term_counts import change
from gec_fair.report.papers import read_printed, read_rows
from gec_fair.report.table import Column, Part, Record, Table, right

PAPER = "Yang et al. 2024"
_TABLES = {
    ("supports", "refutes"): (
        "table_1",
        {
            "fever_bert": "FEVER, BERT",
            "fever_roberta": "FEVER, RoBERTa",
            "adversarial_bert": "adversarial, BERT",
            "adversarial_roberta": "adversarial, RoBERTa",
        },
    ),
    ("entailment", "contradiction"): (
        "table_2",
        {
            "mnli_trained_on_mnli": "MNLI by MNLI",
            "snli_trained_on_mnli": "SNLI by MNLI",
            "mnli_trained_on_snli": "MNLI by SNLI",
            "snli_trained_on_snli": "SNLI by SNLI",
        },
    ),
}
"""The table of data with such labels, and its columns."""


def as_json(options: EvaluateOptions, surface: Surface, rows: Sequence[MethodResult]) -> dict[str, Any]:
    """All of it, and what the paper prints of the same task."""
    return {
        "options": asdict(options),
        **asdict(surface),
        "rows": [asdict(row) for row in rows],
        "paper": list(_read_printed(surface.labels)),
    }


def before(options: EvaluateOptions, surface: Surface) -> str:
    """What is known before anything is trained."""
    lines = [f"{surface.documents:,} training documents"]
    for name, terms in surface.terms.items():
        counts = ", ".join(f"{number:,.6g} {term}" for term, number in terms.occurrences.items())
        held = ", ".join(f"{share:.1f} % of {label}" for label, share in terms.share.items())
        lines.append(f"{name}: {counts}; in {held}")
    if "razor" in surface.terms and (less := change(surface.terms["original"], surface.terms["razor"])) is not None:
        theirs = read_printed("razor").get("claims", {}).get("negations_removed")
        paper_note = f" ({PAPER}: {-theirs:+.1f} % of no, not)" if theirs else ""
        lines.append(f"{', '.join(options.terms)}: {less:+.1f} % by the rewriting{paper_note}")
    label, right = surface.frequent
    shares = (f"{share:.2f} % of {label}" for label, share in right.items())
    lines.append(f"always {label} is right in {', '.join(shares)}")
    for source, versions in surface.repeated.items():
        listing = ", ".join(f"{name} {share:.1f} %" for name, share in versions.items())
        lines.append(f"claims of {source} that have five words in a row in common with a training claim: {listing}")
    return "\n".join(lines)


def parts(options: EvaluateOptions, surface: Surface, rows: Sequence[MethodResult]) -> list[Part]:
    """For people: ours, the curves if there are any, and the paper's."""
    trained = f"{options.pairs:,} that were rewritten of {surface.documents:,}" if options.pairs else "all"
    times = "once" if options.seeds == 1 else f"{options.seeds} times"
    note = (
        f"trained on {trained} documents, {times}; F1 is the mean of the labels'; ± is the "
        "standard deviation over trainings, the intervals are over test examples; fewer than 10 have none"
    )
    tables = (*_curves(rows), *_theirs(surface.labels))
    others = (part for table in tables for part in ("", table, *(("", table.note) if table.note else ())))
    return [accuracies(options, rows), "", note, *others]


def accuracies(options: EvaluateOptions, rows: Sequence[MethodResult]) -> Table:
    """Accuracy and F1 of every method on every test set, in percent."""
    against = ("{:+.2f} [{against_low:+.2f}, {against_high:+.2f}]", "{:+.2f}")
    columns = (
        Column("method"),
        Column("test", header="test set"),
        right("examples", "{:,}"),
        right("accuracy", ("{:.2f} ± {accuracy_sd:.2f}", "{:.2f}")),
        Column("low", "[{:.2f}, {high:.2f}]", "95 % interval"),
        Column("against", against, f"against {options.methods[0]}"),
        right("f1", ("{:.2f} ± {f1_sd:.2f}", "{:.2f}"), "F1"),
    )
    return Table("accuracy", "Accuracy by method and test set", [_record(row) for row in rows], columns=columns)


def _record(row: MethodResult) -> Record:
    against = (None, None, None) if row.against is None else row.against
    return {
        "method": row.method,
        "test": row.test,
        "examples": row.examples,
        "accuracy": row.accuracy,
        "accuracy_sd": row.accuracy_sd,
        "low": row.low,
        "high": row.high,
        **dict(zip(("against", "against_low", "against_high"), against, strict=True)),
        "f1": row.f1,
        "f1_sd": row.f1_sd,
    }


def _curves(rows: Sequence[MethodResult]) -> Iterator[Table]:
    """Figure 4: a column for each look, a table for the trainings that were looked at after the same updates."""
    curved = [row for row in rows if row.curve]
    for steps in dict.fromkeys(tuple(snapshot.step for snapshot in row.curve) for row in curved):
        alike = [row for row in curved if tuple(snapshot.step for snapshot in row.curve) == steps]
        records = [
            {
                "method": row.method,
                "test": row.test,
                **{f"{snapshot.step:,}": snapshot.accuracy for snapshot in row.curve},
            }
            for row in alike
        ]
        columns = (
            Column("method", header="accuracy after updates"),
            Column("test", header="test set"),
            *(right(f"{step:,}", "{:.2f}") for step in steps),
        )
        yield Table("curves", "Accuracy after updates", records, columns=columns)


def _theirs(labels: Sequence[str]) -> Iterator[Table]:
    """The paper's table of the same task: accuracy, F1."""
    rows = list(_read_printed(labels))
    if not rows:
        return
    title = f"{PAPER}, {rows[0]['table']}: accuracy, F1"
    sets = [name for name in rows[0] if name not in ("method", "table")]
    records = [{"method": row["method"], **{name: row[name] for name in sets}} for row in rows]
    columns = (Column("method", header=title), *(Column(name, partial(_scores, name)) for name in sets))
    yield Table("paper", title, records, "± in the paper's table is as printed there", columns=columns)


def _scores(name: str, record: Record) -> str:
    scores = record[name]
    return ", ".join("{:.2f} ± {:.2f}".format(*scores[measure][:2]) for measure in ("accuracy", "f1"))


def _read_printed(labels: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Rows of the paper's table of such labels, without its differences; none for other labels."""
    plain = {label.casefold() for label in labels}
    name, columns = next((table for names, table in _TABLES.items() if plain.issuperset(names)), ("", {}))
    for row in read_rows("razor", name):
        if not row["method"].startswith("delta"):
            method = ", ".join(filter(None, (row.get("backbone"), row["method"])))
            figures = {heading: row[key] for key, heading in columns.items()}
            yield {"method": method, "table": name.replace("_", " "), **figures}
