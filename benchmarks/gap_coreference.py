"""Score a coreference backend on GAP files (Webster et al. 2018) as their official scorer does.

    python benchmarks/gap_coreference.py gap-test.tsv
    python benchmarks/gap_coreference.py gap-test.tsv --coref fastcoref
    python benchmarks/gap_coreference.py gap-validation.tsv gap-development.tsv --coref neuralcoref

`people.py --only c` cross-validates the ranker on the development and validation files.

A text is tokenised and parsed by the English pipeline (the URL column is not used: the paper's snippet setting). The
system says TRUE for a name if a mention of the name stands in a cluster with the pronoun. A mention is one of the name
if its tokens are the name's, some of the name's (*Smith* for *Ada Smith*), or more than the name's but headed inside it
(*Queen Ada* for *Ada*, but not *Ada's friend*). Each example gives two decisions; F1 is over all of them, and F/M is
the F1 of the feminine examples over that of the masculine ones.
"""

from __future__ import annotations

import argparse
import csv
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from report import record
from spacy.language import Language
from spacy.tokens import Doc

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "training" / "coref")]

from data import GapExample, read_gap  # noqa: E402

from gec_fair import errors  # noqa: E402
from gec_fair.english import pipeline  # noqa: E402
from gec_fair.people.links import Cluster, Coref, Mention, load, version  # noqa: E402

FEMININE = frozenset({"she", "her", "hers"})
MASCULINE = frozenset({"he", "him", "his"})
SEEN = ("development-", "validation-")
"""Examples whose id begins so are in the training data of the shipped ranker."""
FOLDS, SEED = 5, 0
SPEED = 200
"""Texts by which the speed is measured."""


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


def folds_of(number: int, folds: int = FOLDS) -> np.ndarray:
    """To which of the folds each of so many examples belongs."""
    return np.random.default_rng(SEED).permutation(number) % folds


def cross_validate(
    nlp: Language, docs: Sequence[Doc], examples: Sequence[GapExample], data: Path, *, folds: int = FOLDS
) -> list[list[Cluster]]:
    """Clusters of every example by a ranker that was trained without its fold, on LitBank and GUM too."""
    from data import gap_sample
    from train import Options, fit, gum_samples, litbank_samples

    from gec_fair.people.links import lexical
    from gec_fair.people.links.embedded import Embedded

    options = Options(seed=SEED)
    rest = litbank_samples(nlp, data, SEED) + gum_samples(nlp, data, SEED)
    samples = [gap_sample(doc, example) for doc, example in zip(docs, examples, strict=True)]
    fold = folds_of(len(docs), folds)
    clusters: list[list[Cluster]] = [[] for _ in docs]
    for number in range(folds):
        samples_of_fold = [one for one, mine in zip(samples, fold, strict=True) if one is not None and mine != number]
        resolver = Embedded(fit([*samples_of_fold, *rest], options), lexical.load())
        for place in np.flatnonzero(fold == number):
            clusters[place] = resolver.resolve(docs[place])
        print(f"fold {number + 1} of {folds}", file=sys.stderr, flush=True)
    return clusters


def figures(examples: Sequence[GapExample], decisions: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    """F1, precision and recall over all, F1 of both genders, and feminine ÷ masculine."""
    every, masculine, feminine = (
        count(examples, decisions, who) for who in (MASCULINE | FEMININE, MASCULINE, FEMININE)
    )
    row = {"f1": every.f1, "precision": every.precision, "recall": every.recall}
    row |= {"masculine": masculine.f1, "feminine": feminine.f1}
    return {name: round(value, 1) for name, value in row.items()} | {
        "ratio": round(feminine.f1 / masculine.f1, 3) if masculine.f1 else 0.0
    }


def words_per_second(coref: Coref, docs: Sequence[Doc]) -> float:
    """Per second of processor time, which other work on the machine does not change. A backend may have a process of
    its own, whose time is known when it has ended. The loading falls out: three passes less one."""
    return 2 * sum(map(len, docs)) / (_seconds(coref, docs, 3) - _seconds(coref, docs, 1))


def _seconds(coref: Coref, docs: Sequence[Doc], passes: int) -> float:
    close = getattr(coref, "close", lambda: None)
    close()
    started = _processor_time()
    for _ in range(passes):
        coref.clusters(docs)
    close()
    return _processor_time() - started


def _processor_time() -> float:
    """Of this process, by its exact clock, and of those that it ran."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


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
    parser.add_argument("--limit", type=int, help="only the first examples")
    parser.add_argument("--decisions", type=Path, help="write A and B decisions in the official scorer's system format")
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()

    files = {file.stem: list(read_gap(file)) for file in args.files}
    examples = [example for rows in files.values() for example in rows][: args.limit]
    nlp = pipeline.load(args.english)
    docs = list(nlp.pipe((example.text for example in examples), batch_size=64))
    coref = load(args.coref)
    clusters = coref.clusters(docs)
    seen = sum(example.id.startswith(SEEN) for example in examples)
    if seen and args.coref == "embedded":
        print(f"the shipped ranker was trained on {seen} of these {len(examples)} examples: use people.py --only c")
    decisions = [decide(*three) for three in zip(docs, examples, clusters, strict=True)]
    if args.decisions:
        write_decisions(args.decisions, examples, decisions)
    row = {"examples": len(examples), "backend": version(args.coref), **figures(examples, decisions)}
    row["words per second, after parsing"] = round(words_per_second(coref, docs[:SPEED]))
    done = dict(zip((example.id for example in examples), decisions, strict=True))
    for name, rows in files.items() if len(files) > 1 else ():
        chosen = [example for example in rows if example.id in done]
        row[name] = figures(chosen, [done[example.id] for example in chosen])
    print(*(f"{name} {value}" for name, value in row.items()), sep="\n")
    record(args.output, "gap_coreference", row)


if __name__ == "__main__":
    try:
        main()
    except errors.GecFairError as error:
        sys.exit(f"gap_coreference: {error}")
