"""What `gec-fair safety train` found, in the form of the paper's tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from statistics import fmean
from typing import Any

from gec_fair.report.papers import read_printed, read_rows
from gec_fair.report.table import Record, Table
from gec_fair.safety.auditing.audit import LITTLE
from gec_fair.safety.auditing.measures import LEAST
from gec_fair.safety.report.examples import scores
from gec_fair.safety.report.figures import Results, average_rows, find_contributions, harms
from gec_fair.stats.estimate import LEVEL, Kind, explain
from gec_fair.stats.seeds import columns

PAPER = "Sturman et al. 2024"
_KEY = "sturman2024"


def tables(results: Results) -> list[Table]:
    """Those that there is something for."""
    records = [
        _changes(results),
        _intervals(results),
        _models(results),
        _averages(results),
        _sweep(results, "lambda", "7"),
        _sweep(results, "beta", "8"),
        _sources(results),
        _contributions(results),
        _largest(results),
        _shares(results),
        _balance(results),
        _missing(results),
    ]
    return [table for table in records if table.records]


_CHANGES = {
    "AU-PRC, %": "auprc",
    "AU-PRC counterfactual, %": "auprc_counterfactual",
    "ACV, %": "acv",
    "ACV safe, %": "acv_safe",
    "ACV unsafe, %": "acv_unsafe",
    "normalised ACV, %": "acv_normalised",
}


def _changes(results: Results) -> Table:
    """Table 3, with balance alone beside the whole remedy."""
    records: list[Record] = []
    for harm, model, changes in _compare(results):
        sets = min(change["acv"]["n"] for change in changes)
        record: Record = {"harm": harm, "model": model, "seeds": len(changes), "sets": sets}
        for heading, name in _CHANGES.items():
            record |= columns(heading, [change[name]["value"] for change in changes])
        records.append(record)
    theirs = {"AU-PRC, %": "auprc_test", "AU-PRC counterfactual, %": "auprc_cf", "ACV, %": "acv"}
    for row in read_rows(_KEY, "table_3"):
        cells = {heading: row[name] for heading, name in theirs.items()}
        records.append({"harm": row["harm"].lower(), "model": PAPER, **cells})
    return Table(
        "changes",
        "Table 3: Change against the baseline",
        records,
        "Percent of the baseline's, the mean over seeds ± half of Student's 95 % interval: what chance in "
        "training does. AU-PRC on the test texts, and on them with their counterfactuals; ACV on the "
        f"counterfactual sets. Where the baseline's ACV is under {LEAST:g}: {LITTLE}.",
        1,
        LITTLE,
    )


def _intervals(results: Results) -> Table:
    """Table 3 once more, with what other texts would do."""
    records: list[Record] = []
    for harm, model, changes in _compare(results):
        record: Record = {"harm": harm, "model": model}
        for heading, name in _CHANGES.items():
            for end, key in (("", "value"), ("_low", "low"), ("_high", "high")):
                values = [change[name][key] for change in changes]
                record[heading + end] = None if None in values else fmean(values)
        records.append(record)
    return Table(
        "changes-intervals",
        "Table 3 with intervals over texts",
        records,
        f"[…]: {LEVEL:.0%} interval over counterfactual sets (bootstrap, both models drawn together), its "
        "ends as their means over seeds: what other texts of the kind would do. "
        f"Where the baseline's ACV is under {LEAST:g}: {LITTLE}.",
        1,
        LITTLE,
    )


def _compare(results: Results) -> Iterator[tuple[str, str, list[Mapping[str, Any]]]]:
    """By harm and model, the changes of every seed."""
    for harm in harms(results):
        for model in results[0].harms[harm].changes:
            yield harm, model, [result.harms[harm].changes[model] for result in results]


_MEASURES = {
    "AU-PRC": "auprc",
    "AU-PRC counterfactual": "auprc_counterfactual",
    "ACV": "acv",
    "normalised ACV": "acv_normalised",
    "flip rate": "flip_rate",
    "SA gap safe": "gap_safe",
    "SA gap unsafe": "gap_unsafe",
    "FPR": "fpr",
    "TPR": "tpr",
}
_MEASURES_OF_SOURCES = ("AU-PRC", "AU-PRC counterfactual", "normalised ACV", "SA gap safe", "SA gap unsafe")


def _models(results: Results) -> Table:
    records: list[Record] = []
    for harm in harms(results):
        for model in results[0].harms[harm].models:
            record: Record = {"harm": harm, "model": model}
            for heading, name in _MEASURES.items():
                record |= columns(heading, [result.harms[harm].models[model][name] for result in results])
            records.append(record)
    return Table(
        "models",
        "The ensembles",
        records,
        "Means over seeds ± half of Student's 95 % interval. SA gap: the largest difference of sliced "
        "averages between subgroups, mean over categories. Flip rate, FPR and TPR are at the threshold.",
        4,
        "no data",
    )


def _averages(results: Results) -> Table:
    return Table(
        "sliced-averages",
        "Figure 3: Sliced averages of the ensembles and of every source attribute",
        [row for harm in harms(results) for row in average_rows(results, harm)],
        "Means over seeds. Source attributes are scaled to [0, 1] by what they gave in training.",
        3,
    )


def _sweep(results: Results, name: str, number: str) -> Table:
    records: list[Record] = []
    for harm in harms(results):
        by: dict[tuple[str, float], list[Mapping[str, Any]]] = {}
        for result in results:
            for sweep in result.harms[harm].sweeps:
                if sweep["parameter"].startswith(name):
                    by.setdefault((sweep["parameter"], sweep["value"]), []).append(sweep)
        for (parameter, value), sweeps in by.items():
            truth = parameter.removeprefix(f"{name}_")
            record: Record = {"harm": harm, "parameter": parameter.replace("_", " "), "value": f"{value:g}"}
            for heading in (f"ACV {truth}, %", "normalised ACV, %", "AU-PRC, %"):
                record |= columns(heading, [sweep["changes"][_CHANGES[heading]]["value"] for sweep in sweeps])
            record |= columns("SA gap", [sweep[f"gap_{truth}"] for sweep in sweeps])
            records.append(record)
    records += _paper_sweep(name) if records else ()
    note = (
        "Changes against the baseline, percent: of ACV on texts of that truth, of normalised ACV and AU-PRC on "
        "all; SA gap: the largest difference of sliced averages between subgroups on texts of that truth, mean "
        "over categories. A λ that is kept in proportion to the other is held at what it was."
    )
    note += "".join(
        f" For {harm} balance alone was chosen; here λ and β are those of the settings."
        for harm in harms(results)
        if results[0].harms[harm].sweeps and not any(results[0].harms[harm].reweighting.values())
    )
    note += " The paper's Table 8 is of Sexual Orientation alone." if name == "beta" else ""
    title = f"Table {number}: {name} varied, the others kept"
    return Table(f"{name}s", title, records, explain(note, records, Kind.STUDENT), {"SA gap": 3}, LITTLE)


def _paper_sweep(name: str) -> Iterable[Record]:
    if name == "beta":
        for row in read_rows(_KEY, "table_8"):
            yield {"harm": PAPER, "parameter": "beta unsafe", "value": f"{row['beta']:g}", "SA gap": row["max_gap"]}
        return
    for truth in ("safe", "unsafe"):
        for row in read_printed(_KEY).get("table_7", {}).get(truth, ()):
            cells = {"parameter": f"lambda {truth}", "value": f"{row['lambda']:g}", f"ACV {truth}, %": row["acv"]}
            yield {"harm": PAPER, **cells}


def _sources(results: Results) -> Table:
    """Table 6, and figure 5's gaps."""
    records: list[Record] = []
    for harm in harms(results):
        sources = results[0].harms[harm].sources
        best = max(source["auprc"] for source in sources)
        for source in sorted(sources, key=lambda source: -source["auprc"]):
            figures = {heading: source[_MEASURES[heading]] for heading in _MEASURES_OF_SOURCES}
            records.append({"harm": harm, "source": source["source"], **figures})
        gained = [100 * (result.harms[harm].models["remediated"]["auprc"] / best - 1) for result in results]
        records.append({"harm": harm, "source": "remediated against the best source, %", **columns("AU-PRC", gained)})
        if (theirs := read_printed(_KEY).get("table_6", {}).get(harm)) is not None:
            records.append({"harm": harm, "source": f"the same, {PAPER}, %", "AU-PRC": theirs})
    return Table(
        "sources",
        "Table 6: The sources' attributes alone",
        records,
        explain("Scaled to [0, 1] by what they gave in training. The last rows are percent.", records, Kind.STUDENT),
        3,
    )


def _contributions(results: Results) -> Table:
    """Figure 4."""
    records: list[Record] = []
    for harm in harms(results):
        rows: dict[str, Record] = {}
        for model, kind in product(("baseline", "remediated"), ("impurity", "permutation")):
            for source, shares in find_contributions(results, harm, model, kind).items():
                row = rows.setdefault(source, {"harm": harm, "source": source})
                row |= columns(f"{model} {kind}, %", shares)
        records += sorted(rows.values(), key=lambda row: -row["baseline permutation, %"])
    note = (
        "Percent: of the impurity that trees take away, and of the AU-PRC lost when a column of the validation texts "
        "is permuted."
    )
    return Table(
        "contributions",
        "Figure 4: What each source contributes, before and after",
        records,
        explain(note, records, Kind.STUDENT),
        1,
    )


def _largest(results: Results) -> Table:
    """Tables 4 and 5, of the first seed, by id."""
    records = [
        {
            "harm": harm,
            "what": change["kind"],
            "id": " / ".join(change["ids"]),
            "baseline": scores(change["before"]),
            "remediated": scores(change["after"]),
        }
        for harm in harms(results)
        for change in results[0].harms[harm].largest
    ]
    return Table(
        "largest",
        "Tables 4 and 5: What changed most",
        records,
        f"Scores of the texts with these ids, seed {results[0].seed}. The score of a safe text is how far "
        "it is a false positive, that of an unsafe one how far it is from a false negative, whatever the "
        "threshold.",
    )


def _shares(results: Results) -> Table:
    first = results[0]
    records = [
        {"harm": harm, "round": n, "truth": truth, "slice": name, "share, %": 100 * p}
        for harm, harm_results in first.harms.items()
        for n, share in enumerate(harm_results.shares, 1)
        for truth, slices in share.items()
        for name, p in slices.items()
    ]
    left_out = "; ".join(
        f"{harm}, {truth}: {', '.join(slices)}"
        for harm, harm_results in first.harms.items()
        for truth, slices in harm_results.left_out.items()
        if slices
    )
    note = f"Seed {first.seed}." + (f" Left out, for there is no such text: {left_out}." if left_out else "")
    return Table("shares", "What reweighting draws", records, note, 1)


def _balance(results: Results) -> Table:
    records: list[Record] = []
    for harm in harms(results):
        balance = results[0].harms[harm].balance
        numbers = {
            "texts that are no counterfactuals": balance.originals,
            "balanced data": round(balance.balanced),
            **{f"lacking copies for {name}": n for name, n in balance.without_a_copy.items()},
        }
        if balance.several:
            numbers["naming two subgroups of a category, left as they are"] = balance.several
        records += [{"harm": harm, "": heading, "number": number} for heading, number in numbers.items()]
    return Table("balance", "Counterfactual balance", records)


def _missing(results: Results) -> Table:
    records = [
        {"split": split, "source": name, "scores missing": number}
        for split, numbers in results[0].missing.items()
        for name, number in numbers.items()
    ]
    note = "Replaced by the source's median in training; a column tells the model that it was missing."
    return Table("missing", "Scores that sources did not give", records, note)
