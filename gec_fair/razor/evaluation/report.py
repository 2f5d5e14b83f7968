"""What `gec-fair razor evaluate` says: tables for people, the paper's beside ours, and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from gec_fair.razor.evaluation.evaluate import EvaluateOptions, Judged, Surface
from gec_fair.razor.evaluation.term_counts import change
from gec_fair.report.papers import printed

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


def as_json(options: EvaluateOptions, found: Surface, rows: Sequence[Judged]) -> dict[str, Any]:
    """All of it, and what the paper prints of the same task."""
    return {
        "options": asdict(options),
        **asdict(found),
        "rows": [asdict(row) for row in rows],
        "paper": list(_printed(found.labels)),
    }


def before(options: EvaluateOptions, found: Surface) -> str:
    """What is known before anything is trained."""
    told = [f"{found.documents:,} training documents"]
    for name, terms in found.terms.items():
        counts = ", ".join(f"{number:,.6g} {term}" for term, number in terms.occurrences.items())
        held = ", ".join(f"{share:.1f} % of {label}" for label, share in terms.share.items())
        told.append(f"{name}: {counts}; in {held}")
    if "razor" in found.terms and (less := change(found.terms["original"], found.terms["razor"])) is not None:
        theirs = printed("razor").get("claims", {}).get("negations_removed")
        beside = f" ({PAPER}: {-theirs:+.1f} % of no, not)" if theirs else ""
        told.append(f"{', '.join(options.terms)}: {less:+.1f} % by the rewriting{beside}")
    label, right = found.frequent
    shares = (f"{share:.2f} % of {of}" for of, share in right.items())
    told.append(f"always {label} is right in {', '.join(shares)}")
    for of, versions in found.repeated.items():
        each = ", ".join(f"{name} {share:.1f} %" for name, share in versions.items())
        told.append(f"claims of {of} that have five words in a row in common with a training claim: {each}")
    return "\n".join(told)


def table(options: EvaluateOptions, found: Surface, rows: Sequence[Judged]) -> str:
    """For people: ours, the curves if there are any, and the paper's."""
    lines = [
        f"| method | test set | examples | accuracy | 95 % interval | against {options.methods[0]} | F1 |",
        "| --- | --- | ---: | ---: | --- | --- | ---: |",
    ]
    for row in rows:
        cells = (
            row.method,
            row.test,
            f"{row.examples:,}",
            _spread(row.accuracy, row.accuracy_sd),
            f"[{row.low:.2f}, {row.high:.2f}]",
            _more(row),
            _spread(row.f1, row.f1_sd),
        )
        lines.append(f"| {' | '.join(cells)} |")
    trained = f"{options.pairs:,} that were rewritten of {found.documents:,}" if options.pairs else "all"
    lines += [
        "",
        f"trained on {trained} documents, {_times(options.seeds)}; F1 is the mean of the labels'; ± is the "
        "standard deviation over trainings, the intervals are over test examples",
    ]
    return "\n".join([*lines, *_curves(rows), *_theirs(found.labels)])


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _spread(mean: float, sd: float | None) -> str:
    return f"{mean:.2f}" + ("" if sd is None else f" ± {sd:.2f}")


def _more(row: Judged) -> str:
    return "" if row.against is None else "{:+.2f} [{:+.2f}, {:+.2f}]".format(*row.against)


def _curves(rows: Sequence[Judged]) -> Iterator[str]:
    """Figure 4: a column a look."""
    curved = [row for row in rows if row.curve]
    for steps in dict.fromkeys(tuple(look.step for look in row.curve) for row in curved):
        yield from (
            "",
            f"| accuracy after updates | test set | {' | '.join(f'{step:,}' for step in steps)} |",
            f"| --- | --- |{' ---: |' * len(steps)}",
        )
        for row in (row for row in curved if tuple(look.step for look in row.curve) == steps):
            yield f"| {row.method} | {row.test} | {' | '.join(f'{look.accuracy:.2f}' for look in row.curve)} |"


def _theirs(labels: Sequence[str]) -> Iterator[str]:
    """The paper's table of the same task: accuracy, F1."""
    rows = list(_printed(labels))
    if not rows:
        return
    columns = [name for name in rows[0] if name not in ("method", "table")]
    yield from (
        "",
        f"| {PAPER}, {rows[0]['table']}: accuracy, F1 | {' | '.join(columns)} |",
        f"| --- |{' --- |' * len(columns)}",
    )
    for row in rows:
        cells = (f"{_pm(row[name]['accuracy'])}, {_pm(row[name]['f1'])}" for name in columns)
        yield f"| {row['method']} | {' | '.join(cells)} |"


def _pm(figure: Sequence[float]) -> str:
    return f"{figure[0]:.2f} ± {figure[1]:.2f}"


def _printed(labels: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Rows of the paper's table of such labels, without its differences; none for other labels."""
    plain = {label.casefold() for label in labels}
    name, columns = next((table for names, table in _TABLES.items() if plain.issuperset(names)), ("", {}))
    for row in printed("razor").get(name, {}).get("row", ()):
        if not row["method"].startswith("delta"):
            method = ", ".join(filter(None, (row.get("backbone"), row["method"])))
            figures = {told: row[key] for key, told in columns.items()}
            yield {"method": method, "table": name.replace("_", " "), **figures}
