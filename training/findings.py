"""What a demonstration shows, in one sentence and a picture, from the figures that it left or that are recorded.

    python training/findings.py razor out/razor-demo
    python training/findings.py razor benchmarks/results/razor-methods.json --picture docs/images/finding-razor.svg

A folder is a run; a file is a recorded result in benchmarks/results. No figure stands in this script.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from gec_fair.stats.estimate import Kind
from gec_fair.stats.seeds import half_width

WIDTH, LEFT, RIGHT, TOP, STEP = 760, 250, 730, 70, 34
"""Of the picture, in pixels."""
GENDER = "CrowS-Pairs gender"
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure in the picture's unit; without `low` and `high` it has no interval."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """`at`: where no effect, or chance, is."""

    sentence: str
    title: str
    bars: tuple[Bar, ...]
    at: float


def read(path: Path) -> Any:
    """A JSON file. SystemExit with the file's name where there is none, or it is not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        print(f"findings: {path}: {fault}; run the demonstration to its end first", file=sys.stderr)
        raise SystemExit(2) from fault


def signed(value: float) -> str:
    """One digit, a sign."""
    return f"{value:+.1f}".replace("-", "−")


def plain(value: float) -> str:
    """One digit, a true minus sign."""
    return f"{value:.1f}".replace("-", "−")


def conclude(low: float | None, high: float | None) -> str:
    """What an interval of a change allows to say; None if there is none."""
    if low is None or high is None:
        return "too few texts to say"
    return "the interval includes 0, so no effect is shown" if low <= 0 <= high else "the interval excludes 0"


def fairness(place: Path) -> Finding:
    """The fairscore of SST-2 before and after fairtuning (Qian et al. 2022, Table 5): the first seed of TF-IDF."""
    before, after = (fairtuned(place, tuning) for tuning in ("original", "replaced"))
    bars = tuple(
        Bar(name, row["fairscore"], *row["ci95"]) for name, row in (("as trained", before), ("after fairtuning", after))
    )
    apart = before["ci95"][0] > after["ci95"][1] or after["ci95"][0] > before["ci95"][1]
    verdict = "the intervals do not overlap" if apart else "the intervals overlap, so the difference may be chance"
    sentence = (
        f"If only the person in a film review changes, the classifier changes its verdict on {before['flips']} of "
        f"{before['n']} reviews ({within(bars[0])} %), and after fairtuning on {after['flips']} ({within(bars[1])} %): "
        f"{verdict}."
    )
    return Finding(sentence, "Reviews whose verdict changes with the person, %", bars, 0)


def fairtuned(place: Path, tuning: str) -> Mapping[str, Any]:
    """The record of TF-IDF on SST-2 with the first seed."""
    if place.is_file():
        rows = read(place)["rows"]
    else:
        rows = [read(path) for path in sorted((place / "fairtune").rglob("*.json")) if path.stem.isdecimal()]
    return only(rows, place, task="sst2", model="tfidf", tuning=tuning, seed=0, point="")


def within(bar: Bar) -> str:
    """A figure with its interval."""
    return (
        plain(bar.value)
        if bar.low is None or bar.high is None
        else (f"{plain(bar.value)} [{plain(bar.low)}, {plain(bar.high)}]")
    )


def signed_within(bar: Bar) -> str:
    """A change with its interval, all with their sign."""
    interval = "" if bar.low is None or bar.high is None else f" [{signed(bar.low)}, {signed(bar.high)}]"
    return f"{signed(bar.value)}{interval}"


def only(rows: Rows, place: Path, **wanted: Any) -> Mapping[str, Any]:
    """The first row with these values. SystemExit where there is none."""
    for row in rows:
        if all(row.get(name) == value for name, value in wanted.items()):
            return row
    print(f"findings: {place}: no row has {wanted}; run the demonstration to its end first", file=sys.stderr)
    raise SystemExit(2)


def razor(place: Path) -> Finding:
    """Accuracy on pairs from which a claim alone reveals nothing (Schuster et al. 2019), and what the rules change."""
    rows = read(place)["evidence"]["rows"] if place.is_file() else read(place / "evidence.json")["rows"]
    symmetric = [row for row in rows if row["test"] == "symmetric"]
    pages, pairs = (only(rows, place, method="original", test=test) for test in ("held-out", "symmetric"))
    change = Bar("razor", *only(rows, place, method="razor", test="symmetric")["against"])
    best = max(symmetric, key=lambda row: float(row["accuracy"]))
    bars = tuple(Bar(row["method"], row["accuracy"], row["low"], row["high"]) for row in symmetric)
    sentence = (
        f"The classifier is right on {plain(pages['accuracy'])} % of pairs from other pages, but on "
        f"{plain(pairs['accuracy'])} % where the claim alone says nothing (guessing: 50). Rewriting with rules changes "
        f"that by {signed_within(change)} points ({conclude(change.low, change.high)}), and the best method, "
        f"{best['method']}, reaches {plain(best['accuracy'])} %."
    )
    return Finding(sentence, "Right on symmetric pairs, % (line: guessing)", bars, 50)


def safety(place: Path) -> Finding:
    """How far the remedy lowers normalised ACV on HateCheck (Sturman et al. 2024, Table 3), and what it costs."""
    record = read(place)["hatecheck"][0] if place.is_file() else read(place / "hatecheck/run/seeds/0.json")
    hate = record["harms"]["hate"]
    before, after = hate["models"]["baseline"], hate["models"]["remediated"]
    names = {"acv_normalised": "normalised ACV", "auprc_counterfactual": "AU-PRC, counterfactual", "auprc": "AU-PRC"}
    changes = hate["changes"]["remediated"]
    bars = tuple(Bar(name, *(changes[key][part] for part in ("value", "low", "high"))) for key, name in names.items())
    acv = changes["acv_normalised"]
    sentence = (
        f"Normalised ACV says how far scores differ if only the group in a text changes: the remedy changes it by "
        f"{within(bars[0])} % ({conclude(acv['low'], acv['high'])}). The flip rate goes from "
        f"{before['flip_rate']:.2f} to {after['flip_rate']:.2f}, and the false positive rate from "
        f"{before['fpr']:.2f} to {after['fpr']:.2f}."
    )
    return Finding(sentence, "Change by the remedy, % of the baseline (hate, HateCheck)", bars, 0)


def babylm(place: Path) -> Finding:
    """What CDA changes in CrowS-Pairs gender, beside its ablation, against the original of the same seed."""
    ends = {(corpus, seed): figures for corpus, seed, figures in read_looks(place)}
    bars = tuple(
        difference(corpus, ends)
        for corpus in dict.fromkeys(c for c, seed in ends if ("original", seed) in ends)
        if corpus != "original"
    )
    if not any(bar.name == "cda" for bar in bars):
        print(
            f"findings: {place}: no finished training of cda; run the demonstration to its end first", file=sys.stderr
        )
        raise SystemExit(2)
    cda = next(bar for bar in bars if bar.name == "cda")
    start = fmean(figures[GENDER] for (corpus, _), figures in ends.items() if corpus == "original")
    verdict = (
        "one seed has no interval, so nothing can be concluded"
        if cda.low is None or cda.high is None
        else conclude(cda.low, cda.high)
    )
    sentence = (
        f"A model trained on the corpus as it is prefers the stereotype in {plain(start)} % of CrowS-Pairs' "
        f"gender pairs (50 is fair). Counterfactual augmentation changes that by "
        f"{signed_within(cda)} points ({verdict})."
    )
    return Finding(sentence, f"Change of {GENDER} against the original, points", bars, 0)


def read_looks(place: Path) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """Corpus, seed, and figures at the end of each training."""
    if place.is_file():
        for run in read(place)["runs"]:
            yield run["corpus"], run["seed"], run["looks"][-1]
        return
    from gec_fair.babylm.experiment import Snapshot
    from gec_fair.babylm.report.summary import measures

    for folder in sorted(place.glob("runs/*/*/judged")):
        judged = [read(path) for path in folder.glob("*.json")]
        if not judged:
            continue
        last = max(judged, key=lambda figures: int(figures["step"]))
        corpus, seed = folder.parts[-3], int(folder.parts[-2])
        yield corpus, seed, measures(Snapshot(corpus, seed, last["step"], tuple(last["figures"])))


def difference(corpus: str, ends: Mapping[tuple[str, int], Mapping[str, Any]]) -> Bar:
    """The mean over seeds, with Student's interval."""
    values = [
        figures[GENDER] - ends["original", seed][GENDER]
        for (name, seed), figures in ends.items()
        if name == corpus and ("original", seed) in ends
    ]
    mean, half = fmean(values), half_width(values, Kind.STUDENT)
    return Bar(corpus, mean) if half is None else Bar(corpus, mean, mean - half, mean + half)


FINDINGS: Mapping[str, Callable[[Path], Finding]] = {
    "fairness": fairness,
    "razor": razor,
    "safety": safety,
    "babylm": babylm,
}


def draw(finding: Finding) -> str:
    """The figures with their intervals, as SVG."""
    ends = [end for bar in finding.bars for end in (bar.value, bar.low, bar.high) if end is not None] + [finding.at]
    least, span = min(ends), (max(ends) - min(ends)) or 1.0
    height = TOP + STEP * len(finding.bars) + 10

    def pixel(value: float) -> float:
        return round(LEFT + (value - least) / span * (RIGHT - LEFT - 20), 1)

    zero = pixel(finding.at)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(finding.title)}">',
        "<style>text { font: 15px system-ui, sans-serif; fill: #1f2328 }</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff" stroke="#d0d7de"/>',
        f'<text x="20" y="32" font-weight="600">{escape(finding.title)}</text>',
        f'<line x1="{zero}" x2="{zero}" y1="48" y2="{height - 10}" stroke="#8c959f" stroke-dasharray="4 3"/>',
    ]
    for number, bar in enumerate(finding.bars):
        y = TOP + STEP * number
        lines.append(f'<text x="20" y="{y + 5}">{escape(bar.name)}: {plain(bar.value)}</text>')
        if bar.low is not None and bar.high is not None:
            ends_ = f'x1="{pixel(bar.low)}" x2="{pixel(bar.high)}"'
            lines.append(f'<line {ends_} y1="{y}" y2="{y}" stroke="#3f51b5" stroke-width="3"/>')
        lines.append(f'<circle cx="{pixel(bar.value)}" cy="{y}" r="6" fill="#3f51b5"/>')
    return "\n".join([*lines, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=FINDINGS)
    parser.add_argument("place", type=Path, help="A run's folder, or a recorded result.")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg")
    arguments = parser.parse_args()
    finding = FINDINGS[arguments.name](arguments.place)
    print(finding.sentence)
    if arguments.picture:
        arguments.picture.parent.mkdir(parents=True, exist_ok=True)
        arguments.picture.write_text(draw(finding), encoding="utf-8")


if __name__ == "__main__":
    main()
