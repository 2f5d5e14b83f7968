"""Figures of the suites as one table, the paper's beside ours (Qian et al. 2022, Table 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gec_fair.lmbias.suites.figures import Figure
from gec_fair.lmbias.suites.holisticbias import measure
from gec_fair.report.papers import read_rows
from gec_fair.report.table import Column, Part, Record, Table, right
from gec_fair.stats.estimate import Kind

PAPER = "Qian et al. 2022"
_COLUMNS = {"RoBERTa": 0, "FairBERTa": 1}  # trained on 16 GB, of table_3's columns
_FULL_GRID = measure(nouns=30, templates=26)  # of v1.0
THEIRS: Mapping[tuple[str, str, str], tuple[str, str]] = {
    ("holisticbias", "gender_and_sex", _FULL_GRID): ("HolisticBias", "gender"),
    ("holisticbias", "race_ethnicity", _FULL_GRID): ("HolisticBias", "race"),
    ("holisticbias", "age", _FULL_GRID): ("HolisticBias", "age"),
    ("seat", "WEAT/SEAT", "% significant"): ("WEAT/SEAT % significant", "all"),
    ("crows", "gender", "stereotype preferred, %"): ("CrowS-Pairs", "gender"),
    ("crows", "race-color", "stereotype preferred, %"): ("CrowS-Pairs", "race"),
    ("crows", "age", "stereotype preferred, %"): ("CrowS-Pairs", "age"),
}
"""Ours → metric and axis of theirs; a HolisticBias of another size is another measure, and not among them."""

_FIELDS = ("suite", "part", "measure", "value", "se", "sampled", "n", "fair")
_OF_A_SAMPLE = "ICAT of a sample is lower on average than the whole's, most where SS is near 50; SS and LMS are not."


def parts(figures: Sequence[Figure], *, kind: str = "masked") -> list[Part]:
    """For people: value ± standard error where it is of a sample (– where that is too small to tell), n, what would be
    fair, and the paper's figures, which are of masked models, beside those of a model of this kind. A note where an
    ICAT is a sample's."""
    lines: list[Part] = [tabulate(figures, kind=kind)]
    if any(figure.sampled and figure.value is not None for figure in figures):
        lines += ["", Kind.STANDARD_ERROR.note]
    if any(figure.sampled and figure.measure == "ICAT" for figure in figures):
        lines += ["", _OF_A_SAMPLE]
    return lines


def tabulate(figures: Sequence[Figure], *, kind: str = "masked") -> Table:
    """A row for each figure, with the paper's of masked models."""
    papers = [_paper(figure, kind) for figure in figures]
    names = tuple(_COLUMNS) if any(papers) else ()
    records = [
        {name: getattr(figure, name) for name in _FIELDS} | {name: paper.get(name) for name in names}
        for figure, paper in zip(figures, papers, strict=True)
    ]
    columns = (
        Column("suite"),
        Column("part"),
        Column("measure"),
        right("value", _value, unknown="–"),
        right("n", "{:,}"),
        right("fair", "{:g}"),
        *(right(name, "{:.1f}", f"{name}, {PAPER}") for name in names),
    )
    return Table("suites", "Bias suites", records, columns=columns)


def _value(record: Record) -> str | None:
    """With its standard error where it is a sample's."""
    value, error = record["value"], record["se"]
    if value is None or not record["sampled"]:
        return None if value is None else f"{value:.2f}"
    return f"{value:.2f} ± {'–' if error is None else f'{error:.2f}'}"


def _paper(figure: Figure, kind: str) -> dict[str, float]:
    wanted = THEIRS.get((figure.suite, figure.part, figure.measure)) if kind == "masked" else None
    rows = read_rows("qian2022", "table_3")
    for row in rows:
        if (row["metric"], row["axis"]) == wanted:
            return {name: row["values"][place] for name, place in _COLUMNS.items()}
    return {}


def as_json(figures: Sequence[Figure], *, kind: str = "masked") -> list[dict[str, object]]:
    """For machines: each figure with all that it is made from, and the paper's."""
    return [{**figure.as_json(), "paper": _paper(figure, kind) or None} for figure in figures]
