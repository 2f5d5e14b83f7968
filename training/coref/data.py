"""Training texts as pronouns with right and wrong referents, from GAP, LitBank and GUM.

GAP judges two names for one pronoun a text; LitBank and GUM say of every mention which person it is. These are cut
into pieces of 1 to 12 sentences, because that is what the resolver will be given: often the antecedent is elsewhere.
"""

from __future__ import annotations

import csv
import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from gec_fair.people.links import features, lexical, parse
from gec_fair.people.links.features import Rows
from gec_fair.people.links.text import Text, read

SIZES = (1, 1, 2, 3, 4, 6, 8, 12)
ENTITY = re.compile(r"\((\d+)-[^()]*(\)?)|(\d+)\)")


@dataclass(frozen=True, slots=True)
class GapExample:
    """One line of a GAP file; offsets in characters of `text`."""

    id: str
    text: str
    pronoun: str
    pronoun_offset: int
    names: tuple[str, str]
    offsets: tuple[int, int]
    coref: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Sample:
    """A text with first-stage rows for each of its pronouns, and for some of them (by number) which rows are right:
    one per candidate, then none. `source` is gap, litbank or gum; `document` is the unit that folds keep together."""

    source: str
    document: str
    text: Text
    rows: tuple[Rows, ...]
    right: Mapping[int, tuple[bool, ...]]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Tokens of one document with its mentions: (start, end, referent), half-open."""

    words: list[str]
    spaces: list[bool] | None
    mentions: list[tuple[int, int, int]]
    starts: list[int]  # tokens that begin a sentence


def read_gap(path: Path) -> list[GapExample]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            GapExample(
                row["ID"],
                row["Text"],
                row["Pronoun"],
                int(row["Pronoun-offset"]),
                (row["A"], row["B"]),
                (int(row["A-offset"]), int(row["B-offset"])),
                (row["A-coref"].lower() == "true", row["B-coref"].lower() == "true"),
            )
            for row in rows
        ]


def read_litbank(path: Path) -> list[Labelled]:
    """The 100 documents of `litbank-conll.tar.gz`, by name."""
    with tarfile.open(path) as archive:
        members = sorted((member for member in archive if member.name.endswith(".conll")), key=lambda m: m.name)
        return [_conll(archive.extractfile(member).read().decode("utf-8")) for member in members]  # type: ignore[union-attr]


def _conll(text: str) -> Labelled:
    words, mentions, starts = [], [], []
    open_at: dict[str, list[int]] = {}
    fresh = True
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            fresh = True
            continue
        fields = line.split("\t")
        if fresh:
            starts.append(len(words))
        fresh = False
        at = len(words)
        words.append(fields[3])
        for part in fields[-1].strip().split("|") if fields[-1].strip() != "_" else []:
            number = part.strip("()")
            if part.startswith("("):
                open_at.setdefault(number, []).append(at)
            if part.endswith(")"):
                mentions.append((open_at[number].pop(), at + 1, int(number)))
    return Labelled(words, None, mentions, starts)


def read_gum(path: Path) -> list[Labelled]:
    sentences, current = [], None
    open_at: dict[str, list[int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# newdoc"):
            current = Labelled([], [], [], [])
            sentences.append(current)
            open_at = {}
        fields = line.split("\t")
        if len(fields) != 10 or not fields[0].isdigit() or current is None:
            continue
        at = len(current.words)
        if fields[0] == "1":
            current.starts.append(at)
        current.words.append(fields[1])
        current.spaces.append("SpaceAfter=No" not in fields[9])  # type: ignore[union-attr]
        entity = next((part[7:] for part in fields[9].split("|") if part.startswith("Entity=")), "")
        for match in ENTITY.finditer(entity):
            number = match[1] or match[3]
            if match[1]:
                open_at.setdefault(number, []).append(at)
            if (match[2] or match[3]) and open_at.get(number):
                current.mentions.append((open_at[number].pop(), at + 1, int(number)))
    return sentences


def parsed(nlp: Language, documents: list[Labelled]) -> list[Doc]:
    docs = (Doc(nlp.vocab, words=d.words, spaces=d.spaces) for d in documents)
    return list(nlp.pipe(docs, batch_size=16))


def pieces(doc: Doc, rng: np.random.Generator) -> Iterator[tuple[Doc, int]]:
    """The doc in pieces of some sentences, with the token at which each begins."""
    sents = list(doc.sents)
    at = 0
    while at < len(sents):
        size = int(rng.choice(SIZES))
        span = doc[sents[at].start : sents[min(at + size, len(sents)) - 1].end]
        yield span.as_doc(), span.start
        at += size


def sample(source: str, document: str, text: Text, right: Mapping[int, tuple[bool, ...]]) -> Sample:
    rows = tuple(features.first_stage(text, pronoun) for pronoun in range(len(text.pronouns)))
    return Sample(source, document, text, rows, right)


def gap_sample(doc: Doc, example: GapExample) -> Sample | None:
    """None where the pronoun, or the right name as one of its candidates, is not found in the text.

    Where neither name is right, everything else may be: those rows and "none" count as right together.
    """
    text = read(parse.read(doc), lexical.load())
    token = next((t.i for t in doc if t.idx == example.pronoun_offset), None)
    pronoun = next((k for k, pronoun in enumerate(text.pronouns) if pronoun.head == token), None)
    if pronoun is None:
        return None
    a, b = (_named(doc, text, offset, name) for offset, name in zip(example.offsets, example.names, strict=True))
    wanted, judged = (a - b if example.coref[0] else b - a), any(example.coref)
    candidates = text.candidates[pronoun]
    right = [entity in wanted if judged else entity not in a | b for entity in candidates] + [not judged]
    return sample("gap", example.id, text, {pronoun: tuple(right)}) if any(right) else None


def _named(doc: Doc, text: Text, offset: int, name: str) -> set[int]:
    """Numbers of the referents that have a mention headed inside the name."""
    inside = {t.i for t in doc if t.idx + len(t) > offset and t.idx < offset + len(name)}
    return {number for number, entity in enumerate(text.entities) if any(m.head in inside for m in entity.mentions)}


def labelled_samples(source: str, number: int, doc: Doc, labelled: Labelled, seed: int) -> Iterator[Sample]:
    """The doc's pieces that have a pronoun of which the annotation says who it is."""
    rng = np.random.default_rng((seed, number))
    for piece, start in pieces(doc, rng):
        text = read(parse.read(piece), lexical.load())
        right = _rights(text, start, labelled.mentions)
        if right:
            yield sample(source, f"{source}-{number}", text, right)


def _rights(text: Text, start: int, mentions: list[tuple[int, int, int]]) -> dict[int, tuple[bool, ...]]:
    """For every annotated pronoun of a piece that begins at token `start` of its document, which rows are right."""
    end = start + len(text.parse.words)
    inside = [(a - start, b - start, who) for a, b, who in mentions if a >= start and b <= end]
    single = {a: who for a, b, who in inside if b == a + 1}
    gold: dict[int, list[tuple[int, int, int]]] = {}
    for a, b, who in inside:
        head = next((t for t in range(a, b) if not a <= text.parse.head[t] < b or text.parse.head[t] == t), a)
        gold.setdefault(who, []).append((a, b, head))
    samples = {}
    for number, pronoun in enumerate(text.pronouns):
        spans = gold.get(single.get(pronoun.head, -1))
        if spans is not None:
            right = [
                any(
                    a <= m.head < b and m.start <= head < m.end
                    for m in text.entities[e].mentions
                    for a, b, head in spans
                )
                for e in text.candidates[number]
            ]
            samples[number] = (*right, not any(right))
    return samples
