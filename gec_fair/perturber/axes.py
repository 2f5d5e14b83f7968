"""Axes and attributes (Qian et al. 2022, §2; the US Census's categories), and the names that others give them."""

from __future__ import annotations

from collections.abc import Mapping

from gec_fair.corpus.names import closest
from gec_fair.errors import UsageError

AXES: Mapping[str, tuple[str, ...]] = {
    "gender": ("man", "woman", "non-binary"),
    "race": ("white", "black", "hispanic", "asian", "native-american", "pacific-islander"),
    "age": ("child", "young", "middle-aged", "senior", "adult"),
}
AXIS_OF: Mapping[str, str] = {attribute: axis for axis, attributes in AXES.items() for attribute in attributes}
_PANDA: Mapping[str, str] = {
    "male": "man",
    "female": "woman",
    "non-binary": "non-binary",
    "nonbinary": "non-binary",
    "underspecified": "non-binary",
    "black or african american": "black",
    "african american": "black",
    "native hawaiian or other pacific islander": "pacific-islander",
    "hawaiian or pacific islander": "pacific-islander",
    "hispanic or latino": "hispanic",
    "american indian or alaska native": "native-american",
    "native american or alaska native": "native-american",
    "native american": "native-american",
    "child (< 18)": "child",
    "young (18-44)": "young",
    "middle-aged (45-64)": "middle-aged",
    "senior (65+)": "senior",
    "adult (unspecified)": "adult",
}
"""Lower-case, what PANDA's annotators chose from and what its papers write."""


def attribute(name: str) -> str:
    """An attribute by our name or one of PANDA's. UsageError, with the closest, for a name that is none."""
    lower = " ".join(name.lower().split())
    found = lower if lower in AXIS_OF else _PANDA.get(lower)
    if found is None:
        raise UsageError(f"no attribute is called {name!r}{closest(lower, AXIS_OF)}; there are {', '.join(AXIS_OF)}")
    return found


def axis(name: str) -> str:
    """An axis. UsageError, with the closest, for a name that is none."""
    lower = {"race/ethnicity": "race", "ethnicity": "race"}.get(name.lower(), name.lower())
    if lower not in AXES:
        raise UsageError(f"no axis is called {name!r}{closest(lower, AXES)}; there are {', '.join(AXES)}")
    return lower


def targets(source: str) -> tuple[str, ...]:
    """The attributes that a word of one may be rewritten to: the others of its axis."""
    return tuple(other for other in AXES[AXIS_OF[source]] if other != source)
