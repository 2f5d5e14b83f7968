"""Train the reader of persons, and measure it by domain on documents that it was not trained on.

    GEC_FAIR_DATA=../shared/data python training/persons/train.py            train, measure, write the weights
    GEC_FAIR_DATA=../shared/data python training/persons/train.py --dev      while building

Names in the training texts are drawn anew in every epoch: a person gets another first name or surname, and a street, a
work or a town is sometimes named like a person. So the words around decide, and not the name.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from data import Text, data_folder, fold, read_templates, read_texts
from two_layers import fit

from gec_fair.english import persons, pipeline
from gec_fair.english.first_names import is_first_name
from gec_fair.english.lexicons import lexicon
from gec_fair.english.persons import KINDS, Kind
from gec_fair.english.two_layers import TwoLayers

SIZES = (1, 1, 1, 2, 3, 5, 8)
NUMBER = {kind: at for at, kind in enumerate(KINDS)}
COMMON = 0.05
"""Percent of a gender that bear a name that is hardly anybody's surname."""
NOT_PERSONS = (Kind.GROUP, Kind.PLACE, Kind.OBJECT)


@dataclass(frozen=True)
class Options:
    variants: int = 12
    epochs: int = 4
    hidden: int = 64
    rate: float = 3e-3
    dropout: float = 0.25
    batch: int = 512
    decay: float = 1e-4
    renamed: float = 0.5  # of the persons of a text
    wikipedia: float = 0.25  # of its sentences, in every variant
    disguised: float = 0.12  # of the things, places and groups
    seed: int = 1


class Names:
    """First names and surnames to draw from: half by frequency, half evenly."""

    def __init__(self, texts: Iterable[Text]) -> None:
        entries = list(lexicon.load().names.entries.values())
        self.first = [entry.name for entry in entries]
        self.weights = [(entry.share or 0.002) ** 0.5 for entry in entries]
        self.shared = [entry.name for entry in entries if entry.reading == "shared" or entry.surname]
        family = {t.words[at] for t in texts for at, kind in t.kinds.items() if kind is Kind.SURNAME}
        self.family = sorted(word for word in family if word.istitle())
        only_first = [entry for entry in entries if not entry.surname and (entry.share or 0.0) >= COMMON]
        self.only_first = [entry.name for entry in only_first]
        self.only_first_weights = [entry.share or 0.0 for entry in only_first]
        self.rare = [entry.name for entry in entries if (entry.share or 0.0) < COMMON]
        self.family_too = [entry.name for entry in entries if entry.surname]

    def given_name(self, rng: Random) -> str:
        if rng.random() < 0.5:
            return rng.choices(self.first, self.weights)[0]
        return rng.choice(self.first)

    def second(self, rng: Random) -> str:
        return rng.choices(self.only_first, self.only_first_weights)[0]

    def surname(self, rng: Random) -> str:
        chance = rng.random()
        return rng.choice(self.family_too if chance < 0.35 else self.rare if chance < 0.45 else self.family)


def renamed(text: Text, names: Names, rng: Random, options: Options) -> Text:
    """The text with other names; one word becomes the same word throughout."""
    words = list(text.words)
    new: dict[tuple[str, Kind], str] = {}
    for at, kind in text.kinds.items():
        word = words[at]
        key = (text.words[at], kind)
        if not word[:1].isupper() or at in text.unsure:
            continue
        if key not in new:
            new[key] = word
            chance = rng.random()
            if kind is Kind.FIRST_NAME and chance < options.renamed:
                new[key] = names.given_name(rng)
            elif kind is Kind.SURNAME and chance < options.renamed:
                new[key] = names.surname(rng)
            elif kind in NOT_PERSONS and chance < options.disguised and _begins_a_name(text, at):
                alone = not _is_capital(text, at + 1)
                new[key] = rng.choice(names.shared) if alone or rng.random() < 0.5 else names.given_name(rng)
        words[at] = new[key].upper() if word.isupper() and len(word) > 3 else new[key]
    return replace(text, words=words)


def _begins_a_name(text: Text, at: int) -> bool:
    return not _is_capital(text, at - 1) and at not in text.starts


def _is_capital(text: Text, at: int) -> bool:
    return 0 <= at < len(text.words) and text.words[at][:1].isupper()


def pieces(text: Text, rng: Random) -> Iterator[Text]:
    at = 0
    borders = [*text.starts, len(text.words)]
    while at < len(text.starts):
        size = rng.choice(SIZES)
        end = min(at + size, len(text.starts))
        yield text.piece(borders[at], borders[end])
        at = end


def filled(templates: Sequence[list[tuple[str, Kind | None]]], names: Names, rng: Random) -> Iterator[Text]:
    """Every template with names drawn anew."""
    for number, template in enumerate(templates):
        words = []
        for word, kind in template:
            if word == "{h}":
                words.append(names.second(rng))
            elif word:
                words.append(word)
            elif kind is Kind.FIRST_NAME:
                words.append(names.given_name(rng))
            elif kind is Kind.SURNAME:
                words.append(names.surname(rng))
            else:
                words.append(names.given_name(rng) if rng.random() < 0.5 else rng.choice(names.shared))
        kinds = {at: kind for at, (_, kind) in enumerate(template) if kind is not None}
        yield Text(f"template-{number}", "templates", words, [True] * len(words), kinds, frozenset(), [0])


def noised(text: Text, rng: Random) -> Text:
    """As learners and forums write: all words apart, and now and then without capitals."""
    if rng.random() < 0.5:
        text = replace(text, spaces=[True] * len(text.words))
    if rng.random() < 0.04:
        text = replace(text, words=[word.lower() for word in text.words])
    elif rng.random() < 0.03:
        text = replace(text, words=[word.upper() for word in text.words])
    return text


def examples(nlp, texts: Sequence[Text]) -> tuple[np.ndarray, np.ndarray, list[tuple[int, int]]]:
    """Features, targets (rows × KINDS; two ones where a name may be given or family) and (text, place)."""
    docs = pipeline.tag(nlp, [t.words for t in texts], [t.spaces for t in texts])
    nouns = lexicon.load().nouns
    rows, targets, where = [], [], []
    for number, (text, doc) in enumerate(zip(texts, docs, strict=True)):
        places = sorted(
            at
            for at in text.kinds
            if text.words[at][:1].isupper()
            or nouns.may_start(text.words[at].lower())
            or text.kinds[at] is Kind.FIRST_NAME
        )
        if not places:
            continue
        rows.append(persons.features(doc, places))
        for at in places:
            target = np.zeros(len(KINDS), dtype=np.float32)
            target[NUMBER[text.kinds[at]]] = 1
            if at in text.unsure:
                target[:] = 0
                target[[NUMBER[Kind.FIRST_NAME], NUMBER[Kind.SURNAME]]] = 1
            targets.append(target)
            where.append((number, at))
    return np.concatenate(rows), np.stack(targets), where


def errors(nlp, reader: TwoLayers, texts: Sequence[Text], seed: int = 7) -> Iterator[str]:
    rng = Random(seed)
    known = lexicon.load()
    parts = [piece for text in texts for piece in pieces(text, rng)]
    for text, doc in zip(parts, pipeline.tag(nlp, [t.words for t in parts], [t.spaces for t in parts]), strict=True):
        for at in sorted(text.kinds):
            word = text.words[at]
            if known.names.is_name(word, proper=True) and word[:1].isupper() and at not in text.unsure:
                [row] = reader.probabilities(persons.features(doc, [at]))
                if (text.kinds[at] is Kind.FIRST_NAME) != (row[0] >= 0.3):
                    around = " ".join((*text.words[max(0, at - 7) : at], f"[{word}]", *text.words[at + 1 : at + 6]))
                    best = KINDS[int(row.argmax())].value
                    yield f"{text.source} {text.kinds[at].value}, read {best} {row[0]:.2f}: {around}"


def train(nlp, texts: Sequence[Text], options: Options) -> TwoLayers:
    """`variants` times the texts with other names, and `epochs` times over all of these."""
    names, rng = Names(texts), Random(options.seed)
    parts = []
    templates = read_templates(Path(__file__).with_name("templates.tsv"))
    for _ in range(options.variants):
        parts += [noised(text, rng) for text in filled(templates, names, rng)]
        chosen = [t for t in texts if t.source != "wikipedia" or rng.random() < options.wikipedia]
        parts += [noised(p, rng) for text in chosen for p in pieces(renamed(text, names, rng, options), rng)]
    rows, targets, _ = examples(nlp, parts)
    rows = rows.astype(np.float16)
    print(f"{len(rows)} words", flush=True)
    return fit(rows, targets, options)


def measure(nlp, reader: TwoLayers, texts: Sequence[Text], seed: int = 7) -> list[str]:
    """For names of the table, by source: how often the reader and the rules say that one is a first name, and right."""
    rng = Random(seed)
    by_source: dict[str, list[Text]] = defaultdict(list)
    for text in texts:
        by_source[text.source] += pieces(text, rng)
    lines = []
    known = lexicon.load()
    for source, parts in by_source.items():
        docs = list(pipeline.tag(nlp, [t.words for t in parts], [t.spaces for t in parts]))
        gold, score, rule = [], [], []
        for text, doc in zip(parts, docs, strict=True):
            places = [
                at
                for at in sorted(text.kinds)
                if known.names.is_name(text.words[at], proper=True)
                and text.words[at][:1].isupper()
                and at not in text.unsure
            ]
            if not places:
                continue
            p = reader.probabilities(persons.features(doc, places))
            for row, at in zip(p, places, strict=True):
                gold.append(text.kinds[at] is Kind.FIRST_NAME)
                score.append(row[NUMBER[Kind.FIRST_NAME]])
                rule.append(is_first_name(doc[at], text.words, known))
        gold_, score_, rule_ = np.array(gold), np.array(score), np.array(rule)
        lines.append(f"{source}: {len(gold)} words of the table of names, {gold_.sum()} first names")
        lines.append(_figures("rules", gold_, rule_))
        for bound in (0.1, 0.2, 0.3, 0.5):
            lines.append(_figures(f"reader ≥ {bound}", gold_, score_ >= bound))
            lines.append(_figures(f"rules and reader ≥ {bound}", gold_, rule_ & (score_ >= bound)))
    return lines


def _figures(name: str, gold: np.ndarray, chosen: np.ndarray) -> str:
    right = (gold & chosen).sum()
    return (
        f"  {name:28s} precision {100 * right / max(chosen.sum(), 1):.1f} recall {100 * right / max(gold.sum(), 1):.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=Options().epochs)
    parser.add_argument("--dev", action="store_true", help="leave two fifths out, and measure on the second one")
    parser.add_argument("--errors", action="store_true", help="print the names that are read wrong")
    parser.add_argument("--output", type=Path, default=persons.WEIGHTS, help="the weights (%(default)s)")
    arguments = parser.parse_args()
    nlp = pipeline.load()
    texts = read_texts(data_folder(), nlp)
    held_out = (0, 1) if arguments.dev else (0,)
    training = [t for t in texts if fold(t.name) not in held_out]
    rest = [t for t in texts if fold(t.name) == held_out[-1]]
    reader = train(nlp, training, replace(Options(), epochs=arguments.epochs))
    if not arguments.dev:
        reader.save(arguments.output)
    print(*measure(nlp, reader, rest), sep="\n")
    if arguments.errors:
        print(*errors(nlp, reader, rest), sep="\n")


if __name__ == "__main__":
    main()
