"""Train the reader of *her* and *his*, and measure it on texts that it was not trained on.

    GEC_FAIR_DATA=../shared/data python training/pronoun_forms/train.py            train, measure, write the weights

The figures beside the reader's are those of the parser and its rules (`english/pronouns`).
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "english"))

import convert
from data import Example, Words, corpora, data_folder, filled, read_templates, treebank, turned
from two_layers import fit

from gec_fair.english import pipeline, pronoun_forms, pronouns
from gec_fair.english.paradigms import Form
from gec_fair.english.pronoun_forms import FORMS, LEAST, Patterns

TRAINING = Path(__file__).parents[1]
NUMBER = {form: at for at, form in enumerate(FORMS)}


@dataclass(frozen=True)
class Options:
    examples: int = 900_000
    templates: int = 300
    """How often every template is filled."""
    treebanks: int = 6
    """How often the treebanks' examples are taken."""
    epochs: int = 12
    hidden: int = 160
    rate: float = 2e-3
    dropout: float = 0.25
    batch: int = 512
    decay: float = 1e-4
    seed: int = 1


def noised(example: Example, rng: Random) -> Example:
    """As learners and forums write, now and then."""
    if rng.random() < 0.4:
        example = sentence_alone(example)
    words = list(example.words)
    if rng.random() < 0.06:
        words = [word.lower() for word in words]
    if rng.random() < 0.08:  # cut behind the pronoun's phrase, or before it
        end = example.at + rng.randrange(2, 6)
        words = words[:end]
    start = rng.randrange(example.at + 1) if rng.random() < 0.08 else 0
    return replace(example, words=tuple(words[start:]), at=example.at - start)


def sentence_alone(example: Example) -> Example:
    """The words from the sentence's beginning to its end, as lines of learner corpora are."""
    ends = [at for at, word in enumerate(example.words) if word in (".", "!", "?")]
    start = max((at + 1 for at in ends if at < example.at), default=0)
    end = min((at + 1 for at in ends if at > example.at), default=len(example.words))
    return replace(example, words=example.words[start:end], at=example.at - start)


SIMPLE_VERBS = "saw met heard called left found helped kept loved told asked watched took sent made thanked".split()
SIMPLE_NOUNS = "husband mother friend brother car bag phone house teacher sister dog room letter key boss son".split()


def simple() -> Iterator[Example]:
    """*Anna saw her friend .*: what nobody may get wrong."""
    for subject in ("She", "Anna", "They", "My teacher"):
        for verb in SIMPLE_VERBS:
            for noun in SIMPLE_NOUNS:
                words = (*subject.split(), verb, "her", noun, ".")
                yield Example(words, len(words) - 3, Form.DETERMINER, "simple")


def rows_of(nlp, examples: Sequence[Example]) -> tuple[np.ndarray, np.ndarray, Patterns]:
    """Features; targets, one of three; and the table of patterns. In the features of an example its own pattern is not
    counted."""
    rows, around, numbers = [], [], []
    for example, doc in zip(examples, pipeline.tag(nlp, (e.words for e in examples), batch_size=512), strict=True):
        rows.append(pronoun_forms.features(doc, [example.at]).astype(np.float16))
        words, tags = [token.lower_ for token in doc], [token.tag_ for token in doc]
        around.append([pronoun_forms.code(p) for p in pronoun_forms.patterns_around(words, tags, example.at)])
        numbers.append(NUMBER[example.form])
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    counted: set[tuple[tuple[str, ...], int]] = set()
    natural = []
    for example, codes, number in zip(examples, around, numbers, strict=True):
        key = (example.words, example.at)
        natural.append(example.source != "templates")
        if natural[-1] and key not in counted:
            counted.add(key)
            for code in codes:
                counts[code][number > 0] += 1
    seen = np.zeros((len(rows), 2 * len(around[0])), dtype=np.float16)
    for at, (codes, number) in enumerate(zip(around, numbers, strict=True)):
        for column, code in enumerate(codes):
            owned, second = counts.get(code, (0, 0))
            if natural[at]:
                owned, second = owned - (number == 0), second - (number > 0)
            if owned + second >= LEAST:
                seen[at, 2 * column : 2 * column + 2] = _odds(owned, second)
    frequent = sorted((code, *_odds(*both)) for code, both in counts.items() if sum(both) >= LEAST)
    codes, odds, times = zip(*frequent, strict=True)
    table = Patterns(np.array(codes, np.uint32), np.array(odds, np.float16), np.array(times, np.float16))
    targets = np.eye(len(FORMS), dtype=np.float32)[numbers]
    return np.concatenate([np.concatenate(rows), seen], axis=1), targets, table


def _odds(owned: int, second: int) -> tuple[float, float]:
    owned, second = max(owned, 0), max(second, 0)  # the same words may have both forms
    return float(np.log((owned + 0.4) / (second + 0.4)) / 3), float(np.log1p(owned + second) / 5)


def hard(path: Path) -> Iterator[Example]:
    """The constructed cases of the tests: never trained on."""
    forms = {"him": Form.ACCUSATIVE, "his": Form.DETERMINER, "her": Form.DETERMINER, "hers": Form.INDEPENDENT}
    with path.open(encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        words = row["text"].split()
        places = [at for at, word in enumerate(words) if word.lower() in ("her", "his")]
        for at, becomes in zip(places, row["becomes"].split(), strict=True):
            yield Example(tuple(words), at, forms[becomes], "constructed")


def learners(nlp, folder: Path) -> Iterator[tuple[str, str]]:
    for level in "ABC":
        for line in (folder / f"gec/wi_train/{level}.train.tsv").read_text(encoding="utf-8").splitlines():
            yield "learners (W&I)", line.partition("\t")[2]


def measure(nlp, examples: Sequence[Example], *, show: bool = False) -> dict[str, float]:
    """Percent wrong: with the reader, and by the rules on the whole parse."""
    wrong = {"reader": 0, "parser": 0}
    docs = pipeline.parse(nlp, (e.words for e in examples), without=("trainable_lemmatizer", "morphologizer"))
    for example, doc in zip(examples, docs, strict=True):
        form = pronouns.form_of(doc[example.at])
        parsed = pronouns.form_of_parsed(doc[example.at])
        wrong["reader"] += form is not example.form
        wrong["parser"] += parsed is not example.form
        if show and form is not example.form:
            around = " ".join(
                f"<{w}>" if i == example.at else w for i, w in enumerate(example.words) if abs(i - example.at) < 9
            )
            print(f"   {example.form.value}: {around}")
    return {name: round(100 * count / len(examples), 2) for name, count in wrong.items()}


def tests(nlp, folder: Path) -> dict[str, list[Example]]:
    """Held-out examples by kind of text."""
    rng = Random(5)
    shares = dict.fromkeys(("him", "his"), 0.5)
    tests: dict[str, list[Example]] = {}
    for source, text in corpora(folder, held_out=True):
        tests.setdefault(source, []).extend(turned(nlp, [(source, text)], rng, shares))
    for source, text in learners(nlp, folder):
        tests.setdefault(source, []).extend(turned(nlp, [(source, text)], rng, {"him": 1.0, "his": 1.0}))
    mine = {"mine": 1.0, "hers": 1.0, "yours": 1.0, "theirs": 1.0, "ours": 1.0}
    for source, text in corpora(folder, held_out=True):
        tests.setdefault("his for mine, hers, …", []).extend(turned(nlp, [(source, text)], rng, mine))
    her = {name: [e for e in examples if e.words[e.at].lower() == "her"] for name, examples in tests.items()}
    his = tests["his for mine, hers, …"]
    tests = {name: examples[:4000] for name, examples in her.items() if examples} | {"his for mine, hers, …": his}
    unseen = [
        d
        for files in (convert.DEV, convert.TEST)
        for name in files.values()
        for d in convert.read_documents(folder / "ud" / name)
    ]
    tests["treebanks, unseen"] = list(treebank(unseen, "treebanks"))
    short = [sentence_alone(e) for name in ("novels", "learners (W&I)") for e in her[name]]
    tests["sentences of up to 8 words"] = [e for e in short if len(e.words) <= 8]
    tests["simple"] = list(simple())
    tests["constructed"] = list(hard(TRAINING.parent / "tests/augment/precision/her.tsv"))
    return tests


def examples(nlp, folder: Path, options: Options) -> list[Example]:
    rng = Random(options.seed)
    chosen = list(islice(_shuffled(turned(nlp, corpora(folder, held_out=False), rng), rng), options.examples))
    documents = [d for name in convert.TRAIN for d in convert.read_documents(folder / "ud" / name)]
    chosen += list(treebank(documents, "treebanks")) * options.treebanks
    words, templates = Words(documents), read_templates(Path(__file__).with_name("templates.tsv"))
    for _ in range(options.templates):
        chosen += filled(templates, words, rng)
    return [noised(example, rng) for example in chosen]


def _shuffled(examples: Iterable[Example], rng: Random) -> list[Example]:
    mixed = list(examples)
    rng.shuffle(mixed)
    return mixed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=Options().examples)
    parser.add_argument("--epochs", type=int, default=Options().epochs)
    parser.add_argument("--errors", action="store_true", help="print what is read wrong")
    parser.add_argument("--measure", action="store_true", help="measure the shipped weights")
    arguments = parser.parse_args()
    options = replace(Options(), examples=arguments.examples, epochs=arguments.epochs)
    nlp, folder = pipeline.load(), data_folder()
    if not arguments.measure:
        build(nlp, folder, options)
    for name, held_out in tests(nlp, folder).items():
        print(f"{name:30} {len(held_out):6} {measure(nlp, held_out, show=arguments.errors)}", flush=True)


def build(nlp, folder: Path, options: Options) -> None:
    rows, targets, table = rows_of(nlp, examples(nlp, folder, options))
    print(
        f"{len(rows)} places, {rows.shape[1]} features, {len(table.codes)} patterns, by form {targets.sum(0)}",
        flush=True,
    )
    reader = fit(rows, targets, options)
    reader.save(pronoun_forms.WEIGHTS, codes=table.codes, odds=table.odds, times=table.times)


if __name__ == "__main__":
    main()
