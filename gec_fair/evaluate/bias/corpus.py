"""Explicit bias in training data: which pairs teach a model to write *he* for *they* (`evaluate.bias.explicit`).

A system learns what its corpus does. Synthetic noise tables that hold *themself → themselves* or *their → his* are a
likely cause of what Table 6 counts, and one that can be filtered out before training.

In running text nobody says which *they* is one person, so kinds are told by the words of each correction: 1, 3, 4, 5
and 6 from closed classes; 2 where a parse makes the noun a predicate of *they*, or its antecedent (with *he* put in
its place, which the resolver knows how to read), and the noun is plainly one: *a child*, *every student*. *A lot of
friend* is a number error like any other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gec_fair.config.corpora import Progress, Reading
from gec_fair.corpus.formats.inputs import resolve
from gec_fair.corpus.formats.malformed import complaint
from gec_fair.corpus.formats.readers import Block, blocks
from gec_fair.corpus.outcome import Augmented, Discarded, Malformed, Outcome
from gec_fair.corpus.records import Pair
from gec_fair.corpus.writers import JSONL, M2, PAIRS, render
from gec_fair.edits import Edit, Edits, diff, words_of
from gec_fair.english.lexicons.paradigms import (
    Form,
    Gender,
    forms_of,
    paradigm,
    pronoun_tokens,
    unmistakable_neopronouns,
)
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.errors import InputError, MalformedLine
from gec_fair.evaluate.bias import explicit
from gec_fair.evaluate.bias.explicit import Case, Kind, Protected
from gec_fair.runs.atomic import leave_nothing, refuse_used, write_bytes, write_text
from gec_fair.runs.json_files import json_line

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

DROPPED = (Kind.GENDERED, Kind.PLURALISED, Kind.REFLEXIVE, Kind.NEOPRONOUN)
"""What the filter takes out unless told otherwise; a deleted pronoun or *he → she* is often a right correction."""
_CLEANED = {PAIRS: "cleaned.tsv", M2: "cleaned.m2", JSONL: "cleaned.jsonl"}
_ONE = word_list("singular_determiners")
_NEAR = 8  # words between a determiner and its noun, by hand, generously: *a very good old friend* has 3


@dataclass
class Audit:
    """What was found so far: `pairs` read, `malformed` lines, `exposed` words in sources by kind, cases, and pairs
    with a case, by kind. `dropped` pairs are those that the filter left out."""

    pairs: int = 0
    malformed: int = 0
    dropped: int = 0
    exposed: Counter[Kind] = field(default_factory=Counter)
    cases: Counter[Kind] = field(default_factory=Counter)
    with_case: Counter[Kind] = field(default_factory=Counter)
    words: Counter[tuple[Kind, str, str]] = field(default_factory=Counter)
    complaints: list[MalformedLine] = field(default_factory=list)

    def as_json(self, *, top: int | None = None) -> dict[str, object]:
        """Counts and rates: cases per 1,000 words that could have been hit, and per 1,000 pairs."""
        return {
            "pairs": self.pairs,
            "malformed": self.malformed,
            "dropped": self.dropped,
            "kinds": [
                {
                    "kind": int(kind),
                    "name": kind.name.lower(),
                    "cases": self.cases[kind],
                    "pairs": self.with_case[kind],
                    "exposed_words": self.exposed[kind],
                    "per_1000_words": _per(self.cases[kind], self.exposed[kind]),
                    "per_1000_pairs": _per(self.with_case[kind], self.pairs),
                }
                for kind in Kind
            ],
            "corrections": [
                {"kind": kind.name.lower(), "old": old, "new": new, "count": count}
                for (kind, old, new), count in self.words.most_common(top)
            ],
        }


def audit(
    inputs: Sequence[str | Path],
    *,
    out: Path | None = None,
    drop: Collection[Kind] = DROPPED,
    reading: Reading | None = None,
    overwrite: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> Audit:
    """Count biased corrections in a corpus of any readable format; with `out`, write it without the `drop` kinds.

    `out` gets `cleaned.tsv` (or `.m2`, `.jsonl`, as the inputs are), `cases.jsonl` (every case with file and line),
    `malformed.jsonl` (lines that are no pair, with reason and remedy) and `audit.json`, each whole or not at all.
    `strict` raises the first malformed line. One pass; memory is flat but for cases and malformed lines.
    """
    reading_options = reading or Reading()
    sources = resolve(inputs, reading_options.format)
    if out is not None:
        refuse_used(out, overwrite=overwrite)
    audit = Audit()
    stream = _blocks(blocks(sources, reading_options), audit, frozenset(drop), strict, progress)
    if out is None:
        for _ in stream:
            pass
        return _not_empty(audit, inputs)
    kinds = {source.format for source in sources}
    name = M2 if kinds == {"m2"} else JSONL if kinds <= {"csv", "jsonl", "parquet"} else PAIRS
    rows: list[str] = []  # cases are few

    def lines() -> Iterator[bytes]:
        for block, records, outcomes, cases in stream:
            rows.extend(cases)
            yield render(block, records, outcomes).outputs[name]
        _not_empty(audit, inputs)  # before anything is renamed

    with leave_nothing(out):
        write_bytes(out / _CLEANED[name], lines())
        for older in _CLEANED.keys() - {name}:
            (out / _CLEANED[older]).unlink(missing_ok=True)
        write_text(out / "cases.jsonl", "".join(rows))
        complaints = (
            {name: getattr(line, name) for name in ("where", "reason", "remedy")} for line in audit.complaints
        )
        write_text(out / "malformed.jsonl", "".join(map(json_line, complaints)))
        write_text(out / "audit.json", json.dumps(audit.as_json(), ensure_ascii=False, indent=2) + "\n")
    return audit


def audit_pairs(pairs: Sequence[Pair]) -> Audit:
    """The same for pairs in memory."""
    audit = Audit(pairs=len(pairs))
    for cases in Auditor()(pairs, audit.exposed):
        _count(audit, cases)
    return audit


def _note(audit: Audit, block: Block, records: Sequence[Pair | Malformed], strict: bool) -> None:
    for line, record in enumerate(records, block.first):
        if isinstance(record, Malformed):
            message = complaint(block.file, line, record)
            if strict:
                raise message
            audit.malformed += 1
            audit.complaints.append(message)


def _not_empty(audit: Audit, inputs: Sequence[str | Path]) -> Audit:
    if not audit.pairs:
        names = ", ".join(str(path) for path in inputs)
        raise InputError(f"{names}: no pair in it ({audit.malformed} malformed lines); check the format and --fields")
    return audit


def _blocks(
    blocks: Iterator[Block], audit: Audit, drop: frozenset[Kind], strict: bool, progress: Progress | None
) -> Iterator[tuple[Block, Sequence[Pair | Malformed], Sequence[Outcome], list[str]]]:
    auditor = Auditor()
    done = 0
    for block in blocks:
        records = block.records()
        pairs = [record for record in records if isinstance(record, Pair)]
        cases = auditor(pairs, audit.exposed)
        outcomes: list[Outcome] = []
        rows = []
        for pair, mine in zip(pairs, cases, strict=True):
            _count(audit, mine)
            dropped = any(case.kind in drop for case in mine)
            audit.dropped += dropped
            outcomes.append(Discarded("biased") if dropped else Augmented(pair))
            rows += [_row(pair, case, dropped) for case in mine]
        audit.pairs += len(pairs)
        _note(audit, block, records, strict)
        done += len(records)
        if progress is not None:
            progress(done, None)
        yield block, records, outcomes, rows


class Auditor:
    """Cases of each pair; the English pipeline is loaded when a noun must be judged."""

    def __call__(self, pairs: Sequence[Pair], exposed: Counter[Kind]) -> list[list[Case]]:
        """`exposed` is added to: words of the sources that each kind could have hit."""
        cases: list[list[Case]] = []
        nouns: list[tuple[int, tuple[str, ...], Edit, int]] = []
        for number, pair in enumerate(pairs):
            mine: list[Case] = []
            cases.append(mine)
            lower = pair.source.lower().split(" ")
            if _read_watched().isdisjoint(lower):
                continue
            _expose(lower, exposed)
            if pair.source == pair.target and not pair.corrections:
                continue
            words = words_of(pair.source)
            places = Protected(frozenset(i for i, word in enumerate(words) if word.lower() in _read_watched()))
            they = not explicit.they_forms().isdisjoint(lower)
            for edit in _edits(pair, words):
                mine += [_case(number, edit, words, kind) for kind in explicit.kinds(edit, words, places)]
                if they:
                    nouns += [(number, words, edit, i) for i in _find_pluralised(edit, words)]
        for (number, words, edit, _), right in zip(nouns, self._is_person(nouns), strict=True):
            if right:
                cases[number].append(_case(number, edit, words, Kind.PLURALISED))
        return cases

    @cached_property
    def _nlp(self) -> Language:
        from gec_fair.english import pipeline

        return pipeline.load_shared()

    def _is_person(self, nouns: Sequence[tuple[int, tuple[str, ...], Edit, int]]) -> list[bool]:
        """Whether each noun is a predicate or the antecedent of a *they* in its sentence."""
        if not nouns:
            return []
        from gec_fair.english import pipeline
        from gec_fair.people import links

        docs: list[Doc] = list(pipeline.parse(self._nlp, [_as_he(words) for _, words, _, _ in nouns]))
        clusters = links.load().clusters(docs)
        return [
            at in explicit.protect(doc, _as_they(words), cluster).nouns
            and any(c.lower_ in _ONE for c in doc[at].children)
            for (_, words, _, at), doc, cluster in zip(nouns, docs, clusters, strict=True)
        ]


def _edits(pair: Pair, words: Sequence[str]) -> Iterator[Edit]:
    every: list[Edits] = [their for _, their in pair.corrections] or [diff(words, words_of(pair.target))]
    variants = (variant for their in every for edit in their for variant in edit.variants())
    return iter({(edit.start, edit.end, edit.replacement): edit for edit in variants}.values())  # of whatever type


def _find_pluralised(edit: Edit, words: Sequence[str]) -> Iterator[int]:
    """Places of nouns whose plural stands in the correction, and they themselves do not; after *a* or its like."""
    new = {word.lower() for word in edit.replacement}
    for i in range(edit.start, edit.end):
        lower = words[i].lower()
        near = {word.lower() for word in words[max(0, i - _NEAR) : i]}
        if (
            lower.isalpha()
            and lower not in new
            and not near.isdisjoint(_ONE)
            and not explicit.plurals(lower).isdisjoint(new)
        ):
            yield i


@cache
def _he() -> dict[str, str]:
    they, he = paradigm("they"), paradigm(Gender.MASCULINE.value)
    return {they.form(form): he.form(form) for form in Form}


def _as_he(words: Sequence[str]) -> tuple[str, ...]:
    """The sentence with *he* for *they*, word for word, so that coreference looks for one person."""
    return tuple(_he().get(word.lower(), word) for word in words)


def _as_they(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() if word.lower() in _he() else word for word in words)


def _expose(lower: Sequence[str], exposed: Counter[Kind]) -> None:
    they = sum(word in explicit.they_forms() for word in lower)
    if they:
        reflexive = lower.count("themself")
        exposed.update({Kind.GENDERED: they, Kind.PLURALISED: they, Kind.DELETED: they, Kind.REFLEXIVE: reflexive})
    exposed[Kind.WRONG_GENDER] += sum(bool(forms_of(word)) for word in lower)
    exposed[Kind.NEOPRONOUN] += sum(word in unmistakable_neopronouns() for word in lower)


@cache
def _read_watched() -> frozenset[str]:
    return explicit.they_forms() | pronoun_tokens() | unmistakable_neopronouns()


def _case(number: int, edit: Edit, words: Sequence[str], kind: Kind) -> Case:
    return Case(number, kind, edit.start, edit.end, tuple(words[edit.start : edit.end]), edit.replacement)


def _count(audit: Audit, cases: Sequence[Case]) -> None:
    audit.cases.update(case.kind for case in cases)
    audit.with_case.update({case.kind for case in cases})
    audit.words.update((case.kind, " ".join(case.old).lower(), " ".join(case.new).lower()) for case in cases)


def _row(pair: Pair, case: Case, dropped: bool) -> str:
    row = {
        "file": pair.file,
        "line": pair.line,
        "kind": case.kind.name.lower(),
        "start": case.start,
        "end": case.end,
        "old": " ".join(case.old),
        "new": " ".join(case.new),
        "dropped": dropped,
        "source": pair.source,
        "target": pair.target,
    }
    return json_line(row)


def _per(part: int, total: int) -> float | None:
    return 1000 * part / total if total else None
