"""What the commands and functions of language models can be told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from gec_fair.config.options import Option
from gec_fair.progress import Progress


@dataclass(frozen=True, kw_only=True)
class ReaderOptions:
    """How a language model is read."""

    kind: Literal["auto", "masked", "causal"] = "auto"
    """What the model was trained as, where its configuration does not say it."""
    scoring: Literal["original", "within-word-l2r"] = "original"
    """What is hidden from a masked model: the sub-word alone, or also those of its word that follow (Salazar et al.
    2020; Kauf & Ivanova 2023)."""


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(ReaderOptions):
    """What `gec-fair lmbias run` does."""

    suites: Annotated[Sequence[str], Option("NAMES", flags="--suite", separator=",")] = field(
        default=("crows", "stereoset", "seat", "holisticbias", "blimp"), kw_only=False
    )
    """crows, stereoset, seat, holisticbias, winobias, bbq, entity_tracking, blimp and its kin; a folder of minimal
    pairs (NAME.jsonl) is one too."""
    tokenizer: Annotated[Any, Option(is_keyword=True)] = None
    """The tokenizer of a model in memory."""
    suite_size: Literal["quick", "full"] = "quick"
    """quick: 50 items a paradigm, BBQ 25 questions a stratum, HolisticBias 4 nouns and 4 templates."""
    sample: Annotated[int, Option("N")] = 0
    """Items of each suite, drawn by seed, with their standard error; 0 is all."""
    seed: int = 0
    """The seed of the sample, of quick parts and of SEAT's drawn divisions."""
    pool: Literal["mean", "first"] = "mean"
    """SEAT's vector of a text."""
    axes: Annotated[Sequence[str], Option("A,B", separator=",")] = ("gender_and_sex", "race_ethnicity", "age")
    """The axes of HolisticBias."""
    holisticbias: Annotated[str, Option("VERSION")] = "v1.0"
    """v1.0 or v1.1."""
    self_debias: Annotated[Any, Option("AXIS")] = None
    """Score with Self-Debias of gender, race or religion (Schick et al. 2021); in Python also a `SelfDebias` with its λ
    and ε. It changes probabilities, and no vector of SEAT."""
    output: Annotated[str | Path | None, Option(is_keyword=True)] = None
    """Write the report there as JSON; after a kill the same call resumes with the next suite."""
    progress: Annotated[Callable[[str], Progress | None], Option(is_keyword=True)] = lambda title: None
    """For the name of a suite a function that hears (done, of how many)."""


@dataclass(frozen=True, kw_only=True)
class SurveyOptions:
    """What `gec-fair lmbias survey` does."""

    models: Annotated[Path | None, Option("FILE")] = None
    """name, model and group, apart by tabs.  [default: the 25 models of the BabyLM paper]"""
    suites: Annotated[Sequence[str], Option("NAMES", flags="--suite", separator=",")] = (
        "crows",
        "stereoset",
        "blimp_fast_babylm",
        "blimp_supplement_fast",
    )
    """Apart by commas; the folder of EWoK is one too, where you have it."""
    sample: Annotated[int, Option("N", least=0)] = 0
    """Items of each suite, drawn by seed; 0 is all."""
    seed: int = 0
    """The seed of the sample."""


@dataclass(frozen=True, kw_only=True)
class SurprisalOptions(ReaderOptions):
    """What `gec-fair lmbias surprisal` does."""

    unit: Literal["word", "subword"] = "word"
    """A row for each word (between white space), or for each sub-word of the vocabulary."""
    progress: Annotated[Progress | None, Option(is_keyword=True)] = None
    """Hears (done, of how many) texts."""
