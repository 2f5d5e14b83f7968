"""A GEC system: texts in, corrected texts out, one for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gec_fair.edits import split_spaces
from gec_fair.english.running_text.prose import tokenise, write
from gec_fair.errors import GecFairError

AT_ONCE = 64
"""Texts between two writes to the store of answers, unless a system has its own `at_once`."""


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


@dataclass(frozen=True, slots=True)
class ProseSystem:
    """A system that reads and writes prose. It receives the tokens as prose, and its answers are tokenised again."""

    system: System

    @property
    def version(self) -> str:
        """That of the system."""
        return f"prose:{self.system.version}"

    @property
    def at_once(self) -> int:
        """As many texts as the system takes at a time."""
        return int(getattr(self.system, "at_once", AT_ONCE))

    @property
    def passed(self) -> int:
        """Texts that the system has returned unchanged."""
        return count_passed(self.system)

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, tokenised like the texts; as they are where there are too few or too many."""
        words = [split_spaces(text).words for text in texts]
        answers = self.system([write(text) for text in words])
        if len(answers) != len(words):
            return answers
        return [" ".join(tokenise(text, answer)) for text, answer in zip(words, answers, strict=True)]


class SystemFault(GecFairError):
    """A system that failed, or that did not answer text for text."""


def writes_prose(system: System) -> bool:
    """Whether what the system writes is prose, tokenised."""
    return isinstance(system, ProseSystem)


def count_passed(system: System) -> int:
    """Texts that a system has returned unchanged since it was built, because they were longer than it takes or because
    it had no answer; 0 for systems that take any text."""
    return int(getattr(system, "passed", 0))
