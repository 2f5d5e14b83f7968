"""A GEC system: texts in, corrected texts out, one for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gec_fair.errors import GecFairError


class System(Protocol):
    """`version` names everything that decides the outputs; the call returns one text for each text, in order. A system
    with a longest text counts in `passed` the texts that it has returned unchanged so far."""

    @property
    def version(self) -> str:
        """What decides the answers: a change of it makes earlier outputs stale."""
        ...

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, in order: one for each text."""
        ...


class SystemFault(GecFairError):
    """A system that failed, or that did not answer text for text."""


def count_passed(system: System) -> int:
    """Texts that a system has returned unchanged since it was built, because they were longer than it takes or because
    it had no answer; 0 for systems that take any text."""
    return int(getattr(system, "passed", 0))
