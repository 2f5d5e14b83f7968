"""How well the augmenter reproduces hand-checked rewritings: target, transfer to the source, exactness.

    python benchmarks/quality.py ORIG.src ORIG.tgt AUG.src AUG.tgt --method fm
    python benchmarks/quality.py ORIG.src ORIG.tgt AUG.src AUG.tgt --method st --gate none --mirror

Prints, over all items (and, for `st`, over those whose gold target keeps no he/she pronoun):

    target exact     the rewritten target equals the gold's, word for word
    target F1        changed tokens: gold changes against ours, as (place, new word)
    carried          pairs that yield a new pair, of those that the gold changes
    source exact     of the carried pairs whose target is exact, those whose source equals the gold's

"~name" forgives which name of the other gender was chosen. Where the two gold files hold the same names, nothing else
is forgiven. `--errors N` shows the first N differences; the sentences are the user's, so nothing of them is stored.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from report import record

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.planning.swap import plan_edits
from gec_fair.corpus.outcome import Augmented, Discarded, Left
from gec_fair.corpus.records import Pair
from gec_fair.edits import diff, rewritten, spaced
from gec_fair.english.paradigms import pronoun_tokens

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
    targets = [spaced(item.target).words for item in items]
    plans = augmenter.planner.plans(targets, [pair.id for pair in pairs])
    results = []
    for item, outcome, words, swaps in zip(items, outcomes, targets, plans, strict=True):
        new = words if isinstance(swaps, Left | Discarded) else rewritten(plan_edits(swaps, words), words)
        carried = outcome.pair if isinstance(outcome, Augmented) else None
        reason = outcome.reason if isinstance(outcome, Left | Discarded) else ""
        results.append(Result(item, new, carried, reason))
    return results, len(items) / seconds


class Judge:
    """Compares words with the gold's; names of the right gender are alike when `lenient`."""

    def __init__(self, augmenter_options: Options) -> None:
        from gec_fair.english.lexicons.lexicon import load

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
    return spaced(text).words


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=4, type=Path, metavar="FILE", help="ORIG.src ORIG.tgt AUG.src AUG.tgt")
    parser.add_argument("--method", choices=("fm", "st"), required=True)
    parser.add_argument("--gate", default="coref", choices=("coref", "none"))
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--animals", action="store_true", help="as the authors, who swapped animals too")
    parser.add_argument("--english", default="embedded")
    parser.add_argument("--coref", default="embedded")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
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
    rows: dict[str, object] = {"all": table(results, judge)}
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
