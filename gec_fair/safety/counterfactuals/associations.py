"""Associations of a group that a swap may turn into nonsense (`lexicons/associations.tsv`): the self-critique of §4,
without a model. A counterfactual with one is marked, not dropped: a reviewer decides.

    Hindus were murdered in the Holocaust       history: holocaust
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gec_fair.english.lexicons.check import ASSOCIATION_COLUMNS, ASSOCIATION_KINDS, associations_path
from gec_fair.english.lexicons.tables import read_table, term_tokens
from gec_fair.errors import InputError
from gec_fair.safety.data.groups import Slice

_ANY_ENDING = "*"


@dataclass(frozen=True, slots=True)
class Association:
    """`words`: lower-case tokens; `is_open`: the last may go on (*terror*, *terrorists*)."""

    kind: str
    words: tuple[str, ...]
    is_open: bool

    def __str__(self) -> str:
        return f"{self.kind}: {' '.join(self.words)}"

    def stands_at(self, words: Sequence[str], at: int) -> bool:
        """Whether it is said at a token of a lower-cased text."""
        span = tuple(words[at : at + len(self.words)])
        if not self.is_open or len(span) < len(self.words):
            return span == self.words
        return span[:-1] == self.words[:-1] and span[-1].startswith(self.words[-1])


@cache
def load(path: Path | None = None) -> Mapping[Slice, tuple[Association, ...]]:
    """The shipped table, or another, by subgroup. InputError with file and line for a row that is wrong."""
    table: dict[Slice, tuple[Association, ...]] = {}
    for row in read_table(path or associations_path(), ASSOCIATION_COLUMNS):
        category, subgroup, kind, terms, _ = row.cells
        if kind not in ASSOCIATION_KINDS or not all((category, subgroup, terms)):
            raise InputError(
                f"{row.where}: kind is {kind!r}; it is one of {', '.join(ASSOCIATION_KINDS)}, and no cell is empty"
            )
        who = Slice(category, subgroup)
        table[who] = table.get(who, ()) + tuple(
            Association(kind, words, term.endswith(_ANY_ENDING))
            for term in terms.split("|")
            for words in term_tokens(term.removesuffix(_ANY_ENDING))  # hyphens attached and apart: make - up
        )
    return table


def find(words: Sequence[str], source: Slice) -> list[Association]:
    """The associations of a subgroup that a tokenised text says, in the table's order, each once."""
    lower = [word.lower() for word in words]
    return [
        association
        for association in load().get(source, ())
        if any(association.stands_at(lower, at) for at in range(len(lower)))
    ]
