"""What is committed of a run: digests of texts, numbers to six digits, and how they are compared."""

from __future__ import annotations

import json
import math
import re
from hashlib import sha256
from pathlib import Path

from tests.golden.runs import Run

EXPECTED = Path(__file__).with_name("expected.json")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
_VERSION = re.compile(
    rb"\b\d+\.\d+\.\d+[\w.]*|(?<=\|id:)[0-9a-f]{8}|(?<=\|model:)[0-9a-f]{20}|(?<=lexicon:sha256:)[0-9a-f]{16}"
)
"""Of the package and of those that it uses, in signatures; the digest over them; that of a model that the run has
trained, whose last bits are the processor's; and that of all word tables, which also changes with a table that the run
does not read. What a table changes in a run shows in its texts and numbers."""
ROUGH = 1e-4


def frozen(run: Run, work: Path) -> dict[str, object]:
    """File → its sha256, or the sha256 of its skeleton and its numbers."""
    record: dict[str, object] = {}
    for patterns, close in ((run.exact, False), ((*run.close, *run.rough), True)):
        for path in _files(work, patterns):
            content = _VERSION.sub(b"<version>", path.read_bytes())
            name = path.relative_to(work).as_posix()
            record[name] = numbers_of(content.decode()) if close else _digest(content)
    return record


def _files(work: Path, patterns: tuple[str, ...]) -> list[Path]:
    """AssertionError for a pattern that fits no file."""
    files: dict[Path, None] = {}
    for pattern in patterns:
        fitting = sorted(path for path in work.glob(pattern) if path.is_file())
        assert fitting, f"no file is called {pattern}; there are {sorted(p.name for p in work.iterdir())}"
        files |= dict.fromkeys(fitting)
    return list(files)


def numbers_of(text: str) -> dict[str, object]:
    """Widths of columns and numbers' digits are no part of the skeleton."""
    skeleton = re.sub(r"[ \-]+", " ", _NUMBER.sub("#", text))
    return {"skeleton": _digest(skeleton.encode()), "numbers": [_six(number) for number in _NUMBER.findall(text)]}


def _six(number: str) -> str:
    """As it is printed, or six digits after the point."""
    _, _, digits = number.partition(".")
    return number if len(digits) <= 6 and "e" not in number.lower() else f"{float(number):.6f}"


def differences(run: Run, expected: dict[str, object], now: dict[str, object]) -> list[str]:
    """In words, one for each file that is not as expected."""
    lines = [f"{name} is no longer there" for name in expected if name not in now]
    lines += [f"{name} is new" for name in now if name not in expected]
    for name, one in now.items():
        if name in expected and (reason := _differs(run, name, expected[name], one)):
            lines.append(f"{name}: {reason}")
    return lines


def _differs(run: Run, name: str, before: object, now: object) -> str:
    if isinstance(now, str) or isinstance(before, str):
        return "" if before == now else "another text"
    assert isinstance(now, dict)
    assert isinstance(before, dict)
    if before["skeleton"] != now["skeleton"]:
        return "another text around the numbers"
    least = ROUGH if any(Path(name).match(pattern) for pattern in run.rough) else 1e-6
    for number, (old, new) in enumerate(zip(before["numbers"], now["numbers"], strict=True), 1):
        if abs(float(old) - float(new)) > max(least, _last_place(old), least * abs(float(old))):
            return f"its number {number} was {old} and is {new}"
    return ""


def _last_place(number: str) -> float:
    """One unit of the last printed digit after the point, for a printed score may be rounded either way; a count
    may not."""
    _, _, digits = number.partition(".")
    return math.nextafter(10.0 ** -len(digits), 1) if digits else 0.0


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def expected() -> dict[str, dict[str, object]]:
    return json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}


def write(records: dict[str, dict[str, object]]) -> None:
    text = json.dumps(dict(sorted(records.items())), indent=1, ensure_ascii=False)
    short = re.sub(r"\[\s+([^\[\]]*?)\s+\]", lambda part: "[" + re.sub(r"\s+", " ", part[1]) + "]", text)
    EXPECTED.write_text(short + "\n", encoding="utf-8")
