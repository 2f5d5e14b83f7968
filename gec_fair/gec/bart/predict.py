"""Correct texts by writing them anew, each distinct text once, longest first, in batches of like length.

A text that is too long for the model, or empty, is passed through. Words that the model did not change stay as they
were, and so does the white space between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from gec_fair.edits import spaced
from gec_fair.gec.bart.checkpoint import Corrector, generation
from gec_fair.gec.bart.data import padded, under_budget
from gec_fair.gec.bart.options import Decoding
from gec_fair.gec.bart.prose import Tokenise, retokenised, shown, spacy_words
from gec_fair.gec.systems import Progress

_TOKENS = 4096  # sub-words in a batch, padding and beams among them


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected texts, in order."""

    texts: list[str]
    too_long: int
    """Texts over max_source, passed through."""
    unanswered: int
    """Texts for which the model wrote nothing, passed through."""


class Predictor:
    """A corrector on its device. `tokenise` cuts what was changed into words; of `tokenised` models, spaces do."""

    def __init__(
        self,
        corrector: Corrector,
        *,
        device: str | None = None,
        tokenise: Tokenise = spacy_words,
        tokens: int = _TOKENS,
    ) -> None:
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.corrector = corrector
        self.model = corrector.model.to(self.device).eval()
        self.tokenise = tokenise if corrector.options.text == "raw" else str.split
        self.tokens = tokens

    def correct(self, texts: Sequence[str], decoding: Decoding, *, progress: Progress | None = None) -> Corrected:
        """The corrected text of each text, both tokenised by spaces."""
        corrector = self.corrector
        known = list(dict.fromkeys(texts))
        words = [spaced(text).words for text in known]
        proses = [shown(each, corrector.options.text) for each in words]
        rows = [corrector.frame.around(each) for each in corrector.pieces([prose.text for prose in proses])]
        limit = corrector.options.max_source
        too_long = {text for text, row in zip(known, rows, strict=True) if len(row) > limit}
        wanted = [n for n, text in enumerate(known) if words[n] and text not in too_long]
        found: dict[str, str] = {}
        unanswered: set[str] = set()
        for n, written in self._written(rows, wanted, decoding, progress):
            new = retokenised(words[n], proses[n], written, self.tokenise)
            if not new:
                unanswered.add(known[n])
            elif new != words[n]:
                found[known[n]] = " ".join(new)
        answers = [found.get(text, text) for text in texts]
        return Corrected(answers, *(sum(text in some for text in texts) for some in (too_long, unanswered)))

    def _written(
        self, rows: Sequence[Sequence[int]], wanted: Sequence[int], decoding: Decoding, progress: Progress | None
    ) -> Iterator[tuple[int, str]]:
        """What the model writes for the wanted rows, longest first."""
        cost = [len(row) * decoding.beam for row in rows]
        done = 0
        for some in under_budget(sorted(wanted, key=lambda n: -cost[n]), cost, self.tokens, len(wanted)):
            yield from zip(some, self._write([rows[n] for n in some], decoding), strict=True)
            done += len(some)
            if progress is not None:
                progress(done, len(wanted))

    @torch.inference_mode()
    def _write(self, rows: Sequence[Sequence[int]], decoding: Decoding) -> list[str]:
        """What the model writes for each row of sub-words."""
        ids, mask = padded(rows, self.corrector.frame.padding)
        written = self.model.generate(
            input_ids=ids.to(self.device),
            attention_mask=mask.to(self.device),
            generation_config=generation(self.corrector, decoding),
        )
        return [self.corrector.text(row) for row in written.tolist()]
