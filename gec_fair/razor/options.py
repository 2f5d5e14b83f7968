"""What the commands and functions of RAZOR can be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from gec_fair.config.options import Option, check_fields, check_range, part
from gec_fair.config.suggest import closest
from gec_fair.data.columns import Missing
from gec_fair.errors import UsageError

NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "unique_id", "pairID", "cid"),
    "label": ("gold_label", "label"),
    "text": ("claim", "hypothesis", "sentence2", "query", "text", "sentence"),
    "evidence": ("evidence", "evidence_sentence", "premise", "sentence1", "context", "gold_evidence"),
}
SPACE_OF: Mapping[str, str] = {"contrast": "tfidf", "paper": "positions"}
"""The space of each scoring if none is named; `published` has its own."""
SPACES = ("positions", "tfidf")
ENCODER = "encoder:"
DIMENSIONS = 64  # chosen by hand; other values: docs/how-to/razor-paper.md
NEGATIONS = ("no", "not")
_NAME = Option("NAME")
_COUNT = Option("N", least=1)


@dataclass(frozen=True, kw_only=True)
class Fields:
    """The names of a row's fields; None is the first of NAMES that a row has."""

    id: Annotated[str | None, _NAME] = None
    """The field of the ids; rows are numbered where there is none."""
    label: Annotated[str | None, _NAME] = None
    """The field of the label; by default gold_label or label."""
    text: Annotated[str | None, _NAME] = None
    """The field of what is scored; by default the first of claim, hypothesis, sentence2, query, text, sentence."""
    evidence: Annotated[str | None, _NAME] = None
    """The field of the evidence, which stays, if there is one."""

    def read(self, field: str, row: Mapping[str, Any]) -> str | None:
        """The name of a field's column: the given one, else the first of NAMES in the row, else None."""
        column: str | None = getattr(self, field)
        return column or next((name for name in NAMES[field] if name in row), None)


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """UsageError for a space that does not exist, or that the scoring has no use for."""

    scoring: Literal["contrast", "paper", "published"] = "contrast"
    """contrast (ours), the paper's equation 12, or the authors' code as it is published."""
    space: Annotated[str, _NAME] = ""
    """positions, tfidf or encoder:NAME.  [default: by scoring]"""
    dimensions: Annotated[int, Option("N")] = DIMENSIONS
    """λ, of positions."""
    encoding: Literal["paper", "standard"] = "paper"
    """Of positions: the paper's exponent 2k/λ, or the standard 2⌊k/2⌋/λ."""

    def __post_init__(self) -> None:
        check_fields(self)
        if self.scoring == "published" and self.space:
            raise UsageError("--scoring published has its own space; leave --space out")
        check_range(self, "dimensions", least=1)
        if self.where != "positions" and (self.dimensions, self.encoding) != (DIMENSIONS, "paper"):
            name = "encoding" if self.dimensions == DIMENSIONS else "dimensions"
            raise UsageError(f"{name} is for the space of positions; name it, or --scoring paper")
        named = len(self.space) > len(ENCODER) and self.space.startswith(ENCODER)
        if self.space and self.space not in SPACES and not named:
            raise UsageError(
                f"no space is called {self.space!r}{closest(self.space, SPACES)}; there are "
                f"{', '.join(SPACES)}, {ENCODER}NAME"
            )

    @property
    def where(self) -> str:
        """The space's name, "" of `published`."""
        return self.space or SPACE_OF.get(self.scoring, "")


@dataclass(frozen=True, kw_only=True)
class ShortcutOptions(Fields, ScoreOptions):
    """What `gec_fair.razor.score` does."""

    missing: Annotated[Missing, Option(is_keyword=True)] = "refuse"
    """"drop" leaves rows out that have no text or label (None, NaN, an empty text), and counts them. Rows of a file
    that cannot be read or have no text are always left out, with a note."""


@dataclass(frozen=True, kw_only=True)
class RankingOptions(ShortcutOptions):
    """What `gec-fair razor score` does."""

    words: Annotated[int, Option("N", least=0)] = 0
    """In the output, each document's N words that add most."""
    top: Annotated[int, Option("N", least=0)] = 10
    """How many documents, and words of each label, to print."""


@dataclass(frozen=True, kw_only=True)
class RewriteOptions(ScoreOptions):
    """UsageError for a scoring without an objective, and for numbers below 1."""

    top: Annotated[int, Option("N")] = 50
    """Documents of a label in a pass (the authors' code has 50)."""
    tries: Annotated[int, Option("N")] = 2
    """How often a document is rewritten at most."""
    turns: Annotated[int, Option("N")] = 100
    """Passes of each label at most."""
    patience: Annotated[int, Option("N")] = 1
    """Stop after so many turns that gained nothing (in a settings file, no more than `least`)."""
    least: Annotated[float, Option(is_keyword=True)] = 0.0
    """As a share of what is measured; 0: as long as anything is gained."""
    stop: Literal["distance", "objective"] = "distance"
    """What a turn must gain: less squared distance of the labels' means, or equation 14's mean cosine."""
    longest: Annotated[int, Option(is_keyword=True)] = 512
    """Words of a document that are rewritten (§4: 512 tokens); what comes after them stays behind them as it is."""

    def __post_init__(self) -> None:
        ScoreOptions.__post_init__(self)
        if self.scoring not in SPACE_OF:
            raise UsageError(f"--scoring {self.scoring} has no objective; choose {' or '.join(SPACE_OF)}")
        check_range(self, "top", "tries", "turns", "patience", "longest", least=1)

    def as_record(self) -> dict[str, Any]:
        """The options as a run's manifest has them."""
        values = asdict(part(self, RewriteOptions))
        score = {name: values.pop(name) for name in ("scoring", "space", "dimensions", "encoding")}
        return {"score": {"mode": score.pop("scoring"), **score}, **values}


@dataclass(frozen=True, kw_only=True)
class RunOptions(Fields, RewriteOptions):
    """What `gec-fair razor run` does."""

    llm: Annotated[str | None, Option("MODEL")] = None
    """Rewrites and verifies, behind a server that speaks OpenAI's protocol."""
    rewriter: Annotated[str | None, _NAME] = None
    """llm:MODEL, or rules, which are embedded.  [default: by --llm]"""
    verifier: Annotated[str | None, _NAME] = None
    """llm:MODEL, nli:MODEL, a classifier (hf:MODEL, sklearn:FILE.skops, …), or none.  [default: by --llm]"""
    candidates: Annotated[int, _COUNT] = 3
    """Rewritings of a document."""
    temperature: Annotated[float, Option(least=0, most=2)] = 0.7
    """The temperature of the rewriter."""
    top_p: Annotated[float, Option(most=1)] = 0.9
    """The rewriter's share of likely words, above 0."""
    prompts: Annotated[Path | None, Option("FOLDER")] = None
    """Other prompts."""
    dry_run: bool = False
    """Ask nothing; say what the first turn would cost."""
    at_once: Annotated[int, _COUNT] = 8
    """Requests on their way at a time."""
    no_cache: bool = False
    """Ask anew, and keep no answers."""
    seed: int = 0
    """The seed of the rewriter's draws."""

    def __post_init__(self) -> None:
        RewriteOptions.__post_init__(self)
        check_range(self, "top_p", above=0)


@dataclass(frozen=True, kw_only=True)
class ExplainOptions(Fields):
    """What `gec-fair razor explain` does."""

    model: Annotated[str, _NAME]
    """The classifier: hf:NAME, sklearn:FILE.skops, command:PROGRAM."""
    part: Annotated[Sequence[str], Option("A,B", separator=",")] = ()
    """The words.  [default: the fewest that are enough]"""
    attribution: Literal["attention", "occlusion"] | None = None
    """h of lemma 1.  [default: attention, of hf: models]"""
    rename: Annotated[Mapping[str, str], Option("A=B")] = field(default_factory=dict)
    """A label of the data as the model calls it."""


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions:
    """What decides an evaluation."""

    methods: Annotated[Sequence[str], Option("NAMES", separator=",")] = field(default=(), kw_only=False)
    """original, eda, crossaug, rew, poe, clever, razor.  [default: what the data allow]"""
    seeds: Annotated[int, Option(least=1)] = 1
    """Trainings of each method; one that draws nothing is trained once."""
    claim_only: bool = False
    """Train and judge on claims without their evidence."""
    pairs: Annotated[int, Option("N", least=0)] = 0
    """Train on N documents that the rewriting changed, drawn by each training's seed, the same for every method
    (figure 3); 0 is all documents."""
    terms: Annotated[Sequence[str], Option("WORDS", flags="--count", separator=",")] = NEGATIONS
    """Words that are counted before and after the rewriting."""


@dataclass(frozen=True, kw_only=True)
class EvaluateRunOptions(Fields, EvaluateOptions):
    """What `gec-fair razor evaluate` does."""

    train: Annotated[Sequence[Path], Option("FILE")]
    """Training data; again for more."""
    test: Annotated[Sequence[str], Option("NAME=FILE")]
    """A test set; again for more."""
    rewritten: Annotated[Path | None, Option("FILE")] = None
    """razor: run's rewritten.jsonl."""
    labels: Annotated[Sequence[str], Option("A,B", separator=",")] = ()
    """Documents with other labels are left out.  [default: all]"""
    negater: Annotated[str | None, Option("MODEL")] = None
    """crossaug: a seq2seq model.  [default: other numbers for numbers]"""
    backbone: Annotated[str, _NAME] = "linear"
    """linear, or an encoder (folder or hub name)."""
    settings: Annotated[Path | None, Option("SETTINGS")] = None
    """How an encoder is trained."""
    runs: Annotated[Path | None, Option("DIR")] = None
    """An encoder's trainings; a killed command resumes in it."""
    looks_per_run: Annotated[int, Option("N", flags="--looks", least=0)] = 0
    """How often an encoder is judged while it learns (figure 4)."""
