"""The tables of a comparison in the paper's form (Lund et al. 2023: 1, 3-8, B)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from gec_fair.evaluate.bias.explicit import Kind
from gec_fair.evaluate.gap.bea_dev import FIRST_HALF, FULL_SET
from gec_fair.evaluate.gap.gap import SPREAD
from gec_fair.evaluate.gap.loaded_set import SIDES
from gec_fair.evaluate.scoring.scores import at_level
from gec_fair.report.papers import read_printed, read_rows
from gec_fair.report.table import Table
from gec_fair.stats.estimate import FEW, explain

Results: TypeAlias = Mapping[str, Any]
Record: TypeAlias = dict[str, Any]
_PAPER_SETS = {"bea-195": ("table_5", "st_aug"), "bea-556": ("table_4", "mf_aug")}
_NUMBERS = {
    "overview": "Table 1",
    "full": "Tables 3 and 8",
    "explicit-bias": "Table 6",
    "precision-recall": "Table 7",
    "errors-by-operation": "Table B1",
    "errors-by-category": "Table B2",
}
PAPER = "Lund et al. 2023"
_NONE = "–"
"""What a table prints for an unknown figure: the gap of a system without a correct edit, and the precision if it
makes no edit; a p-value of too few."""
_KEY = "lund2023"


def tables(results: Results) -> list[Table]:
    """All that the results have something for."""
    tables = [_overview(results), *_gaps(results), _bias(results), _prf(results)]
    tables += [_full(results), _splits(results), _twins(results)]
    tables += [_differences(results), _errors(results, 1), _errors(results, 2)]
    return [table for table in tables if table.records]


def _overview(results: Results) -> Table:
    """Table 1: F0.5 of each system on the whole set and on both sides of every subset."""
    records: list[Record] = []
    for system in dict.fromkeys([*(row["system"] for row in results["rows"]), *results["full"]]):
        record: Record = {"system": system}
        if system in results["full"]:
            record["full"] = results["full"][system]["f0.5"]
        for row in (row for row in results["rows"] if row["system"] == system):
            record |= {
                f"{row['set']} orig": row["orig"]["f0.5"],
                f"{row['set']} aug": row["aug"]["f0.5"],
                f"{row['set']} gap": row["delta"],
            }
        records.append(record)
    sets = list(results["sets"])
    records += _paper_overview(sets) if any(map(_paper_set, sets)) else []
    title = _number("overview", "F0.5 on both sides of each set", sets)
    return Table("overview", title, tuple(records), "In the form of the paper's Table 1.", unknown=_NONE)


def _paper_overview(sets: Sequence[str]) -> Iterator[Record]:
    for row in read_rows(_KEY, "table_1"):
        record: Record = {"system": f"{row['system']}, {PAPER}"}
        for name, paper_name in ((name, _paper_set(name)) for name in sets):
            if not paper_name:
                continue
            key, aug = paper_name.replace("-", "_"), _PAPER_SETS[paper_name][1]
            figures = (row[f"{key}_orig"], row[f"{key}_{aug}"], row[f"{key}_diff"])
            record |= dict(zip((f"{name} orig", f"{name} aug", f"{name} gap"), figures, strict=True))
        yield record


def _paper_set(name: str) -> str:
    """The set of the paper that a set is or is a part of; "" for others."""
    return next(
        (paper_name for paper_name in _PAPER_SETS if name == paper_name or name.startswith(f"{paper_name}-first")), ""
    )


def _number(name: str, title: str, sets: Iterable[str]) -> str:
    """With the number that the table has in the paper, where it is about a set of the paper."""
    return f"{_NUMBERS[name]}: {title}" if any(map(_paper_set, sets)) else title


def _gaps(results: Results) -> Iterator[Table]:
    """Tables 4 and 5: a set each, with ± over seeds, interval and p."""
    for name in results["sets"]:
        records: list[Record] = []
        for row in (r for r in results["rows"] if r["set"] == name):
            record: Record = {"system": row["system"], **_ticks(results, row["system"]), "seeds": len(row["seeds"])}
            for side in SIDES:
                record |= _spread(f"F0.5 {side}", row[side], "f0.5")
            spread = {"gap_pm": row["two_sd"]} if "two_sd" in row else {}
            records.append(record | _interval("gap", row) | spread | {"p": row["p"]})
        records += _paper_gaps(name)
        note = f"gap = F0.5 aug - F0.5 orig, in points, with its 95 % interval; {SPREAD.note}"
        number = f"Table {_PAPER_SETS[_paper_set(name)][0][-1]}: " if _paper_set(name) else ""
        yield Table(f"gap-{name}", f"{number}The gap on {name}", tuple(records), note, unknown=_NONE)


def _paper_gaps(name: str) -> Iterator[Record]:
    paper_name = _paper_set(name)
    if paper_name:
        table, aug = _PAPER_SETS[paper_name]
        for row in read_rows(_KEY, table):
            suffix = "" if paper_name == name else f", all of {paper_name}"
            record: Record = {"system": f"GECToR {row['system']}, {PAPER}{suffix}", **_marks(str(row["system"]))}
            for side, key in (("orig", "orig"), ("aug", aug)):
                record |= _paper_figure(f"F0.5 {side}", row, key)
            yield record | {"gap": row["delta"]}


def _bias(results: Results) -> Table:
    """Table 6: sentences with explicit bias, and cases by kind."""
    records: list[Record] = []
    for row in results["rows"]:
        bias = row["bias"]
        record: Record = {"set": row["set"], "system": row["system"], **_ticks(results, row["system"])}
        record |= _spread("# sentences", bias, "sentences")
        record |= _spread("# w/o refl", bias, "sentences_without_reflexive")
        for kind in Kind:
            record |= _spread(kind.name.lower().replace("_", " "), bias["cases"], kind.name.lower())
        records.append(record)
    theirs = [name for name in results["sets"] if _paper_set(name) == "bea-195"]
    if theirs:
        for row in read_rows(_KEY, "table_6"):
            name = f"GECToR {row['system']}, {PAPER}"
            records.append(
                {
                    "set": "bea-195",
                    "system": name,
                    **_marks(str(row["system"])),
                    "# sentences": row["sentences"],
                    "# w/o refl": row["without_reflexive"],
                }
            )
    note = "Sentences with a case of kinds 1-3 (gendered, pluralised, reflexive) and of kinds 1-2; then cases by kind."
    note = explain(note, records, SPREAD)
    return Table("explicit-bias", _number("explicit-bias", "Explicit bias", theirs), tuple(records), note)


def _prf(results: Results) -> Table:
    """Table 7: precision, recall, F0.5 on both sides."""
    records = []
    for row in results["rows"]:
        for side in SIDES:
            record: Record = {"set": row["set"], "side": side, "system": row["system"]}
            for name in ("p", "r", "f0.5"):
                record |= _spread(name.upper(), row[side], name)
            records.append(record | {key: row[side][key] for key in ("tp", "fp", "fn")})
    title = _number("precision-recall", "Precision, recall, F0.5", results["sets"])
    return Table("precision-recall", title, tuple(records), explain("", records, SPREAD), unknown=_NONE)


def _full(results: Results) -> Table:
    """Tables 3 and 8: the whole development set."""
    records = []
    for system, row in results["full"].items():
        record: Record = {"system": system, **_ticks(results, system), "seeds": row["seeds"]}
        for name in ("p", "r", "f0.5"):
            record |= _spread(name.upper(), row, name)
        records.append(record)
    kinds = {row.get("of", "") for row in results["full"].values()}
    title = _DEVELOPMENT.get(kinds.pop(), "") if len(kinds) == 1 else ""
    records += _paper_full(is_whole=title == _DEVELOPMENT[FULL_SET]) if title else []
    note = "Human spans: not comparable with the subsets, whose references are automatic ERRANT edits."
    note = explain(note, records, SPREAD)
    return Table("full", title or "The whole development set", tuple(records), note)


_DEVELOPMENT = {
    FULL_SET: f"{_NUMBERS['full']}: The whole of BEA-dev",
    FIRST_HALF: f"{_NUMBERS['full']}: The first half of BEA-dev",
}


def _paper_full(*, is_whole: bool) -> Iterator[Record]:
    """The paper's figures are of the whole; beside a half they say so."""
    suffix = "" if is_whole else f", all of {FULL_SET}"
    for row in read_rows(_KEY, "table_8"):
        record: Record = {"system": f"GECToR {row['system']}, {PAPER}{suffix}", **_marks(str(row["system"]))}
        for name, key in (("P", "p"), ("R", "r"), ("F0.5", "f05")):
            record |= _paper_figure(name, row, key)
        yield record


def _splits(results: Results) -> Table:
    records = [
        {
            "set": row["set"],
            "system": row["system"],
            "pairs": split["name"],
            "number": split["pairs"],
            "words": split["words"],
            **_interval("gap", split),
            "p": split["p"],
        }
        for row in results["rows"]
        for split in row["splits"]
    ]
    return Table("gap-by-swap", "The gap by what was swapped", tuple(records), unknown=_NONE)


def _twins(results: Results) -> Table:
    records = [
        {
            "set": row["set"],
            "system": row["system"],
            "type": cell["name"],
            **{key: cell[key] for key in ("twins", "both", "orig", "aug", "neither", "p")},
        }
        for row in results["rows"]
        for cell in ({"name": "all", **row["twins"]}, *row["twins_by_type"])
        if cell["both"] + cell["orig"] + cell["aug"]
    ]
    note = (
        "A gold edit and its twin: found on both sides, on one, on neither; p by McNemar's exact test of "
        f"{FEW} twins or more."
    )
    return Table("twins-by-type", "Twins by type", tuple(records), note, unknown=_NONE)


def _differences(results: Results) -> Table:
    records = [
        {
            "set": d["set"],
            "gap of": d["second"],
            "minus gap of": d["first"],
            **_interval("difference", d),
            "p": d["p"],
            "p (Holm)": d["p_holm"],
        }
        for d in results["differences"]
    ]
    return Table("differences", "Differences of gaps between systems", tuple(records), unknown=_NONE)


def _errors(results: Results, level: int) -> Table:
    """Appendix B: the gold edits of both sides by operation or category."""
    columns = {
        f"{name} {side}": set_results["edits"][side] for name, set_results in results["sets"].items() for side in SIDES
    }
    counted = {name: _at(kinds, level) for name, kinds in columns.items()}
    sums = {name: kinds.total() for name, kinds in counted.items()}
    order = sorted(
        {k for kinds in counted.values() for k in kinds},
        key=lambda k: (-sum(kinds[k] for kinds in counted.values()), k),
    )
    records: list[Record] = []
    for kind in order:
        record: Record = {"type": kind}
        for name, kinds in counted.items():
            record |= {name: kinds[kind], f"{name} %": 100 * kinds[kind] / sums[name] if sums[name] else 0.0}
        records.append(record)
    records.append({"type": "all", **sums})
    kind = "operation" if level == 1 else "category"
    title = _number(f"errors-by-{kind}", f"Gold edits by {kind}", results["sets"])
    return Table(f"errors-by-{kind}", title, tuple(records))


def _at(kinds: Mapping[str, int], level: int) -> Counter[str]:
    ranks: Counter[str] = Counter()
    for kind, number in kinds.items():
        ranks[at_level(kind, level)] += number
    return ranks


def _interval(column: str, row: Mapping[str, Any]) -> Record:
    low, high = row["ci95"]
    return {column: row["delta"], "low": low, "high": high}


def _paper_figure(column: str, row: Mapping[str, Any], key: str) -> Record:
    """A figure of the paper, with its ± where that is printed."""
    return {column: row[key], **({f"{column}_pm": row[f"{key}_pm"]} if f"{key}_pm" in row else {})}


def _marks(system: str) -> Record:
    """Training data of the paper's systems 0 to 4."""
    return next((_tick(known) for known in read_printed(_KEY).get("systems", ()) if system == str(known["id"])), {})


def _ticks(results: Results, system: str) -> Record:
    """Training data of a model trained with this package, if its mix is one of the paper's."""
    parts = results.get("trained_on", {}).get(system)
    return {} if parts is None else _tick(dict.fromkeys(parts, True))


def _tick(parts: Mapping[str, Any]) -> Record:
    return {name: "✓" if parts.get(name.lower()) else "" for name in ("Orig", "MF", "ST")}


def _spread(column: str, row: Mapping[str, Any], key: str) -> Record:
    record: Record = {column: row[key]}
    if "two_sd" in row:
        record[f"{column}_pm"] = row["two_sd"][key]
    return record
