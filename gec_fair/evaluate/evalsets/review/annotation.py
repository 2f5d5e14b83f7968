"""A folder of texts to annotate: annotation.json, written by `gec-fair perturber annotate`.

{"task": "select", "axes": {"gender": {"man": "man", …}}, "subjects": [{"id": "a.txt:1", "words": […], …}, …]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from gec_fair.edits import Tokens
from gec_fair.evaluate.evalsets.review.tasks import AUDIT, LABELS, REWRITE, SELECT, TASKS
from gec_fair.runs.atomic import write_text
from gec_fair.runs.json_files import read_object, refuse_other_content

NAME = "annotation.json"
RESULT = "annotated.json"
"""The same, with the answers that were exported: what the next stage is made from."""
Span: TypeAlias = tuple[int, int, str]
"""Start and end of a word over the tokens of its text, half-open, and its axis."""
Axes: TypeAlias = Mapping[str, Mapping[str, str]]
"""Of each axis the attributes, and what the page calls them."""
_TEXTS = ("id", "source", "target", "label", "group", "facts")
_LISTS = ("fields", "words", "attributes", "rewriting")
_AGAIN = "make it again with `gec-fair perturber annotate`"


@dataclass(frozen=True, slots=True)
class Subject:
    """A text that is annotated.

    `fields` are its parts (a premise and a hypothesis), one of most texts; `words` cut the only field into the words
    that can be selected. `spans`: of `select` those that are suggested, of `attributes` those that want one, of
    `rewrite` the one that is to change. `attributes`: what is suggested for each span, "" where nothing is.
    `rewriting`: of `rewrite` what the annotator starts from, else what is judged. `source`, `target`: the attributes of
    a rewriting. `label`: the label that is checked. `group`: what the page filters by.
    """

    id: str
    fields: tuple[str, ...]
    words: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    attributes: tuple[str, ...] = ()
    rewriting: tuple[str, ...] = ()
    source: str = ""
    target: str = ""
    label: str = ""
    group: str = ""
    facts: str = ""

    @property
    def tokens(self) -> Tokens:
        """The words with the white space between them."""
        return Tokens.of(self.fields[0], self.words)

    def word(self, span: Span) -> str:
        """The words of a span as they are written."""
        start, end, _ = span
        tokens = self.tokens
        pieces = [*zip(tokens.words, tokens.after, strict=True)][start:end]
        return "".join(word + gap for word, gap in pieces)[: -len(pieces[-1][1]) or None]


@dataclass(frozen=True, slots=True)
class AnnotationSet:
    """The texts of one task; `axes` of the stages' tasks."""

    task: str
    axes: Axes
    subjects: tuple[Subject, ...]


def write_set(path: Path, annotation: AnnotationSet) -> None:
    """Write the set, a text a line; whole or not at all."""
    rows = [{name: value for name, value in asdict(one).items() if value} for one in annotation.subjects]
    head = json.dumps({"task": annotation.task, "axes": annotation.axes}, ensure_ascii=False)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    write_text(path, f'{head[:-1]}, "subjects": [\n{lines}\n]}}\n')


def read_set(path: Path) -> AnnotationSet:
    """The set of a file. InputError for one that no command wrote."""
    payload = read_object(path, _AGAIN)
    with refuse_other_content(path, _AGAIN):
        task, axes = payload["task"], payload["axes"]
        if task not in TASKS or task in ("twins", "bias"):
            raise ValueError(f"no task is called {task!r}")
        if not isinstance(axes, dict) or not all(_is_texts(names) for names in axes.values()):
            raise ValueError("axes are not attributes with their names")
        subjects = tuple(_subject(row, task, axes) for row in payload["subjects"])
        if not subjects:
            raise ValueError("no text in it")
    return AnnotationSet(task, axes, subjects)


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _subject(row: Mapping[str, Any], task: str, axes: Axes) -> Subject:
    """ValueError, TypeError or KeyError for what is not a text of the task."""
    if unknown := set(row) - {*_TEXTS, *_LISTS, "spans"}:
        raise ValueError(f"{', '.join(sorted(unknown))}: unknown")
    texts = {name: row[name] for name in _TEXTS if name in row}
    lists = {name: row[name] for name in _LISTS if name in row}
    if not all(isinstance(texts_, list) for texts_ in lists.values()):
        raise TypeError(f"{row['id']}: a list is missing")
    if not all(isinstance(text, str) for text in chain(texts.values(), *lists.values())):
        raise TypeError(f"{row['id']}: a text is missing")
    spans = tuple((start, end, axis) for start, end, axis in row.get("spans", ()))
    values: dict[str, Any] = {**texts, **{name: tuple(texts_) for name, texts_ in lists.items()}, "spans": spans}
    subject = Subject(**values)
    if task in (AUDIT, LABELS):
        is_usable = 0 < len(subject.fields) == len(subject.rewriting)
    else:
        is_usable = len(subject.fields) == 1 and _has_words(subject, axes) and (task == SELECT or bool(spans))
    if task == REWRITE:
        is_usable = is_usable and len(spans) == len(subject.rewriting) == 1 and subject.target in axes[spans[0][2]]
    if not is_usable:
        raise ValueError(f"{subject.id}: is not a text of the task {task}")
    return subject


def _has_words(subject: Subject, axes: Axes) -> bool:
    """Whether all spans are words of the text. ValueError for words that are not in it."""
    size = len(subject.tokens)
    are_spans = all(
        type(start) is int and type(end) is int and 0 <= start < end <= size and axis in axes
        for start, end, axis in subject.spans
    )
    return are_spans and len(subject.attributes) in (0, len(subject.spans))
