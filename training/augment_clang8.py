"""`make augment-clang8`: both augmentations of one corpus, a table beside the paper's figures, and three pairs.

python training/augment_clang8.py clang8.tsv -o out/clang8 --workers 8
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from gec_fair.augmentation.options import AugmentOptions
from gec_fair.augmentation.run import augment_corpus
from gec_fair.augmentation.summary import CLANG8_LINES, PAPER_PAIRS, is_clang8
from gec_fair.corpus.manifest import OUTCOMES, Manifest
from gec_fair.errors import GecFairError

HOW_TO_GET = """\
cLang-8 is made from Lang-8, which asks for a form: (1) request the raw Lang-8 corpus of learner English from its
authors; (2) clone google-research-datasets/clang8, with Git LFS, and run its script on it; the English file then has
2,372,119 lines source<TAB>target; (3) make augment-clang8 CLANG8=path/to/clang8_source_target_en.spacy_tokenized.tsv"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    try:
        manifests = {
            method: augment_corpus(
                [arguments.corpus], arguments.output / method, AugmentOptions(method, workers=arguments.workers)
            ).manifest
            for method in ("st", "fm")
        }
    except GecFairError as fault:
        print(f"augment_clang8: {fault}", file=sys.stderr)
        sys.exit(fault.exit_code)
    for method, manifest in manifests.items():
        print(f"{arguments.output / method / 'pairs.tsv'}  {manifest.counts['augmented']:,} pairs")
    print("\n" + table(manifests) + "\n")
    print(
        "\n\n".join(
            example for method in manifests for example in examples(arguments.output / method, arguments.corpus)
        )
    )
    runs = f"--st {arguments.output / 'st'} --mf {arguments.output / 'fm'}"
    print(f"\nNext, mix them into training data: gec-fair mix {arguments.corpus} {runs} -o out/mix (or make mix)")
    if not arguments.corpus.name.startswith("clang8"):
        print(f"\nThis was {arguments.corpus}. {HOW_TO_GET}")


def table(manifests: dict[str, Manifest]) -> str:
    """Outcomes by method, with the paper's shares, as Markdown."""
    names = {"st": "singular they (ST)", "fm": "feminine ⇄ masculine (MF)"}
    rows = ["| | " + " | ".join(names[m] for m in manifests) + " |", "| --- |" + " ---: |" * len(manifests)]
    for outcome in OUTCOMES:
        rows.append(f"| {outcome} | " + " | ".join(_cell(m, outcome) for m in manifests.values()) + " |")
    rows.append("| lines | " + " | ".join(f"{m.counts['lines']:,}" for m in manifests.values()) + " |")
    if not all(map(is_clang8, manifests.values())):
        return "\n".join(rows)
    paper = [f"≈ {PAPER_PAIRS[m]:,} ({100 * PAPER_PAIRS[m] / CLANG8_LINES:.1f} %)" for m in manifests]
    rows.append(f"| Lund et al. 2023: augmented, of {CLANG8_LINES:,} lines | " + " | ".join(paper) + " |")
    return "\n".join(rows)


def _cell(manifest: Manifest, outcome: str) -> str:
    number, lines = manifest.counts[outcome], manifest.counts["lines"]
    return f"{number:,} ({100 * number / lines:.1f} %)" if lines else "0"


def examples(run: Path, corpus: Path) -> Iterator[str]:
    """A rewritten pair with a correction beside the original: two of st, one of fm."""
    wanted = 2 if run.name == "st" else 1
    with (
        (run / "ledger.jsonl").open(encoding="utf-8") as ledger,
        (run / "pairs.tsv").open(encoding="utf-8", newline="\n") as new,
    ):
        entries = [entry for line in ledger if (entry := json.loads(line))["outcome"] == "augmented"][:200]
        pairs = [next(new).rstrip("\n").split("\t") for _ in entries]
    chosen = [(e, p) for e, p in zip(entries, pairs, strict=True) if p[0] != p[1] and len(p[0].split()) < 16][:wanted]
    if corpus.suffix != ".tsv" or not chosen:
        return
    lines = {entry["line"]: "" for entry, _ in chosen}
    with corpus.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if number in lines:
                lines[number] = line.rstrip("\n")
            if number >= max(lines):
                break
    for entry, (source, target) in chosen:
        old_source, old_target = lines[entry["line"]].split("\t")[:2]
        yield (
            f"{run.name}, line {entry['line']}\n  source   {old_source}\n  target   {old_target}\n"
            f"  source′  {source}\n  target′  {target}"
        )


if __name__ == "__main__":
    main()
