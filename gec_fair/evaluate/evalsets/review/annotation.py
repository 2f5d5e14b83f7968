"""A folder of texts to annotate, of one of PANDA's stages: annotation.json, written by `gec-fair perturber annotate`.

{"task": "select", "axes": {"gender": ["man", …]}, "subjects": [{"id": "a.txt:1", "text": "Anna lost …", …}, …]}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from pydantic import ConfigDict, TypeAdapter, ValidationError

from gec_fair.edits import Tokens
from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.tasks import REWRITE, SELECT, STAGES
from gec_fair.runs.atomic import write_json

NAME = "annotation.json"
RESULT = "annotated.json"
"""The same, with the answers that were exported: what the next stage is made from."""
Span: TypeAlias = tuple[int, int, str]
"""Start and end of a word over the tokens of its text, half-open, and its axis."""
Axes: TypeAlias = Mapping[str, tuple[str, ...]]
"""The attributes of each axis."""
_KNOWN_ONLY = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Subject:
    """A text that is annotated. `words` cut it into what can be selected. `spans`: the words that were selected, one
    alone where it is to change; `attributes`: one for each span, once they are chosen; `target`: what the person of the
    word is to become. ValueError for spans that are not words of the text."""

    __pydantic_config__ = _KNOWN_ONLY
    id: str
    text: str
    words: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    attributes: tuple[str, ...] = ()
    target: str = ""

    def __post_init__(self) -> None:
        size, spans = len(self.tokens), len(self.spans)
        if not all(0 <= start < end <= size for start, end, _ in self.spans) or len(self.attributes) not in (0, spans):
            raise ValueError(f"{self.id}: spans or attributes are not of words in it")

    @property
    def tokens(self) -> Tokens:
        """The words with the white space between them."""
        return Tokens.of(self.text, self.words)

    def word(self, span: Span) -> str:
        """The words of a span as they are written."""
        start, end, _ = span
        tokens = self.tokens
        pieces = [*zip(tokens.words, tokens.after, strict=True)][start:end]
        return "".join(word + gap for word, gap in pieces)[: -len(pieces[-1][1]) or None]


@dataclass(frozen=True, slots=True)
class AnnotationSet:
    """The texts of one stage. ValueError for a text that is not of the stage, and for none."""

    __pydantic_config__ = _KNOWN_ONLY
    task: str
    axes: Axes
    subjects: tuple[Subject, ...]

    def __post_init__(self) -> None:
        if self.task not in STAGES:
            raise ValueError(f"no stage is called {self.task!r}")
        if not self.subjects:
            raise ValueError("no text in it")
        for subject in self.subjects:
            if not self._has(subject):
                raise ValueError(f"{subject.id}: is not a text of the stage {self.task}")

    def _has(self, subject: Subject) -> bool:
        axes = [axis for *_, axis in subject.spans]
        if self.task == REWRITE:
            return len(axes) == len(subject.attributes) == 1 and subject.target in self.axes.get(axes[0], ())
        return set(axes) <= set(self.axes) and (self.task == SELECT or bool(axes))


def write_set(path: Path, annotation: AnnotationSet) -> None:
    """Write the set; whole or not at all."""
    write_json(path, asdict(annotation))


def read_set(path: Path) -> AnnotationSet:
    """The set of a file. InputError for one that no command wrote."""
    try:
        return TypeAdapter(AnnotationSet).validate_json(path.read_bytes(), strict=True)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        reason = f"{place}: {first['msg']}" if place else first["msg"]
        raise InputError(f"{path}: {reason}; make it again with `gec-fair perturber annotate`") from fault
