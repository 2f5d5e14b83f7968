"""The fairscore (Qian et al. 2022, §2, §5.3): how often a classifier changes its mind when a text's people change.

texts ── any rewriter ── perturbed texts ──┐
  └────────── any classifier ──────────────┴─ predictions that differ, of those that the rewriter changed
"""

from gec_fair.fairscore.api import measure

__all__ = ["measure"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
