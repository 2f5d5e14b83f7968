"""From annotators' decisions to the texts of the next stage, to PANDA's rows, or to what experts said of a rewriting.

    select, attributes   annotated.json, for the next stage: what all who judged a text agree on
    rewrite              panda.csv, for `gec-fair perturber train`: every rewriting that was saved, each once
    audit, labels        audit.jsonl, labels.jsonl: what everyone said of each text

Beside them review.json has the counts, and disputed.jsonl what the annotators do not agree on.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.annotation import NAME, RESULT, AnnotationSet, Span, Subject, read_set, write_set
from gec_fair.evaluate.evalsets.review.decisions import Decision
from gec_fair.evaluate.evalsets.review.export import Exported, as_row, choose_decisions, write_lines
from gec_fair.evaluate.evalsets.review.items import Item, check_answer, read_items
from gec_fair.evaluate.evalsets.review.tasks import ATTRIBUTES, AUDIT, DONE, LABELS, NOT_PERTURBABLE, REWRITE, SELECT
from gec_fair.people.terms.axes import SHIPPED
from gec_fair.perturber.annotation.checks import PANDA
from gec_fair.runs.atomic import nothing_left, write_json, write_text

USERS_PANDA = "panda-own-axes.csv"
"""Rows with attributes of a user's own axes, which a neural perturber does not know."""
_COLUMNS = ("original", "selected_word", "target_attribute", "perturbed")
UNDECIDED, DISPUTED = "undecided", "disputed"


@dataclass(frozen=True, slots=True)
class Judged:
    """A text with the decisions of those whose decisions are exported."""

    item: Item
    subject: Subject
    decisions: Mapping[str, Decision]

    @property
    def verdict(self) -> str:
        """What all say of it; `disputed` also where their answers differ. Two who wrote other words do not dispute."""
        every = list(self.decisions.values())
        if not every:
            return UNDECIDED
        same = all((one.verdict, one.answer) == (every[0].verdict, every[0].answer) for one in every)
        return every[0].verdict if same else DISPUTED

    @property
    def answers(self) -> list[Any]:
        """The answers, where all who judged it saved one."""
        every = list(self.decisions.values())
        return [one.answer for one in every] if all(one.verdict == DONE for one in every) else []


def export(
    folder: Path, out: Path, *, by: str | None = None, partial: bool = False, overwrite: bool = False
) -> Exported:
    """Write what was annotated in a folder into `out`. `by`: one annotator's decisions alone. Raises as the export of
    other reviews does; InputError where nothing would be written."""
    chosen = choose_decisions(folder, out, by=by, partial=partial, overwrite=overwrite)
    annotation = read_set(folder / NAME)
    texts = judged(folder, chosen)
    counts = Counter(text.verdict for text in texts)
    with nothing_left(out):
        written = _WRITERS[annotation.task](out, annotation, texts)
        if not written:
            raise InputError(f"{folder}: no text has a result that could be exported, so nothing was written")
        write_lines(out / "disputed.jsonl", [_everything(text) for text in texts if text.verdict == DISPUTED])
        about = {"task": annotation.task, "reviewers": list(chosen), "verdicts": counts, "exported": written}
        write_json(out / "review.json", about)
    return Exported(out, counts, written)


def judged(folder: Path, decisions: Mapping[str, Mapping[str, Decision]]) -> list[Judged]:
    """The texts of a folder with their decisions, by reviewer. InputError for a decision that the page cannot have
    saved."""
    texts = []
    for item in read_items(folder):
        mine = {who: their[item.key] for who, their in decisions.items() if item.key in their}
        for who, decision in mine.items():
            _check(folder, who, item, decision)
        if item.subject is not None:
            texts.append(Judged(item, item.subject, mine))
    return texts


def _check(folder: Path, who: str, item: Item, decision: Decision) -> None:
    try:
        if decision.verdict not in item.task.verdicts or decision.texts.keys() - item.texts.keys():
            raise ValueError(f"{decision.verdict!r} with {decision.texts!r}")
        if decision.verdict == DONE:
            check_answer(item, decision.answer)
    except (ValueError, AttributeError) as fault:
        raise InputError(
            f"{folder / 'review' / who}.json: {item.id}: is not a decision on this text ({fault}); restore the file, "
            "or take the decision out"
        ) from fault


def _write_stage(
    settle: Callable[[Judged], Subject], out: Path, annotation: AnnotationSet, texts: Sequence[Judged]
) -> int:
    subjects = tuple(settle(text) for text in texts if text.answers)
    if subjects:
        write_set(out / RESULT, replace(annotation, subjects=subjects))
    return len(subjects)


def _selected(text: Judged) -> Subject:
    """With the words that everyone selected."""
    first, *others = text.answers
    spans = [(start, end, axis) for start, end, axis in first if all([start, end, axis] in one for one in others)]
    return replace(text.subject, spans=tuple(spans), attributes=())


def _attributed(text: Judged) -> Subject:
    """With the words in which everyone saw one and the same attribute."""
    agreed: list[tuple[Span, str]] = []
    for span, *names in zip(text.subject.spans, *text.answers, strict=True):
        if len(set(names)) == 1 and names[0] != NOT_PERTURBABLE:
            agreed.append((span, names[0]))
    spans, attributes = [span for span, _ in agreed], [name for _, name in agreed]
    return replace(text.subject, spans=tuple(spans), attributes=tuple(attributes))


def _write_attributes(out: Path, annotation: AnnotationSet, texts: Sequence[Judged]) -> int:
    """Texts without a word left are not of the next stage."""
    with_words = [text for text in texts if text.answers and _attributed(text).spans]
    return _write_stage(_attributed, out, annotation, with_words)


def _write_rewritings(out: Path, annotation: AnnotationSet, texts: Sequence[Judged]) -> int:
    """A row for each rewriting; one that two annotators wrote alike is one row."""
    rows = list(dict.fromkeys(_row(text, one) for text in texts for one in text.decisions.values() if _is_saved(one)))
    ours = [row for row in rows if SHIPPED.has(row[2])]
    for name, part in ((PANDA, ours), (USERS_PANDA, [row for row in rows if row not in ours])):
        if part:
            write_text(out / name, _csv(part))
    return len(rows)


def _is_saved(decision: Decision) -> bool:
    return decision.verdict == DONE


def _row(text: Judged, decision: Decision) -> tuple[str, str, str, str]:
    subject = text.subject
    rewriting = decision.texts.get("rewriting", text.item.texts["rewriting"])
    return subject.fields[0], subject.word(subject.spans[0]), subject.target, rewriting


def _csv(rows: Sequence[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([_COLUMNS, *rows])
    return file.getvalue()


def _write_judgements(name: str, out: Path, annotation: AnnotationSet, texts: Sequence[Judged]) -> int:
    rows = [_everything(text) for text in texts if text.decisions]
    if rows:
        write_lines(out / name, rows)
    return len(rows)


def _everything(text: Judged) -> dict[str, Any]:
    subject = text.subject
    judged_texts = {"rewriting": list(subject.rewriting), "label": subject.label} if subject.rewriting else {}
    return {
        "id": subject.id,
        "original": list(subject.fields),
        **{name: value for name, value in judged_texts.items() if value},
        "facts": subject.facts,
        "verdict": text.verdict,
        "reviewers": {who: as_row(decision) for who, decision in text.decisions.items()},
    }


_WRITERS: Mapping[str, Callable[[Path, AnnotationSet, Sequence[Judged]], int]] = {
    SELECT: partial(_write_stage, _selected),
    ATTRIBUTES: _write_attributes,
    REWRITE: _write_rewritings,
    AUDIT: partial(_write_judgements, "audit.jsonl"),
    LABELS: partial(_write_judgements, "labels.jsonl"),
}
