"""The frozen runs of `runs.py`: their outputs are the committed ones."""

from __future__ import annotations

import pytest

from tests.golden import frozen
from tests.golden.running import carry_out
from tests.golden.runs import RUNS
from tests.shared import PINNED

SLOW = {"babylm"}
"""Systems whose runs train for long."""
OF_LIBRARIES = {"bart", "perturber", "safety-train"}
"""Runs whose figures other versions of scikit-learn and transformers change."""


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(
            run,
            id=run.name,
            marks=[pytest.mark.slow] * (run.system in SLOW) + [PINNED] * (run.name in OF_LIBRARIES),
        )
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
