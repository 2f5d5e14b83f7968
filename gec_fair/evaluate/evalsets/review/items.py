"""What there is to review: proposals of a queue (`evalset build`), cases of a comparison (`compare`), or texts to
annotate (`perturber annotate`)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from gec_fair.data.text_files import read_lines
from gec_fair.edits import diff, split_spaces, written_positions
from gec_fair.errors import InputError
from gec_fair.evaluate import RESULTS
from gec_fair.evaluate.evalsets.build import QUEUE, Proposal, read_queue
from gec_fair.evaluate.evalsets.review import annotation
from gec_fair.evaluate.evalsets.review.annotation import Axes, Subject
from gec_fair.evaluate.evalsets.review.tasks import (
    ATTRIBUTES,
    NOT_PERTURBABLE,
    REWRITE,
    SELECT,
    TASKS,
    Task,
    check_choices,
    check_spans,
)
from gec_fair.runs.json_files import parse_json

SENTENCES = "sentences.jsonl"
"""Sentences, one a line, about which a classifier said something: `text`, `group`, `facts`."""
FIELDS = ("orig.source", "orig.target", "aug.source", "aug.target")


@dataclass(frozen=True, slots=True)
class Item:
    """`key` names the item and what it proposes: another proposal under the same id is another item.

    `group` is what the page filters by; `texts` are those that a reviewer may change (none of a bias case);
    `clusters`: half-open spans in the original target; `facts`: what stands above it.
    """

    key: str
    id: str
    group: str
    facts: str
    texts: Mapping[str, str] = field(default_factory=dict)
    clusters: Sequence[Sequence[tuple[int, int]]] = ()
    case: tuple[str, int, int, str] | None = None
    """A bias case: source, start, end, what the system wrote there."""
    subject: Subject | None = None
    """A text to annotate: the task `kind`, with the `axes` of its folder."""
    kind: str = ""
    axes: Axes = field(default_factory=dict)

    @property
    def task(self) -> Task:
        """What is asked about it."""
        return TASKS[self.kind or ("twins" if self.case is None else "bias")]


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it is shown: `change` is "", `del` or `ins`; `cluster` numbers the person; `swapped`: the rewriting
    made it."""

    text: str
    change: str = ""
    cluster: int | None = None
    swapped: bool = False
    gap: str = " "
    """The white space after it."""


def read_items(folder: Path) -> list[Item]:
    """The items of a folder, which has one file of them: twins, explicit-bias cases, sentences, or texts to
    annotate."""
    if (folder / QUEUE).is_file():
        return [_twins(proposal) for proposal in read_queue(folder)]
    for name, read in ((RESULTS, _cases), (SENTENCES, _sentences), (annotation.NAME, _annotate)):
        if (folder / name).is_file():
            return read(folder / name)
    raise InputError(
        f"{folder}: nothing to review; a folder of `gec-fair evalset build`, of `gec-fair compare`, of "
        "`gec-fair corpus report --audit` or of `gec-fair perturber annotate`"
    )


def _twins(proposal: Proposal) -> Item:
    return Item(
        _key(proposal.id, asdict(proposal.orig), asdict(proposal.aug)),
        proposal.id,
        proposal.status,
        ": ".join(part for part in (proposal.reason.replace("_", " "), proposal.detail) if part),
        {name: attrgetter(name)(proposal) for name in FIELDS},
        proposal.clusters,
    )


def _cases(path: Path) -> list[Item]:
    try:
        payload = parse_json(path.read_text(encoding="utf-8"))
        items = [_case(row, case) for row in payload["rows"] for case in row["cases"]]
    except (ValueError, KeyError, TypeError) as fault:
        raise InputError(f"{path}: no comparison of this version ({fault}); run `gec-fair compare` again") from fault
    if not items:
        raise InputError(f"{path}: no case of explicit bias in it; nothing to review")
    seen: Counter[str] = Counter()
    for n, item in enumerate(items):  # one correction may hold two cases of a kind
        seen[item.key] += 1
        if seen[item.key] > 1:
            items[n] = replace(item, key=f"{item.key}#{seen[item.key]}")
    return items


def _case(row: Mapping[str, Any], case: Mapping[str, Any]) -> Item:
    place = f"{row['set']}/{row['system']}/{case['seed']}/{case['sentence']}:{case['start']}:{case['kind']}"
    edit = (case["source"], case["start"], case["end"], case["new"])
    facts = f"{row['system']}, seed {case['seed']}, {row['set']}, sentence {case['sentence']}"
    return Item(_key(place, *edit), place, case["kind"], facts, case=edit)


def _sentences(path: Path) -> list[Item]:
    items = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            row = parse_json(line)
            edit = (str(row["text"]), 0, 0, "")
            items.append(
                Item(_key(f"sentence {number}", *edit), f"sentence {number}", row["group"], row["facts"], case=edit)
            )
        except (ValueError, KeyError, TypeError) as fault:
            raise InputError(f"{path}:{number}: no sentence to review ({fault}); make the report again") from fault
    return items


def _annotate(path: Path) -> list[Item]:
    texts = annotation.read_set(path)
    return [_to_annotate(subject, texts.task, texts.axes) for subject in texts.subjects]


def _to_annotate(subject: Subject, kind: str, axes: Axes) -> Item:
    key = _key(subject.id, kind, asdict(subject))
    group = subject.spans[0][2] if kind == REWRITE else ""
    texts = {"rewriting": subject.text} if kind == REWRITE else {}
    return Item(key, subject.id, group, "", texts, subject=subject, kind=kind, axes=axes)


def _key(name: str, *proposed: object) -> str:
    return f"{name}@{hashlib.sha256(json.dumps(proposed).encode()).hexdigest()[:12]}"


def choices(item: Item) -> list[list[str]]:
    """The choices of each word that wants an attribute."""
    if item.kind != ATTRIBUTES or item.subject is None:
        return []
    return [[*item.axes[axis], NOT_PERTURBABLE] for *_, axis in item.subject.spans]


def check_answer(item: Item, answer: object) -> list[Any] | None:
    """The answer to an item, as it is saved. ValueError for another form, and for an incomplete one."""
    if item.kind == SELECT and item.subject is not None:
        return check_spans(answer, len(item.subject.words), list(item.axes))
    if item.kind == ATTRIBUTES:
        return check_choices(answer, choices(item))
    return None


def rows(item: Item, texts: Mapping[str, str]) -> list[tuple[str, list[Token]]]:
    """The item as labelled lines of words; `texts` are as the reviewer has them by now."""
    if item.subject is not None:
        return _annotation_rows(item, item.subject, texts)
    if item.case is not None:
        source, start, end, new = item.case
        words = split_spaces(source).words
        line = [
            *_plain(words[:start]),
            *(Token(word, "del") for word in words[start:end]),
            *(Token(word, "ins") for word in split_spaces(new).words),
            *_plain(words[end:]),
        ]
        return [("the system" if end > start or new else "the text", line)]
    sources = {side: split_spaces(texts[f"{side}.source"]).words for side in ("orig", "aug")}
    targets = {side: split_spaces(texts[f"{side}.target"]).words for side in ("orig", "aug")}
    proposed = split_spaces(item.texts["orig.target"]).words
    people = carry_labels(_number(item.clusters, len(proposed)), proposed, targets["orig"])
    moved = carry_labels(people, targets["orig"], targets["aug"])
    written = [written_positions(diff(side["orig"], side["aug"])) for side in (sources, targets)]
    return [
        ("original", _correction(sources["orig"], targets["orig"], people, set(), set())),
        ("augmented", _correction(sources["aug"], targets["aug"], moved, *written)),
    ]


def carry_labels(labels: Sequence[int | None], before: Sequence[str], after: Sequence[str]) -> list[int | None]:
    """Labels of words moved to another version of the text; a replaced segment hands its own on, word by word."""
    numbers: list[int | None] = []
    at = 0
    for edit in diff(before, after):
        numbers += labels[at : edit.start]
        gone = list(labels[edit.start : edit.end])
        numbers += [gone[n] if n < len(gone) else (gone[-1] if gone else None) for n in range(len(edit.replacement))]
        at = edit.end
    return numbers + list(labels[at:])


def _number(clusters: Sequence[Sequence[tuple[int, int]]], length: int) -> list[int | None]:
    labels: list[int | None] = [None] * length
    for number, cluster in enumerate(clusters):
        for start, end in sorted(cluster, key=lambda span: span[0] - span[1]):  # inner mentions over outer ones
            labels[start:end] = [number] * (min(end, length) - start)
    return labels


def _correction(
    source: Sequence[str], target: Sequence[str], people: Sequence[int | None], in_source: set[int], in_target: set[int]
) -> list[Token]:
    line: list[Token] = []
    at = shift = 0
    for edit in diff(source, target):
        line += [Token(target[i + shift], "", people[i + shift], i + shift in in_target) for i in range(at, edit.start)]
        line += [Token(source[i], "del", None, i in in_source) for i in range(edit.start, edit.end)]
        new = range(edit.start + shift, edit.start + shift + len(edit.replacement))
        line += [Token(target[i], "ins", people[i], i in in_target) for i in new]
        at = edit.end
        shift += edit.growth
    return line + [Token(target[i], "", people[i], i in in_target) for i in range(at + shift, len(target))]


def _plain(words: Sequence[str]) -> list[Token]:
    return [Token(word) for word in words]


def _annotation_rows(item: Item, subject: Subject, texts: Mapping[str, str]) -> list[tuple[str, list[Token]]]:
    """Nothing of words that are selected, for these the page has itself."""
    if item.kind == SELECT:
        return []
    if item.kind == ATTRIBUTES:
        return [("the text", _mark(subject))]
    (span,), (source,) = subject.spans, subject.attributes
    change = f"{subject.word(span)}: {source} → {subject.target}"
    after = split_spaces(texts["rewriting"]).words
    new = written_positions(diff(split_spaces(subject.text).words, after))
    rewriting = [Token(word, "ins" if at in new else "") for at, word in enumerate(after)]
    return [("change", _plain(change.split())), ("original", _mark(subject)), ("rewriting", rewriting)]


def _mark(subject: Subject) -> list[Token]:
    """The words of a text, each selected one in the colour of its number."""
    tokens, line, at = subject.tokens, list[Token](), 0
    words = [Token(word, gap=gap) for word, gap in zip(tokens.words, tokens.after, strict=True)]
    for start, end, number in sorted((start, end, n) for n, (start, end, _) in enumerate(subject.spans)):
        if start >= at:
            line += words[at:start]
            line.append(Token(subject.word((start, end, "")), cluster=number, gap=tokens.after[end - 1]))
            at = end
    return line + words[at:]
