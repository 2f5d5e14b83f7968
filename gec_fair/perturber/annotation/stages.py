"""The three stages of PANDA (appendix B): each makes the texts of the next.

select      She lost her keys.   which words?         She, her/gender
attributes                       which attribute?     She/woman, her/woman
rewrite                          She: woman → man     He lost his keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from gec_fair.english.sentences import read_lines
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.evalsets.review.annotation import RESULT, AnnotationSet, Axes, Span, Subject, read_set
from gec_fair.evaluate.evalsets.review.tasks import ATTRIBUTES, NOT_PERTURBABLE, REWRITE, SELECT
from gec_fair.people.terms import axes as known
from gec_fair.people.terms.lexicon import PerturbableWord
from gec_fair.perturber.annotation.checks import read_changes
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.rewriting.segments import fields_of, rewrite
from gec_fair.perturber.words.parsed_text import ParsedText

_LABELS = {
    "non-binary": "non-binary, or not said",
    "hispanic": "Hispanic or Latino",
    "native-american": "Native American or Alaska Native",
    "pacific-islander": "Hawaiian or Pacific Islander",
    "child": "child (under 18)",
    "young": "young (18–44)",
    "middle-aged": "middle-aged (45–64)",
    "senior": "senior (65 and more)",
    "adult": "adult (age not said)",
}
"""What the page calls an attribute; others are called as they are."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text and where it is from."""

    id: str
    text: str


def read_texts(path: Path) -> Iterator[Text]:
    """The texts of a file, a line each, or those that a finished `gec-fair perturb` changed, as they were. InputError
    for what is neither."""
    if path.is_dir():
        for place, old, *_ in read_changes(path):
            yield Text(place, old)
        return
    for number, line in enumerate(read_lines(path), 1):
        if line:
            yield Text(f"{path.name}:{number}", line)


def select(texts: Sequence[Text], options: PerturbOptions, *, suggest: bool = False) -> AnnotationSet:
    """Stage 1 of the texts, over the axes of the options. `suggest`: the words that the rules would find are selected
    at the start. Empty texts are left out. InputError where no other is there."""
    perturbing = Perturbing(options)
    chosen = [one for one in texts if one.text.strip()]
    if not chosen:
        raise InputError("no text with a word in it; give texts, one a line")
    subjects = [Subject(one.id, (one.text,), perturbing.tokens((one.text,)).words) for one in chosen]
    if suggest:
        subjects = _with_spans(subjects, perturbing)
    return AnnotationSet(SELECT, _labelled(options.known_axes, options.axes), tuple(subjects))


def attributes(folder: Path, *, suggest: bool = False, lexicon: str = "") -> AnnotationSet:
    """Stage 2 of an exported stage 1. `suggest`: the attribute that the rules see in a word is chosen at the start.
    InputError for another folder, or where no word was selected."""
    before = read_result(folder, SELECT)
    subjects = [one for one in before.subjects if one.spans]
    if not subjects:
        raise InputError(f"{folder}: no word was selected in any text, so there is nothing to ask")
    if suggest:
        subjects = _with_attributes(subjects, Perturbing(PerturbOptions(lexicon=lexicon)), before.axes)
    return AnnotationSet(ATTRIBUTES, before.axes, tuple(subjects))


def rewritings(
    folder: Path,
    *,
    targets: Sequence[str] = (),
    pairs: int = 1,
    seed: int = 0,
    suggest: bool = False,
    lexicon: str = "",
) -> AnnotationSet:
    """Stage 3 of an exported stage 2.

    `pairs`: of each text so many pairs of a word and another attribute are drawn (Algorithm 1), 0 for all; a word that
    stands in it often is one word. `targets`: attributes that may be drawn, all by default. `suggest`: the annotator
    starts from the rules' rewriting where they have one, else from the text. InputError for another folder, or
    where no pair is there; UsageError for a target that is none of its attributes.
    """
    before = read_result(folder, ATTRIBUTES)
    names = [name for axis in before.axes.values() for name in axis]
    if unknown := [name for name in targets if name not in names]:
        raise UsageError(f"no attribute is called {unknown[0]!r} in {folder}; there are {', '.join(names)}")
    subjects = [one for text in before.subjects for one in _draw(text, before.axes, set(targets or names), pairs, seed)]
    if not subjects:
        raise InputError(f"{folder}: no word of it can get one of these attributes, so there is nothing to rewrite")
    if suggest:
        subjects = _with_rewriting(subjects, Perturbing(PerturbOptions(lexicon=lexicon)))
    return AnnotationSet(REWRITE, before.axes, tuple(subjects))


def read_result(folder: Path, task: str) -> AnnotationSet:
    """What was exported of a task. InputError for another folder."""
    path = folder / RESULT
    remedy = f"give a folder that `gec-fair review … --export` wrote of the task {task}"
    if not path.is_file():
        raise InputError(f"{folder}: has no {RESULT}; {remedy}")
    annotation = read_set(path)
    if annotation.task != task:
        raise InputError(f"{path}: is of the task {annotation.task}; {remedy}")
    return annotation


def _labelled(axes: known.Axes, names: Iterable[str]) -> Axes:
    return {axis: {name: _LABELS.get(name, name) for name in axes.attributes[axis]} for axis in names}


def _draw(text: Subject, axes: Axes, targets: set[str], pairs: int, seed: int) -> Iterator[Subject]:
    """Of one text the words that are to change, each with its target."""
    places: dict[tuple[str, str], list[tuple[Span, str]]] = {}
    for span, source in zip(text.spans, text.attributes, strict=True):
        for target in axes[span[2]] if source not in ("", NOT_PERTURBABLE) else ():
            if target != source and target in targets:
                places.setdefault((text.word(span).lower(), target), []).append((span, source))
    chance = Random(f"{seed}:{text.id}")
    chosen = list(places) if not pairs else chance.sample(list(places), min(pairs, len(places)))
    for word, target in chosen:
        span, source = chance.choice(places[word, target])
        yield replace(
            text,
            id=f"{text.id}:{span[0]}:{target}",
            spans=(span,),
            attributes=(source,),
            rewriting=text.fields,
            source=source,
            target=target,
            group=span[2],
            facts=f"{text.word(span)}: {source} → {target}",
        )


def _with_spans(subjects: Sequence[Subject], perturbing: Perturbing) -> list[Subject]:
    words = _words(subjects, perturbing)
    axes = perturbing.options.axes
    return [
        replace(one, spans=tuple(span for span in words.get(at, ()) if span[2] in axes))
        for at, one in enumerate(subjects)
    ]


def _with_attributes(subjects: Sequence[Subject], perturbing: Perturbing, axes: Axes) -> list[Subject]:
    words = _words(subjects, perturbing)

    def attribute(at: int, span: Span) -> str:
        word = words.get(at, {}).get(span)
        return word.attribute if word is not None and word.attribute in axes[span[2]] else ""

    return [
        replace(one, attributes=tuple(attribute(at, span) for span in one.spans)) for at, one in enumerate(subjects)
    ]


def _with_rewriting(subjects: Sequence[Subject], perturbing: Perturbing) -> list[Subject]:
    texts = _parsed(subjects, perturbing)
    return [
        replace(one, rewriting=_rewritten(one, texts[at], perturbing)) if at in texts else one
        for at, one in enumerate(subjects)
    ]


def _rewritten(subject: Subject, text: ParsedText, perturbing: Perturbing) -> tuple[str, ...]:
    """By the rules; the text as it is where they see another attribute in the word, or cannot say it otherwise."""
    word = _by_span(text).get(subject.spans[0])
    if word is None or word.attribute != subject.source:
        return subject.fields
    changes = perturbing.rules.plan(text, Choice(word, subject.target))
    rewriting = rewrite(text.tokens, changes, subject.fields) if changes else None
    return fields_of(rewriting, subject.fields) if rewriting is not None else subject.fields


def _words(subjects: Sequence[Subject], perturbing: Perturbing) -> dict[int, Mapping[Span, PerturbableWord]]:
    """The perturbable words that the rules find, by text and place."""
    return {at: _by_span(text) for at, text in _parsed(subjects, perturbing).items()}


def _parsed(subjects: Sequence[Subject], perturbing: Perturbing) -> dict[int, ParsedText]:
    """The texts that may hold a perturbable word, by their number; without those that another version cut into other
    words, whose places mean other words now."""
    texts = perturbing.read([one.fields for one in subjects])
    return {text.at: text for text in texts if text.tokens.words == subjects[text.at].words}


def _by_span(text: ParsedText) -> Mapping[Span, PerturbableWord]:
    return {(word.start, word.end, word.axis): word for word in text.words}
