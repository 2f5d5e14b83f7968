"""How many counterfactuals `gec-fair safety counterfactuals` makes by rules, and how many a reader finds faulty.

    python benchmarks/counterfactuals.py count -o benchmarks/results/counterfactuals-before.json    # with older code
    python benchmarks/counterfactuals.py draw held-out -o read.tsv         # what to read; known verdicts are filled in
    python benchmarks/counterfactuals.py record held-out read.tsv --reader one
    python benchmarks/counterfactuals.py summary -o benchmarks/results/counterfactuals.json

The texts are in `benchmarks/counterfactuals`: our own of `built.tsv`, on which the rules were built, and of
`held-out.tsv`, written before the rules changed, and those of `third-held-out.tsv`, by a writer who had not seen the
rules. The reader fills in two columns:

    verdict    clean, weak (odd, but usable) or faulty (ungrammatical, or not of the group that it is labelled with)
    class      slot, mention, leftover, number, article, pronoun, itself, sense

Of public texts (ToxiGen's neutral ones, OpenAI's moderation set, tweets, news, Wikipedia), two readers each read one
counterfactual of a text: `public-first` before words were added to the tables, `public-second` of other texts after it.

`record` keeps digest, set, id, verdict, class and reader in `benchmarks/counterfactuals/verdicts.tsv`.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

from report import record

from gec_fair.safety.counterfactuals.by_rule import Swapping
from gec_fair.safety.data import texts as tables
from gec_fair.safety.data.groups import read_shipped
from gec_fair.safety.data.texts import Expanded, Text

SETS = Path(__file__).parent / "counterfactuals"
NAMES = ("built", "held-out", "third-held-out")
PUBLIC = ("public-first", "public-second")
VERDICTS = SETS / "verdicts.tsv"
COLUMNS = ("digest", "set", "id", "verdict", "class", "reader")
DRAWN = ("digest", "id", "verdict", "class", "original", "counterfactual")
LEVELS = ("clean", "weak", "faulty")


def expand(name: str) -> Expanded:
    """The texts of a set with their counterfactuals."""
    lines = [line for line in (SETS / f"{name}.tsv").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    known = read_shipped()
    originals = []
    for row in csv.DictReader(lines, delimiter="\t"):
        slices = tuple(known.slice(*who.split(": ")) for who in row["slices"].split("; "))
        originals.append(Text(row["id"], row["text"], slices))
    return tables.expand(originals, Swapping())


def pairs(expanded: Expanded) -> list[tuple[str, Text, Text]]:
    """Digest, original and counterfactual."""
    originals = {text.id: text for text in expanded.texts if not text.copy_of}
    copies = [(originals[text.copy_of], text) for text in expanded.texts if text.copy_of]
    return [(digest(original.text, copy.text), original, copy) for original, copy in copies]


def digest(original: str, copy: str) -> str:
    return sha256(f"{original}\n{copy}".encode()).hexdigest()[:16]


def read_verdicts(name: str) -> dict[str, tuple[str, str]]:
    """Verdict and class by digest."""
    if not VERDICTS.is_file():
        return {}
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["set"] == name]
    return {row["digest"]: (row["verdict"], row["class"]) for row in rows}


def draw(name: str, output: Path) -> None:
    verdicts = read_verdicts(name)
    with output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(DRAWN)
        for key, original, copy in pairs(expand(name)):
            writer.writerow([key, copy.id, *verdicts.get(key, ("", "")), original.text, copy.text])


def keep(name: str, path: Path, reader: str) -> None:
    """Add a reader's verdicts; those of the same reader on the same digest are replaced."""
    with path.open(encoding="utf-8", newline="") as file:
        drawn = list(csv.DictReader(file, delimiter="\t"))
    if wrong := [row["id"] for row in drawn if row["verdict"] not in LEVELS]:
        raise SystemExit(f"{path}: {wrong[0]}: the verdict is none of {', '.join(LEVELS)}; fill it in")
    kept_rows = {}
    if VERDICTS.is_file():
        with VERDICTS.open(encoding="utf-8", newline="") as file:
            kept_rows = {
                (row["set"], row["digest"], row["reader"]): row for row in csv.DictReader(file, delimiter="\t")
            }
    for row in drawn:
        kept_rows[name, row["digest"], reader] = {**row, "set": name, "reader": reader}
    with VERDICTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(kept_rows[key] for key in sorted(kept_rows))


def count(name: str) -> dict[str, Any]:
    """How many are made, and why others are not."""
    expanded = expand(name)
    reasons: Counter[str] = Counter()
    for (_, reason), number in expanded.dropped.items():
        reasons[reason] += number
    return {"texts": expanded.named, "counterfactuals": len(pairs(expanded)), "not made": dict(sorted(reasons.items()))}


def summarise(name: str) -> dict[str, Any]:
    """The counts, and what readers found of those that are made now."""
    expanded = expand(name)
    verdicts = read_verdicts(name)
    every = pairs(expanded)
    read = [verdicts[key] for key, _, _ in every if key in verdicts]
    levels = Counter(level for level, _ in read)
    current = {key for key, _, _ in every}
    earlier = Counter(level for key, (level, _) in verdicts.items() if key not in current)
    return {
        **count(name),
        "marked": sum(bool(copy.association) for _, _, copy in every),
        "read": len(read),
        **{level: levels[level] for level in LEVELS},
        "faulty share": round(levels["faulty"] / len(read), 3) if read else None,
        "read of earlier versions": dict(earlier),
        "classes": dict(Counter(kind for level, kind in read if level != "clean")),
    }


def summarise_public(name: str) -> dict[str, Any]:
    """What each reader found in texts that name one category, and in those that name several."""
    counts: dict[str, Counter[str]] = {}
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["set"] == name:
                categories = row["id"].partition(":")[0]
                counts.setdefault(f"{categories}, {row['reader']}", Counter())[row["verdict"]] += 1
    return {
        key: {**levels, "faulty share": round(levels["faulty"] / levels.total(), 3)} for key, levels in counts.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    for action in ("count", "summary"):
        actions.add_parser(action).add_argument("-o", "--output", type=Path)
    drawing = actions.add_parser("draw")
    drawing.add_argument("set", choices=NAMES)
    drawing.add_argument("-o", "--output", type=Path, required=True)
    recording = actions.add_parser("record")
    recording.add_argument("set", choices=NAMES)
    recording.add_argument("file", type=Path)
    recording.add_argument("--reader", required=True)
    options = parser.parse_args()
    if options.action == "draw":
        draw(options.set, options.output)
    elif options.action == "record":
        keep(options.set, options.file, options.reader)
    else:
        figures = {name: (count if options.action == "count" else summarise)(name) for name in NAMES}
        if options.action == "summary":
            figures |= {name: summarise_public(name) for name in PUBLIC}
        for name, row in figures.items():
            print(name, row)
        record(options.output, "counterfactuals", figures)


if __name__ == "__main__":
    main()
