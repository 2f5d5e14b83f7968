"""RAZOR: find the documents whose surface gives their label away, and rewrite them (Yang, Prenkaj & Kasneci 2024)."""

from gec_fair.razor.api import score

__all__ = ["score"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
