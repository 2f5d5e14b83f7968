"""The families read backwards: where each cell of the tables could act, and which cell a learner's edit comes from.

    correct   He goes to school .
    edit      1:2 goes → go        cell  [form] VBZ → VB, by the group on the left: third

What an edit of ERRANT's joins is taken apart where the parts are slips and the whole is none. `noise_rates.py` counts
both to estimate the rates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import OSA, Levenshtein, Prefix

from gec_fair.edits import Edit
from gec_fair.english.lexicons.tables import read_table
from gec_fair.errors import InputError
from gec_fair.gec.noise.closed import leave_out, neighbour
from gec_fair.gec.noise.forms import exchange_ending, inflect, keys, main_tag, name_choice, read_as
from gec_fair.gec.noise.inflections import has_form
from gec_fair.gec.noise.rates import CAPITAL, LOWER
from gec_fair.gec.noise.surface import case_key
from gec_fair.gec.noise.words import CLOSED, Text, Word, word

LOOKALIKES = Path(__file__).with_name("lookalikes.tsv")
EVERYWHERE = "*"
_LIKE = "like"  # a verb as often as a preposition, which its left neighbour decides
_NEGATIONS = frozenset("not n't n’t nt no never nor".split())  # one more or less of these changes the meaning
_LONGEST_PHRASE = 3
_LONGEST_ENDING = 5
_SHORTEST_STEM = 3


class Cell(NamedTuple):
    """A row and a written word of a table, and the context that its rate goes by. For [letters] they are the whole
    words; the context of [ending] is the word."""

    table: str
    old: str
    new: str
    context: str = EVERYWHERE


class Place(NamedTuple):
    """Where a row of a table could act, in which context; that of [case] is what could be written."""

    table: str
    old: str
    context: str = EVERYWHERE


@cache
def lookalikes() -> dict[tuple[str, str], str]:
    """(right, written) → real_word or compound."""
    tables: dict[tuple[str, str], str] = {}
    for row in read_table(LOOKALIKES, ("words", "table", "way")):
        cells, table, way = row.cells
        if table not in ("real_word", "compound") or way not in ("both", "last"):
            raise InputError(f"{row.where}: expected real_word or compound, both or last; correct the cells")
        words = [cell.replace("_", " ") for cell in cells.split()]
        for old in words:
            written = words if way == "both" else words[-1:]
            tables |= {(old, new): table for new in written if new != old}
    return tables


def places(text: Text) -> Iterator[Place]:
    """Every place of a correct sentence where a slip could be made; those of endings and letters are its words."""
    for at, entry in enumerate(text.entries):
        yield from _around(text, at, entry)
        if not entry.guarded:
            yield from (Place("form", key, text.group(start - 1)) for start, key in keys(text, at))
            if (tag := main_tag(text.readings(at))) and (name := name_choice(entry.lower, tag)):
                yield Place("choice", name)


def _around(text: Text, at: int, entry: Word) -> Iterator[Place]:
    left, right = text.group(at - 1), text.group(at + 1)
    yield Place("confuse", entry.lower, neighbour(text, at))
    yield Place("extra", text.group(at), left)
    yield Place("order", text.group(at), right)
    for end in range(at + 1, min(at + _LONGEST_PHRASE, len(text.entries)) + 1):
        yield Place("phrase", " ".join(word.lower for word in text.entries[at:end]))
    if at + 1 < len(text.entries) and entry.group == "end" and text.words[at + 1][:1].isupper():
        yield Place("stop", entry.text, right)
    if entry.group == "comma":
        yield Place("comma", left, right)
    if entry.text[:1].isalpha():
        yield Place("case", case_key(text, at), LOWER if entry.text[:1].isupper() else CAPITAL)


def explain(text: Text, edit: Edit) -> list[Cell]:
    """The cells that make an edit of a correct text, one for each slip; none if the families cannot make it, or should
    not: a corrector cannot know that a *not* was left out."""
    if _negations(text.words[edit.start : edit.end]) != _negations(edit.replacement):
        return []
    cells = _explain_unsplit(text, edit)
    if cells or max(edit.end - edit.start, len(edit.replacement)) < 2:
        return cells
    parts = [_explain_unsplit(text, part) for part in _parts(text, edit)]
    return [cell for part in parts for cell in part] if all(parts) else []


def _negations(words: tuple[str, ...]) -> int:
    return sum(word.lower() in _NEGATIONS for word in words)


def _parts(text: Text, edit: Edit) -> Iterator[Edit]:
    old = [word.lower() for word in text.words[edit.start : edit.end]]
    new = [word.lower() for word in edit.replacement]
    for op in Levenshtein.opcodes(old, new):
        span = range(edit.start + op.src_start, edit.start + op.src_end)
        written = edit.replacement[op.dest_start : op.dest_end]
        if op.tag in ("delete", "insert"):
            yield Edit(span.start, span.stop, written)
            continue
        for at, new_word in zip(span, written, strict=True):
            if text.words[at] != new_word:
                yield Edit(at, at + 1, (new_word,))


def _explain_unsplit(text: Text, edit: Edit) -> list[Cell]:
    return next((cells for way in _WAYS if (cells := list(way(text, edit)))), [])


def _case(text: Text, edit: Edit) -> Iterator[Cell]:
    old = text.words[edit.start : edit.end]
    if [word.lower() for word in old] == [word.lower() for word in edit.replacement]:
        for at, (right, written) in enumerate(zip(old, edit.replacement, strict=True), start=edit.start):
            if right[:1] != written[:1] and (at != text.first or right[:1].isupper()):
                yield Cell("case", case_key(text, at), LOWER if written[:1].islower() else CAPITAL)


def _mark(text: Text, edit: Edit) -> Iterator[Cell]:
    """Commas, and full stops between sentences."""
    at, new = edit.start, edit.replacement
    one_for_comma = edit.end - at == 1 and text.entries[at].group == "comma" and len(new) < 2
    if one_for_comma and all(map(_may_be_put_in, new)):
        yield Cell("comma", text.group(at - 1), "".join(new), text.group(at + 1))
    between = edit.end - at == 2 and text.entries[at].group == "end" and text.words[at + 1][:1].isupper()
    if between and new[-1:] == (text.words[at + 1].lower(),) and len(new) < 3 and not _has_letter(new[:-1]):
        yield Cell("stop", text.words[at], "".join(new[:-1]), text.group(at + 1))


def _has_letter(words: tuple[str, ...]) -> bool:
    return any(char.isalnum() for word in words for char in word)


def _lookalike(text: Text, edit: Edit) -> Iterator[Cell]:
    old = " ".join(text.words[edit.start : edit.end]).lower()
    new = " ".join(edit.replacement).lower()
    table = lookalikes().get((old, new))
    if table is not None:
        yield Cell(table, old, new)


def _little(text: Text, edit: Edit) -> Iterator[Cell]:
    """One little word for another, left out or put in."""
    at, new = edit.start, tuple(new_word.lower() for new_word in edit.replacement)
    old = tuple(entry.lower for entry in text.entries[at : edit.end])
    if at < len(text.words) and (not old or (at == text.first and old == new[-1:] and len(new) > 1)):
        put_in = new[: len(new) - len(old)]
        if 0 < len(put_in) < 3 and all(map(_may_be_put_in, put_in)):
            yield Cell("extra", text.group(at), " ".join(put_in), text.group(at - 1))
    elif old and _is_little(old[0]) and text.entries[at].group != "comma":
        gone = leave_out(text, at)
        if gone is not None and edit.end == gone[0] and new == tuple(new_word.lower() for new_word in gone[1]):
            yield Cell("confuse", old[0], "", neighbour(text, at))
        elif len(old) == len(new) == 1 and _may_stand_for(new[0], old[0]):
            yield Cell("confuse", old[0], new[0], neighbour(text, at))


def _is_little(lower: str) -> bool:
    entry = word(lower)
    return (entry.group in CLOSED or entry.group == "adverb" or lower == _LIKE) and not entry.guarded


def _may_be_put_in(text: str) -> bool:
    return _is_little(text.lower()) or not _has_letter((text,))


def _may_stand_for(new: str, old: str) -> bool:
    entry = word(new)
    if not _has_letter((new,)):
        return True
    known = entry.known and not entry.guarded and (entry.group in CLOSED or bool(entry.tags))
    return known and _has_letter((old,))


def _form(text: Text, edit: Edit) -> Iterator[Cell]:
    """Another form of the same verb, noun or adjective, with its *to*, *have*, *more*."""
    new = tuple(new_word.lower() for new_word in edit.replacement)
    if not 0 < len(new) < 4 or edit.end == edit.start or not all(map(_is_little, new[:-1])):
        return
    at = edit.end - 1
    entry = text.entries[at]
    for start, key in keys(text, at) if not entry.guarded else ():
        if start != edit.start or (start == at and new[-1] == entry.lower):
            continue
        for tag in _tags_after(new[:-1]):
            base = read_as(entry.lower, key, tag)
            written = " ".join((*new[:-1], tag))
            if base is not None and has_form(new[-1], base, tag) and inflect(entry.lower, key, written):
                yield Cell("form", key, written, text.group(start - 1))
                return


def _tags_after(words: tuple[str, ...]) -> tuple[str, ...]:
    """The order in which a form is read: *have walked* has a participle, *walked* none."""
    tags = ("VBD", "VB", "VBZ", "VBG", "VBN", "NN", "NNS", "JJ", "JJR", "JJS")
    return ("VBN", *tags) if words and word(words[-1]).group in ("be", "have") else tags


def _kin(text: Text, edit: Edit) -> Iterator[Cell]:
    """Another word of the same stem."""
    for entry, new in _one_for_one(text, edit):
        old, written = entry.lower, new.lower
        stem = Prefix.similarity(old, written)
        short = stem >= _SHORTEST_STEM and max(len(old), len(written)) - stem <= _LONGEST_ENDING
        if entry.tags and short and exchange_ending(old, old[stem:], written[stem:]):
            yield Cell("ending", old[stem:], written[stem:], old)


def _phrase(text: Text, edit: Edit) -> Iterator[Cell]:
    """Two or three little words for others, or left out."""
    old = tuple(entry.lower for entry in text.entries[edit.start : edit.end])
    new = tuple(new_word.lower() for new_word in edit.replacement)
    fit = 1 < len(old) <= _LONGEST_PHRASE >= len(new) and sorted(old) != sorted(new)
    if fit and edit.start != text.first and all(map(_is_little, (*old, *new))):
        yield Cell("phrase", " ".join(old), " ".join(new))


def _misspelt(text: Text, edit: Edit) -> Iterator[Cell]:
    """A misspelling: not a word, and close to the right one."""
    for entry, new in _one_for_one(text, edit):
        near = max(1, min(len(entry.lower), len(new.lower)) // 3)
        if (not new.known or new.group == "name") and OSA.distance(entry.lower, new.lower) <= near:
            yield Cell("letters", entry.lower, new.lower)


def _one_for_one(text: Text, edit: Edit) -> Iterator[tuple[Word, Word]]:
    """The two words of an edit that puts one word for one known word, neither of them guarded."""
    if edit.end - edit.start == len(edit.replacement) == 1:
        entry, new = text.entries[edit.start], word(edit.replacement[0])
        guarded = entry.guarded or new.guarded
        if not guarded and entry.known and entry.lower.isalpha() and new.lower.isalpha():
            yield entry, new


def _choice(text: Text, edit: Edit) -> Iterator[Cell]:
    """Another word altogether, in the same form."""
    for entry, new in _one_for_one(text, edit):
        tag = main_tag(text.readings(edit.start))
        if tag is not None and entry.group not in CLOSED:
            names = [name_choice(lower, tag) for lower in (entry.lower, new.lower)]
            if names[0] and names[1] and names[0] != names[1]:
                yield Cell("choice", names[0], names[1])


def _order(text: Text, edit: Edit) -> Iterator[Cell]:
    entries = text.entries[edit.start : edit.end]
    swapped = [entry.lower for entry in reversed(entries)] == [new_word.lower() for new_word in edit.replacement]
    if len(entries) == 2 and swapped and not any(entry.guarded for entry in entries):
        yield Cell("order", text.group(edit.start), text.group(edit.start + 1))


_WAYS = (_case, _mark, _lookalike, _form, _kin, _misspelt, _little, _choice, _order, _phrase)
