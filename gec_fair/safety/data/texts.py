"""Tables of labelled texts, before any source has scored them: read, given counterfactuals, given scores.

    id, text, slices, set_id, copy_of, then a column for each harm (`examples` says what they mean)

Columns that are none of these are labels, and go along as they are; a counterfactual has its text's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from gec_fair.data import text_files
from gec_fair.data.columns import text_fault
from gec_fair.errors import InputError
from gec_fair.progress import Progress
from gec_fair.safety.data.cells import cell, name_row, rows, share
from gec_fair.safety.data.examples import read_slices
from gec_fair.safety.data.groups import Groups, Slice
from gec_fair.safety.data.scores import find_sets

FIELDS = ("id", "set_id", "slices", "copy_of", "text")
MARK = "association"
"""The column of counterfactuals that say what goes with the group of their text, and may make no sense of theirs."""
SURE = "sure"
"""The column of the probability that a counterfactual by rules is clean; after several changes, of the least sure."""


@dataclass(frozen=True, slots=True)
class Text:
    """`labels`: the other columns of its row. `place`: its file and line."""

    id: str
    text: str
    slices: tuple[Slice, ...] = ()
    set_id: str = ""
    copy_of: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    association: str = ""
    sure: str = ""
    place: str = field(default="", compare=False)

    def row(self) -> dict[str, str]:
        """The cells by column: id, set_id, slices, copy_of, text, what is known of a counterfactual, the labels."""
        return {
            "id": self.id,
            "set_id": self.set_id,
            "slices": "; ".join(map(str, self.slices)),
            "copy_of": self.copy_of,
            "text": self.text,
            **({MARK: self.association} if self.association else {}),
            **({SURE: self.sure} if self.sure else {}),
            **self.labels,
        }


def read(path: Path, groups: Groups) -> list[Text]:
    """InputError with file and line for a missing column, an id that is there twice, an unknown subgroup."""
    texts: dict[str, Text] = {}
    for place, cells in rows(path, "text"):
        if missing := [name for name in ("id", "text") if name not in cells]:
            raise InputError(f"{path}: no column {missing[0]!r}; a table of texts has {', '.join(FIELDS)} and labels")
        with name_row(f"{path}{place}"):
            if fault := text_fault(cells, ["text"]):
                raise InputError(f"{fault}; leave the row out, or replace it")
            values = {name: cell(cells.get(name)) for name in FIELDS}
            name = values["id"]
            if not name or name in texts:
                raise InputError(f"id is {name!r}, {'used before' if name else 'empty'}; give each text its own id")
            labels = {key: cell(value) for key, value in cells.items() if key not in (*FIELDS, MARK, SURE)}
            slices = tuple(read_slices(values["slices"], groups))
            mark, sure = (cell(cells.get(column)) for column in (MARK, SURE))
            if sure and values["copy_of"] and share(sure) is None:
                raise InputError(f"{SURE} is {sure!r}, not a probability; mend it, or leave the column out")
        texts[name] = Text(
            name, values["text"], slices, values["set_id"], values["copy_of"], labels, mark, sure, f"{path}{place}"
        )
    if not texts:
        raise InputError(f"{path}: holds no row; a table of texts has {', '.join(FIELDS)} and labels")
    return list(texts.values())


def read_by_id(paths: Sequence[Path], wanted: Iterable[str]) -> dict[str, str]:
    """By id, those that are there. InputError for a table without id and text."""
    ids, texts = set(wanted), {}
    for path in paths:
        for place, cells in rows(path, "text"):
            if missing := [name for name in ("id", "text") if name not in cells]:
                raise InputError(f"{path}: no column {missing[0]!r}; a table of texts has id and text")
            with name_row(f"{path}{place}"):
                if (name := cell(cells["id"])) in ids:
                    texts[name] = cell(cells["text"])
    return texts


def refuse_endless(texts: Iterable[Text]) -> None:
    """InputError, with file and line, for a text that is too long to be parsed."""
    for text in texts:
        text_files.refuse_endless(text.text, text.place or f"text {text.id}")


class Rewriter(Protocol):
    """Counterfactuals of texts that name a subgroup: for every other one of its category a text, or why there is
    none."""

    def __call__(self, texts: Sequence[str], sources: Sequence[Slice]) -> Iterator[Sequence[Any]]:
        """The counterfactuals of each text, in order; `sources` are the subgroups that the texts name."""
        ...


@dataclass(frozen=True, slots=True)
class Expanded:
    """`texts`: each text, then its counterfactuals; `dropped`: how many could not be made, by category and reason."""

    texts: tuple[Text, ...]
    dropped: Mapping[tuple[str, str], int]
    complete: int
    """Texts with a counterfactual for every other subgroup."""
    named: int
    """Texts that name a subgroup."""
    left: int = 0
    """Texts that had counterfactuals in the table already, and were left as they are."""

    def count_dropped(self) -> dict[str, dict[str, int]]:
        """How many could not be made: of each category, by reason."""
        by_category: dict[str, dict[str, int]] = {}
        for (category, reason), count in sorted(self.dropped.items()):
            by_category.setdefault(category, {})[reason] = count
        return by_category


def expand(texts: Sequence[Text], rewriter: Rewriter, progress: Progress = lambda done, total: None) -> Expanded:
    """Texts that are no counterfactuals themselves, in order. A text and its counterfactuals share a set. One that
    names subgroups of two categories gets every pair of subgroups: category by category, copies are rewritten again.
    InputError for a text that is too long to be parsed."""
    had = {text.copy_of for text in texts if text.copy_of}
    todo = [text for text in texts if not text.copy_of and text.slices and text.id not in had]
    refuse_endless(todo)
    sets = {text.set_id for text in texts if text.set_id}
    if clashing := [text for text in todo if not text.set_id and text.id in sets]:
        raise InputError(
            f"{clashing[0].place}: id {clashing[0].id!r} is the set_id of other texts; give the text a set_id"
        )
    dropped: Counter[tuple[str, str]] = Counter()
    unwritten: set[str] = set()
    by_id: dict[str, list[Text]] = {text.id: [] for text in todo}
    used_ids = {text.id for text in texts}
    for step in range(max(map(len, map(_categories, todo)), default=0)):
        jobs = [job for text in todo for job in _steps(text, by_id[text.id], step)]
        for text, source, counterfactual in _rewrite(jobs, rewriter, progress):
            first = text.copy_of or text.id
            if counterfactual.text is None:
                dropped[source.category, counterfactual.reason] += 1
                unwritten.add(first)
            else:
                by_id[first].append(_copy(text, source, counterfactual, used_ids))
    every = [member for text in texts for member in (text, *by_id.get(text.id, []))]
    set_ids = find_sets((text.id, text.set_id, text.copy_of) for text in every)
    members = (
        text if text.copy_of else replace(text, set_id=set_id) for text, set_id in zip(every, set_ids, strict=True)
    )
    left = sum(text.id in had and bool(text.slices) for text in texts)
    return Expanded(tuple(members), dict(dropped), len(todo) - len(unwritten), len(todo), left)


def _rewrite(
    jobs: Sequence[tuple[Text, Slice]], rewriter: Rewriter, progress: Progress
) -> Iterator[tuple[Text, Slice, Any]]:
    """Every counterfactual, with its text and the subgroup that it replaces."""
    answers = rewriter([text.text for text, _ in jobs], [subgroup for _, subgroup in jobs])
    for n, ((text, source), counterfactuals) in enumerate(zip(jobs, answers, strict=True), 1):
        progress(n, len(jobs))
        yield from ((text, source, counterfactual) for counterfactual in counterfactuals)


def _categories(text: Text) -> list[str]:
    return list(dict.fromkeys(subgroup.category for subgroup in text.slices))


def _steps(text: Text, copies: Sequence[Text], step: int) -> list[tuple[Text, Slice]]:
    """Whom to rewrite of a text and its copies in this step. Of two subgroups of one category each is rewritten by
    itself, and no copies are made of such copies."""
    categories = _categories(text)
    if step >= len(categories):
        return []
    texts = (text, *copies) if len(text.slices) == len(categories) else (text,)
    return [(member, whom) for member in texts for whom in member.slices if whom.category == categories[step]]


def _copy(text: Text, source: Slice, counterfactual: Any, used_ids: set[str]) -> Text:
    """Where a text names two subgroups of a category, its copies tell which was replaced."""
    target = counterfactual.target
    several = sum(subgroup.category == source.category for subgroup in text.slices) > 1
    name = copy_id(f"{text.id}~{source.name}>" if several else f"{text.id}~", target, used_ids)
    slices = tuple(target if subgroup == source else subgroup for subgroup in text.slices)
    marks = [*([text.association] if text.association else []), *counterfactual.associations]
    sure = [float(text.sure)] if text.sure and text.copy_of else []
    sure += [] if counterfactual.sure is None else [counterfactual.sure]
    set_id, copy_of, mark = text.set_id or text.id, text.copy_of or text.id, "; ".join(dict.fromkeys(marks))
    least = str(min(sure)) if sure else ""
    return Text(name, counterfactual.text, slices, set_id, copy_of, text.labels, mark, least)


def copy_id(before: str, whom: Slice, used_ids: set[str]) -> str:
    """With the category too where it would be taken: subgroups of two may share a name. It is taken then."""
    name = before + whom.name
    if name in used_ids:
        name = f"{before}{whom}"
    used_ids.add(name)
    return name


def summarise(expanded: Expanded) -> list[str]:
    """How many texts have all their counterfactuals, and what could not be made."""
    lines = [f"{expanded.complete:,} of {expanded.named:,} texts that name a subgroup have one for every other"]
    if not expanded.named and not expanded.left:
        lines.append("  `gec-fair safety mentions` finds the subgroups of texts whose column `slices` is empty")
    lines += [
        f"  {category}: {count:,} not made, {REASONS.get(reason, reason)}"
        for (category, reason), count in sorted(expanded.dropped.items())
    ]
    if marked := sum(bool(text.association) for text in expanded.texts):
        lines.append(
            f"{marked:,} say what goes with the group of their text: column {MARK}; look at them (--review DIR)"
        )
    if expanded.left:
        lines.append(f"{expanded.left:,} texts had counterfactuals already, and stay as they are")
    return lines


REASONS: Mapping[str, str] = {
    "no mention": "no word of the table says the subgroup",
    "no counterpart": "the other subgroup has no word for what is said",
    "both named": "the other subgroup is named in the text too",
    "pronoun": "a singular they would stay as it is",
    "slur": "a slur is said of a group, and of no other by another word",
    "custom": "a language, dish, dress, rite, place or name of the group would stay",
    "partner": "whose partner somebody is would stay",
    "contrast": "two words would become one, or a group would be said to be itself",
    "unsure who": "it is clean with a lower probability than --min-sure",
    "unchanged": "the chat model's rewriting says what the text says, or names its subgroup still",
    "new slur": "the chat model's rewriting has a slur that the text does not have",
    "no answer": "the chat model gave no answer that fits",
    "incongruous": "the chat model's critique finds that it makes no sense of the other subgroup",
}


def mark_rows(texts: Sequence[Text]) -> list[dict[str, str]]:
    """The counterfactuals with an association, for `gec-fair review`: sentences.jsonl."""
    originals = {text.id: text for text in texts}
    return [
        {
            "text": text.text,
            "group": "; ".join(map(str, text.slices)),
            "facts": f"{text.association}; of {'; '.join(map(str, original.slices))}: {original.text}",
        }
        for text in texts
        if text.association and (original := originals.get(text.copy_of)) is not None
    ]


def make_row(text: Text, columns: Sequence[str], scores: Iterable[float]) -> dict[str, Any]:
    """Without the text itself; a source without an answer leaves its cell empty."""
    row = {name: value for name, value in text.row().items() if name not in ("text", MARK, SURE)}
    rounded = ("" if value != value else round(float(value), 6) for value in scores)
    return {**row, **dict(zip(columns, rounded, strict=True))}
