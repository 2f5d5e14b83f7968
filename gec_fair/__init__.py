"""Counterfactual augmentation and fairness measurement for grammatical error correction.

    import gec_fair as gf

    gf.augment([("He say hi .", "He says hi .")], "st")

The names below are the public API (docs/reference/api.md). They are imported when they are first used, so that
`import gec_fair` needs neither spaCy nor torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gec_fair.version import __version__ as __version__

if TYPE_CHECKING:
    from gec_fair import babylm, fairscore, lmbias, razor, safety
    from gec_fair.api.auditing import PairAudit, audit, audit_corpus
    from gec_fair.api.augmenting import Augmentation, Augmenter, augment, augment_corpus, mix
    from gec_fair.api.comparing import Comparison, compare
    from gec_fair.api.counterfactuals import Counterfactual, counterfactual
    from gec_fair.api.gaps import Gap, gap
    from gec_fair.api.loading import load_classifier, load_lexicon, load_system
    from gec_fair.api.perturbing import Perturbation, perturb, perturb_corpus
    from gec_fair.api.rewriting import rewrite
    from gec_fair.api.scoring import Score, score

_HOMES = {
    "auditing": ("PairAudit", "audit", "audit_corpus"),
    "augmenting": ("Augmentation", "Augmenter", "augment", "augment_corpus", "mix"),
    "comparing": ("Comparison", "compare"),
    "counterfactuals": ("Counterfactual", "counterfactual"),
    "gaps": ("Gap", "gap"),
    "loading": ("load_classifier", "load_lexicon", "load_system"),
    "perturbing": ("Perturbation", "perturb", "perturb_corpus"),
    "rewriting": ("rewrite",),
    "scoring": ("Score", "score"),
}
"""Modules of `gec_fair.api`, and the public names in them."""
_ROOMS = ("babylm", "fairscore", "lmbias", "razor", "safety")
"""Subpackages with public functions."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Augmentation",
    "Augmenter",
    "Comparison",
    "Counterfactual",
    "Gap",
    "PairAudit",
    "Perturbation",
    "Score",
    "audit",
    "audit_corpus",
    "augment",
    "augment_corpus",
    "babylm",
    "compare",
    "counterfactual",
    "fairscore",
    "gap",
    "lmbias",
    "load_classifier",
    "load_lexicon",
    "load_system",
    "mix",
    "perturb",
    "perturb_corpus",
    "razor",
    "rewrite",
    "safety",
    "score",
]


def __getattr__(name: str) -> Any:
    """A public name, imported now (PEP 562)."""
    if name in _HOME_OF:
        value = getattr(import_module(f"gec_fair.api.{_HOME_OF[name]}"), name)
    elif name in _ROOMS:
        value = import_module(f"gec_fair.{name}")
    else:
        raise AttributeError(f"module 'gec_fair' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names alone."""
    return sorted([*__all__, "__version__"])
