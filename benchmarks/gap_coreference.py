"""Score a coreference backend on GAP files (Webster et al. 2018) as their official scorer does.

    python benchmarks/gap_coreference.py gap-test.tsv
    python benchmarks/gap_coreference.py gap-development.tsv gap-validation.tsv --cross-validate

A text is tokenised and parsed by the English pipeline (the URL column is not used: the paper's snippet setting). The
system says TRUE for a name if a mention of the name stands in a cluster with the pronoun. A mention is one of the name
if its tokens are the name's, some of the name's (*Smith* for *Ada Smith*), or more than the name's but headed inside it
(*Queen Ada* for *Ada*, but not *Ada's friend*). Each example gives two decisions; F1 is over all of them, and F/M is
the F1 of the feminine examples over that of the masculine ones.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "training" / "coref")]

from data import GapExample, read_gap  # noqa: E402

from gec_fair import errors  # noqa: E402
from gec_fair.english import pipeline  # noqa: E402
from gec_fair.english.coref import Cluster, Coref, Mention, load  # noqa: E402
from gec_fair.version import __version__  # noqa: E402

FEMININE = frozenset({"she", "her", "hers"})
MASCULINE = frozenset({"he", "him", "his"})
SEEN = ("development-", "validation-")
"""Examples whose id begins so are in the training data of the shipped ranker."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Decisions of one group of examples."""

    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    true_negative: int = 0

    @property
    def precision(self) -> float:
        predicted = self.true_positive + self.false_positive
        return 100 * self.true_positive / predicted if predicted else 0.0

    @property
    def recall(self) -> float:
        expected = self.true_positive + self.false_negative
        return 100 * self.true_positive / expected if expected else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def line(self) -> str:
        return f"F1 {self.f1:.1f}  precision {self.precision:.1f}  recall {self.recall:.1f}"


def tokens_of(doc: Doc, offset: int, text: str) -> frozenset[int]:
    """The tokens that the characters touch."""
    return frozenset(t.i for t in doc if t.idx + len(t) > offset and t.idx < offset + len(text))


def names(mention: Mention, name: frozenset[int]) -> bool:
    """Whether the mention is one of the name; see the module."""
    tokens = frozenset(range(mention.start, mention.end))
    return tokens <= name or (tokens >= name and mention.head in name)


def decide(doc: Doc, example: GapExample, clusters: Sequence[Cluster]) -> tuple[bool, bool]:
    """TRUE or FALSE for A and for B."""
    pronoun = tokens_of(doc, example.pronoun_offset, example.pronoun)
    mine = [c for c in clusters if any(frozenset(range(m.start, m.end)) == pronoun for m in c)]
    a, b = (
        any(names(mention, tokens_of(doc, offset, name)) for cluster in mine for mention in cluster)
        for offset, name in zip(example.offsets, example.names, strict=True)
    )
    return a, b


def count(examples: Sequence[GapExample], decisions: Sequence[tuple[bool, bool]], pronouns: frozenset[str]) -> Counts:
    pairs = [
        (gold, system)
        for example, decision in zip(examples, decisions, strict=True)
        if example.pronoun.lower() in pronouns
        for gold, system in zip(example.coref, decision, strict=True)
    ]
    return Counts(*(pairs.count(pair) for pair in ((True, True), (False, True), (True, False), (False, False))))


def cross_validate(
    nlp: Language, docs: Sequence[Doc], examples: Sequence[GapExample], data: Path, folds: int, seed: int, second: str
) -> list[list[Cluster]]:
    """Clusters of every example by a ranker that was trained without its fold; `other` names what it was trained on
    besides the other folds (`all`), or instead of them (`litbank`)."""
    from train import Options, fit, gum_samples, litbank_samples

    from gec_fair.english.coref import lexical
    from gec_fair.english.coref.embedded import Embedded

    options = Options(seed=seed)
    rest = litbank_samples(nlp, data, seed)
    if second == "litbank":
        return Embedded(fit(rest, options), lexical.load()).clusters(docs)
    from data import gap_sample

    rest += gum_samples(nlp, data, seed)
    samples = [gap_sample(doc, example) for doc, example in zip(docs, examples, strict=True)]
    fold = np.random.default_rng(seed).permutation(len(docs)) % folds
    clusters: list[list[Cluster]] = [[] for _ in docs]
    for number in range(folds):
        samples_of_fold = [one for one, mine in zip(samples, fold, strict=True) if one is not None and mine != number]
        resolver = Embedded(fit([*samples_of_fold, *rest], options), lexical.load())
        for place in np.flatnonzero(fold == number):
            clusters[place] = resolver.resolve(docs[place])
        print(f"fold {number + 1} of {folds}", file=sys.stderr)
    return clusters


def words_per_second(coref: Coref, docs: Sequence[Doc]) -> float:
    """Per second of processor time, which other work on the machine does not change; median of three passes."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        coref.clusters(docs)
        seconds.append(time.process_time() - started)
    return sum(map(len, docs)) / sorted(seconds)[1]


def write_decisions(path: Path, examples: Sequence[GapExample], decisions: Sequence[tuple[bool, bool]]) -> None:
    """The format that the official scorer reads as a system's output: id, A, B."""
    with path.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, delimiter="\t", lineterminator="\n")
        for example, (a, b) in zip(examples, decisions, strict=True):
            rows.writerow([example.id, str(a).upper(), str(b).upper()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.tsv", help="GAP files")
    parser.add_argument("--coref", default="embedded", help="backend (default: embedded)")
    parser.add_argument("--english", default="embedded", help="spaCy pipeline: embedded, a name or a path")
    parser.add_argument(
        "--cross-validate", action="store_true", help="retrain the embedded ranker per fold of the files"
    )
    parser.add_argument("--transfer", action="store_true", help="train the embedded ranker on LitBank alone")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, help="only the first examples")
    parser.add_argument("--decisions", type=Path, help="write A and B decisions in the official scorer's system format")
    parser.add_argument("--json", type=Path, dest="result", help="write the result with machine and versions")
    args = parser.parse_args()
    data = Path(os.environ.get("GEC_FAIR_DATA", ROOT.parent / "shared/data"))

    examples = [example for file in args.files for example in read_gap(file)][: args.limit]
    nlp = pipeline.load(args.english)
    started = time.perf_counter()
    docs = list(nlp.pipe((example.text for example in examples), batch_size=64))
    parsing = time.perf_counter() - started
    coref = load(args.coref)
    if args.cross_validate or args.transfer:
        clusters = cross_validate(
            nlp, docs, examples, data, args.folds, args.seed, "litbank" if args.transfer else "all"
        )
        setting = (
            "trained on LitBank alone" if args.transfer else f"{args.folds}-fold cross-validation, seed {args.seed}"
        )
    else:
        clusters = coref.clusters(docs)
        seen = sum(example.id.startswith(SEEN) for example in examples)
        setting = "shipped" if args.coref == "embedded" else args.coref
        if seen and args.coref == "embedded":
            setting += (
                f"; the shipped ranker was trained on {seen} of these {len(examples)} examples: use --cross-validate"
            )
    decisions = [decide(*three) for three in zip(docs, examples, clusters, strict=True)]
    if args.decisions:
        write_decisions(args.decisions, examples, decisions)

    overall, masculine, feminine = (
        count(examples, decisions, pronouns) for pronouns in (MASCULINE | FEMININE, MASCULINE, FEMININE)
    )
    ratio = feminine.f1 / masculine.f1 if masculine.f1 else 0.0
    speed = words_per_second(coref, docs)
    print(f"{len(examples)} examples, {sum(map(len, docs))} words; backend {args.coref}, {setting}")
    print(f"overall {overall.line()}")
    print(f"masculine {masculine.line()}")
    print(f"feminine {feminine.line()}")
    print(f"F/M ratio {ratio:.3f}")
    print(f"words/s {speed:.0f} after parsing ({sum(map(len, docs)) / parsing:.0f} for the parsing)")
    if args.result:
        result = {
            "files": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in args.files},
            "examples": len(examples),
            "backend": args.coref,
            "setting": setting,
            "english": pipeline.version(nlp),
            **{
                name: {**asdict(counts), "precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
                for name, counts in (("overall", overall), ("masculine", masculine), ("feminine", feminine))
            },
            "feminine_over_masculine": ratio,
            "words_per_second": speed,
            "versions": {
                "gec_fair": __version__,
                "spacy": spacy.__version__,
                "numpy": np.__version__,
                "python": platform.python_version(),
            },
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        }
        args.result.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except errors.GecFairError as error:
        sys.exit(f"gap_coreference: {error}")
