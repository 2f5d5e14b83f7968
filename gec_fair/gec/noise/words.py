"""What noise knows of a word without a parser: its group, and the readings that its left neighbour leaves open.

    the [walk]    noun       after an article             they [walk]   verb     after a pronoun
    Anna [walks]  either     which has its own row in the tables: *Anna walks home*, *Anna walks are long*

Groups are closed lists first, then lemminflect's tables. A reading that running text hardly has (readings.tsv) is none
here: lemminflect knows a noun *go* and a verb *time*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from gec_fair.english.lexicons import lexicon
from gec_fair.english.lexicons.paradigms import Form, all_paradigms
from gec_fair.english.lexicons.tables import read_table
from gec_fair.english.lexicons.word_lists import noise_groups_path, read_word_lists
from gec_fair.english.pronouns import likely_form
from gec_fair.gec.noise.guarded import is_guarded
from gec_fair.gec.noise.inflections import TAGS, readings

READINGS = Path(__file__).with_name("readings.tsv")

START, STOP = "start", "stop"  # beside the first and the last word
# group → its words, lower case. A word is listed once; what follows distinguishes *her* and *his* (`Text.group`).
CLOSED: Mapping[str, tuple[str, ...]] = read_word_lists(noise_groups_path())
# The third persons, whose forms lexicons/pronouns.tsv has: errors are alike next to *he*, *she* and *xe*.
_OF_FORM: Mapping[Form, str] = {
    Form.NOMINATIVE: "third",
    Form.ACCUSATIVE: "object",
    Form.DETERMINER: "possessive",
    Form.INDEPENDENT: "object",
    Form.REFLEXIVE: "object",
}
# The first row whose readings the word has names its group; open classes only.
_OPEN: Sequence[tuple[frozenset[str], str]] = (
    (frozenset({"VBG"}), "ing"),
    (frozenset({"JJR"}), "comparative"),
    (frozenset({"JJS"}), "superlative"),
    (frozenset({"VBD", "VBN"}), "ed"),
    (frozenset({"VBD"}), "past"),
    (frozenset({"VBN"}), "participle"),
    (frozenset({"NNS", "VBZ"}), "s-form"),
    (frozenset({"NNS"}), "plural"),
    (frozenset({"VBZ"}), "verb-s"),
    (frozenset({"JJ", "NN"}), "adjective-noun"),
    (frozenset({"JJ"}), "adjective"),
    (frozenset({"RB"}), "adverb"),
    (frozenset({"NN", "VB"}), "noun-verb"),
    (frozenset({"NN"}), "noun"),
    (frozenset({"VB"}), "verb"),
)
GROUPS = frozenset(CLOSED) | {name for _, name in _OPEN} | {START, STOP, "name", "unknown", "sign"}
"""Every group that a table of rates may name."""
NOUN_TAGS = frozenset(TAGS["NOUN"])
# left neighbour → the readings that it leaves open; all of them after other groups, and where none would be left
_NOMINAL = frozenset({"NN", "NNS", "JJ", "JJR", "JJS", "VBG", "VBN"})
_LEAVES: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("third", "pronoun", "someone"), frozenset(TAGS["VERB"])),
    **dict.fromkeys(("to", "modal", "do"), frozenset({"VB"})),
    **dict.fromkeys(("article", "this", "determiner", "quantity", "possessive", "number"), _NOMINAL),
    **dict.fromkeys(("preposition", "adjective", "'s"), _NOMINAL),
    **dict.fromkeys(("be", "have"), _NOMINAL),
}
_PARTICIPLE_AFTER = frozenset({"be", "have", "'s"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word by itself. `tags` are its readings in running text, `known` whether English has it, as far as we know.
    `guarded` words are left alone."""

    text: str
    lower: str
    group: str
    tags: frozenset[str]
    known: bool
    guarded: bool


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence and its words' entries; `first` is the place of its first word that has a letter."""

    words: tuple[str, ...]
    entries: tuple[Word, ...]
    first: int

    def group(self, at: int) -> str:
        """The group of the word at any place, beyond the ends too."""
        if not 0 <= at < len(self.words):
            return START if at < 0 else STOP
        entry = self.entries[at]
        if entry.lower in _TWO_FORMS:
            return _TWO_FORMS[entry.lower][likely_form(entry.lower, self.words[at + 1 : at + 3])]
        if at == self.first and entry.group == "name":
            return "unknown"
        return entry.group

    def readings(self, at: int) -> frozenset[str]:
        """The tags that the left neighbour leaves to the word."""
        tags = self.entries[at].tags
        if len(tags) < 2:
            return tags
        left = self.group(at - 1)
        open_tags = tags & _LEAVES.get(left, tags) or tags
        if {"VBD", "VBN"} <= open_tags:
            open_tags -= {"VBD"} if left in _PARTICIPLE_AFTER else {"VBN"}
        return open_tags


_TWO_FORMS: Mapping[str, Mapping[Form, str]] = {
    "her": {Form.DETERMINER: "possessive", Form.ACCUSATIVE: "object"},
    "his": {Form.DETERMINER: "possessive", Form.INDEPENDENT: "object"},
}


def possible_groups(entry: Word) -> frozenset[str]:
    """Every group that `Text.group` may give the word."""
    forms = _TWO_FORMS.get(entry.lower)
    if forms is not None:
        return frozenset(forms.values())
    return frozenset({entry.group, "unknown"}) if entry.group == "name" else frozenset({entry.group})


def text_of(words: Sequence[str]) -> Text:
    """The sentence with what is known of its words."""
    entries = tuple(map(word, words))
    first = next((at for at, text in enumerate(words) if text[:1].isalpha()), -1)
    return Text(tuple(words), entries, first)


@lru_cache(maxsize=300_000)
def word(text: str) -> Word:
    """The entry of a word, in whatever case it stands."""
    lower = text.lower()
    group = _group_closed().get(lower)
    named = group is None and text[:1].isupper() and lexicon.load().names.is_name(text)
    tags = frozenset() if named or group not in (None, "have", "do") else _tags(lower)
    if group is None:
        group = _open_group(text, lower, tags)
    return Word(text, lower, group, tags, group not in ("name", "unknown", "sign"), is_guarded(lower))


@cache
def _group_closed() -> Mapping[str, str]:
    groups = {text: group for group, words in CLOSED.items() for text in words}
    for paradigm in all_paradigms().values():
        for text, form in paradigm.readings():
            groups.setdefault(text, _OF_FORM[form])
    return groups


def _open_group(text: str, lower: str, tags: frozenset[str]) -> str:
    if not lower[:1].isalpha():
        return "number" if lower[:1].isdigit() else "sign"
    if not lower.isalpha() and not tags:
        return "name" if text[:1].isupper() else "unknown"
    if text[:1].isupper() and not tags:
        return "name"
    return next((name for needed, name in _OPEN if needed <= tags), "unknown")


@lru_cache(maxsize=200_000)
def _tags(lower: str) -> frozenset[str]:
    usual = _usual().get(lower)
    return readings(lower) if usual is None else usual


@cache
def _usual() -> Mapping[str, frozenset[str]]:
    return {row.cells[0]: frozenset(row.cells[1].split()) for row in read_table(READINGS, ("word", "tags"))}
