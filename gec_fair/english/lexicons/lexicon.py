"""All tables of `lexicons/` together: pronoun paradigms, gendered nouns, exceptions and first names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gec_fair.english.lexicons.names import Name, Names, read_names
from gec_fair.english.lexicons.nouns import Nouns, Term, read_nouns
from gec_fair.english.lexicons.paradigms import Paradigm, pronoun_tokens, read_paradigms
from gec_fair.english.lexicons.tables import Row, digest, read_table, shipped_directory, term_tokens
from gec_fair.errors import InputError, UsageError

EXCEPTION_COLUMNS = ("term", "kind", "why")
EXCEPTION_KINDS = ("man", "fixed", "beside …")
TABLES = ("pronouns.tsv", "nouns.tsv", "exceptions.tsv", "names.tsv")
DEMOGRAPHIC_TABLES = ("demographics.tsv", "targets.tsv")
"""Which the perturber reads."""
USER_TABLES = (*TABLES, *DEMOGRAPHIC_TABLES)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All tables together."""

    paradigms: Mapping[str, Paradigm]
    nouns: Nouns
    names: Names
    gendered_tokens: frozenset[str]
    """Every lower-cased he/she pronoun and every token that can start a listed noun term; names are `names.tokens`."""

    def __repr__(self) -> str:
        """How much is in the tables; they are too long to be printed."""
        nouns, names = len(self.nouns.terms) + len(self.nouns.titles), len(self.names.entries)
        return f"Lexicon({', '.join(self.paradigms)}; {nouns:,} nouns, {names:,} names)"


def load(extra: Path | str | None = None) -> Lexicon:
    """The shipped tables, overlaid with those of the same file name in the directory `extra`.

    A user's row replaces every shipped row that says something about the same word in the same direction; new
    exceptions are added. Cached: the tables are read once per directory.
    """
    return _load(Path(extra) if extra is not None else None)


def version(extra: Path | str | None = None) -> str:
    """What names the tables in a manifest: `sha256:` and sixteen digits over all of them."""
    return "sha256:" + digest([shipped_directory()] + ([user_directory(Path(extra))] if extra else []))


@cache
def _load(extra: Path | None) -> Lexicon:
    directories = [shipped_directory()] + ([user_directory(extra)] if extra else [])
    paradigms: dict[str, Paradigm] = {}
    terms: list[Term] = []
    names: list[Name] = []
    exceptions: dict[str, str] = {}
    fixed: dict[tuple[str, ...], str] = {}
    company: dict[tuple[str, ...], frozenset[str]] = {}
    for directory in directories:
        paths = {name: directory / name for name in TABLES if (directory / name).is_file()}
        if "pronouns.tsv" in paths:
            paradigms |= read_paradigms(paths["pronouns.tsv"])
        if "nouns.tsv" in paths:
            terms += read_nouns(paths["nouns.tsv"])
        if "names.tsv" in paths:
            names += read_names(paths["names.tsv"])
        if "exceptions.tsv" in paths:
            new = read_exceptions(paths["exceptions.tsv"])
            exceptions |= new.words
            fixed |= new.fixed
            company |= new.company
    first_names = {name.name.lower(): "a first name" for name in names if name.name.endswith(("man", "men"))}
    nouns = Nouns.from_terms(terms, first_names | exceptions, fixed, company)
    return Lexicon(paradigms, nouns, Names.from_rows(names), nouns.noun_tokens | pronoun_tokens())


def user_directory(directory: Path) -> Path:
    """The directory itself; UsageError if there is none, or no table in it."""
    if not directory.is_dir():
        raise UsageError(f"{directory}: no such directory; give one that holds any of {', '.join(USER_TABLES)}")
    if not any((directory / name).is_file() for name in USER_TABLES):
        raise UsageError(f"{directory}: holds none of {', '.join(USER_TABLES)}; name your tables like the shipped ones")
    return directory


class Exceptions(NamedTuple):
    """`words` that the -man/-woman rule leaves alone and `fixed` expressions in every tokenisation, each with its why;
    and for terms that count only beside certain words, these words (`company`)."""

    words: dict[str, str]
    fixed: dict[tuple[str, ...], str]
    company: dict[tuple[str, ...], frozenset[str]]


def read_exceptions(path: Path) -> Exceptions:
    """The rows of one table; InputError with file:line for a row that is not an exception."""
    exceptions = Exceptions({}, {}, {})
    for row in read_table(path, EXCEPTION_COLUMNS):
        term, kind, why = row.cells
        check_exception(row)
        if kind == "man":
            exceptions.words[term] = why
        elif kind == "fixed":
            exceptions.fixed.update(dict.fromkeys(term_tokens(term), why))
        else:
            exceptions.company.update(dict.fromkeys(term_tokens(term), frozenset(kind.split()[1:])))
    return exceptions


def check_exception(row: Row) -> None:
    """InputError with file:line for a row that is not an exception."""
    term, kind, _ = row.cells
    if not term or not (kind in ("man", "fixed") or kind.startswith("beside ")):
        known = ", ".join(EXCEPTION_KINDS)
        raise InputError(f"{row.where}: an exception needs a term and a kind ({known}); correct the cells")
