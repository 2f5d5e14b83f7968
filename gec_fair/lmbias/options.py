"""What the commands and functions of language models can be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from gec_fair.config.options import Option, check_fields
from gec_fair.errors import UsageError
from gec_fair.progress import Progress

Scoring = Literal["original", "within-word-l2r"]
OF_VECTORS = frozenset(["seat"])
"""Suites that read vectors alone, and no probabilities."""


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """How a masked model scores."""

    scoring: Scoring = "original"
    """What is hidden from a masked model: the sub-word alone, or also those of its word that follow (Salazar et al.
    2020; Kauf & Ivanova 2023)."""


@dataclass(frozen=True, kw_only=True)
class ReaderOptions(ScoringOptions):
    """How a language model is read."""

    kind: Literal["auto", "masked", "causal"] = "auto"
    """What the model was trained as, where its configuration does not say it."""


@dataclass(frozen=True, kw_only=True)
class Suites(ScoringOptions):
    """Suites, and every choice that decides their figures."""

    suites: Annotated[Sequence[str], Option("NAMES", flags="--suite", separator=",")] = field(
        default=("crows", "stereoset", "seat", "holisticbias", "blimp"), kw_only=False
    )
    """crows, stereoset, seat, holisticbias, winobias, bbq, entity_tracking, blimp, blimp_filtered_babylm,
    blimp_supplement, blimp_fast_babylm, blimp_supplement_fast; a folder of minimal pairs (NAME.jsonl) is one too."""
    size: Literal["quick", "full"] = "quick"
    """quick: 50 items a paradigm, BBQ 25 questions a stratum, HolisticBias 4 nouns and 4 templates."""
    sample: Annotated[int, Option("N", least=0)] = 0
    """Items of each suite but seat, drawn by seed, with their standard error; 0 takes what --size says."""
    seed: Annotated[int, Option(least=0)] = 0
    """The seed of the sample, of quick parts and of SEAT's drawn divisions."""
    pool: Literal["mean", "first"] = "mean"
    """SEAT's vector of a text."""
    axes: Annotated[Sequence[str], Option("A,B", separator=",")] = ("gender_and_sex", "race_ethnicity", "age")
    """The axes of HolisticBias; by default those of Qian et al. (2022): gender, race and age."""
    holisticbias: Literal["v1.0", "v1.1"] = "v1.0"
    """The version of HolisticBias; v1.0 is the paper's."""

    def __post_init__(self) -> None:
        check_fields(self)
        for name, values in (("suite", self.suites), ("axes", self.axes)):
            if not values:
                raise UsageError(f"{name} names none; name some, or leave it out for those that are run by default")
            counts = Counter(Path(value).name for value in values)  # as the figures and the signature call them
            if doubled := [value for value, number in counts.items() if number > 1]:
                raise UsageError(f"{name} has {doubled[0]} twice; once is enough, and two folders want two names")

    @property
    def needs_head(self) -> bool:
        """Whether a suite reads probabilities, which a model without a language model's head does not have."""
        return not OF_VECTORS.issuperset(self.suites)


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(Suites, ReaderOptions):
    """What `gec-fair lmbias run` does."""

    tokenizer: Annotated[Any, Option(is_keyword=True)] = None
    """The tokenizer of a model in memory."""
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
