"""Tables 4 and 5 of fairtuning, and the figures of the paper beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from gec_fair.fairscore.tasks import HUB
from gec_fair.report.papers import read_printed, read_rows
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.stats.estimate import FEW

PAPER = "Qian et al. 2022"
_SIZE, _AXES = " 16GB", ("gender", "race", "age", "total")
_NAMES = {"cola": "CoLA", "sst2": "SST-2", "stsb": "STS-B", "qqp": "QQP", "rte": "RTE", "qnli": "QNLI"}
_WAYS = {"orig": "original", "fair": "replaced"}


def parts(records: Sequence[Mapping[str, Any]]) -> list[Part]:
    """Tables 4 and 5 in form, medians over seeds, the paper's rows for its own models below."""
    names = list(dict.fromkeys(record["task"] for record in records))
    # a regression has no fairscore
    labelled = [name for name in names if any(r["task"] == name and r["metric"] != "pearson" for r in records)]
    lines = _parts("Table 4: the task's measure, median over seeds", records, names, "figure", "table_4")
    if labelled:
        title = "Table 5: the fairscore, % (lower is fairer), median over seeds"
        lines += ["", *_parts(title, records, labelled, "fairscore", "table_5")]
    chosen = [
        f"{record['task']}, {record['model']}, {record['tuning']}: best at {record['point']}"
        for record in records
        if record["point"]
    ]
    return [*lines, *(["", *dict.fromkeys(chosen)] if chosen else [])]


def _parts(title: str, records: Sequence[Mapping[str, Any]], names: Sequence[str], key: str, theirs: str) -> list[Part]:
    rows: list[Record] = []
    for model, tuning in dict.fromkeys((record["model"], record["tuning"]) for record in records):
        alike = [r for r in records if (r["model"], r["tuning"]) == (model, tuning)]
        medians = {name: _median([r for r in alike if r["task"] == name], key) for name in names}
        seeds, known = len({r["seed"] for r in alike}), [value for value in medians.values() if value is not None]
        mean = sum(known) / len(known) if len(known) == len(medians) else None
        rows.append({"model": model, "tuning": tuning, "seeds": seeds, **medians, "mean": mean})
    for row in read_rows("qian2022", theirs):
        model, way = f"{row['model']} {row['size']}", _WAYS[row["tuning"]]
        paper = {name: _theirs(theirs, name, way).get(model) for name in names}
        if any(value is not None for value in paper.values()):
            rows.append({"model": f"{model}, {PAPER}", "tuning": way, "seeds": 5, **paper})
    numbers = (right(name, "{:.2f}") for name in (*names, "mean"))
    columns = (Column("model"), Column("tuning"), right("seeds"), *numbers)
    return [title, "", Table(key, title, rows, columns=columns)]


def _median(records: Sequence[Mapping[str, Any]], key: str) -> float | None:
    """The median of what is known; a fairscore of fewer than FEW examples is not."""
    known = [r[key] for r in records if r[key] is not None and not (key == "fairscore" and r["n"] < FEW)]
    return median(known) if known else None


def with_paper(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For machines: each record, and what the paper has of its task and way, by model."""
    ours = {"figure": "table_4", "fairscore": "table_5"}
    return [
        {
            **record,
            "paper": _full({key: _theirs(table, record["task"], record["tuning"]) for key, table in ours.items()}),
        }
        for record in records
    ]


def paper(name: str) -> dict[str, dict[str, float]] | None:
    """What the paper prints of a task: Tables 5 (its 16 GB models, fine-tuned) and 13; None where nothing."""
    scores = {
        model.removesuffix(_SIZE): value
        for model, value in _theirs("table_5", name, "original").items()
        if model.endswith(_SIZE)
    }
    thirteen = read_printed("qian2022").get("table_13", {})
    columns = thirteen.get("columns", [])
    known = _label(name) in columns
    shares = {axis: thirteen[axis][columns.index(_label(name))] for axis in _AXES} if known else {}
    return _full({"fairscore": scores, "perturbed": shares})


def _full(parts: Mapping[str, dict[str, float]]) -> dict[str, dict[str, float]] | None:
    return {name: figures for name, figures in parts.items() if figures} or None


def _theirs(table: str, name: str, tuning: str) -> dict[str, float]:
    """A task's figures in Table 4 or 5, by model."""
    printed_table = read_printed("qian2022").get(table, {})
    columns = printed_table.get("columns", [])
    if _label(name) not in columns:
        return {}
    at = columns.index(_label(name))
    return {
        f"{row['model']} {row['size']}": row["values"][at]
        for row in printed_table["row"]
        if _WAYS[row["tuning"]] == tuning
    }


def _label(name: str) -> str:
    """What the paper calls a task; "" where it has none such."""
    return _NAMES.get(name.removeprefix(HUB), "")


def figures_beside(name: str) -> list[str]:
    """The same for people, a line each."""
    known, lines = paper(name) or {}, []
    if scores := known.get("fairscore"):
        listed = ", ".join(f"{model} {value:.2f}" for model, value in scores.items())
        lines.append(f"{PAPER}, Table 5, fairscore, %: {listed}")
    if shares := known.get("perturbed"):
        listed = ", ".join(f"{axis} {share}" for axis, share in shares.items())
        lines.append(f"{PAPER}, Table 13, perturbed, %: {listed}")
    return lines
