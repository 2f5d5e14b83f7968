"""What an experiment found: a table of the last models, one of every look, what the corpora are, and the figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from gec_fair.babylm.corpora.build import BuiltCorpus
from gec_fair.babylm.experiment import Snapshot
from gec_fair.lmbias.composite import BIAS, PERFORMANCE, composite
from gec_fair.report.papers import read_printed
from gec_fair.report.table import Record, Table
from gec_fair.stats import seeds

COMPOSITES = ("composite performance", "composite bias")
_GROUPS = ("gender", "race-color", "race")
_PAPER = "BabyLM bias dynamics"


def measures(snapshot: Snapshot) -> dict[str, float]:
    """All figures of a model in percent, by name."""
    scores = composite(snapshot.figures)
    measured = dict(zip(COMPOSITES, (scores.performance, scores.bias), strict=True))
    groups = {
        f"{_NAMES[figure['suite']]} {figure['part']}": figure["value"]
        for figure in snapshot.figures
        if figure["part"] in _GROUPS and figure["measure"] in ("stereotype preferred, %", "SS")
    }
    return {name: value for name, value in {**measured, **scores.parts, **groups}.items() if value is not None}


_NAMES = {"crows": "CrowS-Pairs", "stereoset": "StereoSet"}


def tables(snapshots: Sequence[Snapshot], corpora: Mapping[str, BuiltCorpus]) -> list[Table]:
    """Those that there is something for."""
    every = [
        _last(snapshots),
        _against(snapshots),
        _curves(snapshots),
        _corpora(corpora),
        _make_changes_table(corpora),
    ]
    return [table for table in every if table.records]


def _last(snapshots: Sequence[Snapshot]) -> Table:
    records: list[Record] = []
    last = _at_end(snapshots)
    for corpus, corpus_snapshots in last.items():
        values = [measures(snapshot) for snapshot in corpus_snapshots]
        head = {"corpus": corpus, "updates": corpus_snapshots[0].step, "seeds": len(corpus_snapshots)}
        records.append({**head, **_over_seeds(values)})
    return Table(
        "models",
        "Models at the end of training",
        tuple(records),
        f"Percent, the mean over seeds ± half of the 95 % interval (Student's t). {_note(snapshots)} "
        "A bias of 50 is fair.",
    )


def _against(snapshots: Sequence[Snapshot]) -> Table:
    """Each corpus against the first, seed by seed: the same initial weights."""
    records: list[Record] = []
    first = next(iter(_at_end(snapshots)), "")
    for corpus, by_seed in _differences(snapshots).items():
        records.append({"corpus": corpus, "seeds": len(by_seed), **_over_seeds([*by_seed.values()])})
    return Table(
        "changes",
        f"Against {first}",
        tuple(records),
        "Points, the mean over seeds of the difference to the model of the same seed, ± half of its 95 % "
        "interval (Student's t over seeds): what seeds do, not what other sentences would.",
    )


def _over_seeds(values: Sequence[Mapping[str, float]]) -> Record:
    """The cells of each figure, of the seeds that have it."""
    cells: dict[str, float | None] = {}
    for name in dict.fromkeys(name for row in values for name in row):
        cells |= seeds.columns(name, [row[name] for row in values if name in row])
    return cells


def _curves(snapshots: Sequence[Snapshot]) -> Table:
    records = tuple(
        {
            "corpus": row["group"],
            "updates": row["step"],
            "measure": row["measure"],
            "mean": row["mean"],
            "lowest seed": row["low"],
            "highest seed": row["high"],
        }
        for row in curve_rows(snapshots, (*COMPOSITES, *PERFORMANCE, *BIAS))
    )
    return Table("curves", "Over training", records, "Percent, the mean over seeds and the range of the seeds.")


def _corpora(corpora: Mapping[str, BuiltCorpus]) -> Table:
    records: list[Record] = []
    theirs = read_printed("babylm").get("interventions", {})
    for name, corpus in corpora.items():
        record: Record = {"corpus": name, **{key: value for key, value in corpus.counts.items() if key != "to"}}
        if name == "cda" and theirs:
            record[f"growth, {_PAPER}"] = theirs["cda_corpus_growth"]
        records.append(record)
    return Table(
        "corpora",
        "The corpora",
        tuple(records),
        "growth is in percent of the original's words; changed, chunks that were perturbed.",
    )


def _make_changes_table(corpora: Mapping[str, BuiltCorpus]) -> Table:
    """Table 14 in form."""
    records: list[Record] = []
    theirs = read_printed("babylm").get("table_14", {})
    for name, corpus in corpora.items():
        for to, number in corpus.counts.get("to", {}).items():
            axis, target = to.split(" ", 1)
            paper = theirs.get("overall", {}).get("any_change" if axis == "any" else axis) if target == "all" else None
            paper = paper if paper is not None else theirs.get(axis, {}).get(target)
            records.append(
                {
                    "corpus": name,
                    "axis": axis,
                    "to": target,
                    "chunks": number,
                    "%": 100 * number / max(1, corpus.counts["chunks"]),
                    f"{_PAPER}, Table 14": paper,
                }
            )
    return Table("perturbed", "What chunks became", tuple(records), "Percent of all chunks.")


def curve_rows(snapshots: Sequence[Snapshot], names: Sequence[str]) -> list[dict[str, Any]]:
    """For `lmbias.charts.curves`: by corpus, measure and step, the mean and the range over seeds."""
    by: dict[tuple[str, str, int], list[float]] = {}
    for snapshot in snapshots:
        for name, value in measures(snapshot).items():
            if name in names:
                by.setdefault((name, snapshot.corpus, snapshot.step), []).append(value)
    order = list(dict.fromkeys(snapshot.corpus for snapshot in snapshots))
    keys = sorted(by, key=lambda key: (names.index(key[0]), order.index(key[1]), key[2]))
    return [
        {
            "group": corpus,
            "step": step,
            "measure": name,
            "mean": fmean(by[key]),
            "low": min(by[key]),
            "high": max(by[key]),
        }
        for key in keys
        for name, corpus, step in [key]
    ]


def change_rows(snapshots: Sequence[Snapshot]) -> list[dict[str, Any]]:
    """For `lmbias.charts.changes`: by corpus, each seed's change against the first corpus, and their mean."""
    rows: list[dict[str, Any]] = []
    names = dict(zip(("performance", "bias"), COMPOSITES, strict=True))
    for corpus, by_seed in _differences(snapshots).items():
        rows_of_corpus: list[dict[str, Any]] = [
            {"group": corpus, "seed": seed, **{short: row[name] for short, name in names.items()}}
            for seed, row in by_seed.items()
            if row.keys() >= {*COMPOSITES}
        ]
        if rows_of_corpus:
            mean = {short: fmean([row[short] for row in rows_of_corpus]) for short in names}
            rows += [*rows_of_corpus, {"group": corpus, "seed": None, **mean}]
    return rows


def _differences(snapshots: Sequence[Snapshot]) -> dict[str, dict[int, dict[str, float]]]:
    """By corpus and seed, every figure at the end of training less that of the first corpus with the same seed."""
    first, *others = _at_end(snapshots).values() or [[]]
    base = {snapshot.seed: measures(snapshot) for snapshot in first}
    differences = {
        corpus[0].corpus: {
            snapshot.seed: {
                name: value - base[snapshot.seed][name]
                for name, value in measures(snapshot).items()
                if name in base[snapshot.seed]
            }
            for snapshot in corpus
            if snapshot.seed in base
        }
        for corpus in others
    }
    return {corpus: by_seed for corpus, by_seed in differences.items() if by_seed}


def charts(snapshots: Sequence[Snapshot]) -> dict[str, Any]:
    """Vega-Lite by name; those without data are left out."""
    from gec_fair.lmbias import charts as drawn

    drawings: dict[str, Callable[[], Any]] = {}
    if rows := curve_rows(snapshots, COMPOSITES):
        drawings["curves"] = lambda: drawn.curves(rows)
    if parts := curve_rows(snapshots, (*PERFORMANCE, *BIAS)):
        drawings["parts"] = lambda: drawn.curves(parts)
    if changes := change_rows(snapshots):
        drawings["changes"] = lambda: drawn.changes(changes, field="corpus")
    return {name: draw().to_dict() for name, draw in drawings.items()}


CAPTIONS = {
    "curves": "Composite performance and bias over training: lines are means over seeds, bands their range (figures 5 "
    "to 7 in form).",
    "parts": "What they are the means of: the suites one by one.",
    "changes": "Changes against the first corpus: of bias and performance at the end of training; large marks are "
    "means over seeds (figures 3 and 4 in form).",
}


def _at_end(snapshots: Sequence[Snapshot]) -> dict[str, list[Snapshot]]:
    """The looks after the last update that all corpora have reached with some seed."""
    order = list(dict.fromkeys(snapshot.corpus for snapshot in snapshots))
    steps = [{snapshot.step for snapshot in snapshots if snapshot.corpus == corpus} for corpus in order]
    common = set.intersection(*steps) if steps else set()
    if not common:
        return {}
    return {
        corpus: [snapshot for snapshot in snapshots if snapshot.corpus == corpus and snapshot.step == max(common)]
        for corpus in order
    }


def _note(snapshots: Sequence[Snapshot]) -> str:
    parts = composite(snapshots[0].figures if snapshots else ())
    return (
        f"Composite performance is the mean of {parts.list_parts(PERFORMANCE)}; "
        f"composite bias of {parts.list_parts(BIAS)}."
    )
