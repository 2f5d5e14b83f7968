"""Every choice of a perturbation, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from gec_fair.config.corpora import Running
from gec_fair.config.options import Option, check_fields, check_range
from gec_fair.errors import UsageError

if TYPE_CHECKING:
    from gec_fair.people.terms.axes import Axes

RULES, NEURAL = "rules", "neural"
NAMES = (RULES, f"{NEURAL}:MODEL")
"""The names of the perturbers, which `perturber.registry` builds."""
MIN_SURE = 0.75
"""From here on every axis is cleaner than if each sign alone refused a rewriting (training/people/fit_sure.py)."""


@dataclass(frozen=True, kw_only=True)
class PerturbOptions:
    """What `gec-fair perturb` does (Qian et al. 2022, Algorithm 1)."""

    axes: Annotated[Sequence[str], Option("A,B", separator=",")] = ()
    """What may be perturbed: gender, race, age, or axes of your own tables; all by default."""
    targets: Annotated[Sequence[str], Option("A,B", separator=",")] = ()
    """Attributes that may be drawn, all by default; unstated-race and unstated-age, which take one away, are drawn
    only if they are named."""
    sampling: Literal["uniform", "axes"] = "uniform"
    """uniform: any word with any target (Algorithm 1); axes: an axis first, rare ones as often (footnote 2)."""
    weights: Annotated[Mapping[str, float], Option(is_keyword=True)] = field(default_factory=dict)
    """The weights of the axes if an axis is drawn first; by default those of a corpus are counted, and those of
    texts in memory are equal."""
    tries: Annotated[int, Option("N", least=0)] = 0
    """Pairs of a word and a target that are drawn until one changes the text surely enough; 0 is all."""
    perturber: Annotated[str, Option("NAME")] = RULES
    """rules, or neural:MODEL, a seq2seq model such as neural:facebook/perturber."""
    beams: Annotated[int, Option(least=1)] = 1
    """The width of a neural perturber's beam search; 1 is greedy."""
    refuse_strays: bool = False
    """Leave a text as it is where a model changed what has nothing to do with the drawn word."""
    min_sure: Annotated[float, Option("P")] = MIN_SURE
    """rules: draw another pair if a rewriting is clean with a lower probability; 0 for no limit."""
    insert: bool = False
    """Where nothing can be changed surely enough, insert an attribute before a noun: women, middle-aged women."""
    lexicon: Annotated[str, Option("DIR")] = ""
    """Your own tables, laid over ours: more terms, attributes and axes (docs/how-to/perturber.md)."""
    seed: int = 0
    """Decides which word and which target are drawn, together with a text's number."""
    tokenised: bool = False
    """Words are what stands between spaces."""
    english: Annotated[str, Option("NAME|PATH")] = "embedded"
    """The spaCy pipeline: ours, or the name or folder of another."""
    coref: str = "embedded"
    """The coreference resolver: embedded, fastcoref, maverick, neuralcoref."""

    def __post_init__(self) -> None:
        from gec_fair.people.terms.axes import is_unstated
        from gec_fair.registry import check_name

        known = self.known_axes
        object.__setattr__(self, "axes", tuple(map(known.axis, self.axes)) or known.names)
        object.__setattr__(self, "targets", tuple(map(known.attribute, self.targets)))
        check_fields(self)
        check_name("perturber", self.perturber, NAMES)
        if (self.refuse_strays or self.beams > 1) and self.perturber == RULES:
            raise UsageError("refuse_strays and beams are for a neural perturber; rules change nothing but the chain")
        check_range(self, "min_sure", least=0, most=1)
        rules_only = (
            self.insert or self.lexicon or self.min_sure not in (0, MIN_SURE) or any(map(is_unstated, self.targets))
        )
        if self.perturber != RULES and rules_only:
            raise UsageError(
                "insert, lexicon, min_sure and the unstated targets are for rules; a neural perturber knows PANDA's "
                "attributes, and is asked about a word"
            )
        if unreachable := [name for name in self.targets if known.axis_of(name) not in self.axes]:
            raise UsageError(
                f"nothing can become {', '.join(unreachable)} with the axes {', '.join(self.axes)}; add the "
                "axis, or leave the target out"
            )

    @property
    def known_axes(self) -> Axes:
        """The axes of the tables: ours, and those of `lexicon`."""
        from gec_fair.people.terms.lexicon import load_axes

        return load_axes(self.lexicon)


@dataclass(frozen=True, kw_only=True)
class PerturbCorpusOptions(Running, PerturbOptions):
    """What `gec-fair perturb` does with files."""

    tokens: Annotated[int, Option("N", least=0)] = 0
    """Chunks of so many words, across lines; 0 is a line each. 256 in FairBERTa's pretraining, 128 for BabyLM."""
    limit: Annotated[int | None, Option("N", least=1)] = None
    """Stop after N lines or chunks."""
    chunk: Annotated[int, Option(is_keyword=True)] = 64
    """Texts a block, which a model reads in batches."""

    def __post_init__(self) -> None:
        PerturbOptions.__post_init__(self)
