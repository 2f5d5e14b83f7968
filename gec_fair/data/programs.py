"""Any program that reads its standard input and writes an answer: split as a shell would, but no shell runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import TIMEOUT_MAX, Timer

from gec_fair.data.secrets import hide_secrets
from gec_fair.data.text_files import split_lines
from gec_fair.errors import GecFairError, UsageError
from gec_fair.runs.digests import file_digest

TIMEOUT = "GEC_FAIR_TIMEOUT"
"""Seconds that a program may take for one question; a day, where it is not set."""
_DAY = 86_400
_LARGEST = 64 << 20
"""Bytes that a program may write for one question, and so many times as many bytes as the question has."""
_TIMES = 16
_VARIABLE = re.compile(r"[A-Za-z_]\w*=")


class Program:
    """Started anew for every question. `fault` is raised where it fails or writes what is not text."""

    def __init__(self, command: str, fault: type[GecFairError]) -> None:
        self.fault = fault
        try:
            self.words = shlex.split(command)
        except ValueError as wrong:
            raise UsageError(f"a command cannot be read ({wrong}); check the quotes") from wrong
        if not self.words or _VARIABLE.match(self.words[0]):
            raise UsageError("a command begins with a program, for no shell reads it; set variables outside")
        self.version = f"command:{hide_secrets(self.words, list(_list_contents(self.words)))}"
        """What may be seen of it, with a digest of its words and of the files that they name: it stands in messages and
        signatures."""

    def __call__(self, text: str) -> list[str]:
        """The lines that it writes. UsageError where it cannot be started."""
        try:
            return split_lines(self._run(text.encode(), _seconds()).decode("utf-8-sig"))
        except OSError as wrong:
            raise UsageError(f"{self.version}: cannot be started ({wrong.strerror}); check the path") from wrong
        except subprocess.CalledProcessError as wrong:
            raise self.fault(f"{self.version}: ended with {wrong.returncode}; its own words are above") from wrong
        except subprocess.TimeoutExpired as wrong:
            raise self.fault(
                f"{self.version}: gave no answer in {wrong.timeout:g} s; look at the program, or set "
                f"{TIMEOUT} to more seconds"
            ) from wrong
        except UnicodeDecodeError as wrong:
            raise self.fault(f"{self.version}: wrote what is not UTF-8 (byte {wrong.start})") from wrong

    def _run(self, question: bytes, seconds: float) -> bytes:
        """What it writes. The question is in a file, so a program may write before it reads."""
        limit = _LARGEST + _TIMES * len(question)
        late: list[bool] = []
        with tempfile.TemporaryFile() as file:
            file.write(question)
            file.seek(0)
            with subprocess.Popen(self.words, stdin=file, stdout=subprocess.PIPE) as process:

                def stop() -> None:
                    late.append(True)
                    process.kill()

                timer = Timer(seconds, stop)
                timer.start()
                try:
                    assert process.stdout is not None
                    answer = process.stdout.read(limit + 1)
                    if len(answer) > limit:
                        raise self.fault(f"{self.version}: wrote more than {limit >> 20} MiB; look at the program")
                    process.wait()
                finally:
                    timer.cancel()
                    process.kill()
        if late:
            raise subprocess.TimeoutExpired(self.words, seconds)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, self.words)
        return answer


def _list_contents(words: Sequence[str]) -> Iterator[str]:
    """What the files are that words name, also behind `--model=`: their digests; of large ones size and time, so that a
    start does not read a model."""
    for word in words:
        path = Path(word.partition("=")[2] if word.startswith("-") and "=" in word else word)
        if os.path.isfile(path):
            stat = path.stat()
            yield f"{stat.st_size}:{stat.st_mtime_ns}" if stat.st_size > _LARGEST else file_digest(path)["sha256"]


def _seconds() -> float:
    text = os.environ.get(TIMEOUT, "")
    try:
        seconds = float(text) if text else float(_DAY)
    except ValueError as wrong:
        raise UsageError(f"{TIMEOUT} is {text!r}; it is a number of seconds") from wrong
    if not 0 < seconds <= TIMEOUT_MAX:
        raise UsageError(f"{TIMEOUT} is {text!r}; it is a number of seconds, more than 0 and up to {TIMEOUT_MAX:.0f}")
    return seconds
