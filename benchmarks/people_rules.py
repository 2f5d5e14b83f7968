"""What each of today's functions about persons decides, and what changes without it.

    GEC_FAIR_DATA=../shared/data python benchmarks/people_rules.py        # renews benchmarks/results/people-rules.tsv
    python benchmarks/people_rules.py --only-tests                        # only the columns of the constructed tests

The table is also the registry: its first two columns, question and rule, say what is measured. Every rule is counted
while texts are rewritten: learner pairs, novels, mixed text, the gold entities of `people.py`, texts that were read,
and the constructed tests. A rule *decides* a text where it gives another answer than its usual one (`neutral`: the
commonest answer; nothing, for a rule that finds words). Then it is switched off, and the texts that it decides are
rewritten again, at most 400 of each corpus. A sample is taken (`--share`); rules that change nothing there are measured
on all texts.

decides   texts that it decides: wi, novels, mixed, names, read
changes   of those, the texts whose rewritings differ without it
right, wrong    names of the gold entities that are changed rightly and wrongly: more or fewer without it
clean, faults   rewritings that were read as clean and as faulty, and are no longer made without it
back            those that were read as faulty, and are made again without it
tests     constructed tests that it decides; failing: those that fail without it. Counted where nothing else changes
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import GeneratorType
from typing import Any

import people
import reading
from switches import EMPTY, RULES, find, kind_of, neutral, read_rules, replaced

from gec_fair.augmentation.options import Options
from gec_fair.augmentation.parallel import Augmenter
from gec_fair.augmentation.rewriter import Rewriter
from gec_fair.corpus.outcome import Augmented
from gec_fair.corpus.records import Pair
from gec_fair.english import pipeline
from gec_fair.english.lexicons import lexicon

SIZES = {"wi": 3000, "novels": 300, "mixed": 900}
MOST = 400
CORPORA = ("wi", "novels", "mixed", "names", "read")
COUNTS = ("right", "wrong", "clean", "faults", "back", "tests", "failing")
COLUMNS = (
    "question",
    "rule",
    "neutral",
    "calls",
    *(f"decides {name}" for name in CORPORA),
    *(f"changes {name}" for name in CORPORA),
    *COUNTS,
)


@dataclass(frozen=True)
class Task:
    """A text that is rewritten in one way."""

    corpus: str
    way: str
    line: reading.Line
    sentence: people.Tagged | None = None
    levels: tuple[tuple[str, str], ...] = ()


@dataclass
class Outcome:
    """Everything that comes of a task, as one string; the digests of its rewritings; the names that it changes."""

    text: str
    digests: frozenset[str] = frozenset()
    names: Counter[str] = field(default_factory=Counter)


def tasks() -> Iterator[Task]:
    for corpus, size in SIZES.items():
        for line in reading.ordered(reading.read(corpus), 1)[:size]:
            for way in ("fm", "st") if line.target else ("fm", "st", "perturb", "safety"):
                yield Task(corpus, way, line)
    for name, file in people.ENTITIES.items():
        for number, sentence in enumerate(people.read_entities(people.data() / "ner" / file)):
            yield Task("names", "fm", reading.Line(f"{name}:{number}", sentence.text), sentence)
    for (corpus, method), by_line in people.read_levels().items():
        for line in reading.read(corpus):
            if line.number in by_line:
                yield Task("read", method, line, levels=tuple(by_line[line.number].items()))


@cache
def worker(way: str, is_pair: bool) -> Any:
    options = dict(reading.METHODS[way])
    return Augmenter(Options(**options)) if is_pair else Rewriter(Options(**options)).step


def run(task: Task) -> Outcome:
    line = task.line
    if task.way in (*reading.AXES, "perturb"):
        digests = frozenset(people.perturbed(line, *(reading.AXES if task.way == "perturb" else (task.way,))))
        return Outcome(" ".join(sorted(digests)), digests)
    if task.way == "safety":
        return Outcome(" ".join(counterfactuals(line.source)))
    step = worker(task.way, bool(line.target))
    [outcome] = step([Pair(task.corpus, 1, line.source, line.target)])
    names = people.judge_names(task.sentence, outcome, lexicon.load()) if task.sentence else Counter[str]()
    if not isinstance(outcome, Augmented):
        return Outcome(repr(outcome), names=names)
    digest = reading.digest_of(line.source, line.target, outcome.pair.source, outcome.pair.target)
    return Outcome(digest, frozenset([digest]), names)


def counterfactuals(text: str) -> Iterator[str]:
    """Whom a text names, and its counterfactuals by rules."""
    from gec_fair.safety.counterfactuals.mentions import slices_of
    from gec_fair.safety.data.texts import Text, expand

    swapping = swapper()
    [doc] = pipeline.load_shared().pipe([text])
    slices = tuple(sorted(slices_of(doc, swapping.identities)))
    yield str(slices)
    if slices:
        expanded = expand([Text("1", text, slices)], swapping)
        yield from (sha256(copy.text.encode()).hexdigest()[:16] for copy in expanded.texts)
        yield str(expanded.dropped)


@cache
def swapper() -> Any:
    from gec_fair.safety.counterfactuals.by_rule import Swapping

    return Swapping()


@contextlib.contextmanager
def remembered_parses() -> Iterator[None]:
    """Parse a text once, however often it is rewritten."""
    from spacy.language import Language

    parse, docs = Language.pipe, {}

    def pipe(self: Language, texts: Any, *, disable: Any = (), **_options: Any) -> Iterator[Any]:
        for text in texts:
            words = text if isinstance(text, str) else tuple(token.text_with_ws for token in text)
            key = (id(self), words, tuple(disable))
            if key not in docs:
                [docs[key]] = parse(self, [text], disable=list(disable))
            yield docs[key]

    Language.pipe = pipe
    try:
        yield
    finally:
        Language.pipe = parse


class Counting:
    """Notes what the rules answer while `current` is worked on."""

    def __init__(self) -> None:
        self.current: Any = None
        self.answers: dict[str, dict[str, Counter[Any]]] = defaultdict(lambda: defaultdict(Counter))

    def note(self, rule: str) -> Callable[[Any], Any]:
        answers = self.answers[rule]

        def make(present: Any) -> Any:
            def hook(*args: Any, **options: Any) -> Any:
                answer = present(*args, **options)
                if isinstance(answer, GeneratorType):
                    answer = list(answer)
                answers[_key(answer)][self.current] += 1
                return answer

            return hook

        return make

    def usual(self, rule: str) -> str:
        """The commonest answer; nothing, for a rule that finds words or gives None."""
        kind, answers = kind_of(rule), self.answers[rule]
        if kind in EMPTY or kind in ("None", "optional"):
            return {"optional": "None", "None": "not done"}.get(kind, "empty")
        return max(answers, key=lambda key: answers[key].total(), default="")

    def decided(self, rule: str) -> set[Any]:
        """What the rule gave another answer for."""
        usual = self.usual(rule)
        return {place for key, places in self.answers[rule].items() if key != usual for place in places}

    def pytest_runtest_setup(self, item: Any) -> None:
        self.current = item.nodeid


def _key(answer: Any) -> str:
    if answer is None or isinstance(answer, bool | int | float | str | Enum):
        return str(answer)
    return "empty" if isinstance(answer, Sized) and not len(answer) else "full"


def attempt(task: Task) -> Outcome:
    try:
        return run(task)
    except Exception as error:
        return Outcome(f"{type(error).__name__}")


def compare(task: Task, before: Outcome, after: Outcome) -> Counter[str]:
    """What changes without a rule."""
    counts: Counter[str] = Counter({f"changes {task.corpus}": before.text != after.text})
    for name in ("right", "wrong"):
        counts[name] = after.names[name] - before.names[name]
    for digest, level in task.levels:
        if digest in before.digests and digest not in after.digests:
            counts["clean" if level == "clean" else "faults"] += 1
        counts["back"] += level != "clean" and digest in after.digests and digest not in before.digests
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=0.12, help="of the texts, for rules that change some")
    parser.add_argument("--only-tests", action="store_true", help="keep what the table says of texts")
    parser.add_argument("-o", "--output", type=Path, default=RULES)
    arguments = parser.parse_args()
    registry = {row["rule"]: row["question"] for row in read_rules()}
    for rule in list(registry):
        try:
            find(rule)
        except (KeyError, ImportError):
            print(f"{rule}: no longer there, left out", file=sys.stderr)
            del registry[rule]
    if arguments.only_tests:
        rows = {row["rule"]: dict(row) for row in read_rules() if row["rule"] in registry}
    else:
        rows = measure_all(registry, arguments.share)
    examine([row for row in rows.values() if not changes(row)])
    with arguments.output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())


def measure_all(registry: dict[str, str], share: float) -> dict[str, dict[str, Any]]:
    """The rows of all rules: on a share of the texts, and on all of them where nothing changes there."""
    every = list(tasks())
    sample = [task for task in every if sha256(task.line.number.encode()).digest()[0] < 256 * share]
    rows = survey(registry, sample)
    idle = [rule for rule, row in rows.items() if not changes(row)]
    print(f"{len(idle)} rules change nothing; {time.process_time():.0f} s", file=sys.stderr, flush=True)
    return rows | survey({rule: registry[rule] for rule in idle}, every)


def changes(row: dict[str, Any]) -> bool:
    return any(row[f"changes {name}"] not in (0, "0") for name in CORPORA)


def survey(registry: dict[str, str], every: list[Task]) -> dict[str, dict[str, Any]]:
    """The rows of rules, by these texts."""
    counting = Counting()
    with remembered_parses():
        with contextlib.ExitStack() as stack:
            for rule in registry:
                stack.enter_context(replaced(rule, counting.note(rule)))
            outcomes = []
            for number, task in enumerate(every):
                counting.current = number
                outcomes.append(run(task))
                if number % 1000 == 0:
                    print(f"{number} of {len(every)} texts, {time.process_time():.0f} s", file=sys.stderr, flush=True)
        return {rule: measure(rule, question, counting, every, outcomes) for rule, question in registry.items()}


def examine(rows: list[dict[str, Any]]) -> None:
    """Which constructed tests the rules decide, and how many of these fail without them."""
    counting = Counting()
    with contextlib.ExitStack() as stack:
        for row in rows:
            stack.enter_context(replaced(row["rule"], counting.note(row["rule"])))
        people.examine(people.EXAMS, counting)
    for row in rows:
        answers = counting.answers[row["rule"]]
        tests = {place for key, places in answers.items() if key != row["neutral"] for place in places}
        row["tests"] = len(tests)
        with contextlib.suppress(ValueError), replaced(row["rule"], neutral(row["rule"], row["neutral"])):
            row["failing"] = len(people.examine(sorted(tests, key=str)).failed) if tests else 0
        print(row["rule"], row["tests"], row["failing"], file=sys.stderr, flush=True)


def measure(rule: str, question: str, counting: Counting, every: list[Task], outcomes: list[Outcome]) -> dict[str, Any]:
    usual, places = counting.usual(rule), counting.decided(rule)
    row: dict[str, Any] = {"question": question, "rule": rule, "neutral": usual}
    row["calls"] = sum(places.total() for places in counting.answers[rule].values())
    decided = sorted(places)
    row |= {f"decides {name}": sum(every[n].corpus == name for n in decided) for name in CORPORA}
    row |= dict.fromkeys((*(f"changes {name}" for name in CORPORA), *COUNTS), 0)
    try:
        off = neutral(rule, usual)
    except ValueError:
        return row | {f"changes {name}": "-" for name in CORPORA}
    left = dict.fromkeys(CORPORA, MOST)
    with replaced(rule, off):
        for number in sorted(decided, key=lambda n: sha256(b"%d" % n).digest()):
            task = every[number]
            left[task.corpus] -= 1
            if left[task.corpus] >= 0:
                for name, count in compare(task, outcomes[number], attempt(task)).items():
                    row[name] += count
    print(rule, *(f"{row[name]}" for name in COLUMNS[2:]), file=sys.stderr, flush=True)
    return row


if __name__ == "__main__":
    main()
