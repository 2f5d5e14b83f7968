"""The tag vocabulary: which tags a model can predict, in the official files' order, and which pronouns they can write.

`labels.txt` has a tag a line; a tag's number is its line. `$KEEP` and `$DELETE` come first, the padding rows
`@@UNKNOWN@@` and `@@PADDING@@` last. A tag that is not in it trains the model as `@@UNKNOWN@@`, and is never made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gec_fair.data.text_files import read_lines
from gec_fair.english.lexicons.paradigms import Form, paradigm
from gec_fair.errors import InputError
from gec_fair.gec.gector.tagging import operations
from gec_fair.gec.gector.tags import APPEND, DELETE, KEEP, REPLACE, TRANSFORMS
from gec_fair.gec.gector.verbs import VerbForms
from gec_fair.runs.atomic import write_text

UNKNOWN, PADDING = "@@UNKNOWN@@", "@@PADDING@@"
CORRECT, INCORRECT = "CORRECT", "INCORRECT"
DETECTION = (CORRECT, INCORRECT, UNKNOWN, PADDING)
"""`d_tags.txt`; two of the four rows count."""
LABELS_FILE, DETECTION_FILE = "labels.txt", "d_tags.txt"


@dataclass(frozen=True)
class Labels:
    """Tags by number. InputError if the first is not `$KEEP`, or if a line repeats a tag or is not a tag."""

    tags: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.tags or self.tags[0] != KEEP:
            raise InputError(
                f"a tag vocabulary begins with {KEEP}, this one with {self.tags[0] if self.tags else ''!r}"
            )
        for number, tag in enumerate(self.tags, 1):
            if not _is_tag(tag):
                raise InputError(
                    f"line {number}: {tag!r} is not a tag; see docs/how-to/gector.md for the tags there are"
                )
        if len(self.number) != len(self.tags):
            twice = next(tag for tag, count in Counter(self.tags).items() if count > 1)
            raise InputError(f"{twice} is in the tag vocabulary twice; remove one of the lines")

    def __len__(self) -> int:
        return len(self.tags)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The number of each tag."""
        return {tag: number for number, tag in enumerate(self.tags)}

    @property
    def unknown(self) -> int:
        """The row of tags that are not in the vocabulary; `$KEEP`'s where it has none."""
        return self.number.get(UNKNOWN, 0)

    def numbers(self, tags: Iterable[str]) -> list[int]:
        """The number of each tag, that of `@@UNKNOWN@@` for one that is not here."""
        unknown = self.unknown
        return [self.number.get(tag, unknown) for tag in tags]

    def write(self, folder: Path) -> None:
        """`labels.txt` and `d_tags.txt`, as the official ones."""
        write_text(folder / LABELS_FILE, "".join(tag + "\n" for tag in self.tags))
        write_text(folder / DETECTION_FILE, "".join(tag + "\n" for tag in DETECTION))


def read_labels(path: Path) -> Labels:
    """A `labels.txt`, or the folder that holds one. InputError, with file and line, for what is none."""
    path = path / LABELS_FILE if path.is_dir() else path
    lines = read_lines(path)
    try:
        return Labels(tuple(lines))
    except InputError as fault:
        raise InputError(f"{path}: {fault}") from fault


def read_detection(path: Path) -> tuple[str, ...]:
    """A `d_tags.txt`: what each row of a detection head stands for. InputError where CORRECT or INCORRECT lacks, or
    another tag stands there."""
    try:
        tags = tuple(path.read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"{path}: cannot be read ({fault})") from fault
    if len(set(tags)) != len(tags) or not {CORRECT, INCORRECT} <= set(tags) <= set(DETECTION):
        raise InputError(
            f"{path}: holds {', '.join(tags) or 'nothing'}; detection tags are {CORRECT} and {INCORRECT}, "
            f"with {UNKNOWN} and {PADDING} or without, each once"
        )
    return tags


def count_tags(pairs: Iterable[tuple[Sequence[str], Sequence[str]]], verbs: VerbForms) -> Counter[str]:
    """How often each tag comes first at its place, which is how training data show it."""
    counts: Counter[str] = Counter()
    for source, target in pairs:
        if source != target:
            counts.update(ops[0] for ops in operations(source, target, verbs) if ops)
    return counts


def build(counts: Mapping[str, int], size: int) -> Labels:
    """The `size` most frequent tags (ties in alphabetical order), `$KEEP`, `$DELETE` and every tag without a word among
    them whether seen or not; then the padding rows."""
    fixed = {KEEP, DELETE, *TRANSFORMS}
    seen = sorted((tag for tag in counts if tag not in fixed), key=lambda tag: (-counts[tag], tag))
    chosen = seen[: max(0, size - len(fixed))]
    order = sorted([*chosen, *TRANSFORMS], key=lambda tag: (-counts.get(tag, 0), tag))
    return Labels((KEEP, DELETE, *order, UNKNOWN, PADDING))


def with_pronouns(labels: Labels) -> Labels:
    """The vocabulary and `missing_pronouns`, before the padding rows."""
    padding = tuple(tag for tag in labels.tags if tag in (UNKNOWN, PADDING))
    tags = tuple(tag for tag in labels.tags if tag not in padding)
    return Labels((*tags, *missing_pronouns(labels), *padding))


def missing_pronouns(labels: Labels) -> list[str]:
    """The tags that would let a model write each form of *he, she, they* and is not able to without them."""
    return [tag for form in pronoun_forms() for tag in (REPLACE + form, APPEND + form) if tag not in labels.number]


def pronoun_forms() -> list[str]:
    """*he him his himself, she her hers herself, they them their theirs themself themselves*."""
    forms = [paradigm(name).form(form) for name in ("masculine", "feminine", "they") for form in Form]
    return list(dict.fromkeys([*forms, "themself", "themselves"]))


def coverage(labels: Labels) -> list[tuple[str, bool, bool]]:
    """Each pronoun form, whether the model can put it in a word's place, and whether it can insert it."""
    return [(form, REPLACE + form in labels.number, APPEND + form in labels.number) for form in pronoun_forms()]


def _is_tag(tag: str) -> bool:
    if tag in (KEEP, DELETE, UNKNOWN, PADDING, *TRANSFORMS):
        return True
    word = next((tag.removeprefix(kind) for kind in (APPEND, REPLACE) if tag.startswith(kind)), "")
    return bool(word) and not any(c.isspace() for c in word)


def unreachable(counts: Mapping[str, int], labels: Labels) -> Iterator[tuple[str, int]]:
    """Tags of the data that the vocabulary lacks, the most frequent first."""
    return ((tag, count) for tag, count in Counter(counts).most_common() if tag not in labels.number)
