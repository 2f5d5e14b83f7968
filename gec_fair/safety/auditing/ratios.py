"""Ratios of sums, draw by draw."""

from __future__ import annotations

import numpy as np

from gec_fair.safety.data.scores import Floats


def ratio(above: Floats, below: Floats) -> Floats:
    """NaN where there is nothing below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: Floats = np.where(below > 0, above / below, np.nan)
    return quotient
