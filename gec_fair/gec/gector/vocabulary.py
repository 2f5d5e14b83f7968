"""A tag vocabulary from pairs, or one that is there, and a report on what it lets a model say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gec_fair.corpus.formats.pair_lines import Lines, pairs_of
from gec_fair.errors import UsageError
from gec_fair.gec.gector.labels import (
    Labels,
    build,
    count_tags,
    coverage,
    missing_pronouns,
    read_labels,
    unreachable,
    with_pronouns,
)
from gec_fair.gec.gector.verbs import VerbForms, verb_forms
from gec_fair.report.table import Column, Part, Table

_LONGEST_LIST = 10
_ANSWERS = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary, the tags of the pairs that it was made from or held against, the pronoun tags it gained, and what
    the caller should tell its user."""

    labels: Labels
    counts: Counter[str]
    added: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def covered(self) -> float | None:
        """Share of the pairs' tags that are in the vocabulary; None without pairs."""
        total = sum(self.counts.values())
        return sum(self.counts[tag] for tag in self.labels.tags) / total if total else None

    def as_json(self) -> dict[str, Any]:
        """The size, the share of edits that it covers, and the most frequent edits that it lacks."""
        return {
            "tags": len(self.labels),
            "covered": None if self.covered is None else round(self.covered, 4),
            "missing": dict(list(unreachable(self.counts, self.labels))[:_LONGEST_LIST]),
            "pronouns": {form: {"replace": put, "append": insert} for form, put, insert in coverage(self.labels)},
            "added": list(self.added),
        }

    def pronouns(self) -> Table:
        """Which pronouns a model with these tags can write, in place of a word or after one."""
        records = [{"pronoun": form, "replace": put, "append": insert} for form, put, insert in coverage(self.labels)]
        columns = (
            Column("pronoun"),
            Column("replace", lambda row: _ANSWERS[row["replace"]], "$REPLACE"),
            Column("append", lambda row: _ANSWERS[row["append"]], "$APPEND"),
        )
        return Table("pronouns", "Pronouns that can be written", records, columns=columns)

    def describe(self, output: Path | None) -> list[Part]:
        """The same for people, in lines."""
        lines: list[Part] = [f"{output / 'labels.txt' if output else 'tags'}  {len(self.labels):,} tags"]
        if self.covered is not None:
            lines.append(f"{100 * self.covered:.2f} % of the {sum(self.counts.values()):,} tags of the pairs are in it")
            missing = [f"{tag} {count}" for tag, count in unreachable(self.counts, self.labels)][:_LONGEST_LIST]
            lines.append(f"most frequent of the others: {', '.join(missing) or 'none'}")
        lines += ["", self.pronouns()]
        never = [form for form, put, insert in coverage(self.labels) if not (put or insert)]
        if never:
            lines += [
                "",
                f"A model with these tags can never write {', '.join(never)}: it can only keep them where "
                "they stand. --add-pronouns adds their tags.",
            ]
        if self.added:
            lines += ["", f"added for pronouns, seen in the pairs or not: {', '.join(self.added)}"]
        return lines


def make(pairs: Sequence[Path], existing: Path | None, size: int, *, pronouns: bool, verbs: Path | None) -> Vocabulary:
    """Build a vocabulary of `size` tags from pairs, or read the `existing` one. UsageError without either, InputError
    for a file that holds no pairs."""
    if not pairs and existing is None:
        raise UsageError("name files of pairs to build a vocabulary from, or one to look at with --from")
    forms: VerbForms = verb_forms(verbs)
    files = [pairs_of(path) for path in pairs]
    counts = count_tags(_pairs(files), forms)
    labels = read_labels(existing) if existing is not None else build(counts, size)
    added = tuple(missing_pronouns(labels)) if pronouns else ()
    notes = tuple(
        f"{lines.malformed:,} malformed lines are left out, the first is {lines.complaint()}"
        for lines in files
        if lines.malformed
    )
    return Vocabulary(with_pronouns(labels) if pronouns else labels, counts, added, notes)


def _pairs(files: Sequence[Lines]) -> Iterator[tuple[list[str], list[str]]]:
    for lines in files:
        for number in range(len(lines)):
            source, _, target = lines.text(number).partition("\t")
            yield source.split(), target.split()
