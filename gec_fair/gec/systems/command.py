"""Any program as a system: it reads one text a line from its standard input and writes one a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gec_fair.data.programs import Program
from gec_fair.gec.systems.protocol import ProseSystem, SystemFault

_BREAKS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def load_for_prose(command: str) -> ProseSystem:
    """A program that reads and writes prose."""
    return ProseSystem(Command(command))


class Command:
    """Started once for every few dozen texts."""

    def __init__(self, command: str) -> None:
        self._program = Program(command, SystemFault)

    @property
    def version(self) -> str:
        """The version of the program, with a digest of its command and of the files that it names."""
        return self._program.version

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The lines that the program prints, one for each text. A sign in a text that programs take for the end of a
        line (a lone CR, U+2028) reaches it as a space; a text that comes back as it was read is unchanged."""
        lines = [_BREAKS.sub(" ", text) for text in texts]
        answers = self._program("".join(line + "\n" for line in lines))
        if len(answers) != len(texts):
            return answers
        return [text if answer == line else answer for text, line, answer in zip(texts, lines, answers, strict=True)]
