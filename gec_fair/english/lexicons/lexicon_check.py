"""Are the tables what the swaps rely on? Every fault is found at once, with file, line and remedy.

pronouns    the paradigms that the swaps name are there, forms in lower case
nouns       `both` rows are a bijection, no word is swapped twice, none is feminine and masculine, plurals are filled
exceptions  words of kind man end in -man or -men, fixed expressions hold a gendered word, none is a row of nouns
names       the counterpart of the counterpart is the name, genders differ, sides are of one size, no other table has it
word lists  no word is twice in a list, and no list in two tables; of emotions and verb pairs, each row is well formed
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gec_fair.english.lexicons import check as shared
from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.lexicon import EXCEPTION_COLUMNS, TABLES, USER_TABLES, check_exception
from gec_fair.english.lexicons.names import COLUMNS as NAME_COLUMNS
from gec_fair.english.lexicons.names import Name, parse_name
from gec_fair.english.lexicons.nouns import DIRECTIONS, NOUN_COLUMNS, RULE, TITLE_ONLY, Nouns, Term, row_terms
from gec_fair.english.lexicons.paradigms import COLUMNS as PRONOUN_COLUMNS
from gec_fair.english.lexicons.paradigms import Gender, parse_paradigm, pronoun_tokens
from gec_fair.english.lexicons.tables import Row, find_repeated, parse_rows, read_table, rows_of, shipped_directory
from gec_fair.errors import UsageError

HEADER_WORDS = ("What:", "Source:", "Licence:", "Columns:")
NEEDED_PARADIGMS = ("feminine", "masculine", "they")
COLUMNS: Mapping[str, Sequence[str]] = {
    "pronouns.tsv": PRONOUN_COLUMNS,
    "nouns.tsv": NOUN_COLUMNS,
    "exceptions.tsv": EXCEPTION_COLUMNS,
    "names.tsv": NAME_COLUMNS,
}


@dataclass(frozen=True, slots=True)
class Report:
    """`faults` are sentences that begin with file:line; `counts` say how much stands in each table."""

    faults: tuple[str, ...]
    counts: Mapping[str, int]


def check(directory: Path | None = None) -> Report:
    """Check the tables of `directory`, or one table of a user's (None: the shipped ones). A user's tables are checked
    as an overlay: what they refer to may stand in the shipped ones. Raises what `lexicon.load` raises for a directory
    without tables, and UsageError for a file that has not the name of a table."""
    shipped = shipped_directory()
    names: Collection[str] = TABLES
    if directory is not None and directory.is_file():
        if directory.name not in USER_TABLES:
            raise UsageError(f"{directory}: tables are called {', '.join(USER_TABLES)}; rename the file")
        place, names = directory.parent, {directory.name}.intersection(TABLES)
    else:
        place = shipped if directory is None else lexicon.user_directory(directory)
    rows: dict[str, list[Row]] = {}
    faults: list[str] = []
    for name in names:
        path = place / name
        if path.is_file():
            faults += header_faults(path)
            rows[name] = rows_of(path, COLUMNS[name], faults)
        elif directory is None:
            faults.append(f"{name}:1: the shipped table is missing; reinstall gec-fair")
    overlay = place.resolve() != shipped.resolve()
    base = {name: read_table(shipped / name, COLUMNS[name]) for name in TABLES} if overlay else {}
    faults += _check_rows(rows, base)
    counts = _counts(rows)
    if directory is None:
        faults += [fault for path in shared.shared_tables() for fault in header_faults(path)]
        faults += shared.shared_table_faults()
        counts |= shared.shared_table_counts()
    return Report(tuple(dict.fromkeys(faults)), counts)


def _check_rows(rows: Mapping[str, list[Row]], base: Mapping[str, list[Row]]) -> list[str]:
    faults: list[str] = []
    terms = _terms(rows.get("nouns.tsv", []), faults)
    base_terms = _terms(base.get("nouns.tsv", []), [])
    names = parse_rows(rows.get("names.tsv", []), parse_name, faults)
    base_names = parse_rows(base.get("names.tsv", []), parse_name, [])
    faults += _pronoun_faults(rows.get("pronouns.tsv"), overlay=bool(base))
    faults += _empty_cells(rows.get("nouns.tsv", []))
    faults += _noun_faults(terms)
    gendered = {words for _, term in base_terms + terms for words in [term.words]}
    known_names = {name.name.lower() for _, name in base_names + names}
    faults += _exception_faults(rows.get("exceptions.tsv", []), gendered, known_names)
    faults += _name_faults(names, base_names)
    faults += _sides(names)
    faults += _overlaps(names, gendered)
    return faults


def _terms(rows: Sequence[Row], faults: list[str]) -> list[tuple[Row, Term]]:
    return [(row, term) for row, terms in parse_rows(rows, lambda row: list(row_terms(row)), faults) for term in terms]


def header_faults(path: Path) -> Iterator[str]:
    """What the comments of a table lack: what it is, its source, its licence, its columns."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return
    comments = [line for line in text.split("\n") if line.startswith("#")]
    for word in HEADER_WORDS:
        if not any(line.lstrip("# ").startswith(word) for line in comments):
            yield f"{path.name}:1: the header lacks {word}; add a comment line `# {word} ...`"


def _pronoun_faults(rows: Sequence[Row] | None, *, overlay: bool) -> list[str]:
    faults: list[str] = []
    for row, earlier in find_repeated((row, row.cells[0]) for row in rows or ()):
        where = f"{row.where}: the paradigm {row.cells[0]!r} stands also in line {earlier.line}"
        faults.append(f"{where}; rename or remove one")
    parse_rows(rows or (), parse_paradigm, faults)
    missing = [] if rows is None or overlay else [*NEEDED_PARADIGMS]
    missing = [name for name in missing if name not in {row.cells[0] for row in rows or ()}]
    return faults + [f"pronouns.tsv:1: the paradigm {name!r} is missing; the swaps need it" for name in missing]


def _empty_cells(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        raw = row.path.read_bytes().decode("utf-8-sig").split("\n")[row.line - 1].rstrip("\r").split("\t")
        if any(not cell.strip() for cell in raw[:4]):
            yield f"{row.where}: a word or plural is empty; fill it, or write - where there is none"


def _noun_faults(terms: Sequence[tuple[Row, Term]]) -> Iterator[str]:
    sources: dict[tuple[bool, tuple[str, ...]], Row] = {}
    genders: dict[tuple[str, ...], tuple[Gender, Row]] = {}
    for row, term in terms:
        word = " ".join(term.words)
        if any(part != part.lower() for part in (*term.words, *term.replacement)):
            new = " ".join(term.replacement)
            yield f"{row.where}: {word!r} → {new!r} is not all lower case; the swap sets the case"
        if term.words == term.replacement:
            yield f"{row.where}: {word!r} swaps to itself; remove the row, or name its counterpart"
        first = sources.setdefault((term.readings == TITLE_ONLY, term.words), row)
        if first is not row:
            yield f"{row.where}: {word!r} is swapped by line {first.line} already; make one of the rows one-way"
    for row, term in terms:
        for words, gender in ((term.words, term.gender), (term.replacement, term.gender.opposite)):
            earlier, line = genders.setdefault(words, (gender, row))
            if earlier is not gender:
                yield f"{row.where}: {' '.join(words)!r} is {earlier.value} in line {line.line}; it cannot be both"


def _exception_faults(rows: Sequence[Row], gendered: set[tuple[str, ...]], names: set[str]) -> Iterator[str]:
    rule = Nouns.from_terms([])
    first_words = {words[0] for words in gendered}
    faults: list[str] = []
    sound = [row for row, _ in parse_rows(rows, check_exception, faults)]
    yield from faults
    for row, earlier in find_repeated((row, row.cells[0]) for row in sound):
        yield f"{row.where}: {row.cells[0]!r} stands also in line {earlier.line}; remove one"
    for row in sound:
        term, kind, _ = row.cells
        if term != term.lower():
            yield f"{row.where}: {term!r} is not all lower case; exceptions are compared in lower case"
        if kind == "man" and not term.endswith(("man", "men")):
            yield f"{row.where}: {term!r} does not end in -man or -men, so the rule never meets it; remove the row"
        if kind == "man" and (term,) in gendered and term not in RULE:
            yield f"{row.where}: {term!r} is swapped by nouns.tsv and excepted here; remove one of the rows"
        parts = term.replace("-", " ").split()
        if kind == "fixed" and not any(part in first_words or part in names or rule.compound(part) for part in parts):
            yield f"{row.where}: nothing in {term!r} would be swapped; remove the row"


def _name_faults(names: Sequence[tuple[Row, Name]], base: Sequence[tuple[Row, Name]]) -> Iterator[str]:
    merged = {name.name.lower(): (row, name) for row, name in [*base, *names]}
    paths = {row.path for row, _ in names}
    for row, name in names:
        if name.name[0] != name.name[0].upper() or name.name.isupper():
            yield f"{row.where}: {name.name!r} is not written with a capital first letter; the swap sets the case"
    for row, earlier in find_repeated((row, name.name.lower()) for row, name in names):
        yield f"{row.where}: {row.cells[0]!r} stands also in line {earlier.line}; remove one"
    for row, name in merged.values():
        if not name.counterpart:
            continue
        back = merged.get(name.counterpart.lower())
        where = row.where if row.path in paths or back is None else back[0].where
        if back is None:
            yield f"{where}: the counterpart {name.counterpart!r} of {name.name!r} has no row; add it"
        elif back[1].gender is name.gender:
            both = f"{name.name!r} and its counterpart {name.counterpart!r}"
            yield f"{where}: {both} are both {name.gender.value}; change one"
        elif back[1].counterpart != name.name:
            yield (
                f"{where}: {name.name!r} swaps to {name.counterpart!r}, which swaps to {back[1].counterpart or '-'!r}; "
                "mapping twice must give the name back: give each the other"
            )


def _sides(names: Sequence[tuple[Row, Name]]) -> Iterator[str]:
    sizes = {gender: [name.gender for _, name in names].count(gender) for gender in Gender}
    if len(set(sizes.values())) > 1:
        sizes_text = ", ".join(f"{size} {gender.value}" for gender, size in sizes.items())
        yield f"names.tsv:1: the sides differ in size ({sizes_text}); a one-to-one mapping needs as many on each"


def _overlaps(names: Sequence[tuple[Row, Name]], gendered: set[tuple[str, ...]]) -> Iterator[str]:
    for row, name in names:
        word = name.name.lower()
        if (word,) in gendered:
            yield f"{row.where}: {name.name!r} is a word of nouns.tsv as well; remove one of the rows"
        if word in pronoun_tokens():
            yield f"{row.where}: {name.name!r} is a pronoun of pronouns.tsv as well; remove the row"


def _counts(rows: Mapping[str, list[Row]]) -> dict[str, int]:
    nouns = rows.get("nouns.tsv", [])
    exceptions = rows.get("exceptions.tsv", [])
    names = rows.get("names.tsv", [])
    counts = {
        "paradigms": len(rows.get("pronouns.tsv", [])),
        "noun pairs": len(nouns),
        "noun pairs with a plural": sum(bool(row.cells[2]) for row in nouns),
    }
    counts |= {f"noun pairs {way}": sum(row.cells[5] == way for row in nouns) for way in DIRECTIONS}
    counts |= {
        f"exceptions {kind}": sum(row.cells[1].split()[:1] == [kind] for row in exceptions)
        for kind in ("man", "fixed", "beside")
    }
    counts |= {f"names {gender.value}": sum(row.cells[1] == gender.value for row in names) for gender in Gender}
    return counts
