"""Every choice of an augmentation, checked when it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from gec_fair.config.corpora import PairReading, Running
from gec_fair.config.options import Option, check_fields, check_range, fields_of
from gec_fair.errors import UsageError

if TYPE_CHECKING:
    from gec_fair.english.lexicons.paradigms import Gender, Paradigm

Method: TypeAlias = Literal["fm", "st", "neo"]
Gate: TypeAlias = Literal["coref", "none"]
Names: TypeAlias = Literal["fixed", "draw", "keep"]
_FM, _ST, _GATED = Option(methods=("fm",)), Option(methods=("st",)), Option(methods=("st", "neo"))


@dataclass(frozen=True, kw_only=True)
class Options:
    """What `gec-fair augment` and `gec-fair rewrite` do. Defaults are the paper's (Lund et al. 2023, §3) unless said.

    Raises UsageError for a choice that does not exist, and for one that means nothing for the method.
    """

    method: Annotated[Method, Option(is_argument=True)] = field(kw_only=False)
    """`fm`: feminine ⇄ masculine; `st`: singular *they*; `neo`: a neopronoun, through the same gate."""
    english: Annotated[str, Option("NAME|PATH")] = "embedded"
    """spaCy pipeline: ours, or en_core_web_sm, en_core_web_trf, a path."""
    lexicon: Annotated[str, Option("DIR")] = ""
    """Your own tables, laid over ours (docs/reference/lexicons.md)."""
    seed: int = 0
    """Decides what `names=draw` draws, and nothing else."""
    direction: Annotated[Literal["both", "m2f", "f2m"], _FM] = "both"
    """Swap both ways, masculine to feminine, or feminine to masculine."""
    names: Annotated[Names, _FM] = "fixed"
    """First names: the lexicon's bijection; another drawn for each text; or kept."""
    gate: Annotated[Gate, _GATED] = "coref"
    """coref: only where the text shows one person (§3.2); none: every he/she."""
    coref: Annotated[str, _GATED] = "embedded"
    """Coreference backend: embedded, fastcoref, maverick, neuralcoref."""
    reflexive: Annotated[Literal["themself", "themselves"], _ST] = "themself"
    """The reflexive of singular they; *themself* is rarer and more plainly singular."""
    paradigm: Annotated[str, Option("NAME|FORMS", methods=("neo",))] = ""
    """xe, ze, ey, fae, … or five forms: xe/xem/xyr/xyrs/xemself[:plural]; `neo` needs it."""
    animals: bool = False
    """Also rewrite *he* and *she* that stand for an animal, a ship or a country."""
    mirror: bool = False
    """Mirror agreement errors that would vanish (*he say* → *they says*) instead of discarding the pair."""
    strict_spelling: bool = False
    """Refuse misspelt counterparts instead of making the same slip in the new word."""
    min_sure: Annotated[float, Option("P")] = 0.0
    """Discard a pair, or leave a text as it is, if the rewriting is clean with a lower probability, from 0 to 1."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_range(self, "min_sure", least=0, most=1)
        if self.method == "neo" and not self.paradigm:
            raise UsageError("neo needs --paradigm, for example --paradigm xe")
        unused = (field for field in fields_of(Options) if field.name in find_unused(self.method))
        idle = [field.name for field in unused if getattr(self, field.name) != field.default]
        if idle:
            raise UsageError(f"{self.method} has no use for {', '.join(idle)}; leave it out")
        if self.method != "fm":
            self.target_paradigm()  # an unknown name is an error now, not after an hour

    @property
    def gender(self) -> Gender | None:
        """The gender that is swapped (fm); None for both."""
        from gec_fair.english.lexicons.paradigms import Gender

        return {"m2f": Gender.MASCULINE, "f2m": Gender.FEMININE}.get(self.direction)

    def target_paradigm(self) -> Paradigm:
        """The paradigm that he/she pronouns become (st, neo)."""
        from gec_fair.english.lexicons.paradigms import named_or_user_paradigm, paradigm

        if self.method == "st":
            return paradigm("they").with_reflexive(self.reflexive)
        return named_or_user_paradigm(self.paradigm)


def find_unused(method: str) -> set[str]:
    """The options that mean nothing for a method: an error if given, and not part of a run's identity."""
    return {field.name for field in fields_of(Options) if field.option.methods and method not in field.option.methods}


def options_of(method: Method, paradigm: str, **choices: Any) -> Options:
    """The options of a method, with *xe* for `neo` without a paradigm."""
    return Options(method, paradigm=paradigm or ("xe" if method == "neo" else ""), **choices)


@dataclass(frozen=True, kw_only=True)
class RewriteOptions(Options):
    """What `gec-fair rewrite` does."""

    tokenised: bool = False
    """Words are what stands between spaces; otherwise the English pipeline's tokenizer finds them."""

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        if idle := [name for name in ("mirror", "strict_spelling") if getattr(self, name)]:
            raise UsageError(f"rewrite has no use for {', '.join(idle)}, which is for pairs; leave it out")


@dataclass(frozen=True, kw_only=True)
class PairOptions(Options):
    """What `augment` does with pairs in memory."""

    source: str = "source"
    """The name of the source column."""
    target: str = "target"
    """The name of the target column."""
    max_words: int = 10_000
    """A pair with a longer text is malformed."""
    limit: int | None = None
    """Read this many pairs at most."""

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        check_range(self, "limit", "max_words", least=1)


@dataclass(frozen=True, kw_only=True)
class AugmentOptions(Running, PairReading, Options):
    """What `gec-fair augment` does."""

    reannotate: bool = False
    """M2: extract the edits anew with ERRANT, as the paper did."""

    def __post_init__(self) -> None:
        Options.__post_init__(self)


@dataclass(frozen=True, kw_only=True)
class MixOptions:
    """What decides a mix (Lund et al. 2023, §4.4)."""

    per_kind: int = 50_000
    """Augmented pairs drawn from each run; 50,000 in the paper."""
    seed: int = 0
    """Decides the draw and the order of the lines."""
    surest: bool = False
    """Take the surest pairs of each run, by kind of change, in place of a random sample."""

    def __post_init__(self) -> None:
        check_range(self, "per_kind", least=1)
        check_range(self, "seed", least=0)


@dataclass(frozen=True, kw_only=True)
class MixRunOptions(MixOptions):
    """What `gec-fair mix` does."""

    st: Annotated[str | Path, Option("DIR")]
    """A run of augment st or neo."""
    mf: Annotated[str | Path, Option("DIR")]
    """A run of augment fm."""
    strict: bool = False
    """Refuse a malformed line instead of leaving it out."""
    overwrite: bool = False
    """Throw away another mix that lies in the folder."""
