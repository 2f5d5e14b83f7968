"""The frozen runs of `runs.py` for: babylm."""

import pytest

from tests.golden.check import unchanged
from tests.golden.runs import runs_of


@pytest.mark.slow
@pytest.mark.parametrize("run", runs_of("babylm"), ids=lambda run: run.name)
def test_outputs_are_what_they_were(run, tmp_path):
    unchanged(run, tmp_path)
