"""Who is meant: every measure of persons in one table.

    GEC_FAIR_DATA=../shared/data python benchmarks/people.py -o benchmarks/results/people.json
    python benchmarks/people.py --only a,e                            # some parts
    python benchmarks/people.py --reader shipped --reader out/reader.npz  # another reader beside the shipped one
    python benchmarks/people.py --only a --reader out/people          # the larger model that `train_teacher.py` wrote
    python benchmarks/people.py --only a --reader out/people@0.9      # asked only where the shipped one is unsure
    python benchmarks/people.py --without people/kin:is_kin  # one of today's functions switched off

a   names that `rewrite fm` changes, against gold entities: right inside a person, wrong elsewhere. Recall is over the
    names of the table that begin a gold person
b   what is taken for a first name and for any person (from 50 %), in documents that it was not trained on
c   pronouns and their referents: GAP with mentions that the system finds, by fold; LitBank by document
d   the form of *her* and *his*: percent wrong. Most rows are *him, his, them …* of real text turned into *her*, so that
    the form is known; where both are English (*led to her leaving*), one of them counts as wrong
e   rewritings that were read (`benchmarks/reading/verdicts.tsv`): whether the same line still gives the same rewriting,
    none, or another. Another one stops a fault only where it was itself read and is clean. The table has the texts of
    the judging half; the other half is for fitting (`is_judge`)
f   the constructed cases: tests that pass, rows of the perturber's tables

A part is measured again only if a file that decides its figures has changed, or this one. Parts whose data are missing
are skipped.
`python benchmarks/people_rules.py` counts what each of today's functions decides.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
from report import FOLDER, record
from switches import switched_off

from gec_fair.runs.cache import cache_directory

ROOT = FOLDER.parent
SHIPPED = "shipped"
Row = dict[str, Any]
ENTITIES = {
    "WNUT 2017 dev": "wnut17.dev.conll",
    "BTC dev": "btc.dev.conll",
    "UNER EWT dev": "uner_ewt.dev.iob2",
    "Wikigold": "wikigold.conll",
}
GAP = ("coref/gap-development.tsv", "coref/gap-validation.tsv")
EXAMS = (
    "tests/augmentation/test_left.py",
    "tests/augmentation/test_precision.py",
    "tests/augmentation/test_parallel.py",
    "tests/people/test_first_names.py",
    "tests/english/test_agreement.py",
    "tests/people/test_forms.py",
    "tests/people/links/test_mentions.py",
    "tests/perturber/test_rules.py",
    "tests/perturber/test_names.py",
    "tests/perturber/test_doubts.py",
    "tests/safety/counterfactuals/test_counterfactuals.py",
    "tests/safety/counterfactuals/test_mentions.py",
)
SURENESS = (0.6, 0.75, 0.85)
"""Of the changed names, those of the surest rewritings."""
MANY = 10
"""A test of so many cases has its own row."""


@contextlib.contextmanager
def reading(file: str) -> Iterator[None]:
    """The reader of a file in the place of the shipped one; or of a folder, the kinds of the larger model there. With
    `@0.9` behind the folder, it is asked only about texts of whose capitalised words the shipped reader has one that is
    less sure."""
    from gec_fair.people import reader

    folder, _, least = file.partition("@")
    if not Path(folder).is_dir():
        chosen = reader.load() if file == SHIPPED else reader.load(Path(file))
        with mock.patch.object(reader, "load", return_value=chosen):
            yield
        return
    teacher, read, counts = training("people", "ask_teacher")[0].Teacher(Path(folder)), reader.read, Counter[bool]()

    def ask(doc: Any) -> Any:
        reading = read(doc)
        capitals = [token.i for token in doc if token.text[:1].isupper()]
        unsure = bool(capitals) and reading.kinds[capitals].max(axis=1).min() < float(least or 2)
        if "asked" not in doc.user_data:
            doc.user_data["asked"] = True
            counts[unsure] += 1
            if unsure:
                reading.__dict__["kinds"] = teacher.read([token.text for token in doc]).kinds
        return reading

    with mock.patch.object(reader, "read", ask):
        yield
    print(f"{file}: asked about {counts[True]:,} of {counts.total():,} texts", file=sys.stderr)


def data() -> Path:
    return Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))


def training(folder: str, *names: str) -> list[ModuleType]:
    """Modules of a folder of `training/`; folders have modules of the same names."""
    for name in ("data", "train", *names):
        sys.modules.pop(name, None)
    sys.path.insert(0, str(ROOT / "training" / folder))
    return [import_module(name) for name in names]


def share(part: float, total: float) -> float:
    return round(100 * part / total, 1) if total else 0.0


# a


@dataclass(frozen=True)
class Tagged:
    """A sentence with its gold entities: for each word whether a person begins (B), continues (I), or is absent."""

    words: list[str]
    tags: list[str]

    @property
    def text(self) -> str:
        return " ".join(self.words)


def read_entities(path: Path) -> Iterator[Tagged]:
    words: list[str] = []
    tags: list[str] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if path.suffix == ".iob2" and line.startswith("#"):
            continue
        if line.strip():
            fields = line.split("\t" if "\t" in line else " ")
            word, tag = fields[1:3] if path.suffix == ".iob2" else fields[:2]
            is_person = tag[2:].lower() in ("per", "person")
            begins = tag[0] == "B" or not tags or tags[-1] == ""
            words.append(word)
            tags.append("" if not is_person else "B" if begins else "I")
        elif words:
            yield Tagged(words, tags)
            words, tags = [], []


def changed_names(rewriting: Any, lexicon: Any) -> Iterator[int]:
    """The characters at which names of the text begin that got another name."""
    names, nouns = lexicon.names.entries, lexicon.nouns.terms
    starts = np.cumsum(
        [0, *(len(w) + len(s) for w, s in zip(rewriting.before.words, rewriting.before.after, strict=True))]
    )
    for edit in rewriting.edits:
        old = rewriting.before.words[edit.start : edit.end]
        for at, (before, after) in enumerate(zip(old, edit.replacement, strict=False), edit.start):
            if after.lower() in names and ((before.lower(),) not in nouns or before.lower() in names):
                yield int(starts[at]) + len(rewriting.before.lead)


def judge_names(sentence: Tagged, outcome: Any, lexicon: Any) -> Counter[str]:
    """How many names are changed rightly and wrongly, and how many gold persons begin with one and are missed."""
    from gec_fair.corpus.outcome import Augmented

    places = [at for at, word in enumerate(sentence.words) for _ in range(len(word) + 1)]
    changed = {places[at] for at in changed_names(outcome.source, lexicon)} if isinstance(outcome, Augmented) else set()
    wanted = {
        at
        for at, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True))
        if tag == "B" and word.lower() in lexicon.names.entries
    }
    right = sum(bool(sentence.tags[at]) for at in changed)
    capitals = {at for at in wanted if sentence.words[at][:1].isupper()}
    counts = {"changed": len(changed), "right": right, "wrong": len(changed) - right}
    counts |= {"gold": len(wanted), "reached": len(wanted & changed)}
    return Counter(counts | {"gold capitals": len(capitals), "capitals": len(capitals & changed)})


def names() -> Iterator[Row]:
    from gec_fair.augmentation.options import Options
    from gec_fair.augmentation.rewriter import Rewriter
    from gec_fair.corpus.outcome import Augmented
    from gec_fair.english.lexicons import lexicon

    rewriter, known, total = Rewriter(Options("fm")), lexicon.load(), Counter[str]()
    by_sureness: list[tuple[float, Counter[str]]] = []
    for name, file in ENTITIES.items():
        sentences = list(read_entities(data() / "ner" / file))
        outcomes = [outcome for _, outcome in rewriter.outcomes(sentence.text for sentence in sentences)]
        judged = [judge_names(*both, known) for both in zip(sentences, outcomes, strict=True)]
        by_sureness += [
            (outcome.sure.probability, counts)
            for outcome, counts in zip(outcomes, judged, strict=True)
            if isinstance(outcome, Augmented) and outcome.sure
        ]
        counts = sum(judged, Counter[str]())
        total += counts
        yield {"set": name, **_names_row(counts)}
    yield {"set": "all", **_names_row(total)}
    surest, so_far = sorted(by_sureness, key=lambda item: -item[0]), Counter[str]()
    for share_of_all in SURENESS:
        while surest and so_far["changed"] < share_of_all * total["changed"]:
            so_far += surest.pop(0)[1]
        yield {"set": f"surest {share_of_all:.0%}", "precision": share(so_far["right"], so_far["changed"])}


def _names_row(counts: Counter[str]) -> Row:
    keys = ("changed", "wrong", "gold")
    shares = {
        "precision": share(counts["right"], counts["changed"]),
        "recall": share(counts["reached"], counts["gold"]),
        "of capitalised names": share(counts["capitals"], counts["gold capitals"]),
    }
    return shares | {key: counts[key] for key in keys}


# b


def kinds() -> Iterator[Row]:
    from gec_fair.english import pipeline

    [texts] = training("people", "texts")
    nlp = pipeline.load()
    held_out = [text for text in texts.read_texts(data(), nlp) if texts.fold(text.name) == 0]
    with_entities = {f"litbank-{n}": labels for n, labels in enumerate(litbank_entities())}
    yield from _kinds_rows(nlp, texts, held_out, lambda text: text.source, with_entities)
    gum = [text for text in held_out if text.source == "gum"]
    yield from _kinds_rows(nlp, texts, gum, lambda text: f"GUM {text.name.split('_')[1]}", {})


def litbank_entities() -> Iterator[list[tuple[str, bool]]]:
    """For each document, in the order of the coreference archive: its words, and whether the innermost entity of each
    is a person."""
    with tarfile.open(data() / "ner/litbank_entities.tar.xz") as archive:
        files = {member.name: archive.extractfile(member) for member in archive if member.name.endswith(".tsv")}
        texts = {name: file.read().decode("utf-8") for name, file in files.items() if file is not None}
    for name in sorted(texts):
        rows = [line.split("\t") for line in texts[name].splitlines() if line.strip()]
        yield [(row[0], next((tag for tag in row[1:] if tag != "O"), "").endswith("PER")) for row in rows]


def _kinds_rows(
    nlp: Any, module: ModuleType, texts: Sequence[Any], group: Callable[[Any], str], entities: dict[str, list[Any]]
) -> Iterator[Row]:
    """A row counts capitalised words: for first names those of the table, for persons all that have a label. In LitBank
    those are its entities, of nouns and names."""
    from random import Random

    from gec_fair.english import pipeline
    from gec_fair.english.labels import NOUNS
    from gec_fair.english.lexicons import lexicon
    from gec_fair.people import reader
    from gec_fair.people.first_names import first_names
    from gec_fair.people.reader import Kind

    known, rng = lexicon.load(), Random(7)
    somebody = (Kind.FIRST_NAME, Kind.SURNAME, Kind.PERSON)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        gold = entities.get(text.name)
        if gold is not None and [word for word, _ in gold] != text.words:
            print(f"{text.name}: other words among the entities than in the coreference", file=sys.stderr)
            gold = None
        at = 0
        for piece in module.pieces(text, rng):
            [doc] = pipeline.tag(nlp, [piece.words], [piece.spaces])
            chosen = {token.i for token in first_names(doc, known)}
            row, capitals = counts[group(text)], [n for n, word in enumerate(piece.words) if word[:1].isupper()]
            for n in capitals:
                if n in piece.kinds and n not in piece.unsure and known.names.is_name(piece.words[n], proper=True):
                    is_gold = piece.kinds[n] is Kind.FIRST_NAME
                    row.update(_hits("name", n in chosen, is_gold))
            labels = {n: kind in somebody for n, kind in piece.kinds.items()}
            if gold is not None:
                labels = {n: gold[at + n][1] for n in capitals if doc[n].tag_ in NOUNS}
            judged = [n for n in capitals if n in labels]
            people = reader.places_of(doc, judged, *somebody)
            for n in judged:
                row.update(_hits("person", n in people, labels[n]))
            at += len(piece.words)
    for name, row in counts.items():
        figures: Row = {"set": name}
        for question in ("name", "person"):
            right, chosen_number, gold_number = (row[f"{question} {count}"] for count in ("right", "chosen", "gold"))
            figures[f"{question}s"] = gold_number
            figures[f"{question} precision"] = share(right, chosen_number)
            figures[f"{question} recall"] = share(right, gold_number)
        yield figures


def _hits(question: str, is_chosen: bool, is_gold: bool) -> Counter[str]:
    return Counter(
        {f"{question} right": is_chosen and is_gold, f"{question} chosen": is_chosen, f"{question} gold": is_gold}
    )


# c


def links() -> Iterator[Row]:
    from gec_fair.english import pipeline
    from gec_fair.people.links import lexical
    from gec_fair.people.links.embedded import Embedded

    training("coref", "data", "train")
    gap = import_module("gap_coreference")
    nlp = pipeline.load()
    examples = [example for file in GAP for example in gap.read_gap(data() / file)]
    docs = list(nlp.pipe((example.text for example in examples), batch_size=64))
    clusters = gap.cross_validate(nlp, docs, examples, data())
    decisions = [gap.decide(*three) for three in zip(docs, examples, clusters, strict=True)]
    yield {"set": "GAP, 5 folds", **gap.figures(examples, decisions)}
    fold = gap.folds_of(len(examples))
    for number in range(gap.FOLDS):
        chosen = np.flatnonzero(fold == number)
        yield {
            "set": f"GAP, fold {number}",
            **gap.figures([examples[n] for n in chosen], [decisions[n] for n in chosen]),
        }
    [litbank, train] = training("coref", "litbank", "train")
    options, samples = train.Options(), train.litbank_samples(nlp, data(), gap.SEED)
    alone = Embedded(train.fit(samples, options), lexical.load()).clusters(docs)
    decisions = [gap.decide(*three) for three in zip(docs, examples, alone, strict=True)]
    yield {"set": "GAP, trained on LitBank alone", **gap.figures(examples, decisions)}
    rest = [*train.gap_samples(nlp, data()), *train.gum_samples(nlp, data(), options.seed)]
    answers = litbank.answers(samples, gap.FOLDS, rest, options)
    yield {"set": "LitBank, 5 folds", **litbank.figures(answers)}


# d


def forms() -> Iterator[Row]:
    from gec_fair.english import pipeline
    from gec_fair.people.forms import form_of

    [pronouns] = training("people", "pronouns")
    nlp = pipeline.load()
    for name, examples in pronouns.tests(nlp, data()).items():
        docs = pipeline.tag(nlp, (example.words for example in examples))
        wrong = sum(form_of(doc[one.at]) is not one.form for one, doc in zip(examples, docs, strict=True))
        yield {"set": name, "places": len(examples), "wrong": share(wrong, len(examples))}


# e


def is_judge(text: str) -> bool:
    """Whether a text is of the half that judges. The other half fits thresholds and the probability of a clean text."""
    return sha256(f"people:{text}".encode()).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Verdict:
    """A line that was rewritten and read. `levels`: of each of its rewritings, the worst that a reader said.
    `current`: the digests of what it gives now; of the perturber, with every word and target that it may draw."""

    corpus: str
    method: str
    text: str
    levels: dict[str, str]
    current: frozenset[str]

    def status(self, digest: str) -> str:
        return "withheld" if not self.current else "same" if digest in self.current else "changed"


LAST = ("perturber-thirty-two", "perturber-thirty-three")
"""They read what the present weights of `sure` let pass, so the weights are not fitted on it."""


def read_levels() -> dict[tuple[str, str], dict[str, dict[str, str]]]:
    """By corpus and method, line and digest: the worst that a reader but the last said. Without what is withheld."""
    import reading as samples

    levels: dict[tuple[str, str], dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for row in samples.read_verdicts(samples.VERDICTS):
        if row["method"] in (*samples.METHODS, *samples.AXES) and row["reader"] not in LAST:
            of_line = levels[row["corpus"], row["method"]][row["line"]]
            of_line[row["digest"]] = max(of_line.get(row["digest"], "clean"), row["verdict"], key=samples.LEVELS.index)
    return levels


def read_verdicts() -> Iterator[Verdict]:
    """Every line that was read, as it is rewritten now."""
    import reading as samples

    for (name, method), by_line in read_levels().items():
        lines = [line for line in samples.read(name) if line.number in by_line]
        if method in samples.AXES:
            drawn = {line.number: frozenset(perturbed(line, method)) for line in lines}
        else:
            drawn = {one.number: frozenset([one.digest]) for one in samples.rewrite(lines, method, name)}
        for line in lines:
            current = drawn.get(line.number, frozenset())
            yield Verdict(name, method, line.target or line.source, by_line[line.number], current)


@cache
def perturbing(*axes: str) -> Any:
    from gec_fair.perturber.rewriting.options import PerturbOptions
    from gec_fair.perturber.rewriting.perturb import Perturbing

    return Perturbing(PerturbOptions(axes=axes))


def perturbed(line: Any, *axes: str) -> Iterator[str]:
    """The digests of everything that the perturber may make of a text: which word it draws depends on the text's id."""
    from reading import digest_of

    from gec_fair.perturber.rewriting.segments import fields_of, rewrite

    perturber = perturbing(*axes)
    for text in perturber.read([(line.source,)]):
        for choice in perturber.choices(text, ""):
            changes = perturber.plan(text, choice)
            rewriting = rewrite(text.tokens, changes, (line.source,)) if changes else None
            if rewriting is not None:
                yield digest_of(line.source, "", fields_of(rewriting, (line.source,))[0], "")


def verdicts() -> Iterator[Row]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for verdict in read_verdicts():
        half = "judge" if is_judge(verdict.text) else "fit"
        for digest, level in verdict.levels.items():
            status = verdict.status(digest)
            for corpus in (verdict.corpus, "all"):
                row = counts[half, f"{verdict.method} {corpus}"]
                row[f"{status} clean"] += level == "clean"
                row[f"{status} faults"] += level != "clean"
                row[f"{status} severe"] += level == "severe"
                read_clean = any(verdict.levels.get(new) == "clean" for new in verdict.current)
                row["faults mended"] += level != "clean" and status == "changed" and read_clean
    for half, name in sorted(counts, key=lambda key: (key[0] == "fit", key[1])):
        row = counts[half, name]
        figures: Row = {"set": name if half == "judge" else f"{name} (fit)"}
        for status in ("same", "withheld", "changed"):
            figures[status] = "·".join(str(row[f"{status} {level}"]) for level in ("clean", "faults", "severe"))
        yield figures | {"mended": row["faults mended"]}


# f


class Exam:
    """Counts the tests that pass; a plugin of pytest."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.failed:
            name = report.nodeid.partition("[")[0].removeprefix("tests/")
            self.counts[name].update(tests=1, right=report.passed)
            self.failed += [report.nodeid] if report.failed else []


def examine(tests: Iterable[str], *plugins: Any) -> Exam:
    import pytest

    exam = Exam()
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        options = ["-p", "no:cacheprovider", "-q", "--rootdir", str(ROOT)]
        pytest.main([*options, *(str(ROOT / test) for test in tests)], plugins=[exam, *plugins])
    return exam


def cases() -> Iterator[Row]:
    before = dict(os.environ)
    exam = examine(EXAMS)
    os.environ.update(before)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for name, counts in exam.counts.items():
        file = name.partition("::")[0]
        rows[name if counts["tests"] >= MANY else f"{file}, other tests"] += counts
    rows["all tests"] = sum(rows.values(), Counter[str]())
    for name, counts in rows.items():
        yield {"set": name, "right": counts["right"], "of": counts["tests"]}
    perturbers = import_module("perturbers")
    stays = perturbers.stays().values()
    texts = sum(row["texts"] for row in stays)
    yield {"set": "perturber-stays.tsv", "right": texts - sum(row["changed"] for row in stays), "of": texts}
    rewritings = perturbers.panda_rows(perturbers.rows_of(FOLDER / "perturber-cases.tsv"))
    outcomes = perturbers.counted(rewritings, perturbers.SYSTEMS.load("rules")(rewritings)).values()
    yield {
        "set": "perturber-cases.tsv",
        "right": sum(row["exact"] + row["equal"] for row in outcomes),
        "of": len(rewritings),
    }


READS = ("gec_fair/english", "gec_fair/people", "lexicons", "training/people")
PARTS: dict[str, tuple[Callable[[], Iterator[Row]], tuple[str, ...], tuple[str, ...]]] = {
    "a": (names, ("gec_fair", "lexicons"), ("ner",)),
    "b": (
        kinds,
        READS,
        ("ud", "coref", "babylm/mixed7m", "ner"),
    ),
    "c": (links, ("gec_fair/people/links", "gec_fair/english/model", "training/coref"), ("ud", "coref")),
    "d": (forms, READS, ("ud", "babylm", "gec/wi_train")),
    "e": (verdicts, ("gec_fair", "lexicons", "benchmarks/reading"), ("gec/wi_train", "babylm", "ud", "coref")),
    "f": (cases, ("gec_fair", "lexicons", "tests"), ()),
}
"""Each part with the folders that decide its figures, and the data that it needs."""


def measure(part: str, name: str, without: Sequence[str]) -> list[Row]:
    """The rows of a part, from the cache where nothing has changed that decides them."""
    function, inputs, needed = PARTS[part]
    if missing := [folder for folder in needed if not (data() / folder).exists()]:
        print(f"{part}: skipped: GEC_FAIR_DATA has no {', '.join(missing)}", file=sys.stderr)
        return []
    path = cache_directory() / "people" / f"{part}-{_digest(inputs, part, name, *without)}.json"
    if path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))
    rows: list[Row] = []
    with reading(name), switched_off(without):
        for row in function():
            rows.append({"part": part, "reader": name, **row})
            print(f"{part}: {row['set']}", file=sys.stderr, flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return rows


def _digest(folders: Sequence[str], *parts: str) -> str:
    digest = sha256("\0".join(parts).encode() + Path(__file__).read_bytes())
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()):
        if path.suffix != ".pyc":
            digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def show(rows: Sequence[Row]) -> None:
    readers = {row["reader"] for row in rows}
    for row in rows:
        figures = "  ".join(f"{key} {value}" for key, value in row.items() if key not in ("part", "set", "reader"))
        name = f"{row['set']} ({row['reader']})" if len(readers) > 1 else row["set"]
        print(f"{row['part']}  {name:42} {figures}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, joined by commas (%(default)s)")
    parser.add_argument("--reader", action="append", help=f"weights, or {SHIPPED}; more stand together")
    parser.add_argument("--without", action="append", default=[], metavar="FILE:FUNCTION", help="switch a rule off")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    rows = [
        row
        for part in arguments.only.split(",")
        for name in arguments.reader or [SHIPPED]
        for row in measure(part, name, arguments.without)
    ]
    show(rows)
    record(arguments.output, "people", {"without": arguments.without, "rows": rows})


if __name__ == "__main__":
    main()
