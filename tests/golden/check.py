"""One frozen run as a test."""

from __future__ import annotations

from pathlib import Path

from tests.golden import frozen
from tests.golden.running import carry_out
from tests.golden.runs import Run


def unchanged(run: Run, folder: Path) -> Path:
    """The run's outputs are the committed ones; answers their folder."""
    work = carry_out(run, folder)
    lines = frozen.differences(run, frozen.expected()[run.name], frozen.frozen(run, work))
    assert not lines, (
        f"{run.name}: {'; '.join(lines)}. Where the change is meant, say so in CHANGELOG.md and renew it: "
        f"python tests/golden/compare.py renew {run.name}"
    )
    return work
