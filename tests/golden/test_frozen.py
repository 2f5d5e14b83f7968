"""The frozen runs of `runs.py`: their outputs are the committed ones."""

from __future__ import annotations

import pytest

from tests.golden import frozen
from tests.golden.running import carry_out
from tests.golden.runs import RUNS

SLOW = {"babylm"}
"""Systems whose runs train for long."""


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(run, id=run.name, marks=pytest.mark.slow if run.system in SLOW else ())
        for run in RUNS
        if run.committed
    ],
)
def test_outputs_are_what_they_were(run, tmp_path):
    work = carry_out(run, tmp_path)
    lines = frozen.differences(run, frozen.expected()[run.name], frozen.frozen(run, work))
    assert not lines, (
        f"{run.name}: {'; '.join(lines)}. Where the change is meant, say so in CHANGELOG.md and renew it: "
        f"python tests/golden/compare.py renew {run.name}"
    )
