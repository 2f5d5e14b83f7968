"""Any program as a system: it reads one text a line from its standard input and writes one a line."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence

from gec_fair.errors import UsageError
from gec_fair.gec.systems import SystemFault


class Command:
    """`command` is split as a shell would, but no shell runs. Started once for every few dozen texts."""

    def __init__(self, command: str) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as fault:
            raise UsageError(f"command:{command}: {fault}; check the quotes") from fault

    @property
    def version(self) -> str:
        return f"command:{shlex.join(self.words)}"

    def __call__(self, texts: Sequence[str]) -> list[str]:
        given = "".join(text + "\n" for text in texts)
        try:
            done = subprocess.run(self.words, input=given, stdout=subprocess.PIPE, encoding="utf-8", check=True)
        except OSError as fault:
            raise UsageError(f"{self.version}: cannot be started ({fault.strerror}); check the path") from fault
        except subprocess.CalledProcessError as fault:
            raise SystemFault(f"{self.version}: ended with {fault.returncode}; its own words are above") from fault
        except UnicodeDecodeError as fault:
            raise SystemFault(f"{self.version}: wrote what is not UTF-8 (byte {fault.start})") from fault
        return done.stdout.removesuffix("\n").split("\n") if done.stdout else []
