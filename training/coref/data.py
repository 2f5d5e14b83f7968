"""Training texts as pronouns with right and wrong referents, from GAP, LitBank and GUM.

GAP judges two names for one pronoun a text; LitBank and GUM say of every mention which person it is. These are cut
into pieces of 1 to 12 sentences, because that is what the resolver will be given: often the antecedent is elsewhere.
"""

from __future__ import annotations

import csv
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from gec_fair.english.coref import features, lexical, parse
from gec_fair.english.coref.features import Text

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
class Question:
    """Pronoun number `which` of a text, and which of its rows (candidates, then none) are right."""

    text: Text
    which: int
    right: tuple[bool, ...]


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
                row["ID"], row["Text"], row["Pronoun"], int(row["Pronoun-offset"]), (row["A"], row["B"]),
                (int(row["A-offset"]), int(row["B-offset"])),
                (row["A-coref"].lower() == "true", row["B-coref"].lower() == "true"),
            )  # fmt: skip
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
    found, current = [], None
    open_at: dict[str, list[int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# newdoc"):
            current = Labelled([], [], [], [])
            found.append(current)
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
    return found


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


def gap_question(doc: Doc, example: GapExample) -> Question | None:
    """None where the text's tokens do not show the pronoun."""
    text = features.read(parse.read(doc), lexical.load())
    token = next((t.i for t in doc if t.idx == example.pronoun_offset), None)
    which = next((k for k, p in enumerate(text.pronouns) if p.head == token), None)
    if which is None:
        return None
    named = [_entities_at(doc, text, offset, name) for offset, name in zip(example.offsets, example.names, strict=True)]
    candidates = text.candidates[which]
    if any(example.coref):
        wanted = named[0 if example.coref[0] else 1] - named[1 if example.coref[0] else 0]
        right = [entity in wanted for entity in candidates] + [False]
        return Question(text, which, tuple(right)) if any(right) else None
    return Question(text, which, (*(entity not in named[0] | named[1] for entity in candidates), True))


def _entities_at(doc: Doc, text: Text, offset: int, name: str) -> set[int]:
    inside = {t.i for t in doc if t.idx + len(t) > offset and t.idx < offset + len(name)}
    return {
        number
        for number, entity in enumerate(text.entities)
        if any(inside & set(range(m.start, m.end)) and m.head in inside for m in entity.mentions)
    }


def labelled_questions(doc: Doc, start: int, mentions: list[tuple[int, int, int]]) -> list[Question]:
    """Every pronoun of a piece that begins at token `start` of its document."""
    text = features.read(parse.read(doc), lexical.load())
    inside = [(a - start, b - start, c) for a, b, c in mentions if a >= start and b <= start + len(doc)]
    single = {a: c for a, b, c in inside if b == a + 1}
    heads: dict[int, list[tuple[int, int, int]]] = {}
    for a, b, c in inside:
        head = next((t for t in range(a, b) if not a <= text.parse.head[t] < b or text.parse.head[t] == t), a)
        heads.setdefault(c, []).append((a, b, head))
    found = []
    for which, pronoun in enumerate(text.pronouns):
        gold = heads.get(single.get(pronoun.head, -1))
        if gold is None:
            continue
        right = [
            any(a <= m.head < b and m.start <= head < m.end for m in text.entities[e].mentions for a, b, head in gold)
            for e in text.candidates[which]
        ]
        found.append(Question(text, which, (*right, not any(right))))
    return found
