"""Texts in, perturbed texts out: one word of each text is drawn with a target, and its whole chain rewritten.

Perturbing(options)([("Anna lost her keys .",)], ids=["a:1"])
  → [Perturbed(("Adam lost his keys .",), Drawn("Anna", "gender", "woman", "man"))]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from gec_fair.edits import Edits, Tokens
from gec_fair.english import inflect
from gec_fair.errors import UsageError
from gec_fair.perturber import axes as named
from gec_fair.perturber.rules import Rules
from gec_fair.perturber.sampling import Choice, drawn
from gec_fair.perturber.segments import rewritten
from gec_fair.perturber.words import Finder

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from gec_fair.english.coref import Cluster, Coref

SAMPLINGS = ("uniform", "axes")


@dataclass(frozen=True, slots=True)
class PerturbOptions:
    """Every choice that decides a perturbation."""

    axes: tuple[str, ...] = tuple(named.AXES)
    targets: tuple[str, ...] = ()
    """Attributes that may be drawn; () is all."""
    sampling: Literal["uniform", "axes"] = "uniform"
    """`uniform`: over (word, target) pairs (Algorithm 1); `axes`: an axis first (footnote 2), by `weights`."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Of the axes; `sampling.axis_weights` counts them over a data set."""
    tries: int = 0
    """Pairs that are drawn until one changes the text; 0 is all there are."""
    seed: int = 0
    tokenised: bool = False
    """Words are what stands between spaces."""
    english: str = "embedded"
    coref: str = "embedded"

    def __post_init__(self) -> None:
        for axis in self.axes:
            named.axis(axis)
        for target in self.targets:
            named.attribute(target)
        if self.sampling not in SAMPLINGS or self.tries < 0:
            raise UsageError(f"sampling is one of {', '.join(SAMPLINGS)}; tries is 0 or more")


@dataclass(frozen=True, slots=True)
class Drawn:
    """The word that was drawn, as it stands, and from what to what it went."""

    word: str
    axis: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A text's fields afterwards; `drawn` None where nothing could be changed, and then the fields are the old ones."""

    fields: tuple[str, ...]
    drawn: Drawn | None = None
    edits: Edits | None = None
    words: tuple[str, ...] = ()
    """Of all fields, before; `edits` are over them."""
    misaligned: bool = False


@dataclass(frozen=True)
class Perturbing:
    """The rule perturber over whole texts. A text's answer does not depend on its company."""

    options: PerturbOptions

    @cached_property
    def finder(self) -> Finder:
        return Finder()

    @cached_property
    def rules(self) -> Rules:
        return Rules(self.finder, self.options.seed)

    @cached_property
    def nlp(self) -> Language:
        from gec_fair.english import pipeline

        return pipeline.shared(self.options.english)

    @cached_property
    def resolver(self) -> Coref:
        from gec_fair.english import coref

        return coref.load(self.options.coref)

    def load(self) -> None:
        """Load all models now, so that forked workers share them."""
        _ = self.finder.demographics, self.finder.lexicon, self.nlp, self.resolver
        inflect.load()

    def __call__(self, texts: Sequence[Sequence[str]], ids: Sequence[str]) -> list[Perturbed]:
        """One answer for each text, in order; a text is a tuple of fields."""
        found = [Perturbed(tuple(fields)) for fields in texts]
        chosen = [n for n, fields in enumerate(texts) if any(map(self.finder.may_hold, fields))]
        tokens = [self.tokens(texts[n]) for n in chosen]
        docs = self.parse(tokens)
        clusters = self.resolver.clusters(docs) if docs else ()
        for n, cut, doc, some in zip(chosen, tokens, docs, clusters, strict=True):
            found[n] = self.one(cut, doc, some, ids[n]) or found[n]
        return found

    def candidates(self, texts: Sequence[Sequence[str]]) -> Iterator[str]:
        """The axis of every perturbable word of the texts: to be counted for `sampling.axis_weights`."""
        held = [fields for fields in texts if any(map(self.finder.may_hold, fields))]
        for doc in self.parse([self.tokens(fields) for fields in held]):
            yield from (found.axis for found in self.finder.find(doc) if found.axis in self.options.axes)

    def one(self, tokens: Tokens, doc: Doc, clusters: Sequence[Cluster], text_id: str) -> Perturbed | None:
        """The first drawn pair that changes the text; None where none does."""
        options = self.options
        weights = None if options.sampling == "uniform" else options.weights
        order = drawn(self.finder.find(doc), options.seed, text_id, axes=options.axes, weights=weights)
        for number, choice in enumerate(order, 1):
            if not options.targets or choice.target in options.targets:
                changes = self.rules.plan(doc, clusters, choice)
                if changes:
                    parts = rewritten(tokens, changes)
                    return Perturbed(parts.fields, _told(doc, choice), changes, tokens.words, parts.misaligned)
            if number == options.tries:
                return None
        return None

    def tokens(self, fields: Sequence[str]) -> Tokens:
        """All fields as one text with borders; words by spaces, or by the pipeline's tokenizer."""
        words: list[str] = []
        after: list[str] = []
        borders: list[int] = []
        lead = ""
        for number, text in enumerate(fields):
            own = (
                text.split() if self.options.tokenised else [t.text for t in self.nlp.make_doc(text) if not t.is_space]
            )
            before, *gaps = _gaps(text, own)
            if number:
                borders.append(len(words))
                after[-1:] = [gap or " " for gap in after[-1:]]
            else:
                lead = before
            words += own
            after += gaps
        return Tokens(tuple(words), tuple(after), lead, tuple(borders))

    def parse(self, texts: Sequence[Tokens]) -> list[Doc]:
        from gec_fair.english import pipeline

        spaces = [[bool(gap) for gap in each.after] for each in texts]
        return list(pipeline.parse(self.nlp, [each.words for each in texts], spaces))


def _gaps(text: str, words: Sequence[str]) -> list[str]:
    """What stands before the first word, and behind each."""
    gaps, at = [], 0
    for word in words:
        start = text.index(word, at)
        gaps.append(text[at:start])
        at = start + len(word)
    return [*gaps, text[at:]]


def _told(doc: Doc, choice: Choice) -> Drawn:
    word = choice.word
    return Drawn(doc[word.start : word.end].text, word.axis, word.attribute, choice.target)
