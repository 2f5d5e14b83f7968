"""Language models of children's amounts of text (BabyLM): how bias is learned, and removed (Trhlik et al. 2026)."""

from gec_fair.babylm.api import debias

__all__ = ["debias"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
