"""How well the augmenter reproduces hand-checked rewritings: target, transfer to the source, exactness.

    python benchmarks/quality.py ORIG.src ORIG.tgt AUG.src AUG.tgt --method fm
    python benchmarks/quality.py ORIG.src ORIG.tgt AUG.src AUG.tgt --method st --gate none --mirror
    python benchmarks/quality.py benchmarks/prose-gold.tsv --before ../older -o benchmarks/results/prose-gold.json

Prints, over all items (and, for `st`, over those whose gold target keeps no he/she pronoun):

    target exact     the rewritten target equals the gold's, word for word
    target F1        changed tokens: gold changes against ours, as (place, new word)
    carried          pairs that yield a new pair, of those that the gold changes
    source exact     of the carried pairs whose target is exact, those whose source equals the gold's

"~name" forgives which name of the other gender was chosen. Where the two gold files hold the same names, nothing else
is forgiven. `--errors N` shows the first N differences; the sentences are the user's, so nothing of them is stored.

One file is a table of prose (its header describes it). It is rewritten by `rewrite fm` and `rewrite st --gate none`,
with `--before` by those of another checkout too. Counted are the texts that equal the gold.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from report import commit, record

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.planning.swap import plan_edits
from gec_fair.corpus.outcome import Augmented, Discarded, Left
from gec_fair.corpus.records import Pair
from gec_fair.edits import diff, edit_words, split_spaces
from gec_fair.english.lexicons.lexicon import load
from gec_fair.english.lexicons.names import Names
from gec_fair.english.lexicons.paradigms import Gender, pronoun_tokens

ROOT = Path(__file__).resolve().parents[1]
PROSE = {"fm": ("fm",), "they": ("st", "--gate", "none")}
SLOTS = {"F": Gender.FEMININE, "M": Gender.MASCULINE}
Words = tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """An original pair and its hand-checked rewriting."""

    source: str
    target: str
    gold_source: str
    gold_target: str

    @property
    def keeps_pronouns(self) -> bool:
        return not pronoun_tokens().isdisjoint(w.lower() for w in self.gold_target.split())


@dataclass(frozen=True)
class Result:
    item: Item
    target: Words  # what the plan makes of the target, whether or not it can be carried
    carried: Pair | None
    reason: str


def read(paths: Sequence[Path]) -> list[Item]:
    columns = [path.read_text(encoding="utf-8").removesuffix("\n").split("\n") for path in paths]
    if len({len(column) for column in columns}) != 1:
        raise SystemExit(f"the four files have {[len(c) for c in columns]} lines; they must be parallel")
    return [Item(*row) for row in zip(*columns, strict=True)]


def run(items: Sequence[Item], options: Options) -> tuple[list[Result], float]:
    """Results, and sentences/s over the plans and the transfer (models loaded before)."""
    augmenter = Augmenter(options)
    pairs = [Pair("gold", n, item.source, item.target) for n, item in enumerate(items, 1)]
    augmenter(pairs[:20])
    start = time.perf_counter()
    outcomes = augmenter(pairs)
    seconds = time.perf_counter() - start
    targets = [split_spaces(item.target).words for item in items]
    plans = augmenter.planner.plans(targets, [pair.id for pair in pairs])
    results = []
    for item, outcome, words, swaps in zip(items, outcomes, targets, plans, strict=True):
        new = words if isinstance(swaps, Left | Discarded) else edit_words(plan_edits(swaps, words), words)
        carried = outcome.pair if isinstance(outcome, Augmented) else None
        reason = outcome.reason if isinstance(outcome, Left | Discarded) else ""
        results.append(Result(item, new, carried, reason))
    return results, len(items) / seconds


class Judge:
    """Compares words with the gold's; names of the right gender are alike when `lenient`."""

    def __init__(self, augmenter_options: Options) -> None:
        self.names = load(augmenter_options.lexicon or None).names

    def alike(self, original: str, ours: str, gold: str) -> bool:
        if ours == gold:
            return True
        genders = [self.names.gender(word) for word in (original, ours)]
        swapped = None not in genders and genders[0] is not genders[1]
        return swapped and gold != original and gold[:1].isupper() == ours[:1].isupper() and gold.isalpha()

    def same(self, original: Words, ours: Words, gold: Words) -> bool:
        if ours == gold:
            return True
        if not len(original) == len(ours) == len(gold):
            return False
        return all(self.alike(*three) for three in zip(original, ours, gold, strict=True))

    def hits(self, original: Words, ours: Words, gold: Words) -> tuple[int, int, int]:
        """(right, ours, gold) changed tokens."""
        mine, theirs = dict(changes(original, ours)), dict(changes(original, gold))
        right = sum(
            place in theirs and self.alike(original[place[0]] if place[0] < len(original) else "", new, theirs[place])
            for place, new in mine.items()
        )
        return right, len(mine), len(theirs)


def changes(before: Words, after: Words) -> Iterator[tuple[tuple[int, int], str]]:
    """Changed tokens as ((place in the original, number within the edit), new word)."""
    if len(before) == len(after):
        yield from (((i, 0), new) for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
        return
    for edit in diff(before, after):
        width = max(edit.end - edit.start, len(edit.replacement))
        for k in range(width):
            yield (edit.start + k, 0), edit.replacement[k] if k < len(edit.replacement) else ""


def table(results: Sequence[Result], judge: Judge) -> dict[str, float | int]:
    exact = [r for r in results if judge.same(words(r.item.target), r.target, words(r.item.gold_target))]
    counts = [judge.hits(words(r.item.target), r.target, words(r.item.gold_target)) for r in results]
    right, mine, gold = (sum(column) for column in zip(*counts, strict=True))
    to_carry = [r for r in results if r.item.target != r.item.gold_target]
    carried = [r for r in to_carry if r.carried is not None]
    both = [r for r in carried if r in exact]
    sources = [
        r
        for r in both
        if r.carried and judge.same(words(r.item.source), words(r.carried.source), words(r.item.gold_source))
    ]
    return {
        "items": len(results),
        "target_exact": percent(len(exact), len(results)),
        "target_f1": percent(2 * right, mine + gold),
        "carried": percent(len(carried), len(to_carry)),
        "source_exact": percent(len(sources), len(both)),
    }


def words(text: str) -> Words:
    return split_spaces(text).words


def percent(part: int, total: int) -> float:
    return round(100 * part / total, 1) if total else float("nan")


def show_errors(results: Sequence[Result], judge: Judge, limit: int) -> None:
    for r in results:
        if limit <= 0:
            return
        original, gold = words(r.item.target), words(r.item.gold_target)
        if not judge.same(original, r.target, gold):
            limit -= 1
            print(f"TARGET {r.item.target}")
            print(f"   ours {dict(changes(original, r.target))}")
            print(f"   gold {dict(changes(original, gold))}")
        elif r.carried is None and r.item.target != r.item.gold_target:
            limit -= 1
            print(f"REFUSED {r.reason}\n   {r.item.source}\n   {r.item.target}\n   {r.item.gold_source}")
        elif r.carried and not judge.same(words(r.item.source), words(r.carried.source), words(r.item.gold_source)):
            limit -= 1
            print(
                f"SOURCE {r.item.source}\n   trg  {r.item.target}\n"
                f"   ours {r.carried.source}\n   gold {r.item.gold_source}"
            )


def read_prose(path: Path) -> list[dict[str, str]]:
    """The rows of a table of prose: kind, text, fm and they."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("# ")]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_exact(gold: str, text: str, names: Names) -> bool:
    """Whether the text is the gold's, with one feminine first name for {F}, a masculine one for {M}, and one of the
    words of {a|b}."""
    pattern, known = "", set[str]()
    for at, part in enumerate(re.split(r"[{}]", gold)):
        if at % 2 == 0:
            pattern += re.escape(part)
        elif part in SLOTS:
            pattern += f"(?P={part})" if part in known else rf"(?P<{part}>[^\W\d_]+)"
            known.add(part)
        else:
            pattern += f"(?:{'|'.join(map(re.escape, part.split('|')))})"
    match = re.fullmatch(pattern, text)
    return match is not None and all(names.gender(name) is SLOTS[slot] for slot, name in match.groupdict().items())


def rewrite_by_command(texts: Sequence[str], method: Sequence[str], checkout: Path) -> list[str]:
    """The texts as a checkout's `gec-fair rewrite` writes them."""
    command = [sys.executable, "-m", "gec_fair", "rewrite", *method]
    finished = subprocess.run(
        command,
        input="".join(f"{text}\n" for text in texts),
        cwd=checkout,  # `-m` looks here first
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    return finished.stdout.removesuffix("\n").split("\n")


def measure_prose(gold: Sequence[dict[str, str]], checkout: Path, *, errors: int) -> dict[str, dict[str, int]]:
    """For each method how many texts are exact, in all and of each kind."""
    names = load(None).names
    figures = {}
    for column, method in PROSE.items():
        texts = rewrite_by_command([row["text"] for row in gold], method, checkout)
        wrong = [(row, text) for row, text in zip(gold, texts, strict=True) if not is_exact(row[column], text, names)]
        by_kind = Counter(row["kind"] for row in gold) - Counter(row["kind"] for row, _ in wrong)
        figures[column] = {"exact": len(gold) - len(wrong), "texts": len(gold), **by_kind}
        for row, text in wrong[:errors]:
            print(f"{column:5} {row['text']}\n ours {text}\n gold {row[column]}")
    return figures


def record_prose(path: Path, before: Path | None, output: Path | None, *, errors: int) -> None:
    """Measure this checkout, and the one before if it is named."""
    gold = read_prose(path)
    checkouts = {"before": before, "after": ROOT}
    rows = {
        side: {"commit": commit(checkout), **measure_prose(gold, checkout, errors=errors if side == "after" else 0)}
        for side, checkout in checkouts.items()
        if checkout is not None
    }
    for side, row in rows.items():
        print(side, row)
    record(output, "prose-gold", {"file": path.name, **rows})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="ORIG.{src,tgt} AUG.{src,tgt}, or a table")
    parser.add_argument("--method", choices=("fm", "st"), help="of four files")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="of a table: measure this checkout too")
    parser.add_argument("--gate", default="coref", choices=("coref", "none"))
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--animals", action="store_true", help="as the authors, who swapped animals too")
    parser.add_argument("--english", default="embedded")
    parser.add_argument("--coref", default="embedded")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    if len(arguments.files) == 1:
        record_prose(arguments.files[0], arguments.before, arguments.output, errors=arguments.errors)
        return
    if len(arguments.files) != 4 or arguments.method is None:
        parser.error("give four files and --method, or one table")
    options = Options(
        arguments.method,
        english=arguments.english,
        gate=arguments.gate,
        coref=arguments.coref,
        mirror=arguments.mirror,
        strict_spelling=arguments.strict,
        animals=arguments.animals,
    )
    results, speed = run(read(arguments.files), options)
    judge = Judge(options)
    rows = {"all": table(results, judge)}
    if arguments.method == "st":
        rows["gold keeps no he/she"] = table([r for r in results if not r.item.keeps_pronouns], judge)
    for name, row in rows.items():
        print(f"{name:22}", "  ".join(f"{k} {v}" for k, v in row.items()))
    refused = [r.reason for r in results if r.reason]
    print("refused:", {reason: refused.count(reason) for reason in sorted(set(refused))})
    print(f"{speed:.0f} sentences/s, one core")
    show_errors(results, judge, arguments.errors)
    record(
        arguments.output,
        "quality",
        {
            "files": [p.name for p in arguments.files],
            "method": arguments.method,
            "gate": arguments.gate,
            "mirror": arguments.mirror,
            "animals": arguments.animals,
            **rows,
        },
    )


if __name__ == "__main__":
    main()
