"""Texts in, perturbed texts out: one word of each text is drawn with a target, and its whole chain rewritten.

Perturbing(options)([("Anna lost her keys .",)], ids=["a:1"])
  → [Perturbed(("Adam lost his keys .",), Drawn("Anna", "gender", "woman", "man"), Rewriting(…))]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, Protocol

from gec_fair.corpus.outcome import Sure
from gec_fair.edits import Edit, Edits, Rewriting, Tokens
from gec_fair.english import contractions, inflect
from gec_fair.english.letters import plain
from gec_fair.english.lexicons.lexicon import version as lexicon_version
from gec_fair.people.sure import Change, sure_of
from gec_fair.people.terms.axes import AGE, GENDER, RACE, is_unstated
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.rules import Rules
from gec_fair.perturber.rewriting.sampling import Choice, Draft, draw_choices
from gec_fair.perturber.rewriting.segments import fields_of, rewrite
from gec_fair.perturber.rewriting.signs import signs_of
from gec_fair.perturber.words.parsed_text import ParsedText
from gec_fair.perturber.words.perturbable import Finder
from gec_fair.version import __version__

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from gec_fair.people.links import Coref

_BATCH = 8_192
"""Words that are parsed together; the parser needs 12 KB for each."""
Refused = Literal["misaligned", "too_long", "strayed", "unsure_who"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The word that was drawn, as it stands, and from what to what it went."""

    word: str
    axis: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A text's fields afterwards. `drawn` is None if nothing could be changed; the fields are the old ones then, and
    also when a rewriting was `refused`: it lost the border between two fields (`misaligned`), the text is longer than
    the model reads (`too_long`), the model changed other words (`strayed`), or none was sure enough (`unsure_who`)."""

    fields: tuple[str, ...]
    drawn: Drawn | None = None
    rewriting: Rewriting | None = None
    """The rewriting of all fields as one text; if it strayed, what was refused."""
    refused: Refused | None = None
    strays: tuple[Edit, ...] = ()
    """A model's edits that have nothing to do with the drawn word, over the words of `rewriting.before`."""
    sure: Sure | None = None
    """How sure the rules are of the rewriting."""


class Perturber(Protocol):
    """Texts in, perturbed texts out. `version` names all beside the options that decides its answers."""

    @property
    def options(self) -> PerturbOptions:
        """The options it perturbs by."""
        ...

    @property
    def version(self) -> str:
        """What decides the answers, beside the options."""
        ...

    def load(self) -> None:
        """Load all models now, so that forked workers share them."""
        ...

    def __call__(self, texts: Sequence[Sequence[str]], ids: Sequence[str]) -> list[Perturbed]:
        """One answer for each text, in order; a text is a tuple of fields."""
        ...


@dataclass(frozen=True)
class Perturbing:
    """The rule perturber over whole texts. A text's answer does not depend on its company."""

    options: PerturbOptions

    @property
    def version(self) -> str:
        """`rules:`, the version of the package, and of a user's tables."""
        users = self.options.lexicon
        return f"rules:{__version__}" + (f":{lexicon_version(users)}" if users else "")

    @cached_property
    def finder(self) -> Finder:
        """What finds the perturbable words."""
        return Finder(self.options.lexicon)

    @cached_property
    def rules(self) -> Rules:
        """What plans the rewriting of a drawn word's chain."""
        return Rules(self.finder, self.options.seed)

    @cached_property
    def nlp(self) -> Language:
        """The parser, shared within the process."""
        from gec_fair.english import pipeline

        return pipeline.load_shared(self.options.english)

    @cached_property
    def resolver(self) -> Coref:
        """The coreference resolver."""
        from gec_fair.people import links

        return links.load(self.options.coref)

    def load(self) -> None:
        """Load all models now, so that forked workers share them."""
        _ = self.finder.demographics, self.finder.lexicon, self.nlp, self.resolver
        inflect.load()

    def __call__(self, texts: Sequence[Sequence[str]], ids: Sequence[str]) -> list[Perturbed]:
        """One answer for each text, in order; a text is a tuple of fields."""
        perturbed = [Perturbed(tuple(fields)) for fields in texts]
        for text in self.read(texts):
            perturbed[text.at] = self.perturb(text, ids[text.at], texts[text.at]) or perturbed[text.at]
        return perturbed

    def read(self, texts: Sequence[Sequence[str]]) -> list[ParsedText]:
        """Those of the texts that may hold a perturbable word, parsed."""
        may_hold = self.finder.may_name_people if self.options.insert else self.finder.may_hold
        chosen = [n for n, fields in enumerate(texts) if any(map(may_hold, fields))]
        tokens = [self.tokens(texts[n]) for n in chosen]
        docs = self.parse(tokens)
        clusters = self.resolver.clusters(docs) if docs else ()
        return [ParsedText(*parts, self.finder) for parts in zip(chosen, tokens, docs, clusters, strict=True)]

    def choices(self, text: ParsedText, text_id: str) -> Iterator[Choice]:
        """Words with targets in the order in which they are tried."""
        options = self.options
        weights = None if options.sampling == "uniform" else options.weights
        removes = any(map(is_unstated, options.targets))
        draw = partial(draw_choices, text, options.seed, text_id, axes=options.axes, weights=weights, removes=removes)
        order = chain(draw(), draw(words=text.insertable) if options.insert else ())
        allowed = (choice for choice in order if not options.targets or choice.target in options.targets)
        return islice(allowed, options.tries or None)

    def candidates(self, texts: Sequence[Sequence[str]]) -> Iterator[str]:
        """The axes of the perturbable words of the texts, a word once a text: to be counted for
        `sampling.axis_weights`."""
        held = [fields for fields in texts if any(map(self.finder.may_hold, fields))]
        for doc in self.parse([self.tokens(fields) for fields in held]):
            perturbable = self.finder.find(doc)
            words = dict.fromkeys((word.text(doc).lower(), word.axis) for word in perturbable)
            yield from (axis for _, axis in words if axis in self.options.axes)

    def perturb(self, text: ParsedText, text_id: str, fields: Sequence[str]) -> Perturbed | None:
        """The first drawn pair that changes the text and is sure enough; None where none changes it."""
        unsure, old = None, tuple(fields)
        for choice in self.choices(text, text_id):
            changes = self.rules.plan(text, choice)
            if not changes:
                continue
            sure = self.rate_plan(text, choice, changes)
            drawn_word = as_drawn(text, choice)
            if not self._is_sure(text, choice, changes, sure):
                unsure = unsure or Perturbed(old, drawn_word, refused="unsure_who", sure=sure)
                continue
            rewriting = rewrite(text.tokens, changes, fields)
            if rewriting is None:
                return Perturbed(old, drawn_word, refused="misaligned")
            return Perturbed(fields_of(rewriting, fields), drawn_word, rewriting, sure=sure)
        return unsure

    def plan(self, text: ParsedText, choice: Choice) -> Edits:
        """The rewriting by one choice; empty where nothing can be said otherwise, or not surely enough."""
        changes = self.rules.plan(text, choice)
        is_sure = not changes or self._is_sure(text, choice, changes, self.rate_plan(text, choice, changes))
        return changes if is_sure else Edits((), len(text.doc))

    def rate_plan(self, text: ParsedText, choice: Choice, changes: Edits) -> Sure | None:
        """How sure the rewriting by a choice is. None for an axis of a user's tables, and where an attribute is
        inserted or taken away: nobody has read such rewritings."""
        axis = choice.word.axis
        if axis not in (GENDER, RACE, AGE) or is_unstated(choice.word.attribute) or is_unstated(choice.target):
            return None
        signs = signs_of(Draft(text, choice, changes))
        return sure_of(Change.from_edits(text.doc, self.finder.lexicon, changes, signs), axis)

    def _is_sure(self, text: ParsedText, choice: Choice, changes: Edits, sure: Sure | None) -> bool:
        """Whether it is as sure as the options ask. Where that is not known, a sign that the person is half rewritten
        refuses it; an age may be taken away in any case."""
        if sure is not None:
            return sure.probability >= self.options.min_sure
        return choice.word.axis == AGE or not signs_of(Draft(text, choice, changes))

    def tokens(self, fields: Sequence[str]) -> Tokens:
        """All fields as one text with borders; words by spaces, or by the pipeline's tokenizer. InputError for a
        field that is too long to be parsed."""
        from gec_fair.english import pipeline

        is_cut = self.options.tokenised
        words = [contractions.cut(text.split()) if is_cut else pipeline.tokenize(self.nlp, text) for text in fields]
        parts = [Tokens.of(text, its_words) for text, its_words in zip(fields, words, strict=True)]
        after: list[str] = []
        borders: list[int] = []
        for number, part in enumerate(parts):
            if number:
                borders.append(len(after))
                after[-1:] = [gap or " " for gap in after[-1:]]
            after += part.after
        every = tuple(word for part in parts for word in part.words)
        return Tokens(every, tuple(after), parts[0].lead if parts else "", tuple(borders))

    def parse(self, texts: Sequence[Tokens]) -> list[Doc]:
        """The parsed texts, in order; their tokens are the texts' own words in plain letters."""
        from gec_fair.english import pipeline

        spaces = [[bool(gap) for gap in field.after] for field in texts]
        words = [tuple(map(plain, field.words)) for field in texts]
        unused = ("morphologizer",) if self.options.english == pipeline.EMBEDDED else ()
        size = max(1, _BATCH // max(map(len, words), default=1))
        return list(pipeline.parse(self.nlp, words, spaces, batch_size=size, without=unused))


def as_drawn(text: ParsedText, choice: Choice) -> Drawn:
    """What was drawn, as it is reported."""
    word = choice.word
    return Drawn(word.text(text.doc), word.axis, word.attribute, choice.target)
