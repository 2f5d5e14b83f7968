"""Compare every byte of the frozen runs before and after a change, on this machine; renew what is committed.

    python tests/golden/compare.py record DIR [NAME …]     carry out the runs and keep all of their outputs in DIR
    python tests/golden/compare.py compare DIR [NAME …]    carry them out again; tell which files differ
    python tests/golden/compare.py renew [NAME …]          write tests/golden/expected.json anew

Times, timestamps, temporary folders and the package's version are no difference; everything else is. NAME is a run or
a system of `runs.py`; none is all of them.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_IGNORED = (
    (re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), b"<time>"),
    (re.compile(rb"\b\d+(\.\d+)? (s|ms|seconds|min)\b"), b"<duration>"),
    (re.compile(rb'("(?:seconds|time|elapsed|\w*(?:_runtime|_per_second|_seconds))": )[\d.e+-]+'), rb"\1<duration>"),
    (re.compile(rb"\b(gradient|clip)_?\d+\b"), rb"\1"),  # Vega counts them over all charts of a process
    (re.compile(rb"(gec-fair:|gec_fair-|\"gec-fair\": \")\d+\.\d+\.\d+\w*"), rb"\1<version>"),
)


def content_of(path: Path, work: Path) -> bytes:
    """Without what differs from call to call."""
    content = path.read_bytes().replace(str(work.parent).encode(), b"<folder>")
    if b"\0" in content:
        return content
    if path.suffix == ".stderr":  # without progress bars
        content = b"\n".join(line for line in re.split(rb"[\r\n]+", content) if b"%|" not in line)
    for pattern, instead in _IGNORED:
        content = pattern.sub(instead, content)
    return content


def files_of(work: Path) -> dict[str, Path]:
    return {path.relative_to(work).as_posix(): path for path in sorted(work.rglob("*")) if path.is_file()}


def differing(old: Path, new: Path) -> list[str]:
    """One line for each file that differs, with the first line in which it does."""
    before, now = files_of(old), files_of(new)
    lines = [f"  - {name}" for name in before if name not in now]
    lines += [f"  + {name}" for name in now if name not in before]
    for name in before:
        if name in now and (first := _first(content_of(before[name], old), content_of(now[name], new))):
            lines.append(f"  ≠ {name}{first}")
    return lines


def _first(old: bytes, new: bytes) -> str:
    if old == new:
        return ""
    try:
        texts = old.decode().split("\n"), new.decode().split("\n")
    except UnicodeDecodeError:
        return f" ({len(old)} and {len(new)} bytes)"
    if "\0" in texts[0][0]:
        return f" ({len(old)} and {len(new)} bytes)"
    for number, (one, second) in enumerate(zip(*texts, strict=False), 1):
        if one != second:
            return f":{number}\n      {_around(one, second)}\n      {_around(second, one)}"
    return f": {len(texts[0])} and {len(texts[1])} lines"


def _around(line: str, second: str) -> str:
    """A long line from a little before the first sign that differs."""
    at = next((n for n, (a, b) in enumerate(zip(line, second, strict=False)) if a != b), min(len(line), len(second)))
    start = max(0, at - 60)
    return ("…" if start else "") + line[start : at + 100]


def main(words: list[str]) -> int:
    """Exit 1 where something differs."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from tests.golden import frozen
    from tests.golden.running import carry_out
    from tests.golden.runs import RUNS

    verb, *names = words or ["help"]
    if verb not in ("record", "compare", "renew") or (verb != "renew" and not names):
        print(__doc__)
        return 2
    place = Path(names.pop(0)).resolve() if verb != "renew" else None
    unknown = set(names) - {run.name for run in RUNS} - {run.system for run in RUNS}
    if unknown:
        print(
            f"no run or system is called {', '.join(sorted(unknown))}; there are {', '.join(run.name for run in RUNS)}"
        )
        return 2
    chosen = [run for run in RUNS if not names or run.name in names or run.system in names]
    records, faults = frozen.expected(), 0
    if verb == "renew":
        chosen = [run for run in chosen if run.committed]
        records = records if names else {}
    for run in chosen:
        with tempfile.TemporaryDirectory(prefix="golden-") as folder:
            work = carry_out(run, Path(folder))
            if place is None:
                records[run.name] = frozen.frozen(run, work)
                lines = []
            elif verb == "record":
                shutil.rmtree(place / run.name, ignore_errors=True)
                copy = place / run.name / "work"
                shutil.copytree(work, copy)
                _rename(copy, work.parent)
                lines = []
            else:
                lines = differing(place / run.name / "work", work)
        print("\n".join([f"{run.name}: {f'{len(lines)} files differ' if lines else 'done'}", *lines]), flush=True)
        faults += bool(lines)
    if verb == "renew":
        frozen.write(records)
    return int(faults > 0)


def _rename(copy: Path, folder: Path) -> None:
    """The temporary folder's name, wherever it stands in a text."""
    for path in files_of(copy).values():
        content = path.read_bytes()
        if str(folder).encode() in content and b"\0" not in content:
            path.write_bytes(content.replace(str(folder).encode(), b"<folder>"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
