"""A pronoun paradigm is five forms and an agreement, read from `lexicons/pronouns.tsv`.

    nominative   she knows       they know        xe knows
    accusative   I saw her       I saw them       I saw xem
    determiner   her book        their book       xyr book
    independent  it is hers      it is theirs     it is xyrs
    reflexive    saw herself     saw themself     saw xemself

The he/she forms that a text may hold are read back with `forms_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType

from gec_fair.english.lexicons.tables import Row, read_table, shipped_directory
from gec_fair.errors import InputError, UsageError

COLUMNS = ("name", "nominative", "accusative", "determiner", "independent", "reflexive", "agreement", "variants")
AGREEMENTS = ("singular", "plural")
_UNMISTAKABLE = ("xe", "xe-xir", "ze", "ze-hir", "zie", "fae")


class Gender(Enum):
    """The two grammatical genders that the swaps lead between; the value is the paradigm's name."""

    FEMININE = "feminine"
    MASCULINE = "masculine"

    @property
    def opposite(self) -> Gender:
        """Masculine for feminine, and the reverse."""
        return Gender.MASCULINE if self is Gender.FEMININE else Gender.FEMININE


class Form(Enum):
    """The five forms of a paradigm; the value is the name of the field that holds it."""

    NOMINATIVE = "nominative"
    ACCUSATIVE = "accusative"
    DETERMINER = "determiner"
    INDEPENDENT = "independent"
    REFLEXIVE = "reflexive"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """`plural_agreement`: the verb takes the plural form even for one person (*they know*). `variants` are
    nonstandard spellings that learners write for a form; they are recognised, never produced."""

    name: str
    nominative: str
    accusative: str
    determiner: str
    independent: str
    reflexive: str
    plural_agreement: bool
    variants: tuple[tuple[Form, str], ...] = ()

    def form(self, form: Form) -> str:
        """The word of the paradigm in this form."""
        word: str = getattr(self, form.value)
        return word

    def with_reflexive(self, reflexive: str) -> Paradigm:
        """The same paradigm with another reflexive, e.g. *themselves* instead of *themself*."""
        return replace(self, reflexive=reflexive)

    def readings(self) -> Iterable[tuple[str, Form]]:
        """Every (word, form) of the paradigm, nonstandard spellings included."""
        yield from ((self.form(form), form) for form in Form)
        yield from ((word, form) for form, word in self.variants)


def paradigm(name: str) -> Paradigm:
    """The shipped paradigm of that name; UsageError naming the known ones if there is none."""
    known = all_paradigms()
    if name not in known:
        raise UsageError(
            f"no paradigm is called {name!r}; known: {', '.join(known)}; "
            "or give its five forms as nominative/accusative/determiner/independent/reflexive[:plural]"
        )
    return known[name]


@cache
def all_paradigms() -> Mapping[str, Paradigm]:
    """The shipped paradigms by name, in the table's order."""
    return MappingProxyType(read_paradigms(shipped_directory() / "pronouns.tsv"))


def user_paradigm(forms: str) -> Paradigm:
    """`xe/xem/xyr/xyrs/xemself`, with `:plural` (or `:singular`, the default) for the agreement of its verbs."""
    words, _, agreement = forms.partition(":")
    parts = [part.strip().lower() for part in words.split("/")]
    if len(parts) != len(Form) or not all(_is_word(part) for part in parts):
        raise UsageError(
            f"{forms!r} is not a paradigm: give five words nominative/accusative/determiner/independent/reflexive, "
            f"as in xe/xem/xyr/xyrs/xemself, or a known name: {', '.join(all_paradigms())}"
        )
    if (agreement or "singular") not in AGREEMENTS:
        raise UsageError(f"{forms!r}: the agreement after the colon is singular or plural, not {agreement!r}")
    nominative, accusative, determiner, independent, reflexive = parts
    return Paradigm(
        nominative, nominative, accusative, determiner, independent, reflexive, plural_agreement=agreement == "plural"
    )


def named_or_user_paradigm(text: str) -> Paradigm:
    """What `--paradigm` takes: a known name in any case, or five forms with slashes. UsageError for he and she."""
    if "/" in text:
        return user_paradigm(text)
    if text.lower() in ("he", "she", *(gender.value for gender in Gender)):
        raise UsageError(
            f"--paradigm {text} is not a neopronoun; choose xe, ze, ey, fae, … (`augment fm` swaps he and she)"
        )
    return paradigm(text.lower())


@cache
def _read_gendered() -> Mapping[str, frozenset[tuple[Gender, Form]]]:
    readings: dict[str, set[tuple[Gender, Form]]] = {}
    for gender in Gender:
        for word, form in paradigm(gender.value).readings():
            readings.setdefault(word, set()).add((gender, form))
    return {word: frozenset(readings) for word, readings in readings.items()}


@cache
def all_pronouns() -> frozenset[str]:
    """Every lower-cased form of every shipped paradigm, misspelt variants included."""
    return frozenset(word for paradigm in all_paradigms().values() for word, _ in paradigm.readings())


@cache
def unmistakable_neopronouns() -> frozenset[str]:
    """The lower-cased forms of neopronouns that are no other words, as *per*, *e* and *em* are."""
    forms = (all_paradigms()[name].form(form) for name in _UNMISTAKABLE for form in Form)
    return frozenset(forms) - pronoun_tokens()


def gendered_pronouns(gender: Gender) -> frozenset[str]:
    """The lower-cased forms of *she* or of *he*, without misspelt variants."""
    forms = paradigm(gender.value)
    return frozenset(forms.form(form) for form in Form)


def forms_of(word: str) -> frozenset[tuple[Gender, Form]]:
    """The readings of a lower-cased he/she word: *her* is accusative or determiner, *his* determiner or independent.

    Empty for every other word. *hisself*, which learners write, is read as the masculine reflexive.
    """
    return _read_gendered().get(word, frozenset())


@cache
def pronoun_tokens() -> frozenset[str]:
    """Every lower-cased word that `forms_of` knows."""
    return frozenset(_read_gendered())


def read_paradigms(path: Path) -> dict[str, Paradigm]:
    """The paradigms of one table; InputError with file:line for a row that is none."""
    by_name: dict[str, Paradigm] = {}
    for row in read_table(path, COLUMNS):
        read = parse_paradigm(row)
        if read.name in by_name:
            raise InputError(f"{row.where}: the paradigm {read.name!r} appears twice; rename or remove one")
        by_name[read.name] = read
    return by_name


def parse_paradigm(row: Row) -> Paradigm:
    """One row; InputError with file:line if it is not a paradigm."""
    name, nominative, accusative, determiner, independent, reflexive, agreement, variants = row.cells
    forms = (nominative, accusative, determiner, independent, reflexive)
    if not name or not all(_is_word(form) and form == form.lower() for form in forms):
        raise InputError(f"{row.where}: a paradigm needs a name and five lower-case forms; fill or correct the cells")
    if agreement not in AGREEMENTS:
        raise InputError(f"{row.where}: agreement is singular or plural, not {agreement!r}; correct the cell")
    return Paradigm(
        name,
        nominative,
        accusative,
        determiner,
        independent,
        reflexive,
        plural_agreement=agreement == "plural",
        variants=_variants(row, variants),
    )


def _variants(row: Row, cell: str) -> tuple[tuple[Form, str], ...]:
    pairs = [item.partition("=") for item in cell.split(",") if item]
    known = {form.value: form for form in Form}
    for form, _, word in pairs:
        if form not in known or not word:
            raise InputError(f"{row.where}: variants are written form=word, e.g. reflexive=hisself; correct the cell")
    return tuple((known[form], word) for form, _, word in pairs)


def _is_word(text: str) -> bool:
    return bool(text) and all(sign.isalpha() or sign in "'’-" for sign in text)
