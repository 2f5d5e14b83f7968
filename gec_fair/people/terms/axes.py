"""Axes and attributes (Qian et al. 2022, §2; the US Census's categories), and the names that others give them.

    SHIPPED.axis_of("woman")  → "gender"         SHIPPED.attribute("African American") → "black"
    SHIPPED.targets("woman")  → ("man", "non-binary")

A user's tables add axes, and attributes to ours (`Axes.extended`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from gec_fair.config.suggest import closest
from gec_fair.errors import UsageError

GENDER, RACE, AGE = "gender", "race", "age"
ANOTHER_RACE = "another-race"
"""Peoples in none of the census's categories, or in several: what a word says, never what one becomes."""
WITHOUT_A_STATE = frozenset(["native-american", "pacific-islander"])
"""Races whose peoples are seldom nations that a text of another nation is about."""
_UNSTATED = "unstated-"
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
_AXIS_NAMES = {"race/ethnicity": RACE, "ethnicity": RACE}


@dataclass(frozen=True)
class Axes:
    """`attributes`: of each axis, in order, those that a word may become; `said`: the axis of an attribute that words
    have, and nothing is rewritten to."""

    attributes: Mapping[str, tuple[str, ...]]
    said: Mapping[str, str]

    @cached_property
    def _axis_of(self) -> Mapping[str, str]:
        of_targets = {name: axis for axis, names in self.attributes.items() for name in names}
        return of_targets | {default_attribute(axis): axis for axis in self.attributes} | dict(self.said)

    @cached_property
    def _names(self) -> Mapping[str, str]:
        ours = {_plain(name): name for names in self.attributes.values() for name in names}
        return dict(_OTHERS) | ours

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the axes, in order."""
        return tuple(self.attributes)

    @property
    def removable(self) -> tuple[str, ...]:
        """What a word may become so that nothing is said: every axis but gender."""
        return tuple(default_attribute(axis) for axis in self.attributes if axis != GENDER)

    def axis_of(self, attribute: str) -> str:
        """The axis of an attribute by our name, or of an unstated one. KeyError for a name that is none."""
        return self._axis_of[attribute]

    def has(self, attribute: str) -> bool:
        """Whether an attribute is called so."""
        return attribute in self._axis_of

    def targets(self, source: str) -> tuple[str, ...]:
        """The attributes that a word of one may be rewritten to: the others of its axis."""
        return tuple(target for target in self.attributes[self.axis_of(source)] if target != source)

    def attribute(self, name: str) -> str:
        """An attribute by our name or one of PANDA's, however it is punctuated: *Child (< 18)*, *Hispanic or Latino*,
        *middle aged*. UsageError, with the closest, for a name that is none or several."""
        if name.strip().lower() in self.removable:
            return name.strip().lower()
        if known := self._names.get(_plain(name)):
            return known
        plain_name = re.sub(r"\(.*|[<>].*|\d.*", "", name.lower())
        plain = {_plain(part) for part in re.split(r"/|\bor\b", plain_name)}
        attributes = {self._names.get(part, "") for part in plain if part}
        if len(attributes) != 1 or not all(attributes):
            every = [attribute for names in self.attributes.values() for attribute in names] + [*self.removable]
            raise UsageError(
                f"no attribute is called {name!r}{closest(name.lower(), every)}; there are {', '.join(every)}"
            )
        return attributes.pop()

    def axis(self, name: str) -> str:
        """An axis. UsageError, with the closest, for a name that is none."""
        plain = name.strip().lower()
        lower = _AXIS_NAMES.get(plain, plain)
        if lower not in self.attributes:
            raise UsageError(
                f"no axis is called {name!r}{closest(lower, self.names)}; there are {', '.join(self.names)}"
            )
        return lower

    def extend(self, targets: Iterable[tuple[str, str]], said: Mapping[str, str] | None = None) -> Axes:
        """With more attributes, as (axis, attribute), and more that are only said; an axis that is new comes last."""
        attributes = {axis: list(names) for axis, names in self.attributes.items()}
        for axis, name in targets:
            if name not in attributes.setdefault(axis, []):
                attributes[axis].append(name)
        return Axes({axis: tuple(names) for axis, names in attributes.items()}, {**self.said, **(said or {})})


SHIPPED = Axes(
    {
        GENDER: ("man", "woman", "non-binary"),
        RACE: ("white", "black", "hispanic", "asian", "native-american", "pacific-islander"),
        AGE: ("child", "young", "middle-aged", "senior", "adult"),
    },
    {ANOTHER_RACE: RACE},
)
"""The paper's three axes."""


def default_attribute(axis: str) -> str:
    """The attribute of people of whom a text says none of an axis."""
    return f"{_UNSTATED}{axis}"


def is_unstated(attribute: str) -> bool:
    """Whether it is one of these."""
    return attribute.startswith(_UNSTATED)


def _plain(name: str) -> str:
    return " ".join(re.split(r"[\s-]+", name.strip().lower())).strip()
