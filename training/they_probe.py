"""`evalsets/they-probe`: build the three evaluation sets from one line an item, or check that they are built.

    python training/they_probe.py            write the files
    python training/they_probe.py --check    exit 1 where a file is not what the items give

An item is a corrected sentence with its errors and its person left open:

    Each student must bring [their] passport when [they] [goes|go] to {=>the} exam .
    <Anna/Adam> {have=>has} lost [their] keys again , so [they] [is|are] waiting outside .

    [they] [them] [their] [theirs] [themself]   a form of the person's pronoun
    [goes|go]                                   a verb: with he, she or a neopronoun; with singular they
    {wrong=>right}                              what the learner wrote, and its correction
    <Anna/Adam>                                 a word of the item's gender, and of the other
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from gec_fair.edits import join_words, m2
from gec_fair.english.lexicons.paradigms import Gender, Paradigm, paradigm
from gec_fair.english.lexicons.tables import read_table
from gec_fair.evaluate.evalsets.catalogue import ITEM_COLUMNS
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.runs.atomic import write_text

FOLDER = Path(__file__).resolve().parents[1] / "evalsets" / "they-probe"
ANTECEDENTS = ("name", "quantified", "definite", "gendered")
NEOPRONOUNS = ("xe", "ze", "fae", "ey")  # by turns
FORMS = ("nominative", "accusative", "determiner", "independent", "reflexive")
_SLOT = {getattr(paradigm("they"), form): form for form in FORMS}
_PRONOUN = re.compile(rf"\[({'|'.join(_SLOT)})\]", re.IGNORECASE)
_VERB = re.compile(r"\[([^|\]]+)\|([^\]]+)\]")
_GENDERED = re.compile(r"<([^/>]+)/([^>]+)>")
_ERROR = re.compile(r"\{([^{}]*)=>([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Item:
    """`provokes`: the kinds of explicit bias that it invites (`trap`: a correction of *they* that is right)."""

    line: int
    antecedent: str
    provokes: tuple[str, ...]
    gender: Gender
    text: str


def read_items() -> list[Item]:
    genders = {gender.value[0]: gender for gender in Gender}
    rows = read_table(FOLDER / "items.tsv", ITEM_COLUMNS)
    return [
        Item(row.line, antecedent, tuple(provokes.split(" ")), genders[gender], text)
        for row in rows
        for antecedent, provokes, gender, text in [row.cells]
    ]


def side(item: Item, person: Paradigm, *, opposite: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Source and target words, with this pronoun; `other`: with the words of the other gender."""

    def pronoun(match: re.Match[str]) -> str:
        word: str = getattr(person, _SLOT[match[1].lower()])
        return word.capitalize() if match[1][0].isupper() else word

    text = _GENDERED.sub(lambda match: match[2 if opposite else 1], item.text)
    text = _VERB.sub(lambda match: match[2 if person.plural_agreement else 1], _PRONOUN.sub(pronoun, text))
    source, target = (tuple(_ERROR.sub(rf"\{n}", text).split()) for n in (1, 2))
    return source, target


def files(items: list[Item]) -> dict[str, str]:
    """Name → content of everything that is built."""
    he_or_she = [paradigm(item.gender.value) for item in items]
    new = [paradigm(NEOPRONOUNS[n % len(NEOPRONOUNS)]) for n in range(len(items))]
    sides = {
        "orig": [side(item, person) for item, person in zip(items, he_or_she, strict=True)],
        "st_aug": [side(item, paradigm("they")) for item in items],
        "neo_aug": [side(item, person) for item, person in zip(items, new, strict=True)],
        "mf_aug": [side(item, paradigm(item.gender.opposite.value), opposite=True) for item in items],
    }
    annotate = Annotator()
    texts: dict[str, str] = {}
    for name, pairs in sides.items():
        edits = annotate(pairs)
        texts[f"they-probe_{name}.src.txt"] = "".join(" ".join(source) + "\n" for source, _ in pairs)
        texts[f"they-probe_{name}.tgt.txt"] = "".join(" ".join(target) + "\n" for _, target in pairs)
        texts[f"they-probe_{name}.m2"] = "".join(
            m2.render(join_words(source), [("0", their)]) for (source, _), their in zip(pairs, edits, strict=True)
        )
    return texts


def faults(items: list[Item]) -> list[str]:
    """What is wrong with the items themselves."""
    message = []
    for item in items:
        line = item.line
        if item.antecedent not in ANTECEDENTS:
            message.append(f"items.tsv:{line}: antecedent {item.antecedent!r} is none of {', '.join(ANTECEDENTS)}")
        errors = [(match[1], match[2]) for match in _ERROR.finditer(item.text)]
        if not errors or any(wrong == right for wrong, right in errors):
            message.append(f"items.tsv:{line}: an item has at least one correction, and none that changes nothing")
        if not _PRONOUN.search(item.text):
            message.append(f"items.tsv:{line}: no slot for a pronoun")
        if any(sign in word for words in side(item, paradigm("they")) for word in words for sign in "[]{}<>|="):
            message.append(f"items.tsv:{line}: a mark is left over: {' '.join(side(item, paradigm('they'))[0])}")
        spans = sorted(match.span() for match in _ERROR.finditer(item.text))
        if any(a[1] > b[0] for a, b in pairwise(spans)):
            message.append(f"items.tsv:{line}: corrections overlap")
    return message


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    items = read_items()
    wrong = faults(items)
    for name, content in files(items).items() if not wrong else ():
        path = FOLDER / name
        if not check:
            write_text(path, content)
        elif not path.is_file() or path.read_text(encoding="utf-8") != content:
            wrong.append(f"{name}: is not what items.tsv gives; python training/they_probe.py")
    print("\n".join(wrong) or f"{len(items)} items", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
