"""Every choice of an augmentation, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gec_fair.corpus.outcome import check_min_sure
from gec_fair.english.paradigms import Gender, Paradigm, named_or_user_paradigm, paradigm
from gec_fair.errors import UsageError

METHODS = ("fm", "st", "neo")
GATES = ("coref", "none")
DIRECTIONS: Mapping[str, Gender | None] = {"both": None, "m2f": Gender.MASCULINE, "f2m": Gender.FEMININE}
NAMES = ("fixed", "draw", "keep")
UNUSED = {
    "fm": ("gate", "coref", "reflexive", "paradigm"),
    "st": ("direction", "names", "paradigm"),
    "neo": ("direction", "names", "reflexive"),
}
"""Options that mean nothing for a method: an error if given, and not part of a run's identity."""
REFLEXIVES = ("themself", "themselves")


@dataclass(frozen=True, slots=True)
class Options:
    """What `gec-fair augment` and `gec-fair rewrite` do. Defaults are the paper's (Lund et al. 2023, §3) unless said.

    Raises UsageError for a choice that does not exist.
    """

    method: str
    """`fm`: feminine ⇄ masculine; `st`: singular *they*; `neo`: a neopronoun paradigm through the same gate."""
    english: str = "embedded"
    """The spaCy pipeline: ours, or the name or path of another."""
    lexicon: str = ""
    """A directory with tables of your own, laid over ours."""
    seed: int = 0
    """For `names=draw` only."""
    direction: str = "both"
    """fm: `both`, `m2f` or `f2m`."""
    names: str = "fixed"
    """fm: `fixed` (the lexicon's bijection), `draw` (anew for each text) or `keep`."""
    gate: str = "coref"
    """st, neo: `coref` (§3.2) or `none`: every he/she (Sun et al. 2021, Vanmassenhove et al. 2021)."""
    coref: str = "embedded"
    """st, neo: the coreference backend."""
    reflexive: str = "themself"
    """st: `themself`, rarer and more plainly singular, or `themselves`."""
    paradigm: str = ""
    """neo: a name from the pronoun table, or five forms such as xe/xem/xyr/xyrs/xemself[:plural]."""
    animals: bool = False
    """Rewrite *he* and *she* that stand for an animal, a ship or a country too."""
    mirror: bool = False
    """Mirror an agreement error that would vanish (*he say* → *they says*), as the authors did, or else discard."""
    strict_spelling: bool = False
    """Refuse misspelt counterparts instead of making the same slip in the new word."""
    min_sure: float = 0.0
    """Discard rewritings that are less surely clean than this, from 0 to 1."""

    def __post_init__(self) -> None:
        _one_of("method", self.method, METHODS)
        _one_of("direction", self.direction, tuple(DIRECTIONS))
        _one_of("names", self.names, NAMES)
        _one_of("gate", self.gate, GATES)
        _one_of("reflexive", self.reflexive, REFLEXIVES)
        check_min_sure(self.min_sure)
        if self.method == "neo" and not self.paradigm:
            raise UsageError("neo needs --paradigm, for example --paradigm xe")
        idle = [name for name in UNUSED[self.method] if getattr(self, name) != _default(name)]
        if idle:
            raise UsageError(f"{self.method} has no use for {', '.join(idle)}; leave it out")
        if self.method != "fm":
            self.target_paradigm()  # an unknown name is an error now, not after an hour

    def target_paradigm(self) -> Paradigm:
        """The paradigm that he/she pronouns become (st, neo)."""
        if self.method == "st":
            return paradigm("they").with_reflexive(self.reflexive)
        return named_or_user_paradigm(self.paradigm)


def _default(name: str) -> object:
    return Options.__dataclass_fields__[name].default


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UsageError(f"{name} is {', '.join(known[:-1])} or {known[-1]}, not {value!r}")
