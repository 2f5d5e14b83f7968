"""Read treebanks: CoNLL-U documents become `Sentence` values, and runs of sentences become spaCy `Doc`s.

Parts of multi-word tokens stay tokens of their own (*did n't* is two, as GEC text has it; merged they get tags such as
`VBD_RB`, which no tag map knows). Document borders are kept, so that no training text joins strangers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

# An address is nobody's lemma to learn, and a table of lemmas must not carry it into the package.
ADDRESS = re.compile(r"@|https?:|www\.|\.(com|org|net|url)\b", re.IGNORECASE)
# What a treebank writes, and what ERRANT's tag map knows.
TAGS = {'"': "''", "X": "XX"}
TRAIN = ("en_ewt-ud-train.conllu", "en_gum-ud-train.nonNC.conllu", "en_eslspok-ud-train.conllu")
DEV = {
    "EWT": "en_ewt-ud-dev.conllu",
    "GUM": "en_gum-ud-dev.nonNC.conllu",
    "ESLSpok": "en_eslspok-ud-dev.conllu",
}
TEST = {
    "EWT": "en_ewt-ud-test.conllu",
    "GUM": "en_gum-ud-test.nonNC.conllu",
    "ESLSpok": "en_eslspok-ud-test.conllu",
}
PRONOUNS = "en_pronouns-ud-test.conllu"
PRONOUNS_BLOCK = 5  # one template filled with five pronouns; a template is wholly in training or wholly in the test


@dataclass(frozen=True, slots=True)
class Sentence:
    """One annotated sentence; all columns have its length. An empty string is "not annotated", never a value.

    `heads` are indices into the sentence, the root's is its own.
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    lemmas: tuple[str, ...]
    pos: tuple[str, ...]
    tags: tuple[str, ...]
    morphs: tuple[str, ...]
    heads: tuple[int, ...]
    deps: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)


Document = list[Sentence]


def data_folder() -> Path:
    """The folder that holds `ud/` and `babylm/`: GEC_FAIR_DATA, or the checkout's neighbour."""
    return Path(os.environ.get("GEC_FAIR_DATA", "../shared/data"))


def read_documents(path: Path) -> list[Document]:
    """The documents of a CoNLL-U file; a file without `# newdoc` lines (ESLSpok) has one document a sentence."""
    lines = path.read_text(encoding="utf-8").split("\n")
    bordered = any(line.startswith("# newdoc") for line in lines)
    annotated = any(line.count("\t") == 9 and line.split("\t")[2] != "_" for line in lines[:200])
    documents: list[Document] = []
    for new, rows in _blocks(lines):
        if new or not bordered or not documents:
            documents.append([])
        documents[-1].append(_sentence(rows, annotated=annotated))
    return documents


def _blocks(lines: Iterable[str]) -> Iterator[tuple[bool, list[list[str]]]]:
    """(does a document begin here, token rows) for each sentence."""
    new, rows = False, []
    for line in lines:
        if line.startswith("#"):
            new = new or line.startswith("# newdoc")
        elif line:
            rows.append(line.split("\t"))
        elif rows:
            yield new, rows
            new, rows = False, []


def _sentence(rows: list[list[str]], *, annotated: bool) -> Sentence:
    """`annotated` is false for a treebank without lemmas and features: its `_` then means "unknown", and so does its
    UPOS, for the morphologizer predicts both as one label."""
    words = [row for row in rows if row[0].isdigit()]
    glued = _glued(rows)
    heads = [int(row[6]) - 1 for row in words]
    return Sentence(
        words=tuple(row[1] for row in words),
        spaces=tuple(i not in glued for i in range(len(words))),
        lemmas=tuple("" if not annotated or ADDRESS.search(row[1]) else row[2] for row in words),
        pos=tuple(row[3] if annotated else "" for row in words),
        tags=tuple(TAGS.get(row[4], row[4]) for row in words),
        morphs=tuple(row[5] if annotated else "" for row in words),
        heads=tuple(i if head < 0 else head for i, head in enumerate(heads)),
        deps=tuple(row[7] for row in words),
    )


def _glued(rows: list[list[str]]) -> set[int]:
    """Indices of the words that no space follows. A multi-word token's parts are glued; its row says what follows."""
    glued: set[int] = set()
    inside = 0
    for row in rows:
        number, no_space = row[0], "SpaceAfter=No" in row[9]
        if "-" in number:
            first, last = map(int, number.split("-"))
            inside = last
            glued.update(range(first - 1, last - 1 + no_space))
        elif number.isdigit() and no_space and int(number) > inside:
            glued.add(int(number) - 1)
    return glued


def split_pronouns(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """(training half, test half) of the Pronouns treebank, by templates in turn."""
    sentences = [sentence for document in documents for sentence in document]
    train = [[s] for i, s in enumerate(sentences) if i // PRONOUNS_BLOCK % 2 == 0]
    test = [[s] for i, s in enumerate(sentences) if i // PRONOUNS_BLOCK % 2 == 1]
    return train, test


def training_documents(folder: Path, *, files: Sequence[str] = TRAIN) -> list[Document]:
    documents = [document for name in files for document in read_documents(folder / name)]
    return documents + split_pronouns(read_documents(folder / PRONOUNS))[0]


def test_documents(folder: Path) -> dict[str, list[Document]]:
    tests = {name: read_documents(folder / file) for name, file in TEST.items()}
    return tests | {"Pronouns (held-out half)": split_pronouns(read_documents(folder / PRONOUNS))[1]}


def to_doc(vocab: Vocab, sentences: Sequence[Sentence]) -> Doc:
    """The gold `Doc` of consecutive sentences."""
    from spacy.tokens import Doc

    starts, heads, offset = [], [], 0
    for sentence in sentences:
        starts += [True] + [False] * (len(sentence) - 1)
        heads += [offset + head for head in sentence.heads]
        offset += len(sentence)
    doc = Doc(
        vocab,
        words=_column(sentences, "words"),
        spaces=_column(sentences, "spaces"),
        lemmas=_column(sentences, "lemmas"),
        pos=_column(sentences, "pos"),
        tags=_column(sentences, "tags"),
        morphs=_column(sentences, "morphs"),
        deps=_column(sentences, "deps"),
        heads=heads,
        sent_starts=starts,
    )
    return _forget_features(doc, _column(sentences, "pos"))


def _forget_features(doc: Doc, pos: Sequence[str]) -> Doc:
    """Unset the features of words without UPOS: a `Doc` made with "" has "no features" there, which would be learnt."""
    features = doc.to_array(["MORPH"]).reshape(-1, 1)
    features[[not value for value in pos]] = 0
    return doc.from_array(["MORPH"], features)


def _column(sentences: Sequence[Sentence], name: str) -> list:
    return [value for sentence in sentences for value in getattr(sentence, name)]


def check_tags(documents: Iterable[Document]) -> None:
    """Every tag must be a key of ERRANT's tag map: an unknown one is a KeyError in the middle of a corpus."""
    from errant.en.classifier import pos_map

    seen = {tag for document in documents for sentence in document for tag in sentence.tags}
    unknown = sorted(seen - set(pos_map))
    if unknown:
        raise SystemExit(f"tags that ERRANT's map does not know: {unknown}; map them in convert.TAGS")
