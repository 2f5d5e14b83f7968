"""Any program as a system: it reads one text a line from its standard input and writes one a line."""

from __future__ import annotations

from collections.abc import Sequence

from gec_fair.data.programs import Program
from gec_fair.gec.systems.protocol import ProseSystem, SystemFault


def load_for_prose(command: str) -> ProseSystem:
    """A program that reads and writes prose."""
    return ProseSystem(Command(command))


class Command:
    """Started once for every few dozen texts."""

    def __init__(self, command: str) -> None:
        self._program = Program(command, SystemFault)

    @property
    def version(self) -> str:
        """The version of the program: a digest of its command and files."""
        return self._program.version

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The lines that the program prints, one for each text."""
        return self._program("".join(text + "\n" for text in texts))
