"""Text safety classifiers, audited and remediated (Sturman et al. 2024).

any classifiers ─ scores ─ audit: does swapping an identity in a text swing the score?
                     └──── an ensemble over them, trained on counterfactually balanced, fairly reweighted data
"""

from gec_fair.safety.api import audit

__all__ = ["audit"]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
