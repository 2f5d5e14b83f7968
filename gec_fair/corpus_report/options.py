"""What `gec-fair corpus report` can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from gec_fair.config.options import Option, check_fields

TOKENS = 8192
"""The size of a chunk, as the paper has it (its code cut 8,192 letters)."""
_DRAWN = Option("N", least=0)


@dataclass(frozen=True, kw_only=True)
class Measures:
    """What is measured of a corpus, and how."""

    sentiment: Annotated[str, Option("CLASSIFIER")] = "polarity"
    """A classifier of negative, neutral and positive, or "" for nobody; the embedded lexicon is weak."""
    emotions: Annotated[str, Option("FILE")] = ""
    """NRC's word-level lexicon.  [default: the package's small one]"""
    vectors: Annotated[str, Option("NAME")] = "overlap"
    """How coherence is measured: overlap, spacy:en_core_web_lg, or glove:FILE."""
    sentences: Annotated[int, _DRAWN] = 100_000
    """Sentences that classifiers judge, drawn by seed; 0 is all."""
    topical: Annotated[int, _DRAWN] = 2_000
    """Sentences of each topic whose sentiment is judged; 0 is all."""
    pos: Annotated[int, _DRAWN] = 0
    """Chunks that are tagged for parts of speech, drawn by seed."""
    tokens: Annotated[int, Option(least=1, is_keyword=True)] = TOKENS
    """The tokens of a chunk."""
    wrapped: bool = False
    """Lines are wrapped: those up to an empty one are one paragraph. Otherwise a line ends a sentence."""
    seed: Annotated[int, Option(least=0)] = 0
    """The seed of everything that is drawn."""

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class ReportOptions(Measures):
    """What `gec-fair corpus report` does."""

    toxic: Annotated[str, Option("CLASSIFIER=LABEL")] = "toxicity=toxic"
    """Who says what is toxic; detoxify:original=toxicity is the paper's."""
    hate: Annotated[str, Option("CLASSIFIER=LABEL")] = ""
    """Who says what is hateful, such as hf:MODEL=HATE.  [default: nobody]"""
    threshold: Annotated[float, Option(least=0, most=1)] = 0.5
    """A sentence with a higher score is toxic, or hateful."""
    audit: Annotated[int | None, Option("N", least=1)] = None
    """Flagged sentences for the review page, drawn by seed; needs -o."""
    workers: Annotated[int, Option(least=1)] = 1
    """Processes."""
