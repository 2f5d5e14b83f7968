"""Correct texts by writing them anew, each distinct text once, longest first, in batches of like length.

A text that is too long for the model, or empty, is passed through, and one for which the model wrote nothing or came
to no end. Words that the model did not change stay as they were, and so does the white space between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch

from gec_fair.edits import Tokens, apply, diff, split_spaces
from gec_fair.english.running_text.prose import tokenise
from gec_fair.gec.bart.checkpoint import Corrector, generation
from gec_fair.gec.bart.data import pad, show
from gec_fair.gec.bart.options import Decoding
from gec_fair.models.batching import by_length
from gec_fair.models.inference import choose_device
from gec_fair.progress import Progress

Fate: TypeAlias = Literal["too_long", "unanswered", "cut_off"]
"""Why a text was passed through."""

_TOKENS = 4096  # sub-words in a batch, padding and beams among them


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected texts, in order."""

    texts: list[str]
    too_long: int
    """Texts over max_source, passed through."""
    unanswered: int
    """Texts for which the model wrote nothing, passed through."""
    cut_off: int
    """Texts whose answer was not at its end after max_target sub-words, passed through."""


class Predictor:
    """A corrector on its device. What a model of raw text writes is tokenised by alignment to its source."""

    def __init__(self, corrector: Corrector, *, device: str | None = None, tokens: int = _TOKENS) -> None:
        self.device = choose_device(device)
        self.corrector = corrector
        self.model = corrector.model.to(self.device).eval()
        # what a decoding leaves open, generate() takes from here: a plain BART's own would force an end
        self.model.generation_config = generation(corrector, Decoding())
        self.tokens = tokens

    def correct(self, texts: Sequence[str], decoding: Decoding, *, progress: Progress | None = None) -> Corrected:
        """The corrected text of each text, both tokenised by spaces."""
        corrector = self.corrector
        known = list(dict.fromkeys(texts))
        words = [split_spaces(text) for text in known]
        inputs = [show(tokens.words, corrector.options.text) for tokens in words]
        rows = [corrector.frame.around(pieces) for pieces in corrector.pieces(inputs)]
        limit = corrector.options.max_source
        fates: dict[str, Fate] = {text: "too_long" for text, row in zip(known, rows, strict=True) if len(row) > limit}
        wanted = [n for n, text in enumerate(known) if words[n].words and text not in fates]
        corrections: dict[str, str] = {}
        for n, written in self._write_all(rows, wanted, decoding, progress):
            new = () if written is None else self._words(words[n], inputs[n], written)
            if new:
                corrections[known[n]] = _with(words[n], new)
            else:
                fates[known[n]] = "cut_off" if written is None else "unanswered"
        fate = Counter(fates.get(text) for text in texts)
        answers = [corrections.get(text, text) for text in texts]
        return Corrected(answers, fate["too_long"], fate["unanswered"], fate["cut_off"])

    def _write_all(
        self, rows: Sequence[Sequence[int]], wanted: Sequence[int], decoding: Decoding, progress: Progress | None
    ) -> Iterator[tuple[int, str | None]]:
        """What the model writes for the wanted rows, longest first; None where it came to no end."""
        lengths = [len(rows[n]) * decoding.beam for n in wanted]
        done = 0
        for batch in by_length(lengths, self.tokens):
            numbers = [wanted[place] for place in batch]
            yield from zip(numbers, self._write([rows[n] for n in numbers], decoding), strict=True)
            done += len(numbers)
            if progress is not None:
                progress(done, len(wanted))

    def _words(self, source: Tokens, read: str, written: str) -> tuple[str, ...]:
        """What the model wrote for a source that it `read` so, as words."""
        if written == read:
            return source.words
        is_prose = self.corrector.options.text == "raw"
        return tokenise(source.words, written) if is_prose else split_spaces(written).words

    @torch.inference_mode()
    def _write(self, rows: Sequence[Sequence[int]], decoding: Decoding) -> list[str | None]:
        """What the model writes for each row of sub-words; None where max_target came before the end."""
        ids, mask = pad(rows, self.corrector.frame.padding)
        written = self.model.generate(
            input_ids=ids.to(self.device),
            attention_mask=mask.to(self.device),
            generation_config=generation(self.corrector, decoding),
        )
        end = self.corrector.frame.eos  # which stands first too, as what the decoder begins with
        return [self.corrector.text(row) if end in row[1:] else None for row in written.tolist()]


def _with(source: Tokens, words: tuple[str, ...]) -> str:
    """The source with other words, and its own white space wherever none of them changed."""
    return apply(diff(source.words, words), source).text
