"""A model as the perturber of whole texts: asked about a drawn word, and about the next until the text changes.

What it answers is read as edits over the words that white space parts, so that all that it left alone stays byte for
byte. An edit is on target where all its words are of the drawn word's chain or its axis, or where it adds some beside
them, or is an article or a verb that agrees; every other one strays.

    she, man <PERT_SEP> She fed the cat .   →   He fed the dog .      she → he on target, cat → dog astray
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Protocol

from gec_fair.edits import Edit, Edits, Rewriting, Tokens, apply, diff
from gec_fair.english import inflect
from gec_fair.english.lexicons.word_lists import word_list
from gec_fair.perturber.neural.seq2seq import Answer, Neural, PromptRequest
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbed, Perturbing, as_drawn
from gec_fair.perturber.rewriting.sampling import Choice
from gec_fair.perturber.rewriting.segments import frame, occurs
from gec_fair.perturber.words.parsed_text import ParsedText

if TYPE_CHECKING:
    from spacy.tokens import Token

_ARTICLES = word_list("indefinite_articles")
_MARKS = ".,;:!?\"'()[]“”‘’"


class Asker(Protocol):
    """What answers: `Neural`, or anything alike."""

    @property
    def version(self) -> str:
        """What decides the answers, beside the requests."""
        ...

    def __call__(self, requests: Sequence[PromptRequest]) -> list[Answer]:
        """One answer for each request, in order."""
        ...


@dataclass(frozen=True)
class Asking:
    """The neural perturber over whole texts. Texts that are asked together are read in batches, so in half precision
    a text's answer may depend on its company: the same texts give the same bytes."""

    options: PerturbOptions
    model: Asker

    @property
    def version(self) -> str:
        """The version of the model behind it."""
        return self.model.version

    @cached_property
    def words(self) -> Perturbing:
        """What finds and draws the words."""
        return Perturbing(self.options)

    def load(self) -> None:
        """Load the models that find and draw the words now, so that forked workers share them."""
        self.words.load()

    def __call__(self, texts: Sequence[Sequence[str]], ids: Sequence[str]) -> list[Perturbed]:
        """One answer for each text, in order; a text is a tuple of fields."""
        perturbed = [Perturbed(tuple(fields)) for fields in texts]
        left = [_Text.from_read(read, self._choices(read, ids[read.at])) for read in self.words.read(texts)]
        while pending := [(text, choice) for text in left if (choice := next(text.choices, None)) is not None]:
            answers = self.model([text.about(choice) for text, choice in pending])
            left = []
            for (text, choice), answer in zip(pending, answers, strict=True):
                new = self._read(text, choice, answer, texts[text.read.at])
                if new is not None:
                    perturbed[text.read.at] = new
                if new is None or new.refused in ("misaligned", "strayed"):  # the next word may do better
                    left.append(text)
        return perturbed

    def _choices(self, read: ParsedText, text_id: str) -> Iterator[Choice]:
        """Those whose word stands by itself, for a model to find: not the *he* of *hes*."""
        fields = read.tokens.segments
        return (choice for choice in self.words.choices(read, text_id) if occurs(as_drawn(read, choice).word, fields))

    def _read(self, text: _Text, choice: Choice, answer: Answer, fields: Sequence[str]) -> Perturbed | None:
        """What became of a text; None where the model changed nothing."""
        before = tuple(fields)
        drawn = as_drawn(text.read, choice)
        if answer.too_long:
            return Perturbed(before, drawn, refused="too_long")
        emptied = [not new.strip() and bool(old.strip()) for new, old in zip(answer.fields, before, strict=True)]
        if emptied == [True]:  # no answer at all
            return None
        if answer.misaligned or any(emptied):
            return Perturbed(before, drawn, refused="misaligned")
        changes = text.changes(answer.fields)
        if not any(changes):
            return None
        joined_edits = text.join_edits(changes)
        strays = tuple(self._strays(text, choice, joined_edits))
        after = [apply(field_edits, field).text for field_edits, field in zip(changes, text.fields, strict=True)]
        new = frame(after, before)
        rewriting = text.rewriting(joined_edits, new)
        if strays and self.options.refuse_strays:
            return Perturbed(before, drawn, rewriting, "strayed", strays)
        return Perturbed(new, drawn, rewriting, strays=strays)

    def _strays(self, text: _Text, choice: Choice, changes: Edits) -> Iterator[Edit]:
        words = [word for word in text.read.words if word.axis == choice.word.axis]
        axis = {i for word in words for i in range(word.start, word.end)}
        aimed = {text.homes[i] for i in axis | text.read.chains.chain_of(choice.word)}
        for edit in (single for change in changes for single in _singles(change, text.words)):
            near = {*range(edit.start, edit.end)} if edit.end > edit.start else {edit.start - 1, edit.start}
            meant = near <= aimed if edit.end > edit.start else near & aimed
            if not meant and not _agrees(edit, text.tokens(edit)):
                yield edit


@dataclass(frozen=True)
class _Text:
    """A text while the model is asked about it. `fields`: over the words that white space parts; `homes`: of each token
    of the parse the number of its word, over all fields."""

    read: ParsedText
    fields: tuple[Tokens, ...]
    homes: tuple[int, ...]
    choices: Iterator[Choice]

    @classmethod
    def from_read(cls, read: ParsedText, choices: Iterator[Choice]) -> _Text:
        cut = read.tokens
        fields: list[Tokens] = []
        homes: list[int] = []
        before = 0
        for a, b in pairwise((0, *cut.borders, len(cut))):
            words: list[str] = []
            after: list[str] = []
            for word, gap in zip(cut.words[a:b], cut.after[a:b], strict=True):
                if words and not after[-1]:
                    words[-1] += word
                    after[-1] = gap
                else:
                    words.append(word)
                    after.append(gap)
                homes.append(before + len(words) - 1)
            fields.append(Tokens(tuple(words), tuple(after), "" if fields else cut.lead))
            before += len(words)
        return cls(read, tuple(fields), tuple(homes), choices)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for field in self.fields for word in field.words)

    def rewriting(self, changes: Edits, new: Sequence[str]) -> Rewriting:
        """The rewriting of all fields as one text; with `new` as its text, if it has one field."""
        after = tuple(gap for field in self.fields for gap in field.after)
        borders = tuple(accumulate(len(field) for field in self.fields[:-1]))
        rewriting = Rewriting.of(Tokens(self.words, after, self.fields[0].lead, borders), changes)
        return rewriting if len(new) > 1 else replace(rewriting, after=Tokens.of(new[0], rewriting.after.words))

    def about(self, choice: Choice) -> PromptRequest:
        """The question, with single spaces: what models are trained on."""
        word = as_drawn(self.read, choice).word
        return PromptRequest(tuple(" ".join(field.words) for field in self.fields), word, choice.target)

    def changes(self, new: Sequence[str]) -> tuple[Edits, ...]:
        """The edits of each field, so that none crosses a border."""
        return tuple(diff(field.words, text.split()) for field, text in zip(self.fields, new, strict=True))

    def join_edits(self, changes: Sequence[Edits]) -> Edits:
        """The fields' edits as edits of the whole text."""
        edits: list[Edit] = []
        before = 0
        for field_edits, field in zip(changes, self.fields, strict=True):
            edits += [Edit(before + edit.start, before + edit.end, edit.replacement) for edit in field_edits]
            before += len(field)
        return Edits(tuple(edits), before)

    def tokens(self, edit: Edit) -> list[Token]:
        """The tokens of the parse under an edit."""
        return [self.read.doc[i] for i, home in enumerate(self.homes) if edit.start <= home < edit.end]


def _singles(edit: Edit, words: Sequence[str]) -> Iterator[Edit]:
    """Word for word where as many stand there as before: each is judged by itself."""
    if len(edit.replacement) != edit.end - edit.start:
        yield edit
        return
    for at, new in enumerate(edit.replacement, edit.start):
        if words[at] != new:
            yield Edit(at, at + 1, (new,))


def _agrees(edit: Edit, tokens: Sequence[Token]) -> bool:
    """*a* for *an*, or another form of the same verb."""
    if len(edit.replacement) != 1 or not tokens:
        return False
    new = edit.replacement[0].strip(_MARKS).lower()
    old = tokens[0]
    verb = old.tag_.startswith(("VB", "MD"))
    return {old.lower_, new} <= _ARTICLES or (verb and inflect.verb_lemma(old.text) == inflect.verb_lemma(new))


@lru_cache(maxsize=1)
def load_neural(name: str, beams: int = 1) -> Neural:
    """The parent asks for the model's version, and its step for its answers: one copy."""
    return Neural(name, beams=beams)
