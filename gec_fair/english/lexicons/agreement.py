"""The verb forms that agree with *he* and their counterparts, as `lexicons/closed/agreement.tsv` pairs them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from gec_fair.english.lexicons.tables import Row, read_table
from gec_fair.english.lexicons.word_lists import directory
from gec_fair.errors import InputError

COLUMNS = ("singular", "other", "class")
CLASSES = ("auxiliary", "open")


class AgreeingForms(NamedTuple):
    """*is* and *are*: the third person singular and the form of every other person. `is_auxiliary`: of be, have, do."""

    singular: str
    plural: str
    is_auxiliary: bool


def table_path() -> Path:
    """The shipped table."""
    return directory() / "agreement.tsv"


def load_agreement() -> list[AgreeingForms]:
    """The shipped pairs. InputError with file and line for a row with an empty cell or an unknown class."""
    return list(map(parse_agreement, read_table(table_path(), COLUMNS)))


def parse_agreement(row: Row) -> AgreeingForms:
    """One row. InputError with file and line for an empty cell or an unknown class."""
    singular, plural, verb_class = row.cells
    if not singular or not plural:
        raise InputError(f"{row.where}: a form is empty; fill both cells")
    if verb_class not in CLASSES:
        raise InputError(f"{row.where}: class is auxiliary or open, not {verb_class!r}; correct the cell")
    return AgreeingForms(singular, plural, verb_class == "auxiliary")
