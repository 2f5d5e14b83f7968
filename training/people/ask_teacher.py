"""A trained teacher, as `train_teacher.py` writes it: it reads texts, and its answers train the reader.

    GEC_FAIR_DATA=../shared/data python training/people/ask_teacher.py out/people -o out/answers --words 4000000

reads raw text (novels, dialogues, Wikipedia, child-directed speech) and the annotated documents, with other names, and
writes what the teacher says of each word. Where a document is annotated, the annotation decides.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
import onnxruntime
import pronouns
from documents import Document, read_documents
from name_draws import Names
from train_teacher import HELD_OUT, Options, lowered, of_form, of_templates, renamed, with_surnames
from windows import Batcher

from gec_fair.english import pipeline
from gec_fair.people.around import FORMS
from gec_fair.people.reader import GENDERS, KINDS

FILES = ("reader.onnx", "tokenizer.json")
NEAREST = 4
"""Antecedents of a word that are written down."""
LONGEST = 150
"""Words of a text; longer ones are cut between sentences."""
SHARES = {"novels": 0.4, "wikipedia": 0.25, "dialogue": 0.2, "fairytales": 0.1, "childes": 0.05}
"""Of the words of raw text."""
ROUNDS = 3
"""Times that the annotated documents are read, each time with other names."""


@dataclass(frozen=True)
class Answers:
    """What the teacher says of the words of a text: probabilities (words × KINDS, FORMS, GENDERS); the likeliest
    antecedents of each word, as places (words × NEAREST) and probabilities; and how likely there is none."""

    kinds: np.ndarray
    forms: np.ndarray
    genders: np.ndarray
    places: np.ndarray
    likely: np.ndarray
    nobody: np.ndarray


class Teacher:
    """Reads texts by the files of a folder."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(folder / FILES[0]), options)
        self._batcher = Batcher(folder / FILES[1])

    def read(self, words: Sequence[str]) -> Answers:
        """Each window is read by itself: 8-bit arithmetic depends on what is in a batch."""
        starts = [0, *(at for at, word in enumerate(words[:-1], 1) if word in (".", "!", "?"))]
        parts: list[list[np.ndarray]] = [[] for _ in range(6)]
        for window in self._batcher.windows(words, starts):
            outputs = [_softmax(output[0]) for output in self._session.run(None, self._batcher.batch([window]))]
            links = outputs[3][:, :-1]
            order = np.argsort(-links, axis=1, kind="stable")[:, :NEAREST]
            order = np.pad(order, ((0, 0), (0, NEAREST - order.shape[1])))
            probabilities = np.take_along_axis(links, order, axis=1)
            probabilities[:, links.shape[1] :] = 0  # a window of fewer words
            for part, array in zip(
                parts, (*outputs[:3], order + window.start, probabilities, outputs[3][:, -1]), strict=True
            ):
                part.append(array)
        return Answers(*(np.concatenate(part) for part in parts))


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def corrected(answers: Answers, document: Document) -> Answers:
    """The answers, where the document is annotated as its annotation allows."""
    kinds, forms, genders = answers.kinds.copy(), answers.forms.copy(), answers.genders.copy()
    names = [kind.value for kind in KINDS]
    for at, label in document.kinds.items():
        allowed = np.array([name in label for name in names], np.float32)
        kinds[at] = kinds[at] * allowed + 0.02 * allowed
        kinds[at] /= kinds[at].sum()
    for at, form in document.forms.items():
        forms[at] = [one is form for one in FORMS]
    for at, gender in document.genders.items():
        genders[at] = [(one.value if one else "other") == gender for one in GENDERS]
    return Answers(kinds, forms, genders, answers.places, answers.likely, answers.nobody)


def raw_texts(data: Path, nlp, words: int, seed: int) -> Iterator[Document]:
    """Raw texts of about so many words, shuffled within each source."""
    rng = Random(seed)
    by_source: dict[str, list[str]] = {}
    for source, text in pronouns.corpora(data, held_out=False):
        by_source.setdefault(source, []).append(" ".join(text.split()))
    for source, share in SHARES.items():
        texts, count, number = by_source[source], 0, 0
        rng.shuffle(texts)
        for text in texts:
            for part in pieces(pipeline.tokenize(nlp, text[: 8 * LONGEST])):
                yield Document(f"{source}-{number}", source, part, [0])
                count, number = count + len(part), number + 1
            if count >= share * words:
                break


def pieces(words: list[str]) -> Iterator[list[str]]:
    """Runs of whole sentences of at most `LONGEST` words."""
    start = end = 0
    for at in range(1, len(words) + 1):
        if at < len(words) and words[at - 1] not in (".", "!", "?"):
            continue
        if at - start > LONGEST and end > start:
            yield words[start:end]
            start = end
        end = at
    if 2 < end - start <= 2 * LONGEST:
        yield words[start:end]


def annotated(data: Path, nlp, options: Options) -> Iterator[Document]:
    """The annotated documents, templates and turned pronouns, `ROUNDS` times with other names."""
    rng = Random(options.seed + 1)
    documents = [document for document in read_documents(data, nlp) if document.fold != HELD_OUT]
    known = Names(list(with_surnames(documents)))
    words = pronouns.Words(pronouns.convert.training_documents(data / "ud"))
    shares = dict.fromkeys(("him", "his", "them", "their", "me", "mine", "ours", "theirs", "yours"), 0.1)
    examples = pronouns.turned(nlp, pronouns.corpora(data, held_out=False), rng, shares)
    for _ in range(ROUNDS):
        yield from (lowered(document, rng, options) for document in of_templates(known, words, rng, options))
        yield from (renamed(document, known, rng, options) for document in documents)
        for number, example in zip(range(options.forms), examples, strict=False):
            yield of_form(example, number)


def cut(document: Document) -> Iterator[Document]:
    """A long document in runs of whole sentences."""
    borders = [*document.starts, len(document.words)]
    start = 0
    for end, following in zip(borders[1:], [*borders[2:], None], strict=True):
        if following is None or following - start > LONGEST:
            yield _part(document, start, end)
            start = end


def _part(document: Document, start: int, end: int) -> Document:
    def inside(labels):
        return {at - start: label for at, label in labels.items() if start <= at < end}

    return Document(
        f"{document.name}-{start}",
        document.source,
        document.words[start:end],
        [0],
        inside(document.kinds),
        inside(document.forms),
        inside(document.genders),
    )


def write(path: Path, documents: Sequence[Document], folder: Path) -> None:
    """The answers about these documents as one file of arrays."""
    teacher = Teacher(folder)
    answers = [corrected(teacher.read(document.words), document) for document in documents]
    arrays = {
        field.name: np.concatenate([getattr(one, field.name) for one in answers]).astype(np.float16)
        for field in fields(Answers)
    }
    arrays["places"] = np.concatenate([one.places for one in answers]).astype(np.int16)
    text = "\n".join("\t".join(document.words) for document in documents)
    with path.with_suffix(".part").open("wb") as file:
        np.savez(file, text=np.frombuffer(text.encode("utf-8"), np.uint8), **arrays)
    path.with_suffix(".part").rename(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("teacher", type=Path, help="a folder that train_teacher.py wrote")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder for the answers")
    parser.add_argument("--words", type=int, default=4_000_000, help="of raw text (%(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    data, nlp, options = Path(os.environ.get("GEC_FAIR_DATA", "../shared/data")), pipeline.load(), Options()
    arguments.output.mkdir(parents=True, exist_ok=True)
    documents = [part for document in annotated(data, nlp, options) for part in cut(document) if part.words]
    documents += raw_texts(data, nlp, arguments.words, options.seed)
    print(f"{len(documents)} texts, {sum(len(document.words) for document in documents)} words", flush=True)
    Random(options.seed).shuffle(documents)
    size = 4000
    jobs = [
        (arguments.output / f"{at // size:03}.npz", documents[at : at + size], arguments.teacher)
        for at in range(0, len(documents), size)
    ]
    jobs = [job for job in jobs if not job[0].is_file()]
    with get_context("fork").Pool(arguments.workers) as pool:
        for number, _ in enumerate(pool.imap_unordered(_write, jobs), 1):
            print(f"{number} of {len(jobs)}", file=sys.stderr, flush=True)


def _write(job: tuple[Path, Sequence[Document], Path]) -> None:
    write(*job)


if __name__ == "__main__":
    main()
