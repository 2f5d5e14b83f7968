"""The three stages of PANDA (Qian et al. 2022, appendix B) as folders for the review page. Each is made from what was
exported of the one before, and what is exported of the last is what `gec-fair perturber train` reads.

select      She lost her keys.   which words?         She, her/gender
attributes                       which attribute?     She/woman, her/woman
rewrite                          She: woman → man     He lost his keys.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from gec_fair.english.running_text.sentences import read_lines
from gec_fair.errors import InputError
from gec_fair.evaluate.evalsets.review.annotation import (
    NAME,
    RESULT,
    AnnotationSet,
    Axes,
    Span,
    Subject,
    read_set,
    write_set,
)
from gec_fair.evaluate.evalsets.review.decisions import Decision
from gec_fair.evaluate.evalsets.review.export import Exported, choose_decisions, final_verdict, write_disputed
from gec_fair.evaluate.evalsets.review.items import read_items
from gec_fair.evaluate.evalsets.review.tasks import ATTRIBUTES, DONE, NOT_PERTURBABLE, REWRITE, SELECT
from gec_fair.people.terms.axes import SHIPPED
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.runs.atomic import leave_nothing, write_json, write_text

PANDA = "panda.csv"
"""What is exported of stage 3."""
_Judged: TypeAlias = tuple[Subject, Mapping[str, Decision]]
_COLUMNS = ("original", "selected_word", "target_attribute", "perturbed")


def next_stage(source: Path, *, axes: Sequence[str] = (), seed: int = 0) -> AnnotationSet:
    """Stage 1 of a file with a text a line, stage 2 of an exported stage 1, or stage 3 of an exported stage 2. `axes`:
    of stage 1, all by default; `seed`: what stage 3 draws. InputError where a folder was not exported, is of the last
    stage, or leaves nothing to ask."""
    if not source.is_dir():
        return _selection(source, PerturbOptions(axes=tuple(axes)))
    if not (source / RESULT).is_file():
        raise InputError(
            f"{source}: has no {RESULT}; give a folder that `gec-fair review … --export` wrote of stage 1 or 2"
        )
    before = read_set(source / RESULT)
    with_words = [text for text in before.subjects if text.spans]
    if before.task == SELECT:
        task, subjects = ATTRIBUTES, with_words
    else:
        task, subjects = REWRITE, [drawn for text in with_words for drawn in _draw(text, before.axes, seed)]
    if not subjects:
        raise InputError(f"{source}: no word of it has a question in the next stage ({task})")
    return AnnotationSet(task, before.axes, tuple(subjects))


def _selection(path: Path, options: PerturbOptions) -> AnnotationSet:
    perturbing = Perturbing(options)
    texts = ((f"{path.name}:{number}", line) for number, line in enumerate(read_lines(path), 1) if line)
    subjects = tuple(Subject(place, text, perturbing.tokens((text,)).words) for place, text in texts)
    return AnnotationSet(SELECT, {axis: SHIPPED.attributes[axis] for axis in options.axes}, subjects)


def _draw(text: Subject, axes: Axes, seed: int) -> Iterator[Subject]:
    """A word of the text with another attribute, as Algorithm 1 draws it; a word that stands there often is one."""
    places: dict[tuple[str, str], list[tuple[Span, str]]] = {}
    for span, attribute in zip(text.spans, text.attributes, strict=True):
        for target in axes[span[2]]:
            if target != attribute:
                places.setdefault((text.word(span).lower(), target), []).append((span, attribute))
    if places:
        chance = Random(f"{seed}:{text.id}")
        word, target = chance.choice(list(places))
        span, attribute = chance.choice(places[word, target])
        yield replace(text, spans=(span,), attributes=(attribute,), target=target)


def export(
    folder: Path, out: Path, *, by: str | None = None, partial: bool = False, overwrite: bool = False
) -> Exported:
    """Write what was annotated in a folder into `out`: of stages 1 and 2 what all who judged a text agree on
    (annotated.json), of stage 3 every rewriting, each once (panda.csv); beside it the counts (review.json) and what
    annotators do not agree on (disputed.jsonl). `by`: one annotator's decisions alone. Raises as the export of other
    reviews does; InputError where nothing would be written."""
    chosen = choose_decisions(folder, out, by=by, partial=partial, overwrite=overwrite)
    annotation = read_set(folder / NAME)
    keys = [item.key for item in read_items(folder)]
    decisions = [{who: their[key] for who, their in chosen.items() if key in their} for key in keys]
    verdicts = [final_verdict(list(mine.values())) for mine in decisions]
    counts = Counter(verdicts)
    texts = list(zip(annotation.subjects, decisions, strict=True))
    with leave_nothing(out):
        written = _write_rewritings(out, texts) if annotation.task == REWRITE else _write_agreed(out, annotation, texts)
        if not written:
            raise InputError(f"{folder}: no text has a result that could be exported, so nothing was written")
        rows = [(text.id, mine) for (text, mine), verdict in zip(texts, verdicts, strict=True) if verdict == "disputed"]
        write_disputed(out, rows)
        about = {"task": annotation.task, "reviewers": list(chosen), "verdicts": counts, "exported": written}
        write_json(out / "review.json", about)
    return Exported(out, counts, written)


def _write_agreed(out: Path, annotation: AnnotationSet, texts: Sequence[_Judged]) -> int:
    """The texts that all who judged them answered, with what is the same in all answers."""
    agreed = _selected if annotation.task == SELECT else _attributed
    answered = [(text, [decision.answer or [] for decision in mine.values()]) for text, mine in texts if _is_done(mine)]
    if subjects := tuple(subject for text, answers in answered for subject in agreed(text, answers)):
        write_set(out / RESULT, replace(annotation, subjects=subjects))
    return len(subjects)


def _is_done(decisions: Mapping[str, Decision]) -> bool:
    return bool(decisions) and all(decision.verdict == DONE for decision in decisions.values())


def _selected(text: Subject, answers: Sequence[list[Any]]) -> Iterator[Subject]:
    first, *others = answers
    spans = [(start, end, axis) for start, end, axis in first if all([start, end, axis] in answer for answer in others)]
    yield replace(text, spans=tuple(spans))


def _attributed(text: Subject, answers: Sequence[list[Any]]) -> Iterator[Subject]:
    """Nothing where no word is left."""
    every = zip(text.spans, *answers, strict=True)
    agreed = [(span, names[0]) for span, *names in every if set(names) == {names[0]} - {NOT_PERTURBABLE}]
    if agreed:
        spans, attributes = zip(*agreed, strict=True)
        yield replace(text, spans=spans, attributes=attributes)


def _write_rewritings(out: Path, texts: Sequence[_Judged]) -> int:
    """A row for each rewriting; one that two annotators wrote alike is one row."""
    done = [(text, job) for text, mine in texts for job in mine.values() if job.verdict == DONE]
    rows = [
        (text.text, text.word(text.spans[0]), text.target, job.texts.get("rewriting", text.text)) for text, job in done
    ]
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([_COLUMNS, *(rows := list(dict.fromkeys(rows)))])
    write_text(out / PANDA, file.getvalue())
    return len(rows)
