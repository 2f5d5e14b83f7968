"""PANDA (Qian et al. 2022, §3) in both its forms, and what a model trains on.

the archive's   original  selected_word  perturbed_category  rewrite
the hub's       original  selected_word  target_attribute    perturbed
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.data.user_tables import valid_rows
from gec_fair.errors import InputError, UsageError
from gec_fair.people.terms.axes import SHIPPED
from gec_fair.perturber.rewriting.segments import SEPARATOR, occurs

_FORMS = (
    ("original", "selected_word", "perturbed_category", "rewrite"),
    ("original", "selected_word", "target_attribute", "perturbed"),
)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A text, the word that was selected, the attribute that it was to have, and what an annotator made of it. Fields
    of a text of several are joined by ` <SEP> `."""

    original: str
    word: str
    target: str
    rewritten: str

    @property
    def axis(self) -> str:
        """The axis of the target attribute."""
        return SHIPPED.axis_of(self.target)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the original text, split at ` <SEP> `."""
        return tuple(part.strip() for part in self.original.split(SEPARATOR))

    @property
    def usable(self) -> bool:
        """Whether the selected word stands in the text."""
        return occurs(self.word, self.fields)


def read(path: Path) -> list[Rewrite]:
    """The rows of a CSV, TSV or JSONL file, white space at the ends of texts taken off. Raises as `valid_rows` does,
    and InputError for columns of neither form, or for a row with an attribute that is none."""
    rewrites = []
    for line, row in valid_rows(path):
        names = next((form for form in _FORMS if all(isinstance(row.get(name), str) for name in form)), None)
        if names is None:
            forms = "; or ".join(", ".join(form) for form in _FORMS)
            raise InputError(f"{path}:{line}: has {', '.join(map(str, row))}; PANDA's columns are {forms}")
        original, word, target, rewritten = (row[name].strip() for name in names)
        try:
            rewrites.append(Rewrite(original, word, SHIPPED.attribute(target), rewritten))
        except UsageError as fault:
            raise InputError(f"{path}:{line}: {fault}") from fault
    return rewrites


def read_annotators(files: Sequence[Path]) -> list[list[Rewrite]]:
    """The rows of several annotators. InputError where they are not about the same texts, words and attributes."""
    first, *others = files
    annotators = [read(file) for file in files]
    for file, rows in zip(others, annotators[1:], strict=True):
        if len(rows) != len(annotators[0]):
            raise InputError(f"{file}: has {len(rows):,} rows, and {first} {len(annotators[0]):,}; give the same rows")
        for number, (a, b) in enumerate(zip(annotators[0], rows, strict=True), 1):
            if (a.original, a.word, a.target) != (b.original, b.word, b.target):
                raise InputError(
                    f"{file}: row {number} is not about the text, word and attribute of {first}'s; give "
                    "rows in the same order"
                )
    return annotators
