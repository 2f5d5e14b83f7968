"""Axes and attributes (Qian et al. 2022, §2; the US Census's categories), and the names that others give them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError

AXES: Mapping[str, tuple[str, ...]] = {
    "gender": ("man", "woman", "non-binary"),
    "race": ("white", "black", "hispanic", "asian", "native-american", "pacific-islander"),
    "age": ("child", "young", "middle-aged", "senior", "adult"),
}
ANOTHER_RACE = "another-race"
"""Of peoples that are none of the census's categories, or several: what a word says, never what one becomes."""
_UNSTATED = "unstated-"
_REMOVABLE = (f"{_UNSTATED}race", f"{_UNSTATED}age")
AXIS_OF: Mapping[str, str] = (
    {attribute: axis for axis, attributes in AXES.items() for attribute in attributes}
    | {f"{_UNSTATED}{axis}": axis for axis in AXES}
    | {ANOTHER_RACE: "race"}
)
_OTHERS: Mapping[str, str] = {
    "male": "man",
    "female": "woman",
    "nonbinary": "non-binary",
    "underspecified": "non-binary",
    "african american": "black",
    "latino": "hispanic",
    "latina": "hispanic",
    "latinx": "hispanic",
    "latine": "hispanic",
    "hawaiian": "pacific-islander",
    "native hawaiian": "pacific-islander",
    "other pacific islander": "pacific-islander",
    "american indian": "native-american",
    "alaska native": "native-american",
    "unspecified": "adult",
}
"""Lower-case, spaces for hyphens: what PANDA's annotators chose from and its papers write beside our names, each by
itself (*Black or African American* is two)."""


_NAMES = {**{name.replace("-", " "): name for names in AXES.values() for name in names}, **_OTHERS}


def attribute(name: str) -> str:
    """An attribute by our name or one of PANDA's, however it is punctuated: *Child (< 18)*, *Hispanic or Latino*,
    *middle aged*. UsageError, with the closest, for a name that is none or several."""
    if name.strip().lower() in _REMOVABLE:
        return name.strip().lower()
    plain_name = re.sub(r"\(.*|[<>].*|\d.*", "", name.lower())
    plain = {" ".join(re.split(r"[\s-]+", part)).strip() for part in re.split(r"/|\bor\b", plain_name)}
    axes = {_NAMES.get(name_, "") for name_ in plain if name_}
    if len(axes) != 1 or not all(axes):
        every = [name_ for names in AXES.values() for name_ in names] + [*_REMOVABLE]
        raise UsageError(f"no attribute is called {name!r}{closest(name.lower(), every)}; there are {', '.join(every)}")
    return axes.pop()


def axis(name: str) -> str:
    """An axis. UsageError, with the closest, for a name that is none."""
    plain = name.strip().lower()
    lower = {"race/ethnicity": "race", "ethnicity": "race"}.get(plain, plain)
    if lower not in AXES:
        raise UsageError(f"no axis is called {name!r}{closest(lower, AXES)}; there are {', '.join(AXES)}")
    return lower


def unstated(axis: str) -> str:
    """The attribute of people of whom a text says none of an axis."""
    return f"{_UNSTATED}{axis}"


def is_unstated(attribute: str) -> bool:
    """Whether it is one of these."""
    return attribute.startswith(_UNSTATED)


def targets(source: str) -> tuple[str, ...]:
    """The attributes that a word of one may be rewritten to: the others of its axis."""
    return tuple(target for target in AXES[AXIS_OF[source]] if target != source)
